// SPDX-License-Identifier: Apache-2.0
// This callback follows the progress of a run.
#pragma once

#include <functional>

#include "rtl_model/base/ids.h"

namespace allport {

/// Called now and then during a run, with the fraction done (0 .. 1, negative if it is not known)
/// and the current cycle.
using Progress = std::function<void(double fraction, Cycle cycle)>;

}  // namespace allport
