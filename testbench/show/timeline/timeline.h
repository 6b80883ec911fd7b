// SPDX-License-Identifier: Apache-2.0
// write_timeline() writes a timeline of a trial for a viewer: a process for each node, and in it
// tracks of its processor and of every virtual channel that it sends on, with the waits of
// docs/explain.md, and counters of what is in its buffers. Arrows follow a message from hop to hop,
// and lead from a reception to the messages that depend on it.
#pragma once

#include "rtl_model/base/stop_flag.h"
#include "rtl_model/topology/topology.h"
#include "testbench/observe/explain/explained_trial.h"
#include "testbench/show/timeline/timeline_file.h"
#include "testbench/show/timeline/timeline_format.h"

namespace allport {

/// Hands the timeline of `trial`, on a fabric of `topology`, over to `append`, piece by piece.
/// Throws Stopped once `stop` is set.
void write_timeline(const ShownTrial& trial, const Topology& topology, TimelineFormat format,
                    const TimelineFile::Append& append, StopFlag stop);

}  // namespace allport
