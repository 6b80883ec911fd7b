// SPDX-License-Identifier: Apache-2.0
#include "testbench/show/timeline/wait_slices.h"

#include <algorithm>
#include <tuple>

namespace allport {

WaitSlices::WaitSlices(const ShownTrial& trial, StopFlag stop) {
  for (const Reception& reception : trial.receptions) {
    heed(stop);
    add(reception, trial.explained.explain(reception));
  }
  std::sort(slices_.begin(), slices_.end(), [](const WaitSlice& a, const WaitSlice& b) {
    return std::tie(a.place, a.message, a.first, a.receiver, a.end) <
           std::tie(b.place, b.message, b.first, b.receiver, b.end);
  });
}

void WaitSlices::add(const Reception& reception, const Waits::List& repeated) {
  const Waits::List waits = Waits::put_together(repeated);
  const std::size_t begin = slices_.size();
  for (auto wait = waits.rbegin(); wait != waits.rend(); ++wait) {
    if (!is_waiting(wait->cause)) continue;
    const Cycle end = wait->first + wait->cycles;
    if (slices_.size() > begin) {
      WaitSlice& before = slices_.back();
      const bool is_one = before.cause == wait->cause && before.place == wait->place &&
                          before.end == wait->first && before.last_blamed == wait->blamed;
      if (is_one) {
        before.end = end;
        continue;
      }
    }
    const MessageId first = wait->messages > 1 ? wait->first_blamed : wait->blamed;
    slices_.push_back({wait->place, reception.message, reception.receiver, wait->cause, wait->first,
                       end, first, wait->blamed, wait->blamed == no_message ? 0U : wait->messages});
  }
}

WaitSlices::Range WaitSlices::at(FabricChannels::Number place) const {
  const auto begin = std::partition_point(
      slices_.begin(), slices_.end(), [place](const WaitSlice& one) { return one.place < place; });
  const auto end = std::partition_point(
      begin, slices_.end(), [place](const WaitSlice& one) { return one.place == place; });
  return {begin, end};
}

}  // namespace allport
