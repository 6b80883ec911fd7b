// SPDX-License-Identifier: Apache-2.0
// A SimulationConfig is what a simulation is built for: the fabric, its nodes and the length of its
// messages.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "rtl_model/base/ids.h"
#include "rtl_model/router/link_errors.h"
#include "rtl_model/router/router_config.h"
#include "testbench/results/explanation.h"
#include "traffic/planning/node_model.h"
#include "traffic/tasks/host_model.h"

namespace allport {

/// What the processors of a fabric are made for: a kind of work, by its place in Work (work.h).
enum class Processors : std::size_t {};

struct SimulationConfig : NodeParameters {
  FabricConfig fabric;
  LinkErrors errors{};  ///< of the external channels; where flits err, `fabric` has retry
  bool is_transaction_level =
      false;  ///< whether the transaction-level fabric (tlm/worm) replaces the routers
  Processors processors{};        ///< those of collectives, unless it says others
  bool has_background = false;    ///< whether a pattern sends messages beside tasks or programs
  std::optional<HostModel> host;  ///< of tasks or programs; none: there is no host
  int flits = 16;                 ///< length L of a message, 1 .. 10^6 flits, on worms 10^9
  int flit_bytes = 4;             ///< payload of a flit, 1 .. 64 bytes
  std::size_t bytes = 64;  ///< payload of a message in bytes: flits == ceil(bytes / flit_bytes)
  bool payload_is_symbolic = false;  ///< on worms: whether a few bytes stand for a message's
  int reception_limit = 0;  ///< flits of a node's reception buffer for each class on an ejection
                            ///< channel, B at least; 0: nodes take every message at once
  std::uint64_t seed = 1;
  ExplainRequest explain;  ///< what is explained of the run
  /// 1 .. RouterParts::most: threads that simulate together, each a part of the routers; a plan has
  /// no more than are of use (thread_share.h). The results are the same.
  int threads = 1;
};

/// Throws std::invalid_argument, one sentence naming `option`, unless the fabric moves messages of
/// `flits` flits.
void require_length(int flits, const char* option, bool is_transaction_level);

/// Throws std::invalid_argument, one sentence, unless the times of a host are in 0 ..
/// limits::node_cycles.high and have HostModel::most_decimals decimals at most.
void require_host(const HostModel& model);

/// Throws std::invalid_argument with one sentence naming option, value and range.
void validate(const SimulationConfig& config);

}  // namespace allport
