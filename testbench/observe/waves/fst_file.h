// SPDX-License-Identifier: Apache-2.0
// An FstFile is a wave file in GTKWave's compressed binary format FST. Until it is closed, the
// flushed part can be read together with the file PATH.hier beside it.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "testbench/observe/waves/wave_file.h"

namespace allport {

/// The file beside the FST file `path` that exists while that is written.
std::string fst_table_file(const std::string& path);

/// Throws std::invalid_argument, one sentence, when that file is there already, because it would be
/// lost, unless it was left beside an FST file by a writer that was killed.
void require_no_table(const std::string& path);

class FstFile final : public WaveFile {
 public:
  /// Throws std::invalid_argument when the file cannot be created, or as require_no_table().
  explicit FstFile(const std::string& path);
  ~FstFile() override;
  FstFile(const FstFile&) = delete;
  FstFile& operator=(const FstFile&) = delete;

  void open_scope(const std::string& name) override;
  void close_scope() override;
  WaveSignal declare(const std::string& name, int width) override;
  void set_time(Cycle cycle) override;
  void change(WaveSignal signal, WaveValue value) override;
  void close() override;

 private:
  struct Variable {
    std::uint32_t handle = 0;
    std::uint32_t width = 1;
  };

  std::string path_;
  unsigned long losses_before_;  // losses in other files
  void* writer_ = nullptr;       // null: it is closed
  std::vector<Variable> variables_;
  std::array<char, 64> no_value_{};
  std::uint32_t unflushed_changes_ = 0;
};

}  // namespace allport
