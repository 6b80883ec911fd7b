// SPDX-License-Identifier: Apache-2.0
#include "tests/properties/reference/roots.h"

#include <set>
#include <string>
#include <tuple>

namespace allport::reference {

namespace {

/// `wait`, as the end of a chain.
Wait ended(Wait wait) {
  wait.blamed = none;
  return wait;
}

}  // namespace

Wait Roots::root_of(Wait wait) const {
  std::set<std::tuple<std::string, int, std::string, Cycle>> passed;
  while (wait.blamed != none) {
    if (!passed.emplace(wait.cause, wait.blamed, wait.place, wait.cycle).second) break;
    wait = next(wait);
  }
  return wait;
}

Wait Roots::next(const Wait& wait) const {
  if (wait.cause == "channel") return of_owner(wait);
  if (wait.cause == "port") return of_first_on_port(wait);
  if (wait.cause == "switch" || wait.cause == "processor") return ended(wait);
  return of_blamed_front(wait);  // behind, credit, mode
}

Wait Roots::of_blamed_front(const Wait& wait) const {
  const Front& front = *history_.front(wait.buffer, wait.cycle);
  if (history_.visit(front.key()).left == wait.cycle) return ended(wait);  // behind a moving flit
  return waits_.of_front(wait.buffer, wait.cycle, nullptr);
}

/// A channel's owner: the first of its flits that has not left by this output, when the cycle ends.
Wait Roots::of_owner(const Wait& wait) const {
  const int flits = history_.messages.at(wait.blamed).flits;
  for (int sequence = 0; sequence < flits; ++sequence) {
    const Visit& visit = history_.visit({wait.blamed, sequence, wait.hops, wait.buffer.node});
    const Cycle left = visit.taking(wait.output).cycle;
    if (left == wait.cycle) return ended(wait);
    if (left > wait.cycle) return of_next_flit(wait, sequence);
  }
  promise(false, "a VC is held by a message that has left");
  return wait;
}

Wait Roots::of_next_flit(const Wait& wait, int sequence) const {
  const auto way = history_.way_to(wait.blamed, wait.hops, wait.buffer.node, wait.output);
  for (int hops = wait.hops; hops >= 0; --hops) {
    const Station& station = way[static_cast<std::size_t>(hops)];
    const Visit& visit = history_.visit({wait.blamed, sequence, hops, station.buffer.node});
    if (visit.taking(station.output).cycle <= wait.cycle) return ended(wait);  // on a wire
    if (visit.arrival > wait.cycle) continue;
    const Front& front = *history_.front(station.buffer, wait.cycle);
    promise(front.message == wait.blamed, "an owner's flit is behind another message");
    if (history_.visit(front.key()).left == wait.cycle) return ended(wait);  // moving
    return waits_.of_front(station.buffer, wait.cycle, nullptr);
  }
  return of_unsent_flit(wait, sequence);
}

Wait Roots::of_unsent_flit(const Wait& wait, int sequence) const {
  const bool is_moving = history_.injection(wait.blamed, sequence - 1) == wait.cycle;
  const MessageNotes& notes = history_.messages.at(wait.blamed);
  if (is_moving || history_.port(notes, wait.cycle).awaits_ack) return ended(wait);
  return waits_.of_processor(wait.blamed, wait.cycle, nullptr);
}

Wait Roots::of_first_on_port(const Wait& wait) const {
  const MessageNotes& first = history_.messages.at(wait.blamed);
  const int sent = history_.injected(wait.blamed, wait.cycle);
  const bool injects = sent > 0 && history_.injection(wait.blamed, sent - 1) == wait.cycle;
  if (injects) return ended(wait);
  const std::string processor = History::processor_place(first);
  if (wait.cycle < first.prepared) return {"processor", none, processor, wait.cycle};
  if (wait.cycle < first.start) return {"jitter", none, wait.place, wait.cycle};
  if (history_.port(first, wait.cycle).awaits_ack) return {"ack", none, wait.place, wait.cycle};
  return waits_.of_processor(wait.blamed, wait.cycle, nullptr);
}

}  // namespace allport::reference
