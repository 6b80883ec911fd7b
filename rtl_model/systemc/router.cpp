// SPDX-License-Identifier: Apache-2.0
#include "rtl_model/systemc/router.h"

namespace allport {

Router::Router(const sc_core::sc_module_name& name, const RouterConfig& config,
               const Routing& routing, NodeId node, RouterChannels& channels)
    : sc_module(name),
      input_buffer("input_buffer", config),
      route_computation("route_computation", config, routing, node),
      vc_allocator("vc_allocator", config),
      switch_allocator("switch_allocator", config),
      crossbar("crossbar", config),
      replication_unit("replication_unit", config),
      reception_unit("reception_unit", config),
      config_(config),
      node_(node),
      channels_(&channels) {
  active_d_.reserve(static_cast<std::size_t>(config.channel_vcs()));
  stalled_q_.reserve(static_cast<std::size_t>(config.channel_vcs()));
}

void Router::reset() {
  input_buffer.reset();
  route_computation.reset();
  vc_allocator.reset();
  switch_allocator.reset();
  crossbar.reset();
  replication_unit.reset();
  stalled_q_.clear();
}

bool Router::accept_credit(int output, int vc) {
  const int output_vc = config_.channel_vc(output, vc);
  switch_allocator.accept_credit(output_vc);
  return vc_allocator.owner(output_vc) >= 0;
}

bool Router::evaluate(Cycle now) {
  crossbar.disconnect();
  const bool is_holding = route(now);
  const bool is_granting = allocate();
  replicate();
  traverse();
  observe_stalls(now);
  release();
  return input_buffer.occupied_inputs() != 0 && (is_holding || is_granting || has_moved());
}

// Routes the heads that have come to the front and lists the front flits that take part in this
// cycle; whether any is held back by the replication delay.
bool Router::route(Cycle now) {
  bool is_holding = false;
  active_d_.clear();
  for (PortMask inputs = input_buffer.occupied_inputs(); inputs != 0; inputs &= inputs - 1) {
    const int input = __builtin_ctzll(inputs);
    for (std::uint32_t vcs = input_buffer.occupied_vcs(input); vcs != 0; vcs &= vcs - 1) {
      const int vc = __builtin_ctz(vcs);
      const int channel_vc = config_.channel_vc(input, vc);
      if (route_computation.of(channel_vc).outputs == 0) {
        const Flit& head = input_buffer.front(channel_vc);
        Route route = route_computation.route(head);
        route.outputs |= reception_unit.copies(input, head, route.outputs);
        route_computation.hold(channel_vc, route);
      }
      const Route& route = route_computation.of(channel_vc);
      if (replication_unit.holds(channel_vc, route, input_buffer, now)) {
        is_holding = true;
        continue;
      }
      active_d_.push_back({static_cast<std::int16_t>(input), static_cast<std::int16_t>(vc),
                           static_cast<std::int16_t>(channel_vc)});
    }
  }
  return is_holding;
}

// Gives output VCs to heads, then the switch to flits that have a virtual channel and a credit;
// whether a virtual channel was given.
bool Router::allocate() {
  for (const Active& active : active_d_) {
    const Flit& front = input_buffer.front(active.channel_vc);
    const Route& route = route_computation.of(active.channel_vc);
    const PortMask lacking =
        replication_unit.pending(active.channel_vc, route) & ~vc_allocator.owned(active.channel_vc);
    if (front.head && lacking != 0) {
      vc_allocator.request(active.channel_vc, lacking, route.vc_class, front.message);
    }
  }
  const bool is_granting = vc_allocator.allocate();

  for (const Active& active : active_d_) {
    const Route& route = route_computation.of(active.channel_vc);
    const PortMask pending = replication_unit.pending(active.channel_vc, route);
    const PortMask outputs = sendable(active.channel_vc, pending);
    if (outputs != 0) switch_allocator.request(active.input, active.vc, outputs);
  }
  grants_d_ = &switch_allocator.allocate();
  return is_granting;
}

PortMask Router::sendable(int input_vc, PortMask pending) const {
  PortMask outputs = pending & vc_allocator.owned(input_vc);
  for (PortMask rest = outputs; rest != 0; rest &= rest - 1) {
    const int output = __builtin_ctzll(rest);
    const int output_vc = config_.channel_vc(output, vc_allocator.vc(input_vc, output));
    if (switch_allocator.credits(output_vc) == 0) outputs &= ~(PortMask{1} << output);
  }
  return outputs;
}

// Notes which branches take their flit in this cycle.
void Router::replicate() {
  for (const SwitchAllocator::Grant& grant : *grants_d_) {
    replication_unit.take(config_.channel_vc(grant.input, grant.vc), grant.output);
  }
}

void Router::traverse() {
  for (const SwitchAllocator::Grant& grant : *grants_d_) {
    const int channel_vc = config_.channel_vc(grant.input, grant.vc);
    const int output_vc = vc_allocator.vc(channel_vc, grant.output);
    switch_allocator.use_credit(config_.channel_vc(grant.output, output_vc));
    crossbar.traverse(input_buffer.front(channel_vc), grant.output, output_vc, *channels_);
  }
}

void Router::observe_stalls(Cycle now) {
  stalled_q_.clear();
  for (const Active& active : active_d_) {
    const Route& route = route_computation.of(active.channel_vc);
    const PortMask pending = replication_unit.pending(active.channel_vc, route);
    if (pending != 0) stalled_q_.push_back({active.input, active.vc, pending});
  }
  if (stall_observer_ != nullptr && !stalled_q_.empty()) {
    stall_observer_->on_stalled(*this, now, 1);
  }
}

// A tail frees the virtual channel it leaves by; a flit that every branch has taken leaves its
// buffer and gives its credit back.
void Router::release() {
  for (const SwitchAllocator::Grant& grant : *grants_d_) {
    const int channel_vc = config_.channel_vc(grant.input, grant.vc);
    if (input_buffer.front(channel_vc).tail) vc_allocator.release(channel_vc, grant.output);
  }
  PortMask released = 0;  // inputs done with: a replicated flit has several grants
  for (const SwitchAllocator::Grant& grant : *grants_d_) {
    const int channel_vc = config_.channel_vc(grant.input, grant.vc);
    if ((released >> grant.input & 1U) != 0) continue;
    released |= PortMask{1} << grant.input;
    if (replication_unit.pending(channel_vc, route_computation.of(channel_vc)) != 0) continue;
    if (input_buffer.front(channel_vc).tail) route_computation.clear(channel_vc);
    replication_unit.next_flit(channel_vc);
    input_buffer.pop(grant.input, grant.vc);
    channels_->return_credit(grant.input, grant.vc);
  }
}

bool Router::is_idle() const {
  if (input_buffer.occupied_inputs() != 0) return false;
  for (int output_vc = 0; output_vc < config_.channel_vcs(); ++output_vc) {
    if (vc_allocator.owner(output_vc) >= 0) return false;
  }
  return true;
}

}  // namespace allport
