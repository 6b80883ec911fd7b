// SPDX-License-Identifier: Apache-2.0
// A StepAssignment finds the steps of the algorithms whose steps are not fixed by phases: a send
// goes in the first step after the sender's own reception in which its injection port is free, so
//   step = max(step of the sender's reception, last step used on that injection port) + 1.
// The injection port is the first channel modulo the number of internal ports [Robinson93, sec. 2].
// Under the rule `aware` it also waits for the channels of its route (aware_steps.h).
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <vector>

#include "rtl_model/base/name_table.h"
#include "rtl_model/topology/routing.h"
#include "traffic/schedule/schedule.h"

namespace allport {

/// How the steps are assigned.
enum class StepRule {
  naive,  ///< by the injection ports alone
  aware,  ///< contention-aware: two sends of a step share no channel
};
template <>
inline constexpr std::array<Named<StepRule>, 2> name_table<StepRule>{
    {{StepRule::naive, "naive"}, {StepRule::aware, "aware"}}};

/// Throws std::invalid_argument unless `internal_ports` is 1 .. external ports.
void require_internal_ports(int internal_ports, const Topology& topology);

/// The injection port of a message whose first channel is `first_channel`.
constexpr std::size_t injection_port(PortId first_channel, int internal_ports) {
  return index(first_channel) % static_cast<std::size_t>(internal_ports);
}

/// Builds a schedule program by program: begin() a sender, send() in the order of its program.
class StepAssignment {
 public:
  StepAssignment(const Routing& routing, int internal_ports, StepRule rule = StepRule::naive);

  /// Starts the program of `sender`, which received in step `received` (0 for a source, such as the
  /// first sender). Under the rule `aware`, among senders of one reception the lower `chain_index`
  /// goes first.
  void begin(NodeId sender, StepIndex received, std::size_t chain_index = 0);
  /// Appends a send of the current sender, whose ties go by the tie-break of the routing, and
  /// returns its step under the rule `naive`, which is the `received` of `destination`.
  StepIndex send(NodeId destination);
  /// The schedule built so far, sorted.
  Schedule take();

 private:
  const Routing& routing_;
  int internal_ports_;
  StepRule rule_;
  Schedule schedule_;
  NodeId sender_{};
  int order_ = 0;
  std::vector<StepIndex> last_step_;  // last step of the sender on each injection port
  std::optional<NodeId> source_;
  std::vector<std::size_t> chain_index_;  // chain index of each node; rule aware only
};

}  // namespace allport
