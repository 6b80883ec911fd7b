// SPDX-License-Identifier: Apache-2.0
// The fixed cases of `allport bench`, and one of them measured on one model.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "rtl_model/verilated/model_library.h"
#include "testbench/program/results_json.h"

namespace allport {

struct BenchCase {
  const char* name;
  const char* topology;
  double rate;   ///< of uniform traffic, in flits per node and cycle
  Cycle cycles;  ///< in which messages start
  bool has_rtl;  ///< measured on the models in RTL too
};

const std::vector<BenchCase>& bench_cases();

/// systemc; rtl: one Verilated router per node; rtl-fabric: one Verilated module for all; lockstep:
/// systemc and rtl side by side at every node, compared.
std::vector<std::string_view> bench_models();

/// The RTL that `model` needs for `one`; null: none.
std::unique_ptr<ModelLibrary> bench_library(const BenchCase& one, std::string_view model);

/// One row of the results but for peak_bytes. `library` as bench_library() gives it.
Json measure(const BenchCase& one, std::string_view model, const ModelLibrary* library);

}  // namespace allport
