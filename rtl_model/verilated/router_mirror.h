// SPDX-License-Identifier: Apache-2.0
// A RouterMirror shows the state of a router in RTL, so that monitors, the deadlock report and
// waves read either twin in the same way. Buffers and credits follow from the pins; owners, routes
// and marks are read from the twin's registers. Of a module without such registers they are what
// its pins show: a route is that of the contract, an output VC belongs to a message from its head
// to its tail, and a flit is stalled from the cycle on in which it could have left. In each cycle
// it is notified of what arrives, then of what the RTL did (sent, freed), then it is told to
// settle. With a crossbar delay it is also notified of what crosses, from the registers: then a
// flit spends its credit, and is on the channel later. It detects violations of the rules of a
// channel: a fatal report names router, port, VC and cycle.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "rtl_model/router/vc_choice.h"
#include "rtl_model/systemc/router.h"
#include "rtl_model/systemc/router_state.h"
#include "rtl_model/verilated/pin_model.h"

namespace allport {

class RouterMirror final : public RouterState {
 public:
  /// `name`: the name of the router in reports. `twin`: the SystemC router of the same node; it is
  /// asked for routes, but its state is not read. `hop_cycles`: the least time of a flit from an
  /// input to an output, where `model` has no readable registers. All must outlive it.
  RouterMirror(std::string name, const Router& twin, const PinModel& model, int hop_cycles = 1);

  void reset();
  void accept(int input, const Flit& flit, Cycle now);
  void accept_credit(int output, int vc);
  void accept_ack(int output, int vc) {
    acks_d_.push_back({output, vc});
    is_needed_ = true;
  }

  /// With retry: from the cycle that begins next on, and before cycle `until`, `output` is busy,
  /// and nobody has it.
  void repeat(int output, Cycle until);

  /// Begins cycle `now`, which is being decided; the registers are those at its beginning.
  void begin(Cycle now);
  /// Notes that `flit` has been sent on `output`; it goes on to `channels`.
  void send(int output, const Flit& flit, Cycle now, RouterChannels& channels);
  /// Notes that `flit`, as it crosses, has won VC `vc` of `output`, by which it is sent later;
  /// `channels` hears of it.
  void cross(int output, int vc, const Flit& flit, Cycle now, RouterChannels& channels);
  /// Whether a flit has won an output since begin(), as far as that shows.
  bool has_crossed() const { return has_crossed_; }
  /// Notes that a place in the buffer of VC `vc` of `input` has become free.
  void free_place(int input, int vc, Cycle now);
  /// Notes that an acknowledgement goes back on VC `vc` of `input`.
  void acknowledge(int input, int vc, Cycle now) const;
  /// Reads the registers as they are after cycle `now`, of which everything has been heard.
  void settle(Cycle now);

  const std::string& name() const { return name_; }
  /// Whether routes, owners and stalls are read from registers; otherwise they follow from pins.
  bool shows_allocation() const { return has_registers_; }

  // RouterState
  NodeId node() const override { return twin_.node(); }
  const RouterConfig& config() const override { return config_; }
  const std::vector<Stalled>& stalled() const override { return stalled_q_; }
  bool has_flits() const override { return buffered_flits_ > 0; }
  int buffered(int input_vc) const override { return static_cast<int>(of(input_vc).buffer.size()); }
  const Flit& flit(int input_vc, int position) const override {
    return of(input_vc).buffer[static_cast<std::size_t>(position)].flit;
  }
  Cycle front_arrival(int input_vc) const override { return of(input_vc).buffer.front().cycle; }
  PortMask outputs(int input_vc) const override { return of(input_vc).outputs; }
  PortMask pending(int input_vc) const override {
    return of(input_vc).outputs & ~of(input_vc).taken;
  }
  PortMask owned(int input_vc) const override { return of(input_vc).owned; }
  int output_vc(int input_vc, int output) const override {
    return of(input_vc).output_vcs[static_cast<std::size_t>(output)];
  }
  int owner(int output_vc) const override { return at(output_vc).owner; }
  MessageId owner_message(int output_vc) const override { return at(output_vc).owner_message; }
  int credits(int output_vc) const override { return at(output_vc).credits; }
  MessageId driver(int output) const override { return drivers_[static_cast<std::size_t>(output)]; }
  bool is_acknowledged(int output, int vc) const override;
  /// A router in RTL is awake longer than a Router: it counts delays of flits that nothing holds
  /// back, and every credit wakes it.
  Cycle unchanged_since(Cycle asleep) const {
    return has_registers_ ? std::min(asleep, needed_ + 1) : asleep;
  }

