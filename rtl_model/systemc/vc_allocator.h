// SPDX-License-Identifier: Apache-2.0
// The VC allocator keeps the owner of each output virtual channel: free -> granted to a head ->
// held -> freed by the tail. No other unit decides whether a VC is free. In each cycle a head
// requests one free VC of its class (rtl_model/router/vc_choice.h) for each branch that has none;
// then each free output VC chooses among the inputs that request it, round robin over all input
// VCs. A grant is never withdrawn. A VC freed in cycle c can be granted in cycle c + 1; an adaptive
// channel is free once it has been refilled. The same
// rule is that of allport_vc_allocator.sv in rtl_model/sv and of tlm/worm/vc_allocation.h.
#pragma once

#include <cstdint>

#include "rtl_model/systemc/flit.h"
#include "rtl_model/systemc/round_robin_arbiter.h"
#include "rtl_model/systemc/unit.h"

namespace allport {

class VcAllocator : public Unit {
 public:
  VcAllocator(const char* name, const RouterConfig& config, UnitPlace place = {});

  void reset();

  /// The head at the front of `input_vc`, of `message_class`, requests a VC of `vc_class` at each
  /// of `outputs`.
  void request(int input_vc, PortMask outputs, VcClass vc_class, MessageId message,
               int message_class = 0);
  /// The same for a head that needs only one of the external outputs `useful` (at least one): the
  /// highest, at any VC, or else the next lower one with a free VC other than the escape channel
  /// [Duato93]. Returns the output requested; if no VC is free, it returns the highest and requests
  /// nothing.
  int request_one(int input_vc, PortMask useful, MessageId message, int message_class = 0);
  /// Grants the requests of cycle `now`, which matters if v > 0, and returns whether there was one.
  bool allocate(Cycle now = 0) { return !requested_d_.empty() && grant(now); }
  /// Those of `outputs` whose VC `input_vc` won less than v cycles before `now`.
  PortMask held(int input_vc, PortMask outputs, Cycle now) const {
    return config_.vc_delay == 0 ? 0 : held_by_delay(input_vc, outputs, now);
  }
  /// The cycle in which `output_vc` was granted last; known only if v > 0.
  Cycle won(int output_vc) const { return won_q_[output_vc]; }
  /// The tail of `input_vc` has left by `output`: the VC there is free.
  void release(int input_vc, int output);
  /// The same, but the VC is not free before refill().
  void drain(int input_vc, int output);
  /// All credits of `vc` at `output` are back: if it only lacked them, it is free. Returns whether
  /// it did.
  bool refill(int output, int vc);

  /// Outputs at which `input_vc` owns a virtual channel.
  PortMask owned(int input_vc) const { return owned_q_[input_vc]; }
  /// The VC that `input_vc` owns at `output`; if it owns none, the one that it requests or waits
  /// for.
  int vc(int input_vc, int output) const { return has_one_ ? 0 : vc_q_[branch(input_vc, output)]; }
  /// The same, as its number among all those of the router.
  int output_vc(int input_vc, int output) const {
    return config_.channel_vc(output, vc(input_vc, output));
  }
  /// The input VC that owns output VC `output_vc`; negative: nobody does.
  int owner(int output_vc) const { return owners_q_[output_vc].input_vc; }
  /// The message that owns `output_vc` (for observers).
  MessageId owner_message(int output_vc) const { return owners_q_[output_vc].message; }

 private:
  struct Owner {
    std::int16_t input_vc = -1;
    MessageId message = no_message;
  };
  struct Request {  // the best one so far for an output VC in this cycle
    std::int16_t input_vc = -1;
    std::int16_t distance = 0;
    std::int16_t output = 0;
    MessageId message = no_message;
  };

  static constexpr std::int16_t draining = -2;  // for an owner: see drain()

  int branch(int input_vc, int output) const { return input_vc * config_.ports() + output; }
  void want(int input_vc, int output, int vc) {
    if (!has_one_) vc_q_[branch(input_vc, output)] = static_cast<std::uint8_t>(vc);
  }
  void ask(int input_vc, int output, std::uint32_t candidates, MessageId message);
  bool grant(Cycle now);
  std::uint32_t draining_vcs(int output) const;
  PortMask held_by_delay(int input_vc, PortMask outputs, Cycle now) const;

  const bool has_one_;                     // whether every output has one VC
  Registers<PortMask> owned_q_;            // per input VC
  Registers<std::uint8_t> vc_q_;           // per input VC and output, if there is a choice
  Registers<Owner> owners_q_;              // per output VC
  Registers<std::uint16_t> free_q_;        // per output, one bit per VC
  Registers<Cycle> won_q_;                 // per output VC: when it was granted, if v > 0
  Registers<RoundRobinArbiter> grant_q_;   // per output VC, over input VCs
  Registers<RoundRobinArbiter> choice_q_;  // per input VC, over the VCs of an output
  BoundedList<std::int16_t> requested_d_;  // output VCs with a request in this cycle
  Combinational<Request> requests_d_;      // per output VC, this cycle
};

}  // namespace allport
