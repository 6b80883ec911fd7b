// SPDX-License-Identifier: Apache-2.0
// A row of `allport bench` is for one case on one model.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "testbench/results/json.h"

namespace allport {

/// What was measured of one case on one model.
struct BenchMeasurement {
  std::string case_name;
  std::string model;
  std::size_t nodes = 0;
  std::int64_t cycles = 0;
  std::uint64_t messages = 0;
  std::uint64_t flit_hops = 0;  ///< 0: the model does not count them
  std::string digest;
  double wall_seconds = 0;
  double startup_seconds = 0;
  std::int64_t peak_bytes = 0;
  std::optional<std::uint64_t> instructions;
};

/// Its row. `rows` are the previous ones; flit hops that the model did not count are taken from
/// there. Throws std::runtime_error, one sentence, when another model has a different digest.
Json bench_row(const BenchMeasurement& measured, const Json& rows);

/// The rows as a table, with a column for the speed of systemc beside each other model.
std::string bench_table(const Json& rows);

}  // namespace allport
