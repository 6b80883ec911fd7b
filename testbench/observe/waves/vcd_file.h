// SPDX-License-Identifier: Apache-2.0
// A VcdFile is a wave file in the text format VCD (IEEE 1364, section 18). It is written in blocks
// that end with a line, so that the file is valid whenever the process ends.
#pragma once

#include <fstream>
#include <string>
#include <vector>

#include "testbench/observe/waves/wave_file.h"

namespace allport {

class VcdFile final : public WaveFile {
 public:
  /// Throws std::invalid_argument when the file cannot be created.
  explicit VcdFile(const std::string& path);
  ~VcdFile() override;
  VcdFile(const VcdFile&) = delete;
  VcdFile& operator=(const VcdFile&) = delete;

  void open_scope(const std::string& name) override;
  void close_scope() override;
  WaveSignal declare(const std::string& name, int width) override;
  void set_time(Cycle cycle) override;
  void change(WaveSignal signal, WaveValue value) override;
  void close() override;

 private:
  struct Variable {
    std::string code;
    int width = 1;
  };

  void flush();

  std::string path_;
  std::ofstream file_;
  std::string text_;  // whole lines that are not yet in the file
  std::vector<Variable> variables_;
  bool is_dumping_ = false;
  bool is_closed_ = false;
};

}  // namespace allport
