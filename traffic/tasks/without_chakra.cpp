// SPDX-License-Identifier: Apache-2.0
// In place of chakra_trace.cpp, and of what it reads with, where Protocol Buffers are not there: in
// a browser.
#include <stdexcept>

#include "traffic/tasks/workload_format.h"

namespace allport {

namespace {

bool begins_chakra(std::string_view /*line*/, std::string_view text) {
  return text.find("\"data_deps\"") != std::string_view::npos;
}

ApplicationTrace refuse_chakra(const std::vector<TraceFile>& files, const TraceScale& /*scale*/,
                               int /*flit_bytes*/) {
  throw std::invalid_argument(files.front().name + ": this build reads no traces of Chakra");
}

}  // namespace

WorkloadFormat chakra_format() {
  return {"Chakra",
          "trace of Chakra",
          "Chakra execution traces",
          "",
          WorkloadFormat::Files::by_rank,
          begins_chakra,
          refuse_chakra};
}

}  // namespace allport
