// SPDX-License-Identifier: Apache-2.0
#include "testbench/observe/waves/wave_file.h"

#include <sys/stat.h>
#include <unistd.h>

#include <stdexcept>
#include <string_view>

#include "rtl_model/base/quote.h"
#include "testbench/observe/waves/fst_file.h"
#include "testbench/observe/waves/vcd_file.h"

namespace allport {

namespace {

bool ends_with(std::string_view text, std::string_view ending) {
  return text.size() > ending.size() && text.substr(text.size() - ending.size()) == ending;
}

}  // namespace

std::string ranged_name(const std::string& name, int width) {
  return width == 1 ? name : name + "[" + std::to_string(width - 1) + ":0]";
}

void remove_incomplete(const std::string& path) {
  struct stat status {};
  if (lstat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode)) unlink(path.c_str());
}

std::string incomplete_wave(const std::string& path) {
  return "wave file " + shown_path(path) +
         ": it could not be written completely and was removed; the disk is full or files are limited in size";
}

void require_wave_ending(const std::string& path) {
  if (ends_with(path, ".vcd") || ends_with(path, ".fst")) return;
  throw std::invalid_argument("wave file " + shown_path(path) +
                              ": the name must end in .vcd or .fst");
}

std::unique_ptr<WaveFile> create_wave_file(const std::string& path) {
  require_wave_ending(path);
  if (ends_with(path, ".vcd")) return std::make_unique<VcdFile>(path);
  return create_fst_file(path);
}

}  // namespace allport
