// SPDX-License-Identifier: Apache-2.0
#include "testbench/files/own_files.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <stdexcept>

#include "rtl_model/base/quote.h"
#include "testbench/files/output_file.h"
#include "testbench/files/whole_file.h"

namespace allport {

namespace {

std::string number_of(const struct stat& status) {
  return fmt::format("{}:{}", status.st_dev, status.st_ino);
}

// A place that is the same for all names of one file, whether it exists or not; empty for devices
// and pipes, where new content does not replace the old.
std::string place_of(const std::string& path) {
  struct stat status {};
  if (stat(path.c_str(), &status) == 0) return S_ISREG(status.st_mode) ? number_of(status) : "";
  const std::string target = end_of_links(path);
  const std::string folder = folder_of(target);
  const std::string name = target.substr(target.rfind('/') + 1);
  return fmt::format("{}/{}", stat(folder.c_str(), &status) == 0 ? number_of(status) : folder,
                     name);
}

std::string place_of_input(const NamedFile& file) {
  return place_of(file.path == "-" ? "/dev/stdin" : file.path);
}

std::string place_of_output(const NamedFile& file) {
  return file.path == "-" ? "stdout" : place_of(file.path);
}

std::string in_words(const NamedFile& file) {
  return fmt::format("{} {}", file.role, shown_path(file.path));
}

}  // namespace

void require_own_files(const std::vector<NamedFile>& inputs,
                       const std::vector<NamedFile>& outputs) {
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    if (outputs[i].path.empty()) continue;
    const std::string place = place_of_output(outputs[i]);
    if (place.empty()) continue;
    for (const NamedFile& input : inputs) {
      if (input.path.empty() || place_of_input(input) != place) continue;
      throw std::invalid_argument(fmt::format("{}: that file is {}, which this command reads",
                                              in_words(outputs[i]), input.role));
    }
    for (std::size_t j = 0; j < i; ++j) {
      if (outputs[j].path.empty() || place_of_output(outputs[j]) != place) continue;
      throw std::invalid_argument(
          fmt::format("{}: {} is written into that file", in_words(outputs[i]), outputs[j].role));
    }
  }
}

}  // namespace allport
