// SPDX-License-Identifier: Apache-2.0
#include "testbench/waves/fst_file.h"

#include <fstapi.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <stdexcept>

namespace allport {

namespace {

constexpr std::uint32_t changes_per_flush = 1U << 18;

// Whether `path` consists of whole FST blocks: a type and a length that counts itself and what
// follows. The writer does not say when a disk is full.
bool is_whole(const std::string& path) {
  std::ifstream file(path, std::ios::binary | std::ios::ate);
  const auto size = static_cast<std::uint64_t>(file.tellg());
  std::uint64_t at = 0;
  while (file && at + 9 <= size) {
    std::array<unsigned char, 9> header{};
    file.seekg(static_cast<std::streamoff>(at));
    file.read(reinterpret_cast<char*>(header.data()), header.size());
    std::uint64_t length = 0;
    for (std::size_t i = 1; i < header.size(); ++i) length = length << 8 | header[i];
    if (header[0] == FST_BL_SKIP || length < 8 || length > size - at) return false;
    at += 1 + length;
  }
  return file && size > 0 && at == size;
}

}  // namespace

FstFile::FstFile(const std::string& path) : path_(path) {
  no_value_.fill('z');
  errno = 0;
  writer_ = fstWriterCreate(path.c_str(), 1);
  if (writer_ == nullptr) {
    throw std::invalid_argument("wave file " + path +
                                ": cannot be written: " + std::strerror(errno));
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
  if (!is_whole(path_)) {
    throw std::runtime_error("wave file " + path_ + ": could not be written completely");
  }
}

}  // namespace allport
