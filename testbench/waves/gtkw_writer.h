// SPDX-License-Identifier: Apache-2.0
// The format of GTKWave's save files (GTKWave 3.3, Write Save File): window, zoom and named markers
// first, then the traces from top to bottom, nested in groups. A group is headed by a trace of its
// own, which stays visible when the group is closed.
#pragma once

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
  std::string name;  ///< empty: its letter
};

class GtkwWriter {
 public:
  static constexpr std::size_t max_markers = 26;

  /// `flits_file`, `messages_file`: translate filters, in the folder of the save file.
  GtkwWriter(std::ostream& out, std::string flits_file, std::string messages_file);

  /// `save_file` and `dump_file` lie in one folder; the window shows the times first .. last.
  void write_header(const std::string& save_file, const std::string& dump_file, Cycle first,
                    Cycle last, const std::vector<GtkwMarker>& markers);
  void add(const Trace& trace);
  /// A line of text without a trace.
  void add_comment(const std::string& text);
  void open_group(const Trace& trace, bool is_closed);
  void close_group();

 private:
  struct Group {
    std::string label;
    bool is_closed = false;
  };

  void write_zoom(Cycle first, Cycle last, const std::vector<GtkwMarker>& markers);
  void write_flags(unsigned flags);
  void write_trace(const Trace& trace, unsigned flags);

  std::ostream& out_;
  std::string flits_file_;
  std::string messages_file_;
  std::vector<Group> groups_;
  unsigned flags_ = 0;
};

}  // namespace allport
