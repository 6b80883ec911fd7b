// SPDX-License-Identifier: Apache-2.0
#include "tests/properties/reference/waits.h"

namespace allport::reference {

Wait Waits::of_front(const Buffer& buffer, Cycle cycle, const std::vector<Station>* way) const {
  const Front& front = *history_.front(buffer, cycle);
  const Visit& visit = history_.visit(front.key());
  promise(visit.left > cycle, "a flit that leaves has no cause to stay");
  const BranchNote& last = last_branch(front);
  if (cycle < visit.ready) return {"replication", none, place_of(front, last), cycle};
  if (front.sequence == 0 && cycle < visit.first + history_.config.route_delay) {
    return {"pipeline", none, place_of(front, last), cycle};
  }
  const BranchNote* towards = branch_on_way(front, cycle, way);
  if (towards != nullptr) return of_branch(front, *towards, cycle, way);
  Wait wait = of_branch(front, last, cycle, way);
  if (way != nullptr && wait.blamed != none) wait.is_of_sibling = true;
  return wait;
}

const BranchNote& Waits::last_branch(const Front& front) const {
  const Visit& visit = history_.visit(front.key());
  const BranchNote* last = &front.branches.front();
  for (const BranchNote& branch : front.branches) {
    if (visit.taking(branch.output).cycle > visit.taking(last->output).cycle) last = &branch;
  }
  return *last;
}

/// The branch that leads along the way, unless it has taken the flit or the way is elsewhere.
const BranchNote* Waits::branch_on_way(const Front& front, Cycle cycle,
                                       const std::vector<Station>* way) const {
  if (way == nullptr || front.hops >= static_cast<int>(way->size())) return nullptr;
  const Station& station = (*way)[static_cast<std::size_t>(front.hops)];
  if (station.buffer.node != front.node) return nullptr;
  if (history_.visit(front.key()).taking(station.output).cycle <= cycle) return nullptr;
  if (front.branches.size() == 1) return &front.branches.front();  // adaptive: it may still change
  for (const BranchNote& branch : front.branches) {
    if (branch.output == station.output) return &branch;
  }
  promise(false, "no branch of a flit leads on");
  return nullptr;
}

std::string Waits::place_of(const Front& front, const BranchNote& branch) const {
  const Visit& visit = history_.visit(front.key());
  int output = branch.output;
  if (output == none) {  // adaptive: it has not asked yet
    promise(visit.taken.size() <= 1, "an adaptive head has one branch");
    output = visit.taken.empty() ? asked_at_last(front) : visit.taken.begin()->first;
  }
  int vc = branch.vc != none ? branch.vc : branch.awaited_vc;
  if (vc == none) vc = visit.taking(output).vc;
  return history_.output_place(front.node, output, vc);
}

/// What a head that leaves no more, since it is in a deadlock, asks for in the end.
int Waits::asked_at_last(const Front& front) const {
  const Visit& visit = history_.visit(front.key());
  const auto cycle = static_cast<Cycle>(history_.cycles.size()) - 1;
  const Front* last = history_.front({front.node, visit.input, visit.vc}, cycle);
  promise(last != nullptr && last->message == front.message, "a head that never leaves has left");
  promise(last->branches.front().output != none, "a head in a deadlock asks for nothing");
  return last->branches.front().output;
}

Wait Waits::of_branch(const Front& front, const BranchNote& branch, Cycle cycle,
                      const std::vector<Station>* way) const {
  Wait wait{"", none, place_of(front, branch), cycle};
  if (branch.vc == none) {
    wait.cause = "channel";
    if (branch.holder != front.message) wait.blamed = branch.holder;
    wait.buffer.node = front.node;
    wait.output = branch.output;
    wait.vc = branch.awaited_vc;
    wait.hops = branch.holder_hops;
    return wait;
  }
  if (cycle < branch.won + history_.config.vc_delay) {
    wait.cause = "pipeline";
    return wait;
  }
  if (branch.is_kept) {
    wait.cause = "retry";
    return wait;
  }
  const auto [occupant, phits] = occupant_of(front.node, branch.output, cycle);
  const bool is_own = occupant.message == front.message && occupant.vc == branch.vc;
  if (front.sequence > 0 && is_own && phits > 0) {
    wait.cause = "width";
    return wait;
  }
  const bool needs_all = front.sequence == 0 && history_.is_for_whole_messages();
  const int flits = history_.messages.at(front.message).flits;
  if (branch.credits < (needs_all ? flits : 1)) {
    const int ports = history_.shape.ports;
    if (branch.output >= history_.shape.ports && cycle > 0) {
      const auto& kept = history_.cycles.at(static_cast<std::size_t>(cycle - 1)).kept_back;
      if (kept.count({front.node, branch.output - history_.shape.ports, branch.vc}) > 0) {
        wait.cause = "reception";
        return wait;
      }
    }
    Buffer beyond;  // an ejection channel has none
    wait.cycle = cycle - 1 - history_.config.link_delay;
    if (branch.output < ports) {
      beyond = {neighbour(history_.shape, front.node, branch.output),
                far_port(history_.shape, branch.output), branch.vc};
      wait.cycle = cycle - 1 - link_delay_of(history_.config, history_.shape, branch.output);
    }
    return of_credits(front.message, branch.credits, wait, beyond, way);
  }
  return of_switch(front, branch, wait);
}

Wait Waits::of_credits(int message, int credits, const Wait& nobody, const Buffer& beyond,
                       const std::vector<Station>* way) const {
  Wait wait = nobody;
  wait.cause = credits > 0 ? "mode" : "turnaround";
  const Front* front = beyond.node == none ? nullptr : history_.front(beyond, wait.cycle);
  if (front == nullptr) return wait;
  const Visit& visit = history_.visit(front->key());
  promise(visit.left != wait.cycle || credits > 0, "a credit has not come back in time");
  if (wait.cycle < visit.ready || visit.left == wait.cycle) return wait;
  if (front->message == message) return of_front(beyond, wait.cycle, way);
  if (credits == 0) wait.cause = "credit";
  wait.blamed = front->message;
  wait.buffer = beyond;
  return wait;
}

/// What an output sends in `cycle`, and how many cycles ago it began; its message is none if it
/// sends nothing.
std::pair<Crossing, int> Waits::occupant_of(int node, int output, Cycle cycle) const {
  for (int ago = 0; ago < phits_of(history_.config, history_.shape, output) && ago <= cycle;
       ++ago) {
    const CycleNotes& notes = history_.cycles.at(static_cast<std::size_t>(cycle - ago));
    const auto crossing = notes.crossings.find({node, output});
    if (crossing != notes.crossings.end()) return {crossing->second, ago};
  }
  return {};
}

Wait Waits::of_switch(const Front& front, const BranchNote& branch, Wait wait) const {
  if (!branch.is_eligible && !branch.is_barred) {  // store-and-forward: it has all but its tail
    wait.cause = "length";
    return wait;
  }
  wait.cause = "switch";
  const CycleNotes& notes = history_.cycles.at(static_cast<std::size_t>(wait.cycle));
  const Crossing sent = occupant_of(front.node, branch.output, wait.cycle).first;
  const int winner =
      sent.message != none ? sent.message : notes.chosen.at({front.node, front.input});
  if (winner != front.message) wait.blamed = winner;
  return wait;
}

Wait Waits::of_hidden_head(int message, const Buffer& buffer, Cycle cycle,
                           const std::vector<Station>* way) const {
  const Front& front = *history_.front(buffer, cycle);
  Wait wait{"behind", none, place_of(front, last_branch(front)), cycle};
  const bool is_own = front.message == message;
  if (is_own && history_.visit(front.key()).left > cycle) return of_front(buffer, cycle, way);
  wait.buffer = buffer;
  if (!is_own) wait.blamed = front.message;
  return wait;
}

Wait Waits::of_processor(int message, Cycle cycle, const std::vector<Station>* way) const {
  const MessageNotes& notes = history_.messages.at(message);
  const int credits = history_.port(notes, cycle).credits;
  const bool needs_all = history_.injected(message, cycle) == 0 && history_.is_for_whole_messages();
  if (credits >= (needs_all ? notes.flits : 1)) {
    const int other = history_.injecting(notes, cycle);
    promise(other != none && other != message, "a processor does not send");
    return {"switch", other, History::injection_place(notes), cycle};
  }
  const Wait nobody{"", none, History::injection_place(notes), cycle - 2};
  const Buffer beyond{notes.name.u, history_.shape.ports + notes.port, notes.message_class};
  return of_credits(message, credits, nobody, beyond, way);
}

}  // namespace allport::reference
