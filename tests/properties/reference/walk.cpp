// SPDX-License-Identifier: Apache-2.0
#include "tests/properties/reference/walk.h"

#include <algorithm>

namespace allport::reference {

Walk::Walk(const History& history, const Copy& copy)
    : history_(history),
      waits_(history),
      roots_(history),
      copy_(copy),
      message_(history.messages.at(copy.message)),
      way_(history.way_to(copy.message, copy.hops, copy.node, copy.output)),
      flit_(message_.flits - 1),
      hops_(copy.hops),
      cycle_(copy.tail + history.config.tr) {
  account_.source = message_.name.u;
  account_.destination = copy.node;
  account_.message = message_.name.order;
  account_.collective = message_.collective;
  account_.flits = message_.flits;
  account_.hops = copy.hops;
  account_.created = message_.created;
  account_.has = cycle_;
}

Account Walk::run() {
  spend("tr", history_.config.tr);
  cross(0);
  while (!is_done_) {
    if (is_at_processor_) {
      step_at_processor();
    } else {
      step_at_router();
    }
  }
  promise(cycle_ == account_.created, "the walk does not end where the message is created");
  return account_;
}

void Walk::spend(const char* cause, Cycle cycles) {
  promise(cycles >= 0, "a cause has less than no cycle");
  if (cycles > 0) account_.by_cause[cause] += cycles;
  cycle_ -= cycles;
}

/// Back over a channel, and out of the crossbar before it.
void Walk::cross(Cycle link_delay) {
  spend("hop", 1 + link_delay);
  spend("pipeline", history_.config.crossbar_delay);
}

/// A lost cycle, or several of the same cause and root.
void Walk::charge(const Wait& wait, Cycle cycles) {
  const std::string cause = wait.is_of_sibling ? "branch" : wait.cause;
  spend(cause.c_str(), cycles);
  if (wait.blamed == none) return;
  promise(wait.blamed != copy_.message, "a message blames itself");
  const Wait root = roots_.root_of(wait);
  account_.contended += cycles;
  account_.by_blame[{cause, history_.messages.at(wait.blamed).name}] += cycles;
  account_.by_root[{root.cause, root.place}] += cycles;
}

const Visit& Walk::visit(int flit) const {
  return history_.visit({copy_.message, flit, hops_, station().buffer.node});
}

void Walk::step_at_router() {
  const Cycle before = cycle_ - 1;
  const int tail = message_.flits - 1;
  const bool is_stored = history_.config.mode == Mode::store_and_forward && flit_ == 0;
  if (visit(flit_).arrival == cycle_) {
    is_at_processor_ = hops_ == 0;
    if (is_at_processor_) return;
    const Cycle further = phits_of(history_.config, history_.shape, visit(flit_).input) - 1;
    const Cycle delay = link_delay_of(history_.config, history_.shape, visit(flit_).input);
    --hops_;
    const Cycle sent = visit(flit_).taking(station().output).cycle;
    spend("retry", cycle_ - sent - (1 + history_.config.crossbar_delay + further + delay));
    spend("width", further);
    cross(delay);
  } else if (is_stored && visit(tail).arrival == cycle_) {
    flit_ = tail;
  } else if (before < visit(flit_).ready) {
    spend("replication", 1);
  } else if (visit(flit_).taking(station().output).cycle <= before) {
    charge(waits_.of_front(station().buffer, before, &way_));
  } else if (flit_ > 0 && visit(flit_ - 1).left == before) {
    spend("length", 1);
    --flit_;
  } else {
    const Front& front = *history_.front(station().buffer, before);
    const bool is_front =
        front.message == copy_.message && front.sequence == flit_ && front.hops == hops_;
    promise(is_front || flit_ == 0, "a body flit is behind another message");
    charge(is_front ? waits_.of_front(station().buffer, before, &way_)
                    : waits_.of_hidden_head(copy_.message, station().buffer, before, &way_));
  }
}

void Walk::step_at_processor() {
  if (flit_ == 0) {
    step_of_head_at_processor();
  } else if (history_.injection(copy_.message, flit_ - 1) == cycle_ - 1) {
    spend("length", 1);
    --flit_;
  } else if (history_.config.mode == Mode::circuit && flit_ == 1 &&
             history_.port(message_, cycle_ - 1).awaits_ack) {
    spend("ack", cycle_ - copy_.head);
    flit_ = 0;
    hops_ = copy_.hops;
    is_at_processor_ = false;
    cross(0);
  } else {
    charge(waits_.of_processor(copy_.message, cycle_ - 1, &way_));
  }
}

void Walk::step_of_head_at_processor() {
  if (cycle_ == message_.start) {
    prepare();
    return;
  }
  const int first = history_.port(message_, cycle_ - 1).first;
  if (first == copy_.message) {
    charge(waits_.of_processor(copy_.message, cycle_ - 1, &way_));
  } else {
    charge({"port", first, History::injection_place(message_), cycle_ - 1});
  }
}

void Walk::prepare() {
  spend("jitter", message_.start - message_.prepared);
  spend("ts", message_.prepared - message_.begun);
  while (cycle_ > message_.created) {
    const int other = history_.preparing.at({message_.name.u, cycle_ - 1});
    const Cycle first = std::max(history_.messages.at(other).begun, message_.created);
    charge({"processor", other, History::processor_place(message_), cycle_ - 1}, cycle_ - first);
  }
  is_done_ = true;
}

std::vector<Account> accounts_of(const History& history) {
  std::vector<Account> accounts;
  for (const Copy& copy : history.copies) accounts.push_back(Walk(history, copy).run());
  std::sort(accounts.begin(), accounts.end());
  return accounts;
}

}  // namespace allport::reference
