// SPDX-License-Identifier: Apache-2.0
// A MachinePreset is a machine of the literature: what the papers state about it, in the papers'
// units and in cycles. A cycle is the time of one flit on a channel. What no paper states is not
// guessed.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "rtl_model/base/ids.h"

namespace allport {

struct MachinePreset {
  std::string_view name;
  std::string_view machine;          ///< the maker's name for it, with its fabric if stated
  std::string_view papers;           ///< keys in docs/papers.md, separated by commas
  std::optional<double> cycle_ns{};  ///< time of one flit on a channel in nanoseconds
  std::optional<double> ts_us{};     ///< start-up time of a message at its sender in microseconds
  std::optional<int> flit_bytes{};
  std::optional<Cycle>
      replication_delay{};     ///< cycles for which a router holds a flit that it copies
  std::string_view routing{};  ///< routing order on a hypercube; empty: not stated
  std::string_view remark{};   ///< a further remark, as a clause

  /// ts in whole cycles, the nearest; none: not stated.
  std::optional<Cycle> ts_cycles() const;
  /// Whether the time of a cycle is known, so that cycles can be converted to microseconds.
  bool has_clock() const { return cycle_ns.has_value(); }
  /// `cycles` in microseconds; needs a clock.
  double microseconds(double cycles) const { return cycles * *cycle_ns / 1000; }
};

/// All presets, in the order of the documentation.
const std::vector<MachinePreset>& machine_presets();

/// The preset called `name`; throws std::invalid_argument that offers the nearest name.
const MachinePreset& find_machine_preset(std::string_view name);

}  // namespace allport
