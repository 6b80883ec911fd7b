// SPDX-License-Identifier: Apache-2.0
// A RouterTwin is a second model of a router, with the same inputs as the fabric's router of its
// node: it has what a wave needs to show it beside that one.
#pragma once

#include <functional>
#include <optional>

#include "rtl_model/systemc/observers.h"
#include "rtl_model/systemc/router_state.h"

namespace allport {

/// Where the two models of a router first differed.
struct TwinDifference {
  Cycle cycle = 0;        ///< cycle in which the registers differ
  bool is_input = false;  ///< whether a credit or acknowledgement differs; otherwise a flit does
  int port = -1;          ///< its input, or the output of the flit; -1: unknown
};

struct RouterTwin {
  /// The twin's state, to be read when the state of the fabric's router is.
  const RouterState* state = nullptr;
  /// Whether `state` shows who owns a VC and who waits: it does not if the twin's registers are
  /// unknown.
  bool shows_allocation = true;
  /// Makes the twin report the flits and acknowledgements that it sends, as a fabric does; null: to
  /// nobody.
  std::function<void(FlitObserver*)> observe;
  /// The difference with which the simulation ended; none if it did not end with one.
  std::function<std::optional<TwinDifference>()> difference;
};

}  // namespace allport
