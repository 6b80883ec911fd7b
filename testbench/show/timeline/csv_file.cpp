// SPDX-License-Identifier: Apache-2.0
#include "testbench/show/timeline/csv_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "rtl_model/base/csv_rows.h"

namespace allport {

namespace {

// What a slice says of itself by this name; empty: nothing.
template <class Value>
std::string said(const std::vector<std::pair<const char*, Value>>& all, std::string_view name) {
  const auto found =
      std::find_if(all.begin(), all.end(), [name](const auto& one) { return name == one.first; });
  return found == all.end() ? "" : fmt::format("{}", found->second);
}

// A place is in quotes whatever it is.
std::string in_quotes(const std::string& text) {
  const std::string cell = csv_cell(text);
  return cell.front() == '"' ? cell : '"' + cell + '"';
}

}  // namespace

CsvFile::CsvFile(Append append, StopFlag stop) : append_(std::move(append)), stop_(stop) {
  append_("node,place,what,message,cause,from,to,flits,flits_not_sent,next_node,blamed\n");
}

TimelineTrack CsvFile::add(Track track) {
  tracks_.push_back(std::move(track));
  return TimelineTrack{tracks_.size() - 1};
}

TimelineTrack CsvFile::add_process(int pid, const std::string& /*name*/) {
  return add({pid - 1, ""});
}

TimelineTrack CsvFile::add_track(TimelineTrack process, const std::string& name) {
  return add({tracks_[static_cast<std::size_t>(process)].node, in_quotes(name)});
}

// A slice of a message has its name, any other one names the message besides.
void CsvFile::begin(TimelineTrack track, const TimelineSlice& slice) {
  heed(stop_);
  const Track& at = tracks_[static_cast<std::size_t>(track)];
  const std::string message = said(slice.words, "message");
  append_(fmt::format("{},{},{},{},{},{},{},{},{},{},{}\n", at.node, at.place, slice.category,
                      csv_cell(message.empty() ? slice.name : message), said(slice.words, "cause"),
                      slice.first, slice.end, said(slice.numbers, "flits"),
                      said(slice.numbers, "flits not sent"), said(slice.numbers, "next node"),
                      csv_cell(said(slice.words, "blamed"))));
}

}  // namespace allport
