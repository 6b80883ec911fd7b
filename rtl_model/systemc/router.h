// SPDX-License-Identifier: Apache-2.0
// A Router is the all-port wormhole router, called once a cycle. Its contract (docs/router.md) is
// this: a flit on an input in cycle c that is not held up is on the output channel in cycle c + 1;
// one flit per cycle and channel, on a narrow channel one per s cycles; its credit is on the wire
// in cycle c + 1 as well. A flit is sent only on a credit; an output VC belongs to one worm from
// its head to its tail. The caller first hands over what is on the wires in the cycle (accept),
// then evaluates; what the router decides goes out through RouterChannels. It may sleep, uncalled,
// until a flit or a credit comes.
#pragma once

#include <algorithm>
#include <memory>
#include <systemc>
#include <vector>

#include "rtl_model/base/fetch_ahead.h"
#include "rtl_model/router/router_config.h"
#include "rtl_model/systemc/channel.h"
#include "rtl_model/systemc/crossbar.h"
#include "rtl_model/systemc/input_buffer.h"
#include "rtl_model/systemc/join_unit.h"
#include "rtl_model/systemc/reception_unit.h"
#include "rtl_model/systemc/replication_unit.h"
#include "rtl_model/systemc/route_computation.h"
#include "rtl_model/systemc/router_state.h"
#include "rtl_model/systemc/switch_allocator.h"
#include "rtl_model/systemc/vc_allocator.h"

namespace allport {

class Router final : public sc_core::sc_module, public RouterState {
 public:
  /// `arena` holds the state of its units (null: an arena of its own does). `config`, `routing`,
  /// `channels` and `arena` must outlive the router.
  Router(const sc_core::sc_module_name& name, const RouterConfig& config, const Routing& routing,
         NodeId node, RouterChannels& channels, StateArena* arena = nullptr);

  void reset();

  /// Accepts `flit`, which is on the wires of `input` in cycle `now`.
  void accept(int input, const Flit& flit, Cycle now) { input_buffer.accept(input, flit, now); }
  /// Accepts a credit for VC `vc` of `output` that is on the wires; returns whether a worm owns
  /// that VC, or any can from now on.
  bool accept_credit(int output, int vc) {
    const int output_vc = config_.channel_vc(output, vc);
    switch_allocator.accept_credit(output_vc);
    if (vc_allocator.owner(output_vc) >= 0) return true;
    return switch_allocator.has_all_credits(output_vc) && vc_allocator.refill(output, vc);
  }
  /// Accepts an acknowledgement for VC `vc` of `output` that is on the wires: the router must be
  /// evaluated, and passes it to the input that owns that VC. The report is fatal if no input does.
  void accept_ack(int output, int vc) { acks_d_.push_back({output, vc}); }
  /// With retry: a nack of the channel of `output` is on the wire in the cycle that is decided
  /// next; the output is busy from then on, before cycle `until`.
  void accept_nack(int output, Cycle until) { crossbar.repeat(output, until); }
  /// Decides cycle `now`. Returns whether it must be called in the next cycle even if nothing
  /// arrives.
  bool evaluate(Cycle now);
  /// The same; what it decides goes out through `channels` (rtl_model/systemc/router_cycle.h).
  template <class Channels>
  bool evaluate(Cycle now, Channels& channels);

  // For the cache, in steps (rtl_model/base/fetch_ahead.h). Before it is evaluated:
  static constexpr int steps_of_evaluation = 2;
  void fetch_for_evaluation(int step) const;
  // Before a flit on VC `vc` of `input` is accepted:
  static constexpr int steps_of_flit = 3;
  void fetch_for_flit(int input, int vc, int step) const {
    if (step == 0) return fetch(&input_buffer, sizeof input_buffer);
    return step == 1 ? input_buffer.fetch_fifo(input, vc) : input_buffer.fetch_place(input, vc);
  }

