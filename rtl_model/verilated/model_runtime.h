// SPDX-License-Identifier: Apache-2.0
// A ModelRuntime is Verilator's own run-time code, which every model library contains: it is
// compiled once and kept in the cache beside the libraries.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "rtl_model/verilated/model_cache.h"
#include "rtl_model/verilated/toolchain.h"

namespace allport {

class ModelRuntime {
 public:
  /// `root`: VERILATOR_ROOT; `options`: those of every unit of a model.
  ModelRuntime(const std::filesystem::path& root, const Arguments& options);

  /// Whether the cache has it; otherwise it must be compiled by command(), then kept.
  bool is_there() const { return !work_; }
  /// The command that compiles it in a work folder.
  Arguments command() const;
  /// Moves the compiled file into the cache. Throws std::invalid_argument if it cannot.
  void keep();

  /// The object file to be linked.
  std::filesystem::path object() const { return folder_ / object_name; }

 private:
  static constexpr const char* object_name = "runtime.o";

  std::vector<std::filesystem::path> sources_;
  Arguments options_;
  std::filesystem::path folder_;
  std::optional<WorkFolder> work_;
};

}  // namespace allport
