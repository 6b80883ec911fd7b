// SPDX-License-Identifier: Apache-2.0
// Lanes are the tracks of one node in a timeline.
#pragma once

#include <functional>
#include <optional>
#include <queue>
#include <string>
#include <utility>
#include <vector>

#include "testbench/show/timeline/timeline_file.h"

namespace allport {

/// A node as a process of the timeline, which begins with its first track.
class NodeProcess {
 public:
  /// `file` must outlive it.
  NodeProcess(TimelineFile& file, NodeId node) : file_(file), node_(node) {}

  TimelineFile& file() const { return file_; }
  /// Process 0 means something else to viewers, so the numbers of processes are those of the nodes
  /// plus 1.
  TimelineTrack process() {
    const auto number = static_cast<int>(index(node_));
    if (!process_) process_ = file_.add_process(number + 1, "node " + std::to_string(number));
    return *process_;
  }

 private:
  TimelineFile& file_;
  const NodeId node_;
  std::optional<TimelineTrack> process_;
};

/// Tracks of one name for slices that overlap: as many as there are slices at once.
class Lanes {
 public:
  /// `process` must outlive it.
  Lanes(NodeProcess& process, std::string name) : process_(process), name_(std::move(name)) {}

  /// The track for what takes the cycles `first` .. `end` - 1. Calls come in the order of `first`.
  TimelineTrack take(Cycle first, Cycle end) {
    const bool is_full = lanes_.empty() || lanes_.top().first > first;
    const TimelineTrack track =
        is_full ? process_.file().add_track(process_.process(), name_) : lanes_.top().second;
    if (!is_full) lanes_.pop();
    lanes_.emplace(end, track);
    return track;
  }

 private:
  using Lane = std::pair<Cycle, TimelineTrack>;  // the cycle from which on it is free

  NodeProcess& process_;
  const std::string name_;
  std::priority_queue<Lane, std::vector<Lane>, std::greater<>> lanes_;
};

}  // namespace allport
