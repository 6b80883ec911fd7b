// SPDX-License-Identifier: Apache-2.0
// What differs between two results that the program has written as JSON: in the configuration, in
// the numbers, in the causes of latencies and in the waiting for channels.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "testbench/results/json.h"

namespace allport {

/// What one of two results says at `path`, its keys with dots between; null: it says nothing.
struct ResultDifference {
  std::string path;
  Json a;
  Json b;
  /// Half the width of the 95 % interval of b - a, where both are means with one.
  std::optional<double> half_width{};

  /// b - a; none: they are no numbers.
  std::optional<double> change() const;
  /// Whether the interval of the difference has 0 in it.
  bool is_within_intervals() const;
};

/// Options that mean something else in the newer of two versions.
struct MeaningOfBoth {
  std::string version;
  std::vector<std::string> keys;  ///< that the runs have
  std::string words;
};

struct ResultDiff {
  std::string kind;  ///< of both results, by the command that writes them: `run`, `compare` ..
  std::string version_a;
  std::string version_b;
  bool has_same_receptions = false;      ///< by the digests
  std::vector<ResultDifference> config;  ///< of the configuration
  std::vector<MeaningOfBoth> meanings;
  std::vector<ResultDifference> numbers;  ///< numbers, words and flags, in the order of the results
  std::vector<ResultDifference> causes;   ///< cycles of a received message, by cause
  std::vector<ResultDifference> channels;  ///< cycles of waiting by place, the largest change first
  std::size_t equal = 0;                   ///< how many numbers, words and flags are equal

  bool is_empty() const;
  /// Whether the two are runs whose configurations differ in their seed alone.
  bool is_of_two_seeds() const;
};

/// Throws std::invalid_argument, one sentence, if a result is of no kind that is known, or the two
/// are of different kinds. `name_a`, `name_b`: how sentences call them.
ResultDiff diff_of(const Json& a, const Json& b, const std::string& name_a,
                   const std::string& name_b);

}  // namespace allport
