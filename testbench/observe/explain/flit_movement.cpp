// SPDX-License-Identifier: Apache-2.0
#include "testbench/observe/explain/flit_movement.h"

#include "rtl_model/base/bits.h"
#include "rtl_model/systemc/copies.h"
#include "rtl_model/topology/group_routes.h"

namespace allport {

FlitMovement::FlitMovement(Fabric& fabric, const MessageLog& log, Movement& movement)
    : fabric_(fabric), log_(log), movement_(movement), channels_(movement.channels()) {
  reset();
}

FlitMovement::FlitMovement(const FlitMovement& other, Movement& movement)
    : fabric_(other.fabric_),
      log_(other.log_),
      movement_(movement),
      channels_(movement.channels()),
      fronts_(other.fronts_),
      behind_(other.behind_),
      open_(other.open_),
      heads_(other.heads_) {}

void FlitMovement::reset() {
  fronts_.assign(channels_.size(), 0);
  behind_.assign(1, 0);
  open_.assign(1, 0);
  heads_.clear();
}

void FlitMovement::on_injected(NodeId node, int port, const Flit& flit, Cycle on_channel) {
  const FabricChannels::Number channel =
      channels_.injection(node, port, static_cast<int>(index(flit.vc)));
  if (flit.head) begin(channel, 0, flit, on_channel);
  movement_.send(movement_.last(channel), on_channel);
}

// With a delay on the way out others may have won the channel before the flit is on it.
void FlitMovement::on_sent(NodeId node, int output, const Flit& flit, Cycle on_channel) {
  if (channels_.config().exit_delay() == 0) send(node, output, flit, on_channel - 1);
}

void FlitMovement::on_won(NodeId node, int output, const Flit& flit, Cycle decided) {
  send(node, output, flit, decided);
}

void FlitMovement::send(NodeId node, int output, const Flit& flit, Cycle decided) {
  const FabricChannels::Number channel =
      channels_.output(node, output, static_cast<int>(index(flit.vc)));
  CrossingIndex crossing = movement_.last(channel);
  const auto has_begun = [&] {
    return crossing != 0 && movement_[crossing].sent == 0 &&
           movement_[crossing].message == flit.message;
  };
  if (flit.head && !has_begun()) {
    crossing = begin(channel, source(node, output, flit), flit, won_before(decided));
  }
  movement_.send(crossing, decided);
  if (flit.tail) end_branch(movement_[crossing].from);
}

void FlitMovement::on_stalled(const RouterState& router, Cycle first, Cycle) {
  const RouterConfig& config = router.config();
  for (const RouterState::Stalled& stalled : router.stalled()) {
    const int input_vc = config.channel_vc(stalled.input, stalled.vc);
    const PortMask owned = stalled.branches & router.owned(input_vc);
    if (owned == 0 || !router.front(input_vc).head) continue;
    for (const int output : bits(owned)) {
      begin_owned(router, stalled.input, stalled.vc, output, won_before(first));
    }
  }
}

void FlitMovement::tell_of_held() {
  if (channels_.config().vc_delay == 0) return;
  for (std::size_t i = 0; i < fabric_.router_count(); ++i) {
    const Router& router = fabric_.router(node_id(i));
    const RouterConfig& config = router.config();
    if (!router.has_flits()) continue;
    for (int input = 0; input < config.ports(); ++input) {
      for (int vc = 0; vc < config.vcs_of(input); ++vc) {
        const int input_vc = config.channel_vc(input, vc);
        if (router.buffered(input_vc) == 0 || !router.front(input_vc).head) continue;
        for (const int output : bits(router.pending(input_vc) & router.owned(input_vc))) {
          const Cycle won = router.vc_allocator.won(router.output_vc(input_vc, output));
          begin_owned(router, input, vc, output, won);
        }
      }
    }
  }
}

// The crossing of the head at the front of an input VC that has won a channel of `output`, unless
// it has begun.
void FlitMovement::begin_owned(const RouterState& router, int input, int vc, int output,
                               Cycle won) {
  const RouterConfig& config = router.config();
  const CrossingIndex from = fronts_[channels_.input(router.node(), input, vc)];
  if (has_branch(from, output)) return;
  const int input_vc = config.channel_vc(input, vc);
  const int output_vc = router.output_vc(input_vc, output) - config.channel_vc(output, 0);
  const FabricChannels::Number channel = channels_.output(router.node(), output, output_vc);
  Flit head = router.front(input_vc);
  const Router& twin = fabric_.router(router.node());
  const bool is_stripped = twin.route_computation.route(head, input).is_stripped;
  if (is_stripped && config.is_external(output)) head = RouteComputation::strip(head);
  const bool turns = head.kind == MessageKind::join_tree && head.address == router.node();
  if (turns) head.kind = MessageKind::tree;
  begin(channel, from, head, won);
}

void FlitMovement::on_error(Channel channel, const Flit&, Cycle now, Cycle) {
  const auto port = static_cast<int>(index(channel.port));
  movement_.err({channels_.output(channel.node, port, 0), now});
}

void FlitMovement::on_credit_lost(Channel channel, int vc, Cycle now) {
  const auto port = static_cast<int>(index(channel.port));
  movement_.lose({channels_.output(channel.node, port, vc), now});
}

// A branch takes part for the first time v cycles after its head has won its channel.
Cycle FlitMovement::won_before(Cycle taking_part) const {
  return taking_part - channels_.config().vc_delay;
}

CrossingIndex FlitMovement::begin(FabricChannels::Number channel, CrossingIndex from,
                                  const Flit& head, Cycle won) {
  const CrossingIndex before = movement_.last(channel);
  const Onward onward = beyond(channel, head);
  const CrossingIndex crossing =
      movement_.begin(head.message, channel, from, log_[head.message].flits, won, onward);
  behind_.push_back(0);
  open_.push_back(static_cast<std::uint8_t>(__builtin_popcountll(onward.outputs)));
  const auto message = static_cast<std::size_t>(head.message);
  if (message >= heads_.size()) heads_.resize(2 * message + 2);
  heads_[message] = crossing;
  if (channels_.is_ejection(channel)) return crossing;
  if (fronts_[channel] == 0) {
    fronts_[channel] = crossing;
  } else {
    behind_[before] = crossing;
  }
  return crossing;
}

// How a message with this `head` goes on from the buffer behind `channel`.
Onward FlitMovement::beyond(FabricChannels::Number channel, const Flit& head) {
  Onward onward;
  if (channels_.is_ejection(channel)) return onward;
  const FabricChannels::End end = channels_.receiver(channel);
  if (is_join(head.kind)) return beyond_join(end.node, head);
  const Router& router = fabric_.router(end.node);
  Flit arrived = head;
  arrived.vc = vc_id(static_cast<std::size_t>(end.vc));
  const Route route = router.route_computation.route(arrived, end.port);
  onward.outputs = route.outputs | copies_at(router, end.port, head, route, channels_.config());
  onward.is_held = route.is_replicated;
  onward.vc_class = route.vc_class;
  onward.outputs_of_class_p = route.outputs_of_class_p;
  return onward;
}

// The contribution to a join that speaks does so for the others.
Onward FlitMovement::beyond_join(NodeId node, const Flit& head) {
  const RouterConfig& config = channels_.config();
  const Router& router = fabric_.router(node);
  const Route route = router.route_computation.route(head, config.external_ports);
  Onward onward;
  onward.outputs = route.outputs;
  onward.vc_class = route.vc_class;
  onward.outputs_of_class_p = route.outputs_of_class_p;
  onward.meeting = meet(node, head);
  return onward;
}

// Where the join of `head` meets at `node`, and before that in switches: nothing may ever come
// there, and what is missing is looked for beyond them.
MeetingIndex FlitMovement::meet(NodeId node, const Flit& head) {
  const MeetingIndex known = movement_.meeting_at(head.message, node);
  if (known != 0) return known;
  const RouterConfig& config = channels_.config();
  const Routing& routing = fabric_.routing();
  const PortMask inputs = join_inputs(routing, node, head.address, head.free());
  Meeting meeting;
  meeting.message = head.message;
  meeting.node = node;
  meeting.speaker = join_speaker(routing, node, head.address).value_or(-1);
  meeting.inputs = meeting.speaker < 0 ? inputs : inputs & ~(PortMask{1} << meeting.speaker);
  const bool turns = head.kind == MessageKind::join_tree && head.address == node;
  meeting.combining = inputs != 0 ? config.combine_delay : 0;
  meeting.held = turns ? config.replication_delay : 0;
  const MeetingIndex index = movement_.meet(meeting);
  for (const int input : bits(inputs)) {
    const PortId port = port_id(static_cast<std::size_t>(input));
    const NodeId before = routing.topology().incoming(node, port)->node;
    if (join_speaker(routing, before, head.address)) meet(before, head);
  }
  return index;
}

// The crossing that brought the message of `head`, of a join the contribution that speaks, which
// leaves by `output`, to the router of `node`.
CrossingIndex FlitMovement::source(NodeId node, int output, const Flit& head) {
  if (head.kind == MessageKind::unicast) return heads_[static_cast<std::size_t>(head.message)];
  const RouterConfig& config = channels_.config();
  CrossingIndex found = 0;
  for (int input = 0; input < config.ports(); ++input) {
    if (!channels_.has_input(node, input)) continue;
    for (int vc = 0; vc < config.vcs_of(input); ++vc) {
      const CrossingIndex front = fronts_[channels_.input(node, input, vc)];
      if (front == 0 || movement_[front].message != head.message) continue;
      const bool may_leave =
          fabric_.routing().is_adaptive() || (movement_[front].beyond.outputs >> output & 1U) != 0;
      if (may_leave && movement_[front].sent > 0 && !has_branch(front, output)) found = front;
    }
  }
  const MeetingIndex meeting = movement_[found].beyond.meeting;
  return meeting == 0 ? found : movement_.operand(movement_.meeting(meeting), 0);
}

bool FlitMovement::has_branch(CrossingIndex crossing, int output) const {
  for (CrossingIndex branch = movement_[crossing].onward; branch != 0;
       branch = movement_[branch].sibling) {
    if (movement_[branch].output == output) return true;
  }
  return false;
}

// The tail of the message of `from`, and of a join those that come together with it, has left by
// one branch.
void FlitMovement::end_branch(CrossingIndex from) {
  if (from == 0) return;
  const MeetingIndex index = movement_[from].beyond.meeting;
  if (index == 0) {
    end_one(from);
    return;
  }
  const Meeting& meeting = movement_.meeting(index);
  for (int slot = 0; slot < meeting.size(); ++slot) {
    const CrossingIndex operand = movement_.operand(meeting, slot);
    if (operand != 0) end_one(operand);
  }
}

void FlitMovement::end_one(CrossingIndex crossing) {
  if (--open_[crossing] == 0) fronts_[movement_[crossing].channel] = behind_[crossing];
}

}  // namespace allport
