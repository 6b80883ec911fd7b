// SPDX-License-Identifier: Apache-2.0
#include "testbench/results/explanation.h"

#include <numeric>

#include "rtl_model/base/run_end.h"

namespace allport {

Cycle CauseSum::total() const {
  return std::accumulate(cycles.begin(), cycles.end(), Cycle{0}, sum_of_times);
}

void CauseSum::add(Cause cause, Cycle count, bool is_blaming) {
  (*this)[cause] = sum_of_times((*this)[cause], count);
  if (is_blaming) contended = sum_of_times(contended, count);
}

void CauseSum::add(const CauseSum& other) {
  for (std::size_t i = 0; i < cause_count; ++i) cycles[i] = sum_of_times(cycles[i], other.cycles[i]);
  contended = sum_of_times(contended, other.contended);
}

}  // namespace allport
