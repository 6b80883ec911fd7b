// SPDX-License-Identifier: Apache-2.0
#include "testbench/observe/waves/gtkw_findings.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace allport {

namespace {

// The cycles in first .. last that have a marker, in order.
std::vector<Cycle> marked_cycles(const std::vector<WaveFinding>& findings, Cycle first,
                                 Cycle last) {
  std::set<Cycle> marked;
  const auto mark = [&](const WaveFinding& finding, bool is_end) {
    if (finding.is_end != is_end || finding.cycle < first || finding.cycle > last) return;
    if (marked.size() < GtkwWriter::max_markers) marked.insert(finding.cycle);
  };
  for (auto finding = findings.rbegin(); finding != findings.rend(); ++finding) {
    mark(*finding, true);  // if a circle has more waits than letters, the last ones
  }
  std::vector<WaveFinding> others = findings;
  std::stable_sort(others.begin(), others.end(),
                   [](const WaveFinding& a, const WaveFinding& b) { return a.cycle < b.cycle; });
  for (const WaveFinding& finding : others) mark(finding, false);
  return {marked.begin(), marked.end()};
}

// Whether `a` rather than `b`, of the same cycle, names the marker.
bool names_before(const WaveFinding& a, const WaveFinding& b) {
  return std::make_pair(a.has_text, a.is_end) > std::make_pair(b.has_text, b.is_end);
}

}  // namespace

GtkwFindings::GtkwFindings(const WaveFindings& findings, Cycle first, Cycle last)
    : first_(first), last_(last), unmarked_(findings.later) {
  for (const Cycle cycle : marked_cycles(findings.list, first, last)) {
    markers_.push_back({cycle, ""});
  }
  set_rows(findings.list);
  name_markers(findings.list);
}

std::vector<GtkwMarker>::iterator GtkwFindings::marker_of(Cycle cycle) {
  return std::find_if(markers_.begin(), markers_.end(),
                      [cycle](const GtkwMarker& marker) { return marker.cycle == cycle; });
}

std::string GtkwFindings::letter_of(const GtkwMarker& marker) const {
  return {static_cast<char>('A' + (&marker - markers_.data()))};
}

void GtkwFindings::set_rows(const std::vector<WaveFinding>& findings) {
  for (const WaveFinding& finding : findings) {
    if (finding.row.empty()) continue;
    const auto marker = marker_of(finding.cycle);
    if (marker != markers_.end()) {
      rows_.push_back(letter_of(*marker) + "  " + finding.row);
    } else if (finding.is_end) {
      rows_.push_back("   " + finding.row);
    } else {
      ++unmarked_;
    }
  }
  if (rows_.size() <= max_rows) return;
  const auto folded = rows_.begin() + max_rows - 1;
  folded_.assign(folded, rows_.end());
  rows_.erase(folded, rows_.end());
}

GtkwFindings::Extent GtkwFindings::extent(const GtkwMarker& marker, const std::string& text) const {
  const double cycle = GtkwWriter::cycle_pixels(last_ + 1 - first_, width());
  const double middle = static_cast<double>(marker.cycle - first_) * cycle;
  const double half = static_cast<double>(text.size()) * GtkwWriter::marker_character / 2 + 1;
  return {middle - half, middle + half};
}

// Whether `text` at `marker` overlaps no other marker's text or letter.
bool GtkwFindings::fits(const GtkwMarker& marker, const std::string& text) const {
  const Extent its = extent(marker, text);
  const auto meets = [&](const GtkwMarker& other) {
    const Extent others = extent(other, other.name.empty() ? "A" : other.name);
    return other.cycle != marker.cycle && its.begin < others.end && others.begin < its.end;
  };
  return its.begin >= 0 && std::none_of(markers_.begin(), markers_.end(), meets);
}

// First as many markers as possible get their brief text, then those that have room get the long
// one; a marker without room for either has its letter alone.
void GtkwFindings::name_markers(const std::vector<WaveFinding>& findings) {
  std::vector<WaveFinding> by_weight = findings;
  std::stable_sort(by_weight.begin(), by_weight.end(), names_before);
  std::map<Cycle, std::size_t> others;
  for (const WaveFinding& finding : findings) ++others[finding.cycle];
  for (const auto text : {&WaveFinding::brief, &WaveFinding::text}) {
    std::set<Cycle> seen;
    for (const WaveFinding& finding : by_weight) {
      const auto marker = marker_of(finding.cycle);
      if (marker == markers_.end() || !seen.insert(finding.cycle).second) continue;
      const std::string& words = finding.brief.empty() ? finding.text : finding.*text;
      const std::size_t more = finding.has_text ? 0 : others[finding.cycle] - 1;
      const std::string name = (finding.row.empty() ? "" : letter_of(*marker) + " ") + words +
                               (more > 0 ? " +" + std::to_string(more) : "");
      if (finding.has_text || fits(*marker, name)) marker->name = name;
    }
  }
}

int GtkwFindings::lines() const {
  return static_cast<int>(rows_.size()) + (folded_.empty() ? 0 : 1) + (unmarked_ == 0 ? 0 : 1);
}

void GtkwFindings::write(GtkwWriter& writer) const {
  const auto write_row = [&](std::string row) {
    row.resize(width(), ' ');  // GTKWave aligns lines on the right
    writer.add_comment(row);
  };
  std::for_each(rows_.begin(), rows_.end(), write_row);
  if (!folded_.empty()) {
    writer.open_group(std::to_string(folded_.size()) + " more: select this line and press T", true);
    std::for_each(folded_.begin(), folded_.end(), write_row);
    writer.close_group();
  }
  if (unmarked_ == 0) return;
  writer.add_comment(std::to_string(unmarked_) + " later ones have no marker: --json lists them");
}

std::size_t GtkwFindings::width() const {
  std::size_t width = 0;
  for (const auto* rows : {&rows_, &folded_}) {
    for (const std::string& row : *rows) width = std::max(width, row.size());
  }
  return width;
}

}  // namespace allport
