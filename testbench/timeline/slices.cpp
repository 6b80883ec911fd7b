// SPDX-License-Identifier: Apache-2.0
#include "testbench/timeline/slices.h"

#include <algorithm>
#include <string>

#include "testbench/monitors/contention_monitor.h"

namespace allport {

namespace {

TimelineArrow arrow_to(ArrowKind kind, std::uint64_t number) { return {kind, number}; }
TimelineArrow arrow_to(ArrowKind kind, MessageId message) {
  return {kind, static_cast<std::uint64_t>(message)};
}

}  // namespace

Slices::Slices(const ShownTrial& trial)
    : trial_(trial), history_(trial.explained.history), channels_(history_.channels()) {
  if (trial.dependencies != nullptr) find_dependents();
}

std::string Slices::name(MessageId message) const {
  return name_in_words(message_name(trial_.log[message]));
}

// Nothing leads to messages of which nothing is shown.
void Slices::find_dependents() {
  for (std::size_t i = 0; i < trial_.log.size(); ++i) {
    const auto message = static_cast<MessageId>(i);
    if (trial_.log[message].preparation == 0 && !is_injected(message)) continue;
    const Reception* before = trial_.dependencies->before(message);
    if (before == nullptr) continue;
    dependents_.emplace_back(trial_.explained.ejection_of(*before), message);
  }
  std::sort(dependents_.begin(), dependents_.end());
}

void Slices::begin_dependencies(CrossingIndex ejection, TimelineSlice& slice) const {
  auto one =
      std::lower_bound(dependents_.begin(), dependents_.end(), Dependent{ejection, MessageId{0}});
  for (; one != dependents_.end() && one->first == ejection; ++one) {
    slice.arrows.push_back(arrow_to(ArrowKind::dependency, one->second));
  }
}

void Slices::end_dependency(MessageId message, TimelineSlice& slice) const {
  if (trial_.dependencies == nullptr || trial_.dependencies->before(message) == nullptr) return;
  slice.ended_arrows.push_back(arrow_to(ArrowKind::dependency, message));
}

Cycle Slices::first_of(CrossingIndex crossing) const {
  const Crossing& at = history_[crossing];
  return channels_.is_injection(at.channel) ? history_.sent(crossing, 0) : at.won;
}

Cycle Slices::end_of(CrossingIndex crossing) const {
  const Crossing& at = history_[crossing];
  if (at.sent == at.length) return history_.tail_sent(crossing) + 1;
  const Cycle last = at.sent == 0 ? at.won : history_.sent(crossing, at.sent - 1);
  return std::max(trial_.end, last + 1);
}

TimelineSlice Slices::message(CrossingIndex crossing) const {
  const Crossing& at = history_[crossing];
  TimelineSlice slice{first_of(crossing), end_of(crossing), name(at.message), "message"};
  slice.numbers = {{"flits", at.length}, {"collective", trial_.log[at.message].collective}};
  if (channels_.is_external(at.channel)) {
    const auto next = index(channels_.receiver(at.channel).node);
    slice.numbers.emplace_back("next node", static_cast<std::int64_t>(next));
  }
  if (at.sent < at.length) slice.numbers.emplace_back("flits not sent", at.length - at.sent);
  add_arrows(crossing, slice);
  return slice;
}

void Slices::add_arrows(CrossingIndex crossing, TimelineSlice& slice) const {
  const Crossing& at = history_[crossing];
  if (at.from != 0) {
    slice.ended_arrows.push_back(arrow_to(ArrowKind::hop, std::uint64_t{crossing}));
  } else if (trial_.log[at.message].preparation > 0) {
    slice.ended_arrows.push_back(arrow_to(ArrowKind::injection, at.message));
  } else {
    end_dependency(at.message, slice);
  }
  for (CrossingIndex one = at.onward; one != 0; one = history_[one].sibling) {
    slice.arrows.push_back(arrow_to(ArrowKind::hop, std::uint64_t{one}));
  }
  if (!channels_.is_ejection(at.channel) || at.sent < at.length) return;
  if (trial_.tr == 0) return begin_dependencies(crossing, slice);
  slice.arrows.push_back(arrow_to(ArrowKind::reception, std::uint64_t{crossing}));
}

TimelineSlice Slices::preparation(MessageId message) const {
  TimelineSlice slice{trial_.log[message].begun, trial_.log[message].prepared(),
                      "prepare " + name(message), "ts"};
  slice.words = {{"message", name(message)}};
  if (is_injected(message)) slice.arrows = {arrow_to(ArrowKind::injection, message)};
  end_dependency(message, slice);
  return slice;
}

TimelineSlice Slices::reception(const Reception& reception) const {
  const CrossingIndex ejection = trial_.explained.ejection_of(reception);
  TimelineSlice slice{reception.tail, reception.has, "take over " + name(reception.message), "tr"};
  slice.words = {{"message", name(reception.message)}};
  slice.ended_arrows = {arrow_to(ArrowKind::reception, std::uint64_t{ejection})};
  begin_dependencies(ejection, slice);
  return slice;
}

TimelineSlice Slices::wait(const WaitSlice& wait) const {
  TimelineSlice slice{wait.first, wait.end, to_string(wait.cause), "wait"};
  slice.words = {{"cause", to_string(wait.cause)}, {"message", name(wait.message)}};
  slice.numbers = {{"receiver", static_cast<std::int64_t>(index(wait.receiver))}};
  if (wait.blamed == no_message) return slice;
  slice.words.emplace_back("blamed", name(wait.blamed));
  if (wait.blamed_messages == 1) return slice;
  slice.words.emplace_back("last blamed", name(wait.last_blamed));
  slice.numbers.emplace_back("blamed messages", wait.blamed_messages);
  return slice;
}

}  // namespace allport
