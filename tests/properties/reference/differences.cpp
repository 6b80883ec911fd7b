// SPDX-License-Identifier: Apache-2.0
#include "tests/properties/reference/differences.h"

#include <algorithm>
#include <cstddef>
#include <ostream>
#include <sstream>
#include <vector>

namespace allport::test {

namespace {

void print_event(std::ostream& out, const reference::ContentionEvent& e) {
  out << "cycle " << e.cycle << " for " << e.cycles << " at " << e.node << "." << e.port << " "
      << e.waiting.u << ">" << e.waiting.v << "#" << e.waiting.order << " held by " << e.holding.u
      << ">" << e.holding.v << "#" << e.holding.order << "\n";
}

reference::MessageName reference_name(const MessageName& name) {
  return {static_cast<int>(index(name.u)),
          name.v ? static_cast<int>(index(*name.v)) : reference::no_node, name.order};
}

}  // namespace

std::string compare_events(const char* what, const Contention& mine, int trial,
                           std::vector<reference::ContentionEvent> theirs, bool is_deadlocked) {
  std::vector<reference::ContentionEvent> events;
  for (const ContentionEvent& e : mine.list) {
    if (e.trial != trial) continue;
    events.push_back({e.cycle, e.cycles, static_cast<int>(index(e.channel.node)),
                      static_cast<int>(index(e.channel.port)), reference_name(e.waiting),
                      reference_name(e.holding)});
  }
  if (is_deadlocked) {  // the two models stop counting at different cycles
    for (auto& event : events) event.cycles = 0;
    for (auto& event : theirs) event.cycles = 0;
  }
  std::sort(events.begin(), events.end());
  std::sort(theirs.begin(), theirs.end());
  if (events == theirs) return "";
  std::ostringstream out;
  out << what << " events differ: " << events.size() << " here, " << theirs.size()
      << " in the reference\n";
  for (const auto& e : events) {
    if (std::find(theirs.begin(), theirs.end(), e) == theirs.end())
      print_event(out << "only here ", e);
  }
  for (const auto& e : theirs) {
    if (std::find(events.begin(), events.end(), e) == events.end())
      print_event(out << "missing ", e);
  }
  return out.str();
}

std::string compare_deliveries(const Results& mine, const reference::Results& theirs) {
  std::ostringstream out;
  for (std::size_t i = 0; i < std::max(mine.deliveries.size(), theirs.deliveries.size()); ++i) {
    reference::Delivery a;
    if (i < mine.deliveries.size()) {
      const Delivery& d = mine.deliveries[i];
      a = {static_cast<int>(index(d.source)), static_cast<int>(index(d.destination)), d.message,
           d.head, d.tail};
    }
    const reference::Delivery b =
        i < theirs.deliveries.size() ? theirs.deliveries[i] : reference::Delivery{};
    if (a == b) continue;
    out << "delivery " << i << ": " << a.source << ">" << a.destination << " #" << a.message << " "
        << a.head << ".." << a.tail << ", reference " << b.source << ">" << b.destination << " #"
        << b.message << " " << b.head << ".." << b.tail;
    return out.str();
  }
  return "";
}

}  // namespace allport::test
