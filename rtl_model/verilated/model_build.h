// SPDX-License-Identifier: Apache-2.0
// This makes RTL into a shared library: verilates, compiles and links it.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "rtl_model/verilated/toolchain.h"

namespace allport {

/// One build, in a folder that is empty.
class ModelBuild {
 public:
  ModelBuild(const RtlSource& source, std::filesystem::path folder, StopFlag stop);

  /// Leaves `model.so`, `Vmodel.h` and `circular` in the folder; the last has a line for each place
  /// of circular logic. Returns the files that were read: the sources
  /// and the files that they include. Throws std::invalid_argument when a tool is missing or fails,
  /// and Stopped once `stop` is set.
  std::vector<std::filesystem::path> run();

 private:
  void verilate();
  std::vector<std::filesystem::path> code() const;
  /// Whether Verilator has made loops that do not compile.
  bool needs_no_loops() const;
  void look_for_circles(const std::string& messages);
  void compile();
  Arguments unit(const std::filesystem::path& file, const std::string& level);
  void link();
  void require(const ProcessResult& result) const;

  const RtlSource& source_;
  std::filesystem::path folder_;
  StopFlag stop_;
  std::filesystem::path root_;
  bool has_loops_ = true;
  bool is_circular_ = false;
  Arguments objects_;
};

}  // namespace allport
