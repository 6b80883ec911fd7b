// SPDX-License-Identifier: Apache-2.0
#include "tests/properties/reference/transcript.h"

#include <ostream>
#include <sstream>

namespace allport::test {

namespace {

std::string name_of(const MessageName& name) {
  return std::to_string(index(name.u)) + ">" + (name.v ? std::to_string(index(*name.v)) : "all") +
         "#" + std::to_string(name.order);
}

std::string name_of(Channel channel) {
  return std::to_string(index(channel.node)) + "." + std::to_string(index(channel.port));
}

void print(std::ostream& out, const Contention& contention) {
  out << contention.events << " events, " << contention.blocked_cycles << " cycles\n";
  for (const ContentionEvent& e : contention.list) {
    out << "trial " << e.trial << " cycle " << e.cycle << " for " << e.cycles << " at "
        << name_of(e.channel) << " " << name_of(e.waiting) << " held by " << name_of(e.holding)
        << "\n";
  }
}

void print(std::ostream& out, const Deadlock& deadlock) {
  out << "deadlock of " << deadlock.stuck_messages << " messages in cycle " << deadlock.cycle
      << " of trial " << deadlock.trial << "\n";
  for (const DeadlockWait& wait : deadlock.waits) {
    out << name_of(wait.message) << " waits for " << wait.waits_for << " of "
        << name_of(wait.held_by) << " at " << name_of(wait.channel) << " vc " << wait.vc
        << " since " << wait.since << "\n";
  }
  for (const WaitingFlit& flit : deadlock.flits) {
    out << name_of(flit.message) << " in " << name_of(flit.input) << " vc " << flit.vc
        << (flit.is_queued ? " queued" : "") << " taken";
    for (const PortId port : flit.taken) out << " " << index(port);
    for (const WaitEdge& wait : flit.waits) {
      out << ", " << wait.waits_for << " of " << name_of(wait.held_by) << " at "
          << name_of(wait.channel) << " vc " << wait.vc << " since " << wait.since;
    }
    out << "\n";
  }
}

}  // namespace

std::string transcript(const Results& results) {
  std::ostringstream out;
  for (const Delivery& d : results.deliveries) {
    out << index(d.source) << ">" << index(d.destination) << " #" << d.message << " " << d.head
        << ".." << d.tail << "\n";
  }
  for (const DestinationLatency& d : results.by_destination) {
    out << index(d.node) << " after " << d.cycles << "\n";
  }
  if (results.traffic) {
    out << results.traffic->offered << " " << results.traffic->accepted << " "
        << results.traffic->network_latency.mean << " " << results.traffic->channel_load.max
        << "\n";
  }
  print(out, results.contention);
  print(out, results.reception);
  if (results.deadlock) print(out, *results.deadlock);
  out << results.cycles << " cycles, " << results.flit_hops << " hops, digest " << results.digest
      << results.broken_invariant << "\n";
  return out.str();
}

std::string first_difference(const std::string& expected, const std::string& found) {
  std::istringstream expected_lines(expected);
  std::istringstream found_lines(found);
  std::string wanted;
  std::string line;
  while (std::getline(expected_lines, wanted)) {
    if (!std::getline(found_lines, line)) return "nothing instead of " + wanted;
    if (line != wanted) return line + " instead of " + wanted;
  }
  return std::getline(found_lines, line) ? "too much: " + line : "";
}

}  // namespace allport::test
