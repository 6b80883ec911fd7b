// SPDX-License-Identifier: Apache-2.0
// A GtkwWriter knows the format of GTKWave's save files (GTKWave 3.3, Write Save File): window,
// zoom and named markers first, then the traces from top to bottom, nested in groups. A group
// begins with a trace of its own, which stays visible when the group is closed.
#pragma once

#include <cstddef>
#include <ostream>
#include <string>
#include <vector>

#include "rtl_model/base/ids.h"

namespace allport {

/// How the values of a trace are shown.
enum class TraceFormat {
  bit,
  decimal,
  hexadecimal,
  flits,     ///< translated by the first file
  messages,  ///< translated by the second file
};

struct Trace {
  std::string label;
  std::string signal;  ///< full name with range
  TraceFormat format = TraceFormat::decimal;
};

struct GtkwMarker {
  Cycle cycle = 0;
  std::string name;  ///< empty: the marker shows its letter
};

/// The header before the traces. The two files lie in one folder.
struct GtkwHeader {
  std::string save_file;
  std::string dump_file;
  Cycle first = 0;  ///< the window shows the times first .. last
  Cycle last = 0;
  std::size_t label_width = 0;  ///< width of labels in characters, if more than usual
};

class GtkwWriter {
 public:
  static constexpr std::size_t max_markers = 26;
  static constexpr double marker_character =
      5;  ///< width of a character of a marker's name, pixels
  /// The width of a cycle in a window of `cycles` beside labels of `label_width` characters, in
  /// pixels.
  static double cycle_pixels(Cycle cycles, std::size_t label_width);

  /// `flits_file` and `messages_file` are translate filters in the folder of the save file.
  GtkwWriter(std::ostream& out, std::string flits_file, std::string messages_file);

  void write_header(const GtkwHeader& header, const std::vector<GtkwMarker>& markers);
  void add(const Trace& trace);
  /// Adds a line of text without a trace.
  void add_comment(const std::string& text);
  void open_group(const Trace& trace, bool is_closed);
  /// Opens a group headed by a line of text.
  void open_group(const std::string& text, bool is_closed);
  void close_group();

 private:
  struct Group {
    std::string label;
    bool is_closed = false;
  };

  void write_zoom(const GtkwHeader& header, const std::vector<GtkwMarker>& markers);
  void write_flags(unsigned flags);
  void write_trace(const Trace& trace, unsigned flags);

  std::ostream& out_;
  std::string flits_file_;
  std::string messages_file_;
  std::vector<Group> groups_;
  unsigned flags_ = 0;
};

}  // namespace allport
