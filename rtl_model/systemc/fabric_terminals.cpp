// SPDX-License-Identifier: Apache-2.0
// What a fabric and its terminals have to do with one another: when they are called, and what they
// are given.
#include <algorithm>

#include "rtl_model/base/fetch_ahead.h"
#include "rtl_model/systemc/fabric_part.h"

namespace allport {

void Fabric::attach(NodeId node, Terminal& terminal) { terminals_[index(node)] = &terminal; }

void Fabric::wake(NodeId node, Cycle when) {
  const Cycle now = cycle();
  const auto id = static_cast<std::uint32_t>(index(node));
  if (when <= now && planned_ > now) {  // this cycle's edge has passed: act within the cycle
    call_terminal(id, now);
    return;
  }
  Part& part = part_of(id);
  if (part.is_served_d) {
    part.wakes_d.push_back({std::max(when, now), id});
    return;
  }
  wakes_q_.push({std::max(when, now), id});
  plan(when);
}

// Calls `act` for each of `ejected`.
template <class Act>
void Fabric::walk_ejected(const std::vector<Arrival>& ejected, Act act) const {
  walk_ahead<1 + Terminal::steps_of_ejection>(
      ejected, is_huge_,
      [&](const Arrival& one, int step) {
        const Terminal* terminal = terminals_[one.node];
        if (terminal == nullptr) return;
        if (step == 0) return terminal->fetch_itself();
        terminal->fetch_for_ejection(one.input, static_cast<int>(index(one.flit.vc)), step - 1);
      },
      act);
}

// Calls `act` for each terminal of those `called`.
template <class Act>
void Fabric::walk_called(const std::vector<std::uint32_t>& called, Act act) const {
  walk_ahead<1 + Terminal::steps_of_injection>(
      called, is_huge_,
      [&](std::uint32_t node, int step) {
        if (step == 0) return terminals_[node]->fetch_itself();
        terminals_[node]->fetch_for_injection(step - 1);
      },
      act);
}

// What terminals of `part` do in cycle `now` that concerns nothing beyond their own channels;
// heads, tails and the rest are left to one thread, which serves the terminals of all parts after
// it.
void Fabric::serve_apart(Part& part, Cycle now) {
  part.is_served_d = true;
  auto& ejected = part.ejected_d;
  std::size_t left = 0;
  walk_ejected(ejected, [&](const Arrival& one) {
    if (one.flit.head || one.flit.tail) {
      ejected[left++] = one;
    } else {
      deliver(part, one, now);
    }
  });
  ejected.erase(ejected.begin() + static_cast<std::ptrdiff_t>(left), ejected.end());
  tell_of_credits(part, now);
  take_calls(part);
  auto& called = part.called_d;
  left = 0;
  walk_called(called, [&](std::uint32_t node) {
    if (terminals_[node]->injects_apart(now)) {
      call_terminal(node, now);
    } else {
      called[left++] = node;
    }
  });
  called.resize(left);
}

// The terminals that asked for it are called in the present cycle.
void Fabric::take_calls(Part& part) {
  part.called_d.swap(part.calling_q);
  part.calling_q.clear();
}

void Fabric::tell_of_credits(Part& part, Cycle now) {
  walk_ahead<1 + Terminal::steps_of_credit>(
      part.terminal_credits_q.on(now), is_huge_,
      [&](const TerminalCredit& credit, int step) {
        const Terminal& terminal = *terminals_[credit.node];
        if (step == 0) return terminal.fetch_itself();
        terminal.fetch_for_credit(credit.port, credit.vc, step - 1);
      },
      [&](const TerminalCredit& credit) {
        terminals_[credit.node]->accept_credit(credit.port, credit.vc, now);
      });
  part.terminal_credits_q.clear(now);
}

void Fabric::deliver_ejected(Cycle now) {
  turn_to(now);
  for (const auto& part : parts_) {
    walk_ejected(part->ejected_d, [&](const Arrival& one) { deliver(*part, one, now); });
    part->ejected_d.clear();
  }
}

void Fabric::deliver(Part& part, const Arrival& ejected, Cycle now) {
  const int output = config_.external_ports + ejected.input;
  const auto vc = static_cast<int>(index(ejected.flit.vc));
  if (reception_limit_ > 0) {
    const std::size_t place = reception_place(ejected.node, ejected.input, vc);
    receptions_[place].arrive();
    note_reception(place);
  } else {
    part.credits_q[part.number].put(now + 1, ejected.node, output, vc);
  }
  if (config_.switching == Switching::circuit && ejected.flit.head && !ejected.flit.tail) {
    part.acks_q[part.number].put(now + 1, ejected.node, output, vc);
  }
  ++part.ejected_flits;
  if (Terminal* terminal = terminals_[ejected.node]) {
    terminal->eject(ejected.input, ejected.flit, now);
  }
}

void Fabric::call_terminals(Cycle now) {
  turn_to(now);
  for (const auto& part : parts_) tell_of_credits(*part, now);
  for (const auto& part : parts_) {
    for (const TerminalCredit& ack : part->terminal_acks_q.on(now)) {
      terminals_[ack.node]->accept_ack(ack.port, ack.vc, now);
    }
    part->terminal_acks_q.clear(now);
  }
  for (const auto& part : parts_) {
    if (!part->is_served_d) take_calls(*part);
    walk_called(part->called_d, [&](std::uint32_t node) { call_terminal(node, now); });
    for (const Wake& wake : part->wakes_d) wakes_q_.push(wake);
    part->wakes_d.clear();
    part->is_served_d = false;
  }
  while (!wakes_q_.empty() && wakes_q_.top().cycle <= now) {
    const std::uint32_t node = wakes_q_.top().node;
    wakes_q_.pop();
    call_terminal(node, now);
  }
}

void Fabric::call_terminal(std::uint32_t node, Cycle now) {
  if (terminals_[node]->inject(now)) call_again(node, now + 1);
}

void Fabric::call_again(std::uint32_t node, Cycle next) {
  if (called_q_[node] == next) return;
  called_q_[node] = next;
  part_of(node).calling_q.push_back(node);
  plan(next);
}

void Fabric::wake_last(NodeId node) {
  if (last_q_.empty()) last_event_.notify(sc_core::SC_ZERO_TIME);
  last_q_.push_back(static_cast<std::uint32_t>(index(node)));
}

// Waits until nothing else happens in the present cycle.
void Fabric::end_cycle() {
  if (sc_core::sc_pending_activity_at_current_time()) {
    next_trigger(sc_core::SC_ZERO_TIME);
    return;
  }
  const Cycle now = cycle();
  last_d_.swap(last_q_);
  last_q_.clear();
  for (const std::uint32_t node : last_d_) {
    if (terminals_[node]->inject_last(now)) call_again(node, now + 1);
  }
}

}  // namespace allport
