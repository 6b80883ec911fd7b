// SPDX-License-Identifier: Apache-2.0
// This file has a cycle of the routers.
#include "tests/properties/reference/machine.h"

namespace allport::reference {

void Fabric::accept(int node) {
  for (int port = 0; port < width(); ++port) {
    const bool is_external = port < shape_.ports;
    if (is_external) {
      const std::optional<FlitOnWire> word = word_on(node, port);
      if (word) store(node, port, word->vc, word->flit);
    }
    auto& credits = credit_wires_[wire(node, port)];
    int came = 0;
    for (; !credits.empty() && credits.front().arrival <= now_; credits.pop_front()) {
      ++routers_[node].output_vcs[index_of(port, credits.front().vc)].credits;
      ++came;
    }
    promise(came <= (is_external ? 1 : config_.classes), "a channel has too many credits at once");
    auto& acks = ack_wires_[wire(node, port)];
    for (; !acks.empty() && acks.front().arrival <= now_; acks.pop_front()) {
      pass_ack(node, port, acks.front().vc);
    }
  }
}

/// What external input `port` of `node` takes in this cycle.
std::optional<FlitOnWire> Fabric::word_on(int node, int port) {
  auto& flits = flit_wires_[wire(node, port)];
  std::optional<FlitOnWire> word;
  if (!flits.empty() && flits.front().arrival <= now_) {
    word = flits.front();
    flits.pop_front();
  }
  ErringLink& link = links_[wire(node, port)];
  return config_.has_retry && link.length > 0 ? checked(link, word) : word;
}

/// With retry: `word` is what the output of `link` sent for this cycle. While the replay line
/// speaks, that must be nothing.
std::optional<FlitOnWire> Fabric::checked(ErringLink& link, const std::optional<FlitOnWire>& word) {
  const auto lies_in = [&](Cycle first, Cycle end) {
    return std::any_of(link.hits.begin(), link.hits.end(),
                       [&](Cycle hit) { return now_ >= hit + first && now_ < hit + end; });
  };
  std::optional<FlitOnWire> spoken = word;
  if (lies_in(link.length, 2 * link.length)) {
    promise(!word, "an output sends a flit while its channel repeats");
    spoken = link.replay_line.front();
  }
  link.replay_line.push_back(spoken);
  if (static_cast<Cycle>(link.replay_line.size()) > link.length) link.replay_line.pop_front();
  if (!spoken || lies_in(0, link.length)) return std::nullopt;
  if (!hits(link)) return spoken;
  link.hits.push_back(now_);
  expect_change(now_ + 2 * link.length);
  return std::nullopt;
}

/// Whether the flit on the channel is in error.
bool Fabric::hits(const ErringLink& link) const {
  for (const auto& [node, port, cycle] : config_.errors) {
    if (node == link.node && port == link.port && cycle == now_) return true;
  }
  const std::uint64_t place = static_cast<std::uint64_t>(link.node) * shape_.ports + link.port;
  SplitMix64 draw{((config_.seed * 1000003 + config_.trial) * 1000003 + place) * 1000003 +
                  static_cast<std::uint64_t>(now_)};
  return draw.next() < static_cast<std::uint64_t>(config_.error_rate * 18446744073709551616.0);
}

/// Whether `output` of `node` is busy with a replay in the decisions of this cycle.
bool Fabric::is_replaying(int node, int output) const {
  if (!config_.has_retry || output < 0 || output >= shape_.ports) return false;
  const End to = end_of(shape_, node, output);
  const ErringLink& link = links_[wire(to.node, to.port)];
  const Cycle d = link_delay_of(config_, shape_, node, output);
  const Cycle s = phits_of(config_, shape_, node, output);
  return std::any_of(link.hits.begin(), link.hits.end(), [&](Cycle hit) {
    return now_ >= hit + 1 + d &&
           now_ <= hit + 2 * link.length - 1 - s - config_.crossbar_delay - d;
  });
}

/// Passes an acknowledgement on to the input whose message holds the VC for which it came.
void Fabric::pass_ack(int node, int output, int vc) {
  for (int input = 0; input < width(); ++input) {
    for (int input_vc = 0; input_vc < vcs_of(input); ++input_vc) {
      for (const Branch& branch : routers_[node].input_vcs[index_of(input, input_vc)].branches) {
        if (branch.output != output || branch.vc != vc) continue;
        if (input >= shape_.ports) {
          processors_[node].injection[input - shape_.ports].classes[input_vc].acknowledged =
              now_ + 2;
          expect_change(now_ + 2);
          return;
        }
        const End from = origin_of(shape_, node, input);
        const Cycle arrival = now_ + 1 + link_delay_of(config_, shape_, from.node, from.port);
        ack_wires_[wire(from.node, from.port)].push_back({arrival, input_vc});
        expect_change(arrival);
        return;
      }
    }
  }
  promise(false, "an acknowledgement comes although nobody has the VC");
}

void Fabric::store(int node, int port, int vc, Flit flit) {
  InputVc& input_vc = routers_[node].input_vcs[index_of(port, vc)];
  auto& buffer = input_vc.buffer;
  promise(static_cast<int>(buffer.size()) < config_.buffer_depth, "a buffer overflows");
  flit.arrival = now_;
  const bool is_first = buffer.empty();
  buffer.push_back(flit);
  if (is_first) input_vc.first_from = now_;
  if (config_.explains) record_arrival(node, port, vc, flit);
  if (config_.explains && is_first) record_first(node, flit, now_);
  has_changed_ = true;
  expect_change(now_ + config_.replication_delay + config_.combine_delay);
  expect_change(now_ + config_.route_delay);
}

void Fabric::route(int node) {
  for (int port = 0; port < width(); ++port) {
    for (int vc = 0; vc < vcs_of(port); ++vc) {
      InputVc& input_vc = routers_[node].input_vcs[index_of(port, vc)];
      if (input_vc.buffer.empty() || !input_vc.branches.empty()) continue;
      if (is_of_join(input_vc) && !speaks(node, port, input_vc)) continue;
      promise(input_vc.buffer.front().sequence == 0, "a body flit has lost its head");
      input_vc.branches = branches_of(node, port, vc, input_vc.buffer.front());
    }
  }
}

std::vector<Branch> Fabric::branches_of(int node, int input, int vc, const Flit& head) const {
  const Message& message = messages_[head.message];
  const bool is_last = config_.is_adaptive || table_.is_there
                           ? node == message.name.v
                           : head.hops == static_cast<int>(message.path.size());
  std::vector<Branch> branches;
  if (message.kind == Kind::join || message.kind == Kind::join_tree) {
    if (node != message.root && tree_.is_there) {
      const Hop hop = way_along(tree_, node, message.root).front();
      const VcClass shared = shape_.routers > shape_.nodes ? VcClass::first : hop.vc_class;
      return {{hop.port, config_.join_vcs > 0 ? VcClass::join : shared}};
    }
    if (node != message.root) {
      const bool has_classes = shape_.wraps && class_vcs_ > 1;
      const Hop hop =
          (shape_.is_hypercube ? hypercube_path(shape_, config_.is_ascending, node, message.root)
                               : dimension_ordered_path(shape_, has_classes, {node, message.root}))
              .front();
      return {{hop.port, config_.join_vcs > 0 ? VcClass::join : hop.vc_class}};
    }
    if (message.kind == Kind::join_tree) {
      for (const Hop& hop : tree_hops_at(node, message)) {
        branches.push_back({hop.port, hop.vc_class});
      }
    }
    branches.push_back({shape_.ports, VcClass::any});
    return branches;
  }
  if (message.kind == Kind::tree) {
    for (const Hop& hop : tree_hops_at(node, message)) {
      branches.push_back({hop.port, hop.vc_class});
    }
  } else if (table_.is_there) {
    const int layer = input < shape_.ports ? vc % class_vcs_ / layer_vcs_ : none;
    const TableEntry& entry = table_.look_up(node, layer, message.name.v);
    promise((entry.port == none) == is_last, "a table says local elsewhere than at a destination");
    Branch branch{entry.port, VcClass::any};
    branch.layer = entry.layer;
    if (!is_last) branches.push_back(branch);
  } else if (!is_last && config_.is_adaptive) {
    branches.push_back({none, VcClass::any});  // chosen anew in each cycle
  } else if (!is_last) {
    VcClass vc_class = message.path[head.hops].vc_class;
    if (vc_class == VcClass::kept)
      vc_class = vc % class_vcs_ < class_vcs_ / 2 ? VcClass::plain : VcClass::wrapping;
    branches.push_back({message.path[head.hops].port, vc_class});
  }
  const bool is_at_node = node < shape_.nodes;
  const bool leaves_copy = message.kind == Kind::deposit ||
                           (message.kind == Kind::tree && is_at_node) ||
                           message.kind == Kind::path || message.stops.count(head.hops) > 0;
  const bool is_received = head.hops > 0 && (leaves_copy || is_last);
  if (is_received) branches.push_back({shape_.ports + input % ports_of(node), VcClass::any});
  return branches;
}

/// Whether the flit at the front is one of a join, whose result its root has not sent back yet.
bool Fabric::is_of_join(const InputVc& input_vc) const {
  if (input_vc.buffer.empty()) return false;
  const Kind kind = messages_[input_vc.buffer.front().message].kind;
  return kind == Kind::join || kind == Kind::join_tree;
}

/// The inputs of `node` by which the group of `join` comes.
std::vector<int> Fabric::inputs_of_join(int node, const Message& join) const {
  return tree_.is_there ? inputs_along(shape_, tree_, join.root, node)
                        : join_inputs(shape_, config_.is_ascending, join.root, join.free, node);
}

/// Whether the contribution to a join at the front speaks for the others: the one of the node, or
/// in a switch that of the lowest input.
bool Fabric::speaks(int node, int input, const InputVc& input_vc) const {
  if (node < shape_.nodes) return input == shape_.ports;
  return input == inputs_of_join(node, messages_[input_vc.buffer.front().message]).front();
}

/// Looks for what goes with each contribution that speaks: the same flit of the same join on each
/// input by which the group comes.
void Fabric::look_for_operands(int node) {
  Router& router = routers_[node];
  for (InputVc& input_vc : router.input_vcs) input_vc.is_at_join = false;
  for (int input = 0; input <= shape_.ports; ++input) {
    for (int vc = 0; vc < vcs_of(input); ++vc) begin_meeting(node, input, vc);
  }
  for (Meeting& meeting : router.meetings) {
    meeting.is_ready = is_complete(router, meeting);
    router.input_vcs[index_of(meeting.input, meeting.vc)].is_at_join = meeting.is_ready;
  }
}

/// Begins the meeting of the join whose head at the front speaks, if the heads of all are there.
void Fabric::begin_meeting(int node, int input, int vc) {
  Router& router = routers_[node];
  const InputVc& speaking = router.input_vcs[index_of(input, vc)];
  if (!is_of_join(speaking) || !speaks(node, input, speaking)) return;
  const Flit& head = speaking.buffer.front();
  const bool is_known = std::any_of(
      router.meetings.begin(), router.meetings.end(),
      [&](const Meeting& meeting) { return meeting.input == input && meeting.vc == vc; });
  if (head.sequence > 0 || is_known) return;
  Meeting meeting{input, vc};
  for (const int other : inputs_of_join(node, messages_[head.message])) {
    if (other == input) continue;
    for (int other_vc = vcs_ - 1; other_vc >= 0; --other_vc) {
      const InputVc& input_vc = router.input_vcs[index_of(other, other_vc)];
      const bool is_there = !input_vc.buffer.empty() &&
                            input_vc.buffer.front().message == head.message &&
                            input_vc.buffer.front().sequence == 0;
      if (is_there) meeting.operands[other] = other_vc;
    }
    if (meeting.operands.count(other) == 0) return;
  }
  for (const Meeting& one : router.meetings) {
    promise(one.operands.empty() && meeting.operands.empty(), "two joins meet in a router at once");
  }
  router.meetings.push_back(meeting);
}

/// Whether the next flit of all contributions is there, and no delay holds any of them.
bool Fabric::is_complete(Router& router, const Meeting& meeting) const {
  const InputVc& speaking = router.input_vcs[index_of(meeting.input, meeting.vc)];
  if (speaking.buffer.empty() || is_being_routed(speaking)) return false;
  const Flit& flit = speaking.buffer.front();
  const auto node = static_cast<int>(&router - routers_.data());
  Cycle arrival = flit.arrival;
  for (const auto& [input, vc] : meeting.operands) {
    const InputVc& operand = router.input_vcs[index_of(input, vc)];
    if (operand.buffer.empty() || is_being_routed(operand)) return false;
    const Flit& front = operand.buffer.front();
    promise(front.message == flit.message && front.sequence == flit.sequence,
            "the flits of a join are out of step");
    arrival = std::max(arrival, front.arrival);
  }
  const Message& join = messages_[flit.message];
  const bool has_inputs = meeting.input < shape_.ports || !meeting.operands.empty();
  if (has_inputs) arrival += config_.combine_delay;
  if (join.kind == Kind::join_tree && join.root == node) arrival += config_.replication_delay;
  return now_ >= arrival;
}

/// Whether a head has waited until a cycles after it came to the front, and a tree flit that goes
/// on to external channels until r cycles after its arrival, and a contribution is the one that
/// speaks and lacks nothing.
bool Fabric::is_ready(const InputVc& input_vc) const {
  if (input_vc.buffer.empty()) return false;
  if (is_of_join(input_vc)) return input_vc.is_at_join;
  if (is_being_routed(input_vc)) return false;
  const Flit& flit = input_vc.buffer.front();
  const bool is_replicated =
      messages_[flit.message].kind == Kind::tree && input_vc.branches.front().output < shape_.ports;
  return !is_replicated || now_ >= flit.arrival + config_.replication_delay;
}

bool Fabric::is_in_class(const Message& message, const Branch& branch, int vc) const {
  if (branch.output >= shape_.ports) return vc == message.message_class;
  if (branch.vc_class == VcClass::join) return vc == own_vcs_;
  if (branch.vc_class == VcClass::first) return vc == 0;
  if (branch.vc_class == VcClass::tree) return vc == vcs_ - 1;
  if (!is_of_its_class(message, vc)) return false;
  if (branch.layer != none) return vc % class_vcs_ / layer_vcs_ == branch.layer;
  if (branch.vc_class == VcClass::any) return true;
  return (vc % class_vcs_ < class_vcs_ / 2) == (branch.vc_class == VcClass::plain);
}

/// Step (1): heads request VCs, then each free output VC chooses one of them.
void Fabric::allocate_vcs(int node) {
  Router& router = routers_[node];
  for (InputVc& input_vc : router.input_vcs) {
    for (Branch& branch : input_vc.branches) branch.requested_vc = branch.awaited_vc = none;
    if (is_ready(input_vc)) request_vcs(node, input_vc);
  }
  for (int output = 0; output < width(); ++output) {
    for (int vc = 0; vc < vcs_of(output); ++vc) grant(router, output, vc);
  }
  for (const InputVc& input_vc : router.input_vcs) {
    for (const Branch& branch : input_vc.branches) {
      if (branch.requested_vc == none || branch.vc != none) continue;
      const int winner = router.output_vcs[index_of(branch.output, branch.requested_vc)].owner;
      lose_cycle(node, branch.output, input_vc.buffer.front().message, winner);
    }
  }
}

/// Adaptive: requests the first dimension with a free VC, of those that differ, from the highest
/// down; in all but the highest the first VC of the message class does not count. The others count
/// as free when the buffer behind them is known to be empty. If there is none, the head waits in
/// the highest, for the first VC that has an owner.
void Fabric::request_any_vc(int node, InputVc& input_vc) {
  Branch& branch = input_vc.branches.front();
  const int front = input_vc.buffer.front().message;
  const int difference = node ^ messages_[front].name.v;
  int wanted = none;
  int first = none;  // of its class, from the pointer on
  for (int port = shape_.ports - 1; port >= 0; --port) {
    if ((difference >> port & 1) == 0) continue;
    const int lowest = wanted == none ? 0 : 1;
    if (wanted == none) wanted = port;
    for (int i = 0; i < vcs_; ++i) {
      const int vc = (input_vc.request_pointer + i) % vcs_;
      if (!is_of_its_class(messages_[front], vc)) continue;
      const OutputVc& asked = routers_[node].output_vcs[index_of(port, vc)];
      if (first == none && asked.owner != none) first = vc;
      const bool is_escape = vc % class_vcs_ == 0;
      const bool is_empty = asked.credits == config_.buffer_depth;
      const bool is_free = asked.owner == none && (is_escape || is_empty);
      if (vc % class_vcs_ < lowest || !is_free) continue;
      branch.output = port;
      branch.requested_vc = branch.awaited_vc = vc;
      return;
    }
  }
  branch.output = wanted;
  branch.awaited_vc = first;
  lose_cycle(node, wanted, front, routers_[node].output_vcs[index_of(wanted, first)].owner);
}

void Fabric::request_vcs(int node, InputVc& input_vc) {
  const bool has_choice = config_.is_adaptive && input_vc.branches.front().output < shape_.ports;
  if (has_choice) {
    if (input_vc.branches.front().vc == none) request_any_vc(node, input_vc);
    return;
  }
  for (Branch& branch : input_vc.branches) {
    if (branch.vc != none) continue;
    const OutputVc* output_vcs = &routers_[node].output_vcs[index_of(branch.output, 0)];
    int first = none;  // the first VC of its class
    for (int i = 0; i < vcs_of(branch.output) && branch.requested_vc == none; ++i) {
      const int vc = (input_vc.request_pointer + i) % vcs_of(branch.output);
      if (!is_in_class(messages_[input_vc.buffer.front().message], branch, vc)) continue;
      if (first == none) first = vc;
      if (output_vcs[vc].owner == none) branch.requested_vc = vc;
    }
    branch.awaited_vc = branch.requested_vc != none ? branch.requested_vc : first;
    if (branch.requested_vc != none) continue;
    lose_cycle(node, branch.output, input_vc.buffer.front().message, output_vcs[first].owner);
  }
}

void Fabric::grant(Router& router, int output, int vc) {
  OutputVc& output_vc = router.output_vcs[index_of(output, vc)];
  const int inputs = static_cast<int>(router.input_vcs.size());
  const int first = output_vc.grant_pointer;
  for (int i = 0; i < inputs && output_vc.owner == none; ++i) {
    InputVc& input_vc = router.input_vcs[(first + i) % inputs];
    for (Branch& branch : input_vc.branches) {
      if (branch.output != output || branch.requested_vc != vc) continue;
      branch.vc = vc;
      branch.won = now_;
      expect_change(now_ + config_.vc_delay);
      output_vc.owner = input_vc.buffer.front().message;
      output_vc.owner_hops = input_vc.buffer.front().hops;
      output_vc.grant_pointer = (first + i + 1) % inputs;
      if (output < shape_.ports) input_vc.request_pointer = (vc + 1) % vcs_;
      has_changed_ = true;
    }
  }
}

/// Steps (2a) and (2b): each input chooses a VC, each output an input; the winners move.
void Fabric::allocate_switch(int node) {
  Router& router = routers_[node];
  std::vector<int> chosen = choose_vcs(node);
  for (const Meeting& meeting : router.meetings) {
    if (meeting.is_ready) let_join_agree(router, meeting, chosen);
  }
  if (config_.explains) record_fronts(node, chosen);
  std::vector<int> mover(width(), none);  // per output: message
  for (int output = 0; output < width(); ++output) {
    const int first = router.output_pointers[output];
    for (int i = 0; i < width() && mover[output] == none; ++i) {
      const int input = (first + i) % width();
      if (chosen[input] == none) continue;
      InputVc& input_vc = router.input_vcs[index_of(input, chosen[input])];
      for (Branch& branch : input_vc.branches) {
        if (branch.output != output || !branch.is_eligible) continue;
        mover[output] = input_vc.buffer.front().message;
        router.output_pointers[output] = (input + 1) % width();
        move(node, input, chosen[input], branch);
      }
    }
  }
  for (const InputVc& input_vc : router.input_vcs) {
    for (const Branch& branch : input_vc.branches) {
      if (branch.is_barred) mover[branch.output] = routers_[node].last_sent[branch.output];
      const bool can_go = branch.is_eligible || branch.is_barred;
      if (!can_go || branch.is_taken || mover[branch.output] == none) continue;
      lose_cycle(node, branch.output, input_vc.buffer.front().message, mover[branch.output]);
    }
  }
}

std::vector<int> Fabric::choose_vcs(int node) {
  Router& router = routers_[node];
  std::vector<int> chosen(width(), none);
  for (int input = 0; input < width(); ++input) {
    for (int i = vcs_of(input) - 1; i >= 0; --i) {  // the last one found is the first in order
      const int vc = (router.input_pointers[input] + i) % vcs_of(input);
      InputVc& input_vc = router.input_vcs[index_of(input, vc)];
      for (Branch& branch : input_vc.branches) {
        const bool can_go =
            is_ready(input_vc) && !branch.is_taken && branch.vc != none &&
            now_ >= branch.won + config_.vc_delay &&
            can_move(input_vc, router.output_vcs[index_of(branch.output, branch.vc)].credits);
        const bool is_busy = router.free_from[std::max(branch.output, 0)] > now_;
        branch.is_kept = is_replaying(node, branch.output);
        branch.is_eligible = can_go && !is_busy && !branch.is_kept;
        branch.is_barred = can_go && is_busy && !branch.is_kept;
        if (branch.is_eligible) chosen[input] = vc;
      }
    }
  }
  return chosen;
}

/// The virtual channels of all operands take part where the join could move; it asks for outputs
/// only if all their inputs have chosen it.
void Fabric::let_join_agree(Router& router, const Meeting& meeting,
                            std::vector<int>& chosen) const {
  const InputVc& speaking = router.input_vcs[index_of(meeting.input, meeting.vc)];
  const bool could_move = std::any_of(speaking.branches.begin(), speaking.branches.end(),
                                      [](const Branch& branch) { return branch.is_eligible; });
  if (!could_move) return;
  const bool agrees = chosen[meeting.input] == meeting.vc;
  bool all_agree = agrees;
  for (const auto& [input, vc] : meeting.operands) {
    const int first = router.input_pointers[input];
    const int distance = (vc - first + vcs_) % vcs_;
    const bool is_first = chosen[input] == none || distance < (chosen[input] - first + vcs_) % vcs_;
    if (is_first) chosen[input] = none;  // it passes nothing by itself
    all_agree = all_agree && is_first;
  }
  if (agrees && !all_agree) chosen[meeting.input] = none;
}

/// Whether the flit at the front may move according to the switching mode.
bool Fabric::can_move(const InputVc& input_vc, int credits) const {
  const bool is_head = input_vc.buffer.front().sequence == 0;
  if (!is_head || !is_for_whole_messages()) return credits > 0;
  const int flits = messages_[input_vc.buffer.front().message].flits;
  const int waiting = static_cast<int>(input_vc.buffer.size());
  if (config_.mode == Mode::store_and_forward && waiting < flits) return false;
  return credits >= flits;
}

/// Moves the flit at the front along one branch: decided now, on the channel in the next cycle or,
/// if the crossbar takes longer, later.
void Fabric::move(int node, int input, int vc, Branch& branch) {
  Router& router = routers_[node];
  Flit flit = router.input_vcs[index_of(input, vc)].buffer.front();
  OutputVc& output_vc = router.output_vcs[index_of(branch.output, branch.vc)];
  promise(output_vc.owner == flit.message, "a flit leaves by another message's VC");
  const bool is_joined = is_of_join(router.input_vcs[index_of(input, vc)]);
  if (is_joined && messages_[flit.message].root == node) {
    const int tree = messages_[flit.message].returns_as;
    if (tree != none) flit.message = tree;
  }
  Cycle arrival = now_ + 1 + config_.crossbar_delay;
  int end = wire(node, branch.output);
  if (branch.output < shape_.ports) {
    const Cycle phits = phits_of(config_, shape_, node, branch.output);
    arrival += phits - 1 + link_delay_of(config_, shape_, node, branch.output);
    router.free_from[branch.output] = now_ + phits;
    router.last_sent[branch.output] = flit.message;
    expect_change(now_ + phits);
    const End to = end_of(shape_, node, branch.output);
    end = wire(to.node, to.port);
    ++flit.hops;
    ++results_.flit_hops;
    if (config_.lists_flits) {
      const MessageName& name = messages_[flit.message].name;
      results_.crossed.push_back(
          {node, branch.output, branch.vc, name.u, name.order, flit.sequence, arrival});
    }
    if (config_.is_adaptive && flit.sequence == 0) {
      messages_[flit.message].gone.push_back({node, branch.output, VcClass::any});
    }
  }
  flit_wires_[end].push_back({arrival, branch.vc, flit});
  if (config_.explains) {
    const Flit& front = router.input_vcs[index_of(input, vc)].buffer.front();
    history_.visits.at({front.message, front.sequence, front.hops, node}).taken[branch.output] = {
        now_, branch.vc};
    history_.cycles.back().crossings[{node, branch.output}] = {front.message, branch.vc};
  }
  expect_change(arrival);
  --output_vc.credits;
  if (is_tail(flit)) output_vc.owner = none;
  branch.is_taken = true;
  router.input_pointers[input] = (vc + 1) % vcs_of(input);
  for (const Meeting& meeting : router.meetings) {
    if (meeting.input != input || meeting.vc != vc) continue;
    for (const auto& [other, other_vc] : meeting.operands) {
      if (is_joined) router.input_pointers[other] = (other_vc + 1) % vcs_;
    }
  }
  has_changed_ = true;
  last_movement_ = now_;
}

/// A flit that all branches have taken leaves its buffer and gives a credit.
void Fabric::release(int node) {
  for (int input = 0; input < width(); ++input) {
    for (int vc = 0; vc < vcs_of(input); ++vc) {
      InputVc& input_vc = routers_[node].input_vcs[index_of(input, vc)];
      if (input_vc.buffer.empty() || input_vc.branches.empty()) continue;
      const bool is_joined = is_of_join(input_vc);
      if (is_joined && !speaks(node, input, input_vc)) continue;
      const bool is_done = std::all_of(input_vc.branches.begin(), input_vc.branches.end(),
                                       [](const Branch& branch) { return branch.is_taken; });
      if (!is_done) continue;
      for (Branch& branch : input_vc.branches) branch.is_taken = false;
      const Flit& flit = input_vc.buffer.front();
      if (config_.explains) {
        history_.visits.at({flit.message, flit.sequence, flit.hops, node}).left = now_;
      }
      if (is_joined) release_operands(node, input, vc, is_tail(flit));
      if (is_tail(flit)) input_vc.branches.clear();
      drop_front(node, input_vc);
      give_credit(node, input, vc);
    }
  }
}

void Fabric::release_operands(int node, int input, int vc, bool is_tail) {
  Router& router = routers_[node];
  const auto meeting =
      std::find_if(router.meetings.begin(), router.meetings.end(),
                   [&](const Meeting& one) { return one.input == input && one.vc == vc; });
  promise(meeting != router.meetings.end(), "a join leaves that has not come together");
  for (const auto& [other, other_vc] : meeting->operands) {
    drop_front(node, router.input_vcs[index_of(other, other_vc)]);
    give_credit(node, other, other_vc);
  }
  if (is_tail) router.meetings.erase(meeting);
}

/// The flit at the front leaves; the one behind it is first from the next cycle on.
void Fabric::drop_front(int node, InputVc& input_vc) {
  input_vc.buffer.pop_front();
  if (input_vc.buffer.empty()) return;
  input_vc.first_from = now_ + 1;
  expect_change(input_vc.first_from + config_.route_delay);
  if (config_.explains) record_first(node, input_vc.buffer.front(), input_vc.first_from);
}

void Fabric::give_credit(int node, int input, int vc) {
  if (input < shape_.ports) {
    const End from = origin_of(shape_, node, input);
    const Cycle arrival = now_ + 1 + link_delay_of(config_, shape_, from.node, from.port);
    credit_wires_[wire(from.node, from.port)].push_back({arrival, vc});
    expect_change(arrival);
  } else {
    processors_[node].injection[input - shape_.ports].classes[vc].returning.push_back(now_ + 2);
    expect_change(now_ + 2);
  }
}

}  // namespace allport::reference
