// SPDX-License-Identifier: Apache-2.0
#include "testbench/results/explanation.h"

#include <numeric>

namespace allport {

Cycle CauseSum::total() const { return std::accumulate(cycles.begin(), cycles.end(), Cycle{0}); }

void CauseSum::add(Cause cause, Cycle count, bool is_blaming) {
  (*this)[cause] += count;
  if (is_blaming) contended += count;
}

void CauseSum::add(const CauseSum& other) {
  for (std::size_t i = 0; i < cause_count; ++i) cycles[i] += other.cycles[i];
  contended += other.contended;
}

}  // namespace allport
