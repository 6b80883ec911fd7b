// SPDX-License-Identifier: Apache-2.0
#include "testbench/observe/waves/fst_file.h"

#include <fstapi.h>
#include <sys/stat.h>

#include <array>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <stdexcept>
#include <vector>

#include "rtl_model/base/quote.h"
#include "testbench/observe/waves/fst_io.h"

namespace allport {

namespace {

constexpr std::uint32_t changes_per_flush = 1U << 18;

// Whether the file is a table that an FST file had beside it when its writer was killed: such a
// table begins with the mark of an attribute or a scope, a byte that no text begins with.
bool is_table(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  const int first = file.get();
  return first == FST_ST_GEN_ATTRBEGIN || first == FST_ST_VCD_SCOPE;
}

}  // namespace

std::string fst_table_file(const std::string& path) { return path + ".hier"; }

void require_no_table(const std::string& path) {
  const std::string table = fst_table_file(path);
  struct stat status {};
  if (lstat(table.c_str(), &status) != 0 || S_ISDIR(status.st_mode)) return;
  if (S_ISREG(status.st_mode) && is_table(table)) return;
  throw std::invalid_argument(
      "wave file " + shown_path(path) + ": " + shown_path(table) +
      " would be lost, because the table of the wave is in a file of that name while it is written; move it, or name the wave otherwise");
}

namespace {

class FstFile final : public WaveFile {
 public:
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

FstFile::FstFile(const std::string& path) : path_(path), losses_before_(allport_fst_losses()) {
  no_value_.fill('z');
  require_no_table(path);
  errno = 0;
  writer_ = fstWriterCreate(path.c_str(), 1);
  if (writer_ == nullptr) {
    const int fault = errno;
    remove_incomplete(
        path);  // perhaps only a file beside it, or a temporary one, cannot be written
    throw std::invalid_argument("wave file " + shown_path(path) +
                                ": cannot be written: " + std::strerror(fault));
  }
  fstWriterSetPackType(writer_, FST_WR_PT_LZ4);
  fstWriterSetTimescaleFromString(writer_, "1 ns");
  fstWriterSetVersion(writer_, "allport");
  fstWriterSetDate(writer_, "");
  fstWriterSetComment(writer_, "the time unit stands for one clock cycle");
}

FstFile::~FstFile() {
  try {
    close();
  } catch (const std::runtime_error&) {
  }
}

void FstFile::open_scope(const std::string& name) {
  fstWriterSetScope(writer_, FST_ST_VCD_MODULE, name.c_str(), nullptr);
}

void FstFile::close_scope() { fstWriterSetUpscope(writer_); }

WaveSignal FstFile::declare(const std::string& name, int width) {
  const std::string range = ranged_name("", width);
  const std::string full = range.empty() ? name : name + " " + range;
  Variable variable;
  variable.width = static_cast<std::uint32_t>(width);
  variable.handle = fstWriterCreateVar(writer_, FST_VT_VCD_WIRE, FST_VD_IMPLICIT, variable.width,
                                       full.c_str(), 0);
  variables_.push_back(variable);
  return static_cast<WaveSignal>(variables_.size() - 1);
}

void FstFile::set_time(Cycle cycle) {
  if (unflushed_changes_ >= changes_per_flush) {
    fstWriterFlushContext(writer_);
    unflushed_changes_ = 0;
  }
  fstWriterEmitTimeChange(writer_, static_cast<std::uint64_t>(cycle));
}

void FstFile::change(WaveSignal signal, WaveValue value) {
  const Variable& variable = variables_[static_cast<std::size_t>(signal)];
  ++unflushed_changes_;
  if (value) {
    fstWriterEmitValueChange64(writer_, variable.handle, variable.width, *value);
  } else {
    fstWriterEmitValueChange(writer_, variable.handle, no_value_.data());
  }
}

void FstFile::close() {
  if (writer_ == nullptr) return;
  fstWriterClose(writer_);
  writer_ = nullptr;
  if (allport_fst_losses() != losses_before_) {
    remove_incomplete(path_);
    throw std::runtime_error(incomplete_wave(path_) + ", here or under /tmp");
  }
}

}  // namespace

std::unique_ptr<WaveFile> create_fst_file(const std::string& path) {
  return std::make_unique<FstFile>(path);
}

}  // namespace allport
