// SPDX-License-Identifier: Apache-2.0
#include "rtl_model/systemc/router.h"

#include <algorithm>
#include <cstddef>
#include <string>

#include "rtl_model/base/bits.h"
#include "rtl_model/base/fetch_ahead.h"
#include "rtl_model/systemc/copies.h"
#include "rtl_model/systemc/router_cycle.h"

namespace allport {

namespace {

StateArena* next_router(StateArena* arena) {
  arena->next_router();
  return arena;
}

}  // namespace

Router::Router(const sc_core::sc_module_name& name, const RouterConfig& config,
               const Routing& routing, NodeId node, RouterChannels& channels, StateArena* arena)
    : sc_module(name),
      own_arena_(arena == nullptr ? std::make_unique<StateArena>() : nullptr),
      arena_(next_router(arena == nullptr ? own_arena_.get() : arena)),
      route_computation("route_computation", config, routing, node, {arena_, this}),
      switch_allocator("switch_allocator", config, {arena_, this}),
      crossbar("crossbar", config, {arena_, this}),
      input_buffer("input_buffer", config, {arena_, this}),
      vc_allocator("vc_allocator", config, {arena_, this}),
      replication_unit("replication_unit", config, {arena_, this}),
      reception_unit("reception_unit", config, {arena_, this}),
      join_unit("join_unit", config, routing, node, {arena_, this}),
      config_(config),
      node_(node),
      channels_(&channels),
      active_d_(*arena_, config.channel_vcs()) {}

void Router::reset() {
  input_buffer.reset();
  route_computation.reset();
  vc_allocator.reset();
  switch_allocator.reset();
  crossbar.reset();
  replication_unit.reset();
  join_unit.reset();
  acks_d_.clear();
  stalled_q_.clear();
}

// Lists a front flit whose worm does not stream, if it takes part; returns false if a delay holds
// it back. The local contribution to a join, which comes last, speaks for the operands; that of a
// switch takes part when all inputs have been routed.
bool Router::activate(int input, int vc, Cycle now) {
  const int channel_vc = config_.channel_vc(input, vc);
  const Route& route = route_computation.of(channel_vc);
  if (route.is_operand) return true;
  if (route.outputs == 0) {
    if (!route_computation.is_due(channel_vc, now)) return false;
    route_head(input, channel_vc);
  }
  if (route.is_operand) return true;
  if (route.is_join && config_.is_external(input)) {
    has_speakers_d_ = true;
    return true;
  }
  return take_part(input, vc, channel_vc, now);
}

// The same for what speaks for joins in a switch.
bool Router::activate_speakers(Cycle now) {
  bool is_holding = false;
  for (const int input : bits(input_buffer.occupied_inputs())) {
    for (const int vc : bits(input_buffer.occupied_vcs(input))) {
      const int channel_vc = config_.channel_vc(input, vc);
      if (!route_computation.of(channel_vc).is_join) continue;
      if (!join_unit.take_up(input_buffer.front(channel_vc), input, vc)) continue;
      is_holding |= !take_part(input, vc, channel_vc, now);
    }
  }
  return !is_holding;
}

inline bool Router::take_part(int input, int vc, int channel_vc, Cycle now) {
  const Route& route = route_computation.of(channel_vc);
  if (route.is_join) {
    JoinUnit::State state = join_unit.look(input_buffer, now);
    if (state == JoinUnit::State::is_ready && !has_routed_operands()) {
      join_unit.hold();
      state = JoinUnit::State::is_held;
    }
    if (state != JoinUnit::State::is_ready) return state == JoinUnit::State::waits;
  }
  if (replication_unit.holds(channel_vc, route, input_buffer, now)) return false;
  const PortMask pending = replication_unit.pending(channel_vc, route);
  branches_d_ += __builtin_popcountll(pending);
  active_d_.push_back({pending, input, vc, channel_vc});
  return vc_allocator.held(channel_vc, pending, now) == 0;
}

// Whether the heads of all operands that the join unit has found have a route.
bool Router::has_routed_operands() const {
  for (const int input : bits(join_unit.inputs())) {
    const int channel_vc = config_.channel_vc(input, join_unit.vc(input));
    if (!route_computation.of(channel_vc).is_operand) return false;
  }
  return true;
}

void Router::route_head(int input, int channel_vc) {
  const Flit& head = input_buffer.front(channel_vc);
  Route route = route_computation.route(head, input);
  route.outputs |= copies_at(*this, input, head, route, config_);
  route_computation.hold(channel_vc, route);
  if (route.is_join && !config_.is_external(input)) join_unit.open(head);
}

// Gives output VCs to heads, then requests the switch for all flits that have one. Returns whether
// a virtual channel was given.
bool Router::allocate(Cycle now) {
  for (Active& active : active_d_) {
    const PortMask lacking = active.pending & ~vc_allocator.owned(active.channel_vc);
    if (lacking != 0) request_channels(active, lacking);
  }
  const bool is_granting = vc_allocator.allocate(now);
  for (const Active& active : active_d_) request_switch(active, now);
  if (join_unit.is_ready()) ask_as_one();
  return is_granting;
}

// A join that could cross asks for its outputs only if all of its inputs have chosen it.
void Router::ask_as_one() {
  const int speaking_vc = join_unit.channel_vc() - config_.channel_vc(join_unit.input(), 0);
  if (!switch_allocator.has_chosen(join_unit.input(), speaking_vc)) return;
  for (const int input : bits(join_unit.inputs())) {
    if (!switch_allocator.has_chosen(input, join_unit.vc(input))) {
      switch_allocator.withdraw(join_unit.input());
    }
  }
}

void Router::request_channels(Active& active, PortMask lacking) {
  const Flit& front = input_buffer.front(active.channel_vc);
  if (!front.head) return;
  const Route& route = route_computation.of(active.channel_vc);
  const int message_class = config_.message_class(active.input, active.vc);
  if (!route.is_adaptive) {
    const PortMask of_class_p = lacking & route.outputs_of_class_p;
    vc_allocator.request(active.channel_vc, lacking & ~of_class_p, route.vc_class, front.message,
                         message_class);
    vc_allocator.request(active.channel_vc, of_class_p, VcClass::p, front.message, message_class);
    return;
  }
  const PortMask useful = route_computation.useful_ports(front);
  const int output =
      vc_allocator.request_one(active.channel_vc, useful, front.message, message_class);
  route_computation.turn(active.channel_vc, output);
  active.pending = PortMask{1} << output;
}

// Requests the switch for the branches that have a virtual channel, which no delay holds, and a
// credit, and whose outputs are not busy.
void Router::request_switch(const Active& active, Cycle now) {
  const PortMask held = vc_allocator.held(active.channel_vc, active.pending, now);
  PortMask outputs =
      active.pending & vc_allocator.owned(active.channel_vc) & ~crossbar.busy() & ~held;
  for (const int output : bits(outputs)) {
    const int output_vc = vc_allocator.output_vc(active.channel_vc, output);
    if (!may_cross(active.channel_vc, output_vc)) outputs &= ~(PortMask{1} << output);
  }
  if (outputs != 0) {
    switch_allocator.request(active.input, active.vc, active.channel_vc, outputs);
  }
  if (!route_computation.of(active.channel_vc).is_join) {
    if (held == 0) stream(active.channel_vc);
    return;
  }
  for (const int input : bits(outputs == 0 ? 0 : join_unit.inputs())) {
    switch_allocator.request(input, join_unit.vc(input), 0);
  }
}

// From here on a worm that has the virtual channel of its one branch needs nothing but credits and
// the switch; a replicated worm stays subject to the delay, a head to what its switching mode
// demands or to a change of its list.
void Router::stream(int channel_vc) {
  const Route& route = route_computation.of(channel_vc);
  const bool is_as_it_came = !buffers_messages(config_.switching) && !route.is_stripped;
  if (!is_as_it_came && input_buffer.front(channel_vc).head) return;
  const bool is_one = (route.outputs & (route.outputs - 1)) == 0;
  if (!is_one || route.is_replicated || route.is_relayed) return;
  if (vc_allocator.owned(channel_vc) != route.outputs) return;
  const int output = __builtin_ctzll(route.outputs);
  route_computation.stream(channel_vc, output, vc_allocator.output_vc(channel_vc, output),
                           vc_allocator.vc(channel_vc, output));
}

// Lists the front flits that took part in this cycle and that some branch has not taken.
void Router::list_stalls(Cycle now) {
  PortMask winners = 0;
  for (const Grant& grant : switch_allocator.grants()) winners |= PortMask{1} << grant.input;
  for (const int input : bits(input_buffer.occupied_inputs())) {
    const bool has_won = (winners >> input & 1U) != 0;
    const int first_vc = config_.channel_vc(input, 0);
    for (const int vc : bits(input_buffer.occupied_vcs(input))) {
      const int channel_vc = first_vc + vc;
      const Route& route = route_computation.of(channel_vc);
      if (route.streams()) {
        const bool has_left = has_won && switch_allocator.has_chosen(input, vc);
        if (!has_left) stalled_q_.push_back({input, vc, PortMask{1} << route.output, 0});
        continue;
      }
      const PortMask untaken = replication_unit.pending(channel_vc, route);
      const PortMask pending = untaken & ~vc_allocator.held(channel_vc, untaken, now);
      if (pending == 0 || replication_unit.holds(channel_vc, route, input_buffer, now)) continue;
      if (route.is_join && !join_unit.is_ready(channel_vc)) continue;
      const bool may_be_unready = buffers_messages(config_.switching);
      stalled_q_.push_back({input, vc, pending, may_be_unready ? unready(channel_vc, pending) : 0});
    }
  }
}

// Notes that a branch takes its flit in this cycle.
void Router::replicate(const Grant& grant) {
  if (route_computation.of(grant.channel_vc).streams()) return;  // it has one branch only
  replication_unit.take(grant.channel_vc, grant.output);
  if (!route_computation.of(grant.channel_vc).is_join) return;
  for (const int input : bits(join_unit.inputs())) {
    switch_allocator.won_with_another(input, join_unit.vc(input));
  }
}

void Router::report_stray(const Ack& ack) const {
  const std::string message = std::string(name()) + ": output " + std::to_string(ack.output) +
                              " vc " + std::to_string(ack.vc) +
                              ": an acknowledgement came although no worm owns it";
  SC_REPORT_FATAL("/allport/router", message.c_str());
}

bool Router::evaluate(Cycle now) { return evaluate(now, *channels_); }

void Router::fetch_for_evaluation(int step) const {
  if (step == 0) {
    const char* const end = reinterpret_cast<const char*>(this + 1);
    fetch(&route_computation, end - reinterpret_cast<const char*>(&route_computation));
    return;
  }
  constexpr std::ptrdiff_t most = 1024;
  const char* const first = reinterpret_cast<const char*>(&route_computation.of(0));
  const char* const last = static_cast<const char*>(input_buffer.end_of_registers());
  fetch(first, std::clamp<std::ptrdiff_t>(last - first, 0, most));
}

}  // namespace allport
