// SPDX-License-Identifier: Apache-2.0
// Writes a timeline in Perfetto's protobuf format, packet by packet: processes with tracks of
// slices and of counters. The unit of time is 1 ns and stands for one cycle.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "rtl_model/base/ids.h"
#include "rtl_model/base/stop_flag.h"

namespace allport {

namespace track_events {
class Trace;
class TracePacket;
}  // namespace track_events

/// A process or a track of a timeline.
enum class TimelineTrack : std::uint64_t {};

/// What happens on a track from one cycle on.
struct TimelineSlice {
  Cycle first = 0;
  std::string name;
  const char* category = "";
  std::vector<std::pair<const char*, std::int64_t>> numbers{};
  std::vector<std::pair<const char*, std::string>> words{};
  std::vector<std::uint64_t> flows{};        ///< arrows that begin here
  std::vector<std::uint64_t> ended_flows{};  ///< arrows that end here
};

class TimelineFile {
 public:
  using Append = std::function<void(std::string_view)>;

  /// Hands the packets over to `append`, and throws Stopped once `stop` is set.
  TimelineFile(Append append, StopFlag stop);
  ~TimelineFile();
  TimelineFile(const TimelineFile&) = delete;
  TimelineFile& operator=(const TimelineFile&) = delete;

  TimelineTrack add_process(int pid, const std::string& name);
  /// Tracks of a process are shown in the order in which they were added, those of one name
  /// together.
  TimelineTrack add_track(TimelineTrack process, const std::string& name);
  TimelineTrack add_counter(TimelineTrack process, const std::string& name, const char* unit);

  /// The events of a track must be in the order of time, and its slices nested.
  void begin(TimelineTrack track, const TimelineSlice& slice);
  void end(TimelineTrack track, Cycle now);
  void count(TimelineTrack counter, Cycle now, std::int64_t value);

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
