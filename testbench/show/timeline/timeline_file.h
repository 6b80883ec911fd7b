// SPDX-License-Identifier: Apache-2.0
// A TimelineFile has what a timeline consists of, whatever the format of its file: processes with
// tracks of slices and of counters, and arrows between slices.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "rtl_model/base/ids.h"

namespace allport {

/// A process or a track of a timeline.
enum class TimelineTrack : std::uint64_t {};

/// What an arrow leads to.
enum class ArrowKind : std::uint8_t {
  injection = 1,  ///< the injection of the message with its number, which is prepared
  hop,            ///< the crossing with its number
  reception,      ///< the reception by the crossing with its number
  dependency,     ///< the message with its number
};

struct TimelineArrow {
  ArrowKind kind = ArrowKind::hop;
  std::uint64_t number = 0;

  /// The number of the arrow among those of all kinds.
  std::uint64_t id() const { return static_cast<std::uint64_t>(kind) << 56 | number; }
};

/// What happens on a track in the cycles `first` .. `end` - 1.
struct TimelineSlice {
  Cycle first = 0;
  Cycle end = 0;
  std::string name;
  const char* category = "";
  std::vector<std::pair<const char*, std::int64_t>> numbers{};
  std::vector<std::pair<const char*, std::string>> words{};
  std::vector<TimelineArrow> arrows{};        ///< arrows that begin here
  std::vector<TimelineArrow> ended_arrows{};  ///< arrows that end here
};

/// A file of timelines of one format, written piece by piece.
class TimelineFile {
 public:
  /// Takes a piece of the file.
  using Append = std::function<void(std::string_view)>;

  TimelineFile() = default;
  virtual ~TimelineFile() = default;
  TimelineFile(const TimelineFile&) = delete;
  TimelineFile& operator=(const TimelineFile&) = delete;

  virtual TimelineTrack add_process(int pid, const std::string& name) = 0;
  /// Tracks of a process are shown in the order in which they were added, those of one name
  /// together.
  virtual TimelineTrack add_track(TimelineTrack process, const std::string& name) = 0;
  /// None: the format has no counters.
  virtual std::optional<TimelineTrack> add_counter(TimelineTrack process, const std::string& name,
                                                   const char* unit) = 0;

  /// The events of a track must be in the order of time, and its slices nested, each in one of
  /// another category.
  virtual void begin(TimelineTrack track, const TimelineSlice& slice) = 0;
  virtual void end(TimelineTrack track, Cycle now) = 0;
  virtual void count(TimelineTrack counter, Cycle now, std::int64_t value) = 0;

  /// Ends the file.
  virtual void finish() = 0;
};

}  // namespace allport
