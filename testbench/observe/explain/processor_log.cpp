// SPDX-License-Identifier: Apache-2.0
#include "testbench/observe/explain/processor_log.h"

#include <iterator>
#include <limits>

namespace allport {

ProcessorLog::ProcessorLog(const MessageLog& log, std::size_t nodes)
    : log_(log), places_(log.size(), 0) {
  sort_sendings(log.sendings(), nodes);
  begun_after_.resize(order_.size());
  for (Place first = 0; first < order_.size();) {
    Place end = first;
    while (end < order_.size() && order_[end].node == order_[first].node) ++end;
    first_ones_[index(order_[first].node)] = static_cast<std::uint32_t>(stretches_.size());
    add_stretches(first, end);
    first = end;
  }
  sum_up();
}

// Puts those of a node in a row.
void ProcessorLog::sort_sendings(const std::vector<Sending>& sendings, std::size_t nodes) {
  first_ones_.assign(nodes, 0);
  order_ = sendings;
  std::stable_sort(order_.begin(), order_.end(), [](const Sending& a, const Sending& b) {
    return index(a.node) < index(b.node);
  });
  by_collective_.reserve(order_.size());
  for (Place place = 0; place < order_.size(); ++place) {
    const Sending& one = order_[place];
    if (is_join(log_[one.message].kind)) {
      contribution_places_.emplace(key_at(one.message, one.node), place);
    } else {
      places_[static_cast<std::size_t>(one.message)] = place;
    }
    by_collective_.emplace_back(record(place).collective, place);
  }
  std::sort(by_collective_.begin(), by_collective_.end());
}

// What a node does, whose sendings are those from `first` on before `end`.
void ProcessorLog::add_stretches(Place first, Place end) {
  const std::size_t before = stretches_.size();
  stretches_.push_back({std::numeric_limits<Cycle>::min(), first, true});
  for (Place place = first; place < end; ++place) {
    begun_after_[place] = static_cast<std::uint32_t>(stretches_.size());
    const MessageRecord& one = record(place);
    const bool is_last = place + 1 == end;
    const Cycle next = is_last ? one.prepared() : record(place + 1).begun;
    const Cycle prepared = std::min(one.prepared(), next);
    if (one.begun < prepared) stretches_.push_back({one.begun, place, false});
    if (prepared < next) stretches_.push_back({prepared, place + 1, true});
  }
  changes_.resize(stretches_.size(), 0);
  for (std::size_t i = before; i + 1 < stretches_.size(); ++i) add_changes(i);
}

// Whether the message in the way changes from a stretch to the next one. While the processor is
// idle that depends on the collective of what waits.
void ProcessorLog::add_changes(std::size_t stretch) {
  const Stretch& one = stretches_[stretch];
  const Stretch& next = stretches_[stretch + 1];
  const auto number = static_cast<std::uint32_t>(stretch);
  if (!next.is_idle || !one.is_idle) changes_[stretch + 1] = 1;
  if (!one.is_idle) return;
  if (next.is_idle) {  // something was due that took no time
    for (Place place = one.place; place < next.place; ++place) {
      exceptions_.push_back({record(place).collective, number, 1});
    }
    return;
  }
  const int collective = record(next.place).collective;
  Place due = one.place;
  while (record(due).collective != collective) ++due;
  if (due == next.place) exceptions_.push_back({collective, number, -1});
}

void ProcessorLog::sum_up() {
  for (std::size_t i = 1; i < changes_.size(); ++i) changes_[i] += changes_[i - 1];
  std::sort(exceptions_.begin(), exceptions_.end());
  const auto is_same = [](const Exception& a, const Exception& b) { return !(a < b); };
  exceptions_.erase(std::unique(exceptions_.begin(), exceptions_.end(), is_same),
                    exceptions_.end());
  for (std::size_t i = 1; i < exceptions_.size(); ++i) {
    if (exceptions_[i].collective == exceptions_[i - 1].collective) {
      exceptions_[i].more += exceptions_[i - 1].more;
    }
  }
}

ProcessorLog::Place ProcessorLog::place_of(MessageId message, NodeId node) const {
  if (!is_join(log_[message].kind)) return places_[static_cast<std::size_t>(message)];
  return contribution_places_.at(key_at(message, node));
}

// What the processor of `node` does in cycle `now`, before it begins `message`.
std::size_t ProcessorLog::stretch_at(MessageId message, NodeId node, Cycle now) const {
  const auto begin = stretches_.begin() + first_ones_[index(node)];
  const auto end = stretches_.begin() + begun_after_[place_of(message, node)];
  const auto next = std::upper_bound(
      begin, end, now, [](Cycle cycle, const Stretch& one) { return cycle < one.from; });
  return static_cast<std::size_t>(next - stretches_.begin()) - 1;
}

MessageId ProcessorLog::blamed(const Stretch& stretch, int collective) const {
  Place place = stretch.place;
  if (stretch.is_idle) {
    place =
        std::lower_bound(by_collective_.begin(), by_collective_.end(), std::pair(collective, place))
            ->second;
  }
  return order_[place].message;
}

// The sum of those from stretches before `stretch` to the next one.
std::int32_t ProcessorLog::exceptions_before(int collective, std::size_t stretch) const {
  const Exception wanted{collective, static_cast<std::uint32_t>(stretch), 0};
  const auto next = std::lower_bound(exceptions_.begin(), exceptions_.end(), wanted);
  if (next == exceptions_.begin()) return 0;
  const Exception& before = *std::prev(next);
  return before.collective == collective ? before.more : 0;
}

ProcessorLog::Queue ProcessorLog::queue(MessageId message, NodeId node) const {
  const MessageRecord& waiting = log_.sent(message, node);
  const int collective = waiting.collective;
  const std::size_t first = stretch_at(message, node, waiting.created);
  const std::size_t last = begun_after_[place_of(message, node)] - std::size_t{1};
  const std::int32_t more =
      exceptions_before(collective, last) - exceptions_before(collective, first);
  return {blamed(stretches_[last], collective), blamed(stretches_[first], collective),
          1 + changes_[last] - changes_[first] + static_cast<std::uint32_t>(more)};
}

}  // namespace allport
