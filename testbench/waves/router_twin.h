// SPDX-License-Identifier: Apache-2.0
// A second model of a router, on the same inputs as the fabric's router of its node: what a wave
// needs of it to show it beside that one.
#pragma once

#include <functional>
#include <optional>

#include "rtl_model/systemc/router.h"

namespace allport {

/// Where the two models of a router first showed something else.
struct TwinDifference {
  Cycle cycle = 0;        ///< in which the registers differ
  bool is_input = false;  ///< in a credit, else in a flit
  int port = -1;          ///< the credit's input or the flit's output; -1: none
};

struct RouterTwin {
  /// Holds the twin's state, when the fabric's router holds its own.
  const Router* view = nullptr;
  /// From now on the twin tells of the flits that it sends, as a fabric does; null: nobody.
  std::function<void(FlitObserver*)> observe;
  /// The difference with which the simulation has ended; none: it has not.
  std::function<std::optional<TwinDifference>()> difference;
};

}  // namespace allport
