// SPDX-License-Identifier: Apache-2.0
// These are the models that `allport bench` compares, as entries of a table.
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "rtl_model/verilated/model_library.h"
#include "testbench/plan/plan_run.h"
#include "testbench/results/results.h"

namespace allport {

struct BenchModel {
  std::string_view name;
  std::string_view summary;  ///< for help
  /// Builds the RTL that it needs; null: it needs none.
  std::unique_ptr<ModelLibrary> (*build)(const RunPlan& plan);
  /// Runs `plan`, in a process of its own; `library` is what build() returned, or null.
  Results (*run)(const RunPlan& plan, const ModelLibrary* library);
  bool is_for_patterns = false;  ///< whether it runs no collectives
};

const std::vector<BenchModel>& bench_models();

std::vector<std::string_view> bench_model_names();

}  // namespace allport