 private:
  struct Arrived {
    Flit flit;
    Cycle cycle;
  };
  struct InputVc {
    std::deque<Arrived> buffer;
    // The worm at the front, or the last one that was there:
    MessageId message = no_message;
    Route route;           // as its head requests it
    PortMask outputs = 0;  // as the registers hold it
    PortMask taken = 0;
    PortMask owned = 0;
    std::vector<int> output_vcs;  // by output: owned, requested or waited for
    int choice = 0;               // VC pointer, before the cycle
    Cycle front_since = 0;        // first cycle of its front flit there
    bool is_freed = false;        // its front flit leaves in this cycle
    // Without registers, of the worm at the front:
    std::vector<int> sent;  // by output: flits that have left there
    int freed = 0;          // flits that have been freed
    Cycle last_freed = -1;  // cycle of the last one, of any worm
  };
  /// A message between its arrival and its last tail, where there are no registers.
  struct Passage {
    int input_vc = -1;
    int branches = 0;  // outputs by which its tail has not left
  };
  struct OutputVc {
    int owner = -1;
    MessageId owner_message = no_message;
    Cycle won = 0;     // when the owner won it
    Cycle taken = -1;  // when a flit last took it
    int credits = 0;   // without those of flits that are crossing
    int crossing = 0;  // flits that have won and are not on the channel yet
  };
  struct Ack {
    int output;
    int vc;
  };

  /// The front flits as the join unit looks at them.
  class Fronts;

  const InputVc& of(int input_vc) const { return inputs_[static_cast<std::size_t>(input_vc)]; }
  InputVc& of(int input_vc) { return inputs_[static_cast<std::size_t>(input_vc)]; }
  const OutputVc& at(int output_vc) const { return outputs_[static_cast<std::size_t>(output_vc)]; }
  OutputVc& at(int output_vc) { return outputs_[static_cast<std::size_t>(output_vc)]; }
  void require_vc(const char* what, const char* port_kind, int port, int vc, Cycle now) const;
  Route route_of(const Flit& head, int input_vc) const;
  void note_arrival(int input_vc, const Flit& flit);
  void note_departure(int output, int output_vc, const Flit& flit);
  void infer_routes(Cycle now);
  bool is_adaptive_vc(int output, int vc) const;
  void note_vcs_before(int output, Cycle now);
  void take(int output, int vc, MessageId message, Cycle now);
  bool could_have_left(const InputVc& input, Cycle now) const;
  bool is_routed(const InputVc& input, Cycle now) const;
  bool has_routed_operands(Cycle now) const;
  PortMask held_by_vc_delay(const InputVc& input, PortMask branches, Cycle now) const;
  void look_at_fronts();
  void look_at_join(Cycle now);
  void note_need(Cycle now);
  void read_routes();
  void read_owners(Cycle now);
  int owner_in_registers(int output_vc) const;
  void find_stalls(Cycle now);
  void find_wanted(int input_vc, PortMask lacking);
  std::uint32_t candidate_vcs(int input_vc, int output) const;
  void read_choices();
  void pop_freed(Cycle now);
  [[noreturn]] void fault(const char* what, const char* port_kind, int port, int vc,
                          std::optional<Cycle> now = std::nullopt) const;

  const std::string name_;
  const Router& twin_;
  const RouterConfig& config_;
  const PinModel& model_;
  const bool has_registers_;
  const int hop_cycles_;
  std::vector<InputVc> inputs_;
  std::vector<OutputVc> outputs_;
  std::vector<MessageId> drivers_;                   // by output
  std::vector<Cycle> free_from_;                     // by output: when its last flit has gone
  PortMask repeats_ = 0;                             // outputs whose replay begins next
  std::vector<UnownedVcs> vcs_before_;               // by output, at the beginning of the cycle
  std::unordered_map<MessageId, Passage> passages_;  // without registers
  /// The highest number of a message that came: a higher one is not of this fabric, and nothing
  /// behind the pins may be indexed by it.
  std::int64_t newest_ = -1;
  std::vector<Ack> acks_d_;
  std::vector<Stalled> stalled_q_;
  JoinUnit join_unit_;          // which operands the contribution at the front waits for
  bool is_join_ready_ = false;  // in the cycle that is settled
  int buffered_flits_ = 0;
  int crossing_flits_ = 0;
  bool has_crossed_ = false;
  // As a Router would be evaluated:
  bool is_needed_ = false;    // in the next cycle that is settled
  bool is_holding_ = false;   // a delay holds a front flit back in the cycle that is settled
  bool is_granting_ = false;  // a head gets a virtual channel in it
  Cycle needed_ = -1;         // the last cycle
};

}  // namespace allport
