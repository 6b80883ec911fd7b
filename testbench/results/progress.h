// SPDX-License-Identifier: Apache-2.0
// How somebody outside hears of a run while it goes on.
#pragma once

#include <functional>

#include "rtl_model/base/ids.h"

namespace allport {

/// Called now and then while running: the fraction done, if known (0 .. 1, else negative), and the
/// present cycle.
using Progress = std::function<void(double fraction, Cycle cycle)>;

}  // namespace allport
