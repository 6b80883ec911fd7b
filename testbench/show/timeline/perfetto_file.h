// SPDX-License-Identifier: Apache-2.0
// This class writes a timeline in Perfetto's protobuf format, packet by packet. The unit of time is
// 1 ns and stands for one cycle.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "rtl_model/base/stop_flag.h"
#include "testbench/show/timeline/timeline_file.h"

namespace allport {

namespace track_events {
class Trace;
class TracePacket;
}  // namespace track_events

class PerfettoFile final : public TimelineFile {
 public:
  /// Hands the packets over to `append`, and throws Stopped once `stop` is set.
  PerfettoFile(Append append, StopFlag stop);
  ~PerfettoFile() override;

  TimelineTrack add_process(int pid, const std::string& name) override;
  TimelineTrack add_track(TimelineTrack process, const std::string& name) override;
  std::optional<TimelineTrack> add_counter(TimelineTrack process, const std::string& name,
                                           const char* unit) override;
  void begin(TimelineTrack track, const TimelineSlice& slice) override;
  void end(TimelineTrack track, Cycle now) override;
  void count(TimelineTrack counter, Cycle now, std::int64_t value) override;
  void finish() override {}

 private:
  enum class EventType : std::uint32_t { begin = 1, end = 2, counter = 4 };

  TimelineTrack new_track(const std::string& name);
  void start_event(TimelineTrack track, EventType type, Cycle now);
  void write();

  const Append append_;
  const StopFlag stop_;
  const std::unique_ptr<track_events::Trace> trace_;  // the packet being written
  track_events::TracePacket& packet_;
  std::string bytes_;
  std::uint64_t tracks_ = 0;
  bool is_first_ = true;
};

}  // namespace allport
