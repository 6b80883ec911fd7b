// SPDX-License-Identifier: Apache-2.0
// This is the cycle of a router, from what lies in its buffers to what it sends. It is a template
// over the way out, since a fabric that knows the class of its channels passes a flit on with no
// call; whoever sees only RouterChannels calls evaluate(now).
#pragma once

#include <string>

#include "rtl_model/base/bits.h"
#include "rtl_model/router/vc_choice.h"
#include "rtl_model/systemc/router.h"

namespace allport {

template <class Channels>
bool Router::evaluate(Cycle now, Channels& channels) {
  const bool may_be_busy = config_.has_busy_outputs();
  crossbar.disconnect();
  if (may_be_busy) crossbar.keep_busy(now);
  if (!acks_d_.empty()) pass_acks(channels);
  const bool is_holding = route(now);
  const bool is_granting = !active_d_.empty() && allocate(now);
  switch_allocator.allocate();
  if (active_d_.empty()) {
    cross<true>(now, channels);
  } else {
    cross<false>(now, channels);
  }
  const bool has_moved = has_moved_q_ = !switch_allocator.grants().empty();
  if (may_be_busy) crossbar.occupy(now, node_);
  const bool is_busy = may_be_busy && crossbar.busy() != 0;
  return crossbar.has_flits() || (input_buffer.occupied_inputs() != 0 &&
                                  (is_holding || is_granting || has_moved || is_busy));
}

// Routes the heads that have come to the front. A worm that streams requests the switch at once;
// the other front flits that take part in this cycle are listed. Returns whether any flit is held
// back by the replication delay.
[[gnu::always_inline]] inline bool Router::route(Cycle now) {
  const PortMask busy = crossbar.busy();
  bool is_holding = false;
  int branches = 0;
  active_d_.clear();
  has_speakers_d_ = false;
  branches_d_ = 0;
  for (const int input : bits(input_buffer.occupied_inputs())) {
    const int first_vc = config_.channel_vc(input, 0);
    for (const int vc : bits(input_buffer.occupied_vcs(input))) {
      const int channel_vc = first_vc + vc;
      const Route& route = route_computation.of(channel_vc);
      if (route.streams()) {
        ++branches;
        if ((busy >> route.output & 1U) != 0) continue;
        if (switch_allocator.credits(route.output_vc) == 0) continue;
        switch_allocator.request(input, vc, channel_vc, PortMask{1} << route.output);
      } else {
        is_holding |= !activate(input, vc, now);
      }
    }
  }
  branches_d_ += branches;
  if (has_speakers_d_) is_holding |= !activate_speakers(now);
  return is_holding;
}

// Flits leave by the outputs that were granted to them. If `all_stream`, each of them has one
// branch.
template <bool all_stream, class Channels>
[[gnu::always_inline]] inline void Router::cross(Cycle now, Channels& channels) {
  const auto& grants = switch_allocator.grants();
  tails_d_ = 0;
  for (const Grant& grant : grants) {
    if (!all_stream) replicate(grant);
    traverse<all_stream>(grant, now, channels);
  }
  if (crossbar.has_flits()) crossbar.send_due(now, channels);
  stalled_q_.clear();
  if (grants.size() < branches_d_) list_stalls(now);
  for (const Grant& grant : grants) release<all_stream>(grant, channels);
}

template <bool streams, class Channels>
void Router::traverse(const Grant& grant, Cycle now, Channels& channels) {
  const Route& route = route_computation.of(grant.channel_vc);
  const Flit& flit = input_buffer.front(grant.channel_vc);
  if (flit.tail) tails_d_ |= PortMask{1} << grant.output;
  if (streams || route.streams()) {
    switch_allocator.use_credit(route.output_vc);
    crossbar.traverse(flit, grant.output, route.vc, channels, now);
    return;
  }
  const int vc = vc_allocator.vc(grant.channel_vc, grant.output);
  switch_allocator.use_credit(vc_allocator.output_vc(grant.channel_vc, grant.output));
  if (route.is_stripped && flit.head && config_.is_external(grant.output)) {
    crossbar.traverse(RouteComputation::strip(flit), grant.output, vc, channels, now);
  } else if (route.is_join) {
    crossbar.traverse(join_unit.combined(input_buffer), grant.output, vc, channels, now);
  } else {
    crossbar.traverse(flit, grant.output, vc, channels, now);
  }
}

// The tail has left: its virtual channel is free, if need be once the buffer beyond is empty.
inline void Router::give_back(const Grant& grant, const Route& route) {
  const int input_vc = grant.channel_vc;
  if (route.is_adaptive &&
      is_adaptive_vc(config_, grant.output, vc_allocator.vc(input_vc, grant.output))) {
    vc_allocator.drain(input_vc, grant.output);
  } else {
    vc_allocator.release(input_vc, grant.output);
  }
}

// A tail frees the virtual channel by which it leaves; a flit that every branch has taken leaves
// its buffer and gives its credit back.
template <bool streams, class Channels>
void Router::release(const Grant& grant, Channels& channels) {
  const bool is_tail = (tails_d_ >> grant.output & 1U) != 0;
  const Route& route = route_computation.of(grant.channel_vc);
  if (is_tail) give_back(grant, route);
  if (!streams && !route.streams()) {
    if (!replication_unit.is_done(grant.channel_vc, route)) return;
    replication_unit.next_flit(grant.channel_vc);
    if (route.is_join) release_operands(is_tail, channels);
  }
  if (is_tail) route_computation.clear(grant.channel_vc);
  input_buffer.pop(grant.input, grant.vc, grant.channel_vc);
  channels.return_credit(grant.input, grant.vc);
}

// All operands of a join leave their buffers with the local one.
template <class Channels>
void Router::release_operands(bool is_tail, Channels& channels) {
  for (const int input : bits(join_unit.inputs())) {
    const int vc = join_unit.vc(input);
    const int channel_vc = config_.channel_vc(input, vc);
    if (is_tail) route_computation.clear(channel_vc);
    input_buffer.pop(input, vc, channel_vc);
    channels.return_credit(input, vc);
  }
  join_unit.leave(is_tail);
}

// Each acknowledgement goes back over the input channel whose worm holds the circuit.
template <class Channels>
void Router::pass_acks(Channels& channels) {
  for (const Ack& ack : acks_d_) {
    const int input_vc = vc_allocator.owner(config_.channel_vc(ack.output, ack.vc));
    if (input_vc < 0) {
      report_stray(ack);
      continue;
    }
    const int input = config_.port_of(input_vc);
    channels.return_ack(input, input_vc - config_.channel_vc(input, 0));
  }
  acks_d_.clear();
}

}  // namespace allport
