// SPDX-License-Identifier: Apache-2.0
#include "testbench/results/explanation.h"

#include <algorithm>
#include <numeric>

#include "rtl_model/base/run_end.h"

namespace allport {

const char* to_string(Resource::Kind kind) {
  switch (kind) {
    case Resource::Kind::channel:
      return "external";
    case Resource::Kind::injection:
      return "injection";
    case Resource::Kind::ejection:
      return "ejection";
    case Resource::Kind::processor:
      break;
  }
  return "processor";
}

Cycle CauseSum::total() const {
  return std::accumulate(cycles.begin(), cycles.end(), Cycle{0}, sum_of_times);
}

void CauseSum::add(Cause cause, Cycle count, bool is_blaming) {
  (*this)[cause] = sum_of_times((*this)[cause], count);
  if (is_blaming) contended = sum_of_times(contended, count);
}

void CauseSum::add(const CauseSum& other) {
  for (std::size_t i = 0; i < cause_count; ++i)
    cycles[i] = sum_of_times(cycles[i], other.cycles[i]);
  contended = sum_of_times(contended, other.contended);
}

std::string missing_message(const ExplainRequest& request, const Explanation& explanation,
                            const Topology& topology) {
  if (!request.message || !explanation.messages.empty() || explanation.unexplained > 0) return {};
  const auto& unfinished = explanation.unfinished;
  const bool is_under_way =
      std::any_of(unfinished.begin(), unfinished.end(), [&](const UnfinishedMessage& one) {
        return name_in_words(one.name) == name_in_words(*request.message);
      });
  if (is_under_way) return {};
  const std::string name = name_in_words(*request.message, topology);
  if (!explanation.nearest) return "message:" + name + ": no message was received";
  return "message:" + name + ": no such message was received; the nearest is " +
         name_in_words(*explanation.nearest, topology);
}

}  // namespace allport
