// SPDX-License-Identifier: Apache-2.0
// RandomCases says how many random cases a property is tested on: a number that takes a second or
// two, or the number set in the environment (scripts/nightly).
#pragma once

#include <cstdint>
#include <cstdlib>
#include <string>

namespace allport::test {

/// Seeds of the cases: first .. end - 1. ALLPORT_CASES replaces the number by day, and there are
/// ALLPORT_TIMES as many; ALLPORT_NIGHTLY_SEED says where they begin.
struct RandomCases {
  explicit RandomCases(std::uint64_t by_day) {
    if (const char* seed = std::getenv("ALLPORT_NIGHTLY_SEED")) first = std::stoull(seed) * 1000000;
    const char* cases = std::getenv("ALLPORT_CASES");
    const char* times = std::getenv("ALLPORT_TIMES");
    end = first + (cases != nullptr ? std::stoull(cases) : by_day) *
                      (times != nullptr ? std::stoull(times) : 1);
  }
  std::uint64_t first = 0;
  std::uint64_t end;
};

}  // namespace allport::test
