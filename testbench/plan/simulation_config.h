// SPDX-License-Identifier: Apache-2.0
// What a simulation is built for: the fabric, its nodes and the length of its messages.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "rtl_model/base/ids.h"
#include "rtl_model/topology/router_config.h"

namespace allport {

struct SimulationConfig {
  FabricConfig fabric;
  bool moves_worms = false;      ///< the transaction-level fabric (tlm/worm) instead of routers
  Cycle ts = 0;                  ///< sender's latency, 0 .. 10^9
  Cycle tr = 0;                  ///< receiver's latency, 0 .. 10^9
  Cycle jitter = 0;              ///< largest random delay at an injection port, 0 .. 10^9
  std::optional<Cycle> barrier;  ///< keeps several collectives apart at this cost; none: no barrier
  bool barrier_messages = false;  ///< of a trial's n collectives the last n/2 are such barriers
  int flits = 16;                 ///< L, 1 .. 10^6
  int flit_bytes = 4;             ///< payload bytes of a flit, 1 .. 8
  std::size_t bytes = 64;         ///< payload bytes of a message: flits == ceil(bytes / flit_bytes)
  std::uint64_t seed = 1;
};

/// Throws std::invalid_argument with one sentence naming option, value and range.
void validate(const SimulationConfig& config);

}  // namespace allport
