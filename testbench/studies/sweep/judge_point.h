// SPDX-License-Identifier: Apache-2.0
// judge_point() leads from a run that has ended to the result of its point.
#pragma once

#include "rtl_model/base/child_pool.h"
#include "testbench/studies/sweep/point.h"

namespace allport {

/// The JSON that the run printed, without what the point's configuration says and without the lists
/// of contention events, which may be longer than everything else; the sentence on stderr if it
/// failed, or the name of the signal that killed it.
PointResult judge_point(const ChildEnd& end);

}  // namespace allport
