// SPDX-License-Identifier: Apache-2.0
#include "testbench/show/timeline/slices.h"

#include <algorithm>
#include <string>

#include "testbench/observe/explain/patience.h"
#include "testbench/observe/monitors/contention_monitor.h"

namespace allport {

namespace {

TimelineArrow arrow_to(ArrowKind kind, std::uint64_t number) { return {kind, number}; }

// An arrow leads to a crossing from each contribution to a join that goes on by it.
std::uint64_t hop_number(CrossingIndex crossing, int slot) {
  return static_cast<std::uint64_t>(slot) << 32 | crossing;
}

}  // namespace

Slices::Slices(const ShownTrial& trial, const Topology& topology)
    : trial_(trial),
      topology_(topology),
      history_(trial.explained.history),
      channels_(history_.channels()) {
  note_injected();
  if (trial.dependencies != nullptr) find_dependents();
}

// What a processor sent: a message by its own number, a contribution to a join also by its node.
std::uint64_t Slices::number_of(const Sending& sent) const {
  const auto message = static_cast<std::uint64_t>(sent.message);
  if (!is_join(trial_.log[sent.message].kind)) return message;
  return (std::uint64_t{index(sent.node)} + 1) << 32 | message;
}

void Slices::note_injected() {
  const Movement& movement = history_.movement();
  for (CrossingIndex one = 1; one < movement.size(); ++one) {
    Patience::heed();
    const Crossing& at = movement[one];
    if (!channels_.is_injection(at.channel) || at.sent == 0) continue;
    if (!is_join(trial_.log[at.message].kind)) continue;
    injected_.push_back(number_of({at.message, channels_.sender(at.channel).node}));
  }
  std::sort(injected_.begin(), injected_.end());
}

bool Slices::is_injected(const Sending& sent) const {
  if (!is_join(trial_.log[sent.message].kind)) return trial_.log[sent.message].injected >= 0;
  return std::binary_search(injected_.begin(), injected_.end(), number_of(sent));
}

std::string Slices::name(MessageId message) const {
  return name_in_words(message_name(trial_.log[message]), topology_);
}

// Nothing leads to messages of which nothing is shown.
void Slices::find_dependents() {
  for (const Sending& sent : trial_.log.sendings()) {
    Patience::heed();
    const Cycle preparation = trial_.log.sent(sent.message, sent.node).preparation;
    if (preparation == 0 && !is_injected(sent)) continue;
    const Reception* before = trial_.dependencies->before(sent.message, sent.node);
    if (before == nullptr) continue;
    dependents_.emplace_back(trial_.explained.ejection_of(*before), number_of(sent));
  }
  std::sort(dependents_.begin(), dependents_.end());
}

void Slices::begin_dependencies(CrossingIndex ejection, TimelineSlice& slice) const {
  auto one = std::lower_bound(dependents_.begin(), dependents_.end(), Dependent{ejection, 0});
  for (; one != dependents_.end() && one->first == ejection; ++one) {
    slice.arrows.push_back(arrow_to(ArrowKind::dependency, one->second));
  }
}

void Slices::end_dependency(const Sending& sent, TimelineSlice& slice) const {
  if (trial_.dependencies == nullptr) return;
  if (trial_.dependencies->before(sent.message, sent.node) == nullptr) return;
  slice.ended_arrows.push_back(arrow_to(ArrowKind::dependency, number_of(sent)));
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
    const auto next = topology_.number_of(channels_.receiver(at.channel).node);
    slice.numbers.emplace_back("next node", static_cast<std::int64_t>(next));
  }
  if (at.sent < at.length) slice.numbers.emplace_back("flits not sent", at.length - at.sent);
  add_arrows(crossing, slice);
  return slice;
}

void Slices::end_hops(CrossingIndex crossing, TimelineSlice& slice) const {
  const Meeting* const meeting = history_.meeting(history_[crossing].from);
  const int operands = meeting == nullptr ? 1 : meeting->size();
  for (int slot = 0; slot < operands; ++slot) {
    slice.ended_arrows.push_back(arrow_to(ArrowKind::hop, hop_number(crossing, slot)));
  }
}

void Slices::begin_hops(CrossingIndex crossing, TimelineSlice& slice) const {
  const Meeting* const meeting = history_.meeting(crossing);
  int slot = 0;
  while (meeting != nullptr && history_.movement().operand(*meeting, slot) != crossing) ++slot;
  for (CrossingIndex one = history_[crossing].onward; one != 0; one = history_[one].sibling) {
    slice.arrows.push_back(arrow_to(ArrowKind::hop, hop_number(one, slot)));
  }
}

void Slices::add_arrows(CrossingIndex crossing, TimelineSlice& slice) const {
  const Crossing& at = history_[crossing];
  const Sending sent{at.message, channels_.sender(at.channel).node};
  if (at.from != 0) {
    end_hops(crossing, slice);
  } else if (trial_.log.sent(sent.message, sent.node).preparation > 0) {
    slice.ended_arrows.push_back(arrow_to(ArrowKind::injection, number_of(sent)));
  } else {
    end_dependency(sent, slice);
  }
  begin_hops(crossing, slice);
  if (!channels_.is_ejection(at.channel) || at.sent < at.length) return;
  if (trial_.tr == 0) return begin_dependencies(crossing, slice);
  slice.arrows.push_back(arrow_to(ArrowKind::reception, std::uint64_t{crossing}));
}

TimelineSlice Slices::preparation(const Sending& sent) const {
  const MessageRecord& record = trial_.log.sent(sent.message, sent.node);
  const std::string what = name(sent.message);
  TimelineSlice slice{record.begun, record.prepared(), "prepare " + what, "ts"};
  slice.words = {{"message", what}};
  if (is_injected(sent)) slice.arrows = {arrow_to(ArrowKind::injection, number_of(sent))};
  end_dependency(sent, slice);
  return slice;
}

TimelineSlice Slices::reception(const Reception& reception) const {
  const CrossingIndex ejection = trial_.explained.ejection_of(reception);
  TimelineSlice slice{reception.tail, reception.tail + trial_.tr,
                      "take over " + name(reception.message), "tr"};
  slice.words = {{"message", name(reception.message)}};
  slice.ended_arrows = {arrow_to(ArrowKind::reception, std::uint64_t{ejection})};
  begin_dependencies(ejection, slice);
  return slice;
}

TimelineSlice Slices::wait(const WaitSlice& wait) const {
  TimelineSlice slice{wait.first, wait.end, to_string(wait.cause), "wait"};
  slice.words = {{"cause", to_string(wait.cause)}, {"message", name(wait.message)}};
  slice.numbers = {{"receiver", static_cast<std::int64_t>(topology_.number_of(wait.receiver))}};
  if (wait.blamed == no_message) return slice;
  slice.words.emplace_back("blamed", name(wait.blamed));
  if (wait.blamed_messages == 1) return slice;
  slice.words.emplace_back("last blamed", name(wait.last_blamed));
  slice.numbers.emplace_back("blamed messages", wait.blamed_messages);
  return slice;
}

}  // namespace allport
