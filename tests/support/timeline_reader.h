// SPDX-License-Identifier: Apache-2.0
// This header reads a timeline in Perfetto's protobuf format, by the published numbers of its
// fields and without the library that wrote it.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace allport::test {

struct TimelineReading {
  struct Track {
    std::string name;
    std::string process;  ///< name of its process
    bool is_counter = false;
    int pid = 0;  ///< of a process; 0: it is a track in one
  };
  struct Slice {
    std::uint64_t track = 0;
    std::int64_t first = 0;
    std::int64_t end = -1;
    std::size_t depth = 0;  ///< slices of the track around it
    std::string name;
    std::string category;
    std::map<std::string, std::string> notes;
    std::vector<std::uint64_t> flows;
    std::vector<std::uint64_t> ended_flows;
  };
  using Counts = std::vector<std::pair<std::int64_t, std::int64_t>>;

  std::map<std::uint64_t, Track> tracks;
  std::vector<Slice> slices;
  std::map<std::uint64_t, Counts> counts;  ///< by track: cycle and value
  std::size_t packets = 0;
  std::string fault;  ///< the first thing that is against the format; empty: nothing
};

TimelineReading read_timeline(std::string_view bytes);

}  // namespace allport::test
