// SPDX-License-Identifier: Apache-2.0
// A timeline in Perfetto's protobuf format, written packet by packet. The unit of time is 1 ns and
// stands for one cycle.
#pragma once

#include <memory>

#include "rtl_model/base/stop_flag.h"
#include "testbench/show/timeline/timeline_file.h"

namespace allport {

/// The file hands its packets over to `append`, and throws Stopped once `stop` is set.
std::unique_ptr<TimelineFile> create_perfetto_file(TimelineFile::Append append, StopFlag stop);

}  // namespace allport