  // RouterState
  NodeId node() const override { return node_; }
  const RouterConfig& config() const override { return config_; }
  const std::vector<Stalled>& stalled() const override { return stalled_q_; }
  bool has_flits() const override { return input_buffer.occupied_inputs() != 0; }
  int buffered(int input_vc) const override { return input_buffer.count(input_vc); }
  Cycle front_arrival(int input_vc) const override { return input_buffer.front_arrival(input_vc); }
  const Flit& flit(int input_vc, int position) const override {
    return input_buffer.flit(input_vc, position);
  }
  PortMask outputs(int input_vc) const override { return route_computation.of(input_vc).outputs; }
  PortMask pending(int input_vc) const override {
    return replication_unit.pending(input_vc, route_computation.of(input_vc));
  }
  PortMask owned(int input_vc) const override { return vc_allocator.owned(input_vc); }
  int output_vc(int input_vc, int output) const override {
    return vc_allocator.output_vc(input_vc, output);
  }
  int owner(int output_vc) const override { return vc_allocator.owner(output_vc); }
  MessageId owner_message(int output_vc) const override {
    return vc_allocator.owner_message(output_vc);
  }
  int credits(int output_vc) const override { return switch_allocator.credits(output_vc); }
  MessageId driver(int output) const override { return crossbar.driver(output); }
  bool is_acknowledged(int output, int vc) const override {
    return std::any_of(acks_d_.begin(), acks_d_.end(),
                       [&](const Ack& ack) { return ack.output == output && ack.vc == vc; });
  }

  /// Whether the front flit of `channel_vc` may cross to output VC `output_vc`, which its worm
  /// owns: there is a credit, or as many as the switching mode demands for a head.
  bool may_cross(int channel_vc, int output_vc) const {
    const Flit& front = input_buffer.front(channel_vc);
    return allport::may_cross(config_.switching, front.head, front.length,
                              input_buffer.count(channel_vc), switch_allocator.credits(output_vc));
  }
  /// Whether a flit moved in the last evaluated cycle.
  bool has_moved() const { return has_moved_q_; }
  /// Sends its decisions through `channels` from now on.
  void connect(RouterChannels& channels) { channels_ = &channels; }

 private:
  std::unique_ptr<StateArena> own_arena_;
  StateArena* arena_;

 public:
  // The units in the order in which their registers lie in the arena: first those that a worm's
  // body needs.
  RouteComputation route_computation;
  SwitchAllocator switch_allocator;
  Crossbar crossbar;
  InputBuffer input_buffer;
  VcAllocator vc_allocator;
  ReplicationUnit replication_unit;
  ReceptionUnit reception_unit;
  JoinUnit join_unit;

 private:
  using Grant = SwitchAllocator::Grant;

  struct Active {  // an input VC whose front flit takes part in this cycle and does not stream
    PortMask pending = 0;  // branches that have not yet taken it
    int input = 0;
    int vc = 0;
    int channel_vc = 0;
  };

  struct Ack {  // an acknowledgement on the wires of an output
    int output = 0;
    int vc = 0;
  };

  template <class Channels>
  void pass_acks(Channels& channels);
  void report_stray(const Ack& ack) const;
  bool route(Cycle now);
  bool activate(int input, int vc, Cycle now);
  bool activate_speakers(Cycle now);
  bool take_part(int input, int vc, int channel_vc, Cycle now);
  void route_head(int input, int channel_vc);
  void ask_as_one();
  bool allocate(Cycle now);
  void request_channels(Active& active, PortMask lacking);
  void request_switch(const Active& active, Cycle now);
  bool has_routed_operands() const;
  void stream(int channel_vc);
  void replicate(const Grant& grant);
  template <bool all_stream, class Channels>
  void cross(Cycle now, Channels& channels);
  template <bool streams, class Channels>
  void traverse(const Grant& grant, Cycle now, Channels& channels);
  void list_stalls(Cycle now);
  void give_back(const Grant& grant, const Route& route);
  template <bool streams, class Channels>
  void release(const Grant& grant, Channels& channels);
  template <class Channels>
  void release_operands(bool is_tail, Channels& channels);

  const RouterConfig& config_;
  NodeId node_;
  RouterChannels* channels_;
  BoundedList<Active> active_d_;
  std::vector<Ack> acks_d_;
  bool has_speakers_d_ = false;  // whether contributions from elsewhere speak for joins here
  int branches_d_ = 0;           // branches that have not yet taken their flit of this cycle
  PortMask tails_d_ = 0;         // outputs that take a tail in this cycle
  bool has_moved_q_ = false;
  std::vector<Stalled> stalled_q_;
};

}  // namespace allport
