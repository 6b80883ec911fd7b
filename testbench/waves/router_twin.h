// SPDX-License-Identifier: Apache-2.0
// A second model of a router, on the same inputs as the fabric's router of its node: what a wave
// needs of it to show it beside that one.
#pragma once

#include <functional>
#include <optional>

#include "rtl_model/systemc/observers.h"
#include "rtl_model/systemc/router_state.h"

namespace allport {

/// Where the two models of a router first showed something else.
struct TwinDifference {
  Cycle cycle = 0;        ///< in which the registers differ
  bool is_input = false;  ///< in a credit or acknowledgement, else in a flit
  int port = -1;          ///< their input or the flit's output; -1: none
};

struct RouterTwin {
  /// The twin's state, when the fabric's router holds its own.
  const RouterState* state = nullptr;
  /// Whether that shows who owns a VC and who waits: not if the twin's registers are unknown.
  bool shows_allocation = true;
  /// From now on the twin tells of the flits and acknowledgements that it sends, as a fabric does;
  /// null: nobody.
  std::function<void(FlitObserver*)> observe;
  /// The difference with which the simulation has ended; none: it has not.
  std::function<std::optional<TwinDifference>()> difference;
};

}  // namespace allport
