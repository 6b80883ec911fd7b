// SPDX-License-Identifier: Apache-2.0
// In place of perfetto_file.cpp where Protocol Buffers are not there: in a browser.
#include <stdexcept>

#include "testbench/show/timeline/perfetto_file.h"

namespace allport {

std::unique_ptr<TimelineFile> create_perfetto_file(TimelineFile::Append /*append*/,
                                                   StopFlag /*stop*/) {
  throw std::invalid_argument("this build writes timelines as FTR only: the name must end in .ftr");
}

}  // namespace allport
