// SPDX-License-Identifier: Apache-2.0
// This file has what the machine notes in its history.
#include "tests/properties/reference/machine.h"

namespace allport::reference {

void Fabric::record_message(int index, int port, Cycle begun) {
  const Message& message = messages_[index];
  MessageNotes notes{message.name, message.collective, port, message.flits};
  notes.message_class = message.message_class;
  notes.created =
      config_.counts_from_begin ? begun : std::max(now_, processors_[message.name.u].start);
  notes.begun = begun;
  notes.prepared = begun + config_.ts;
  notes.start = message.earliest;
  history_.messages[index] = notes;
  for (Cycle cycle = begun; cycle < notes.prepared; ++cycle) {
    history_.preparing[{message.name.u, cycle}] = index;
  }
}

void Fabric::record_arrival(int node, int port, int vc, const Flit& flit) {
  const Message& message = messages_[flit.message];
  const bool is_replicated = message.kind == Kind::tree && !tree_hops_at(node, message).empty();
  Visit visit{port, vc, now_};
  visit.ready = now_ + (is_replicated ? config_.replication_delay : 0);
  const VisitKey key{flit.message, flit.sequence, flit.hops, node};
  promise(history_.visits.emplace(key, visit).second, "a flit comes twice");
}

void Fabric::record_first(int node, const Flit& flit, Cycle cycle) {
  history_.visits.at({flit.message, flit.sequence, flit.hops, node}).first = cycle;
}

void Fabric::record_fronts(int node, const std::vector<int>& chosen) {
  CycleNotes& notes = history_.cycles.back();
  for (int input = 0; input < width(); ++input) {
    for (int vc = 0; vc < vcs_of(input); ++vc) {
      const InputVc& input_vc = routers_[node].input_vcs[index_of(input, vc)];
      if (input_vc.buffer.empty()) continue;
      notes.fronts[{node, input, vc}] = front_of(node, input, input_vc);
      if (chosen[input] != vc) continue;
      notes.chosen[{node, input}] = input_vc.buffer.front().message;
    }
  }
}

Front Fabric::front_of(int node, int input, const InputVc& input_vc) const {
  const Flit& flit = input_vc.buffer.front();
  Front front{flit.message, flit.sequence, flit.hops, node, input};
  for (const Branch& branch : input_vc.branches) {
    BranchNote note;
    note.output = branch.output;
    note.vc = branch.vc;
    note.won = branch.won;
    note.awaited_vc = branch.awaited_vc;
    note.is_eligible = branch.is_eligible;
    note.is_barred = branch.is_barred;
    note.is_kept = branch.is_kept;
    if (branch.vc != none) {
      note.credits = routers_[node].output_vcs[index_of(branch.output, branch.vc)].credits;
    } else if (branch.awaited_vc != none) {
      const OutputVc& awaited =
          routers_[node].output_vcs[index_of(branch.output, branch.awaited_vc)];
      note.holder = awaited.owner;
      note.holder_hops = awaited.owner_hops;
    }
    front.branches.push_back(note);
  }
  return front;
}

}  // namespace allport::reference
