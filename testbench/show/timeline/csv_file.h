// SPDX-License-Identifier: Apache-2.0
// A CsvFile writes a timeline as a table, a row for each slice, for programs that draw or reckon by
// themselves. Counters and arrows do not exist; messages are found by their names. The unit of time
// is one cycle.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "rtl_model/base/stop_flag.h"
#include "testbench/show/timeline/timeline_file.h"

namespace allport {

class CsvFile final : public TimelineFile {
 public:
  /// Hands the rows over to `append`, and throws Stopped once `stop` is set.
  CsvFile(Append append, StopFlag stop);

  TimelineTrack add_process(int pid, const std::string& name) override;
  TimelineTrack add_track(TimelineTrack process, const std::string& name) override;
  std::optional<TimelineTrack> add_counter(TimelineTrack, const std::string&,
                                           const char*) override {
    return std::nullopt;
  }
  void begin(TimelineTrack track, const TimelineSlice& slice) override;
  /// A row has the end of its slice from its beginning.
  void end(TimelineTrack, Cycle) override {}
  void count(TimelineTrack, Cycle, std::int64_t) override {}
  void finish() override {}

 private:
  struct Track {
    int node = 0;
    std::string place;
  };
  TimelineTrack add(Track track);

  const Append append_;
  const StopFlag stop_;
  std::vector<Track> tracks_;
};

}  // namespace allport
