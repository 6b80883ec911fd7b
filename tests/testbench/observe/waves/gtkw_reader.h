// SPDX-License-Identifier: Apache-2.0
// A GtkwReader reads a GTKWave save file back, strictly: a line that GTKWave would ignore is a
// failure.
#pragma once

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <sstream>
#include <string>
#include <vector>

namespace allport::test {

struct GtkwFile {
  std::string dump_file;
  std::string save_file;
  std::vector<std::string> signals;       // signals with ranges, from top to bottom
  std::vector<std::string> labels;        // labels of the signals
  std::vector<std::string> translations;  // translation files, once each
  std::vector<std::int64_t> markers;      // named markers that are set
  std::vector<std::string> marker_names;
  std::vector<std::string> comments;  // those in sight, without trailing blanks
  std::vector<std::string> folded;    // those inside closed groups
  std::size_t closed_signals = 0;     // signals inside closed groups
  std::vector<bool> is_hidden;        // by signal: whether it is inside a closed group
};

class GtkwReader {
 public:
  explicit GtkwReader(const std::string& text) {
    std::istringstream stream(text);
    for (std::string line; std::getline(stream, line);) read(line);
    EXPECT_EQ(depth_, 0) << "groups left open";
  }
  GtkwFile file;

 private:
  void read(const std::string& line) {
    switch (line.at(0)) {
      case '[':
        return read_attribute(line);
      case '*':
        return read_markers(line.substr(1));
      case '@':
        flags_ = std::stoull(line.substr(1), nullptr, 16);
        return;
      case '^':
        return read_translation(line);
      case '+':
        return read_signal(line);
      case '-':
        if ((flags_ & group_begin) != 0) {
          file.comments.push_back(line.substr(1));
          return open_group();
        }
        if (flags_ == blank) return read_comment(line.substr(1, line.find_last_not_of(' ')));
        EXPECT_NE(flags_ & group_end, 0U) << line;
        --depth_;
        if (depth_ < closed_depth_) closed_depth_ = open;
        return;
      default:
        ADD_FAILURE() << "line " << line;
    }
  }

  void read_attribute(const std::string& line) {
    const std::size_t end = line.find(']');
    const std::string name = line.substr(1, end - 1);
    const std::string rest = line.size() > end + 2 ? line.substr(end + 2) : "";
    if (name == "dumpfile") file.dump_file = rest;
    if (name == "savefile") file.save_file = rest;
    if (name == "markername") file.marker_names.push_back(rest);
  }

  void read_markers(const std::string& rest) {
    std::istringstream numbers(rest);
    double zoom = 0;
    std::int64_t primary = 0;
    numbers >> zoom >> primary;
    EXPECT_LE(zoom, 0);
    EXPECT_EQ(primary, -1);
    int count = 0;
    for (std::int64_t cycle = 0; numbers >> cycle; ++count) {
      if (cycle >= 0) file.markers.push_back(cycle);
    }
    EXPECT_EQ(count, 26);
  }

  void read_translation(const std::string& line) {
    has_translation_ = true;
    const std::string path = line.substr(line.find(' ') + 1);
    for (const std::string& known : file.translations) {
      if (known == path) return;
    }
    file.translations.push_back(path);
  }

  void read_signal(const std::string& line) {
    const std::size_t end = line.find("} ");
    ASSERT_EQ(line[1], '{') << line;
    ASSERT_NE(end, std::string::npos) << line;
    EXPECT_EQ((flags_ & translated) != 0, has_translation_) << line;
    has_translation_ = false;
    file.labels.push_back(line.substr(2, end - 2));
    file.signals.push_back(line.substr(end + 2));
    file.is_hidden.push_back(depth_ >= closed_depth_);
    if (file.is_hidden.back()) ++file.closed_signals;
    if ((flags_ & group_begin) != 0) open_group();
  }

  void read_comment(const std::string& text) {
    (depth_ >= closed_depth_ ? file.folded : file.comments).push_back(text);
  }

  void open_group() {
    ++depth_;
    if ((flags_ & closed) != 0 && depth_ < closed_depth_) closed_depth_ = depth_;
  }

  static constexpr std::uint64_t blank = 0x200;
  static constexpr std::uint64_t translated = 0x2000;
  static constexpr std::uint64_t closed = 0x400000;
  static constexpr std::uint64_t group_begin = 0x800000;
  static constexpr std::uint64_t group_end = 0x1000000;
  static constexpr int open = 1000;
  std::uint64_t flags_ = 0;
  bool has_translation_ = false;
  int depth_ = 0;
  int closed_depth_ = open;  // depth of the outermost closed group
};

}  // namespace allport::test
