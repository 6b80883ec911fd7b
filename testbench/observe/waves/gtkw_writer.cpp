// SPDX-License-Identifier: Apache-2.0
#include "testbench/observe/waves/gtkw_writer.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace allport {

namespace {

// Sizes in pixels. The tree of signals is folded away to the left.
constexpr int window_width = 1600;
constexpr int window_height = 1000;
constexpr int tree_width = 60;
constexpr int labels_width = 230;
constexpr int label_character = 8;
constexpr int borders = 40;
constexpr double pixels_per_frame = 200;  // a zoom of z shows floor(2^-z) time units in them

// The flags of a trace, as GTKWave numbers them.
constexpr unsigned hexadecimal = 0x22;
constexpr unsigned decimal = 0x24;
constexpr unsigned binary = 0x28;
constexpr unsigned blank = 0x200;
constexpr unsigned collapsed = 0x1000;
constexpr unsigned translated = 0x2000;
constexpr unsigned closed = 0x400000;
constexpr unsigned group_begin = 0x800000;
constexpr unsigned group_end = 0x1000000;

int labels_pixels(std::size_t characters) {
  return std::max(labels_width, static_cast<int>(characters) * label_character + borders);
}

// The smallest whole number such that `cycles` fit the window.
double cycles_per_frame(Cycle cycles, std::size_t label_width) {
  const int pixels = window_width - tree_width - labels_pixels(label_width) - borders;
  return std::ceil(static_cast<double>(std::max<Cycle>(cycles, 1)) * pixels_per_frame / pixels);
}

unsigned flags_of(TraceFormat format) {
  switch (format) {
    case TraceFormat::bit:
      return binary;
    case TraceFormat::decimal:
      return decimal;
    case TraceFormat::hexadecimal:
      return hexadecimal;
    case TraceFormat::flits:
    case TraceFormat::messages:
      return hexadecimal | translated;
  }
  return hexadecimal;
}

// A label as it may stand between braces: GTKWave ends it at the first one that closes and drops
// what stands before a backslash. Names of the nodes of a graph may have them.
std::string between_braces(std::string label) {
  for (char& letter : label) {
    if (letter == '{') letter = '(';
    if (letter == '}') letter = ')';
    if (letter == '\\') letter = '/';
  }
  return label;
}

}  // namespace

GtkwWriter::GtkwWriter(std::ostream& out, std::string flits_file, std::string messages_file)
    : out_(out), flits_file_(std::move(flits_file)), messages_file_(std::move(messages_file)) {}

double GtkwWriter::cycle_pixels(Cycle cycles, std::size_t label_width) {
  return pixels_per_frame / cycles_per_frame(cycles, label_width);
}

void GtkwWriter::write_header(const GtkwHeader& header, const std::vector<GtkwMarker>& markers) {
  out_ << "[*]\n[*] GTKWave save file, written by allport\n[*]\n"
       << "[dumpfile] \"" << header.dump_file << "\"\n"
       << "[savefile] \"" << header.save_file << "\"\n"
       << "[timestart] " << header.first << "\n"
       << "[size] " << window_width << " " << window_height << "\n"
       << "[pos] -1 -1\n";
  write_zoom(header, markers);
  for (std::size_t i = 0; i < std::min(markers.size(), max_markers); ++i) {
    if (markers[i].name.empty()) continue;
    out_ << "[markername] " << static_cast<char>('A' + i) << markers[i].name << "\n";
  }
  out_ << "[treeopen] fabric.\n"
       << "[sst_width] " << tree_width << "\n"
       << "[signals_width] " << labels_pixels(header.label_width) << "\n"
       << "[sst_expanded] 0\n";
}

// Writes zoom, primary marker (none) and named markers.
void GtkwWriter::write_zoom(const GtkwHeader& header, const std::vector<GtkwMarker>& markers) {
  const double cycles = cycles_per_frame(header.last - header.first, header.label_width) + 0.01;
  out_ << "*" << -std::log2(cycles) << " -1";
  for (std::size_t i = 0; i < max_markers; ++i) {
    out_ << " " << (i < markers.size() ? markers[i].cycle : -1);
  }
  out_ << "\n";
}

void GtkwWriter::write_flags(unsigned flags) {
  if (flags == flags_) return;
  flags_ = flags;
  out_ << "@" << std::hex << flags << std::dec << "\n";
}

void GtkwWriter::write_trace(const Trace& trace, unsigned flags) {
  write_flags(flags);
  if (trace.format == TraceFormat::flits) out_ << "^1 " << flits_file_ << "\n";
  if (trace.format == TraceFormat::messages) out_ << "^2 " << messages_file_ << "\n";
  out_ << "+{" << between_braces(trace.label) << "} " << trace.signal << "\n";
}

void GtkwWriter::add(const Trace& trace) { write_trace(trace, flags_of(trace.format)); }

void GtkwWriter::add_comment(const std::string& text) {
  write_flags(blank);
  out_ << "-" << text << "\n";
}

void GtkwWriter::open_group(const Trace& trace, bool is_closed) {
  write_trace(trace, flags_of(trace.format) | group_begin | (is_closed ? closed : 0));
  groups_.push_back({trace.label, is_closed});
}

void GtkwWriter::open_group(const std::string& text, bool is_closed) {
  write_flags(blank | group_begin | (is_closed ? closed : 0));
  out_ << "-" << text << "\n";
  groups_.push_back({text, is_closed});
}

void GtkwWriter::close_group() {
  write_flags(blank | group_end | (groups_.back().is_closed ? closed | collapsed : 0));
  out_ << "-" << groups_.back().label << "\n";
  groups_.pop_back();
}

}  // namespace allport
