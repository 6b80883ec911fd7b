// SPDX-License-Identifier: Apache-2.0
// A PinBench is one router in RTL behind its pins, with a driver on each input and a sink on each
// output that keep the credit rule. Messages are given to inputs with the outputs by which they
// must leave; whatever comes out is compared with that, flit by flit, and checked against the rules
// of a channel. The first offence ends the bench. It knows routing, but not timing, which is
// measured from outside. Under circuit switching it acknowledges each head that leaves, and sends a
// body when the router has passed on the acknowledgement.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "rtl_model/base/split_mix.h"
#include "rtl_model/router/router_config.h"
#include "rtl_model/verilated/pin_layout.h"
#include "rtl_model/verilated/pin_model.h"
#include "testbench/conformance/output_probe.h"

namespace allport {

/// A message as one router meets it.
struct BenchMessage {
  MessageKind kind = MessageKind::unicast;
  NodeId address{};  ///< destination; for a tree or path worm its source
  ViaList via;       ///< further destinations of a multidestination worm
  TieMask ties = 0;
  JoinTag join;  ///< of a contribution to a join
  int flits = 1;
  int input = 0;
  int vc = 0;
  VcClass arrival = VcClass::h_or_l;  ///< class of `vc`, or either
  PortMask outputs = 0;
  bool is_choice = false;              ///< whether it leaves by one of them; otherwise by all
  VcClass vc_class = VcClass::h_or_l;  ///< class at an external output
};

/// What a router did that the contract forbids.
struct Offence {
  std::string check;  ///< the row of the verdict sheet
  std::string what;
  Cycle cycle = 0;
  bool is_mixing = false;  ///< a message came into another one, on the same VC
};

/// How drivers and sinks behave.
struct BenchManners {
  int idle_percent =
      0;  ///< share of cycles, in percent, in which an input sends nothing though it could
  int max_credit_delay =
      0;  ///< largest number of cycles for which a sink keeps a credit, drawn for each
};

class PinBench {
 public:
  /// Number of cycles after which a router that moves nothing, though it could, is taken to stand
  /// still.
  static constexpr Cycle patience = 2000;

  /// `cycles_per_flit` is the longest time that a flit may take, on average over all that are
  /// submitted.
  PinBench(std::unique_ptr<PinModel> model, const RouterConfig& config, const PinLayout& layout,
           NodeId node, std::uint64_t seed, Cycle cycles_per_flit);

  /// Resets router and bench.
  void reset();
  void behave(const BenchManners& manners) { manners_ = manners; }
  /// Queues `message` at its input and returns its number.
  std::uint32_t submit(const BenchMessage& message);
  /// Lets `message` wait for `cycles` before its flit `at`, counted from the flit before.
  void pause(std::uint32_t message, int at, Cycle cycles) {
    messages_[message].pause = {at, cycles};
  }
  /// From now on no credit comes back to `outputs`, as if it was lost: the router may stand still
  /// for that.
  void keep_credits(PortMask outputs);
  /// The credits that were kept come after all.
  void give_credits();
  /// Runs one cycle; false: an offence has been found, now or before.
  bool step();
  /// Steps until all is delivered and every credit is back.
  bool drain();

  Cycle now() const { return now_; }
  const std::optional<Offence>& offence() const { return offence_; }
  /// The number of messages that have not left by all of their outputs.
  std::size_t open_messages() const { return open_; }
  std::size_t open_branching() const { return open_branching_; }
  /// The cycle in which the head or the last flit of a message was on the pins of `output`; -1: not
  /// yet.
  Cycle sent(std::uint32_t message) const { return messages_[message].sent; }
  Cycle head_on(std::uint32_t message, int output) const;
  Cycle tail_on(std::uint32_t message, int output) const;
  std::uint64_t flits_out() const { return flits_out_; }
  /// Whether a message has left by all of its outputs.
  bool has_left(std::uint32_t message) const { return messages_[message].open == 0; }
  /// The current output pins.
  const PinModel& model() const { return *model_; }

 private:
  struct Delivery {
    int output;
    int next = 0;  // flit
    Cycle head = -1;
    Cycle tail = -1;
  };
  struct Pause {
    int at = 0;  // flit; 0: there is none
    Cycle cycles = 0;
  };
  struct Record {
    BenchMessage message;
    std::vector<Delivery> deliveries;
    Pause pause{};
    Cycle last_sent = -1;  // its last flit so far
    Cycle sent = -1;       // its head
    bool is_acknowledged = false;
    int sent_flits = 0;
    int open = 0;  // outputs by which it has not left completely
  };
  struct InputVc {
    std::deque<std::uint32_t> queue;
    int next = 0;  // flit of the first message
    int credits = 0;
    bool is_circuit_open = true;  // the body may follow
  };
  struct OutputVc {
    std::optional<std::uint32_t> open;  // message between head and tail
    int unreturned = 0;                 // flits whose credit the router has not got back
  };
  struct OwedCredit {
    Cycle due;
    int vc;
  };
  struct OwedAck {
    Cycle due;
    int line;
    std::uint32_t message;
  };

  std::uint64_t draw(std::uint64_t bound) { return generator_.next() % bound; }
  static bool is_branching(const BenchMessage& message) {
    return !message.is_choice && (message.outputs & (message.outputs - 1)) != 0;
  }
  bool has_circuits() const { return config_.switching == Switching::circuit; }
  Flit flit_of(std::uint32_t number, int at, int vc) const;
  Flit leaving_flit_of(std::uint32_t number, int at, int output, int vc) const;
  bool may_send(const InputVc& input) const;
  void drive_flits();
  void drive_credits();
  void drive_acks();
  Cycle sink_delay();
  void look_at_flits();
  void look_at_flit(int output);
  void look_at_head(int output, const Flit& flit);
  void look_at_room(int output, const Flit& flit);
  void look_at_acks();
  void look_at_ack(int input, int vc);
  void look_at_body(int output, const Flit& flit);
  void deliver(int output, const Flit& flit);
  bool is_allowed_vc(int output, int vc, const BenchMessage& message) const;
  void look_at_credits();
  int flits_inside(int input_vc) const;
  void look_for_progress();
  void look_for_paths();
  void offend(const char* check, const std::string& what);
  void offend_by_mixing(const std::string& what);
  static std::string place(const char* side, int port, int vc);

  std::unique_ptr<PinModel> model_;
  const RouterConfig& config_;
  const PinLayout& layout_;
  const NodeId node_;
  const std::uint64_t seed_;
  const Cycle cycles_per_flit_;
  SplitMix64 generator_;
  OutputProbe probe_;
  BenchManners manners_;
  std::vector<Record> messages_;
  std::vector<InputVc> inputs_;
  std::vector<OutputVc> outputs_;
  std::vector<int> next_vc_;                  // by input: round robin over its VCs
  std::vector<std::deque<OwedCredit>> owed_;  // by output
  PortMask kept_ = 0;                         // outputs to which no credit comes back
  Cycle kept_cycles_ = 0;                     // in which there were some
  std::vector<OwedAck> owed_acks_;
  std::size_t open_ = 0;
  std::size_t open_branching_ = 0;
  Cycle flits_submitted_ = 0;
  std::uint64_t flits_out_ = 0;
  int unreturned_ = 0;  // flits sent whose place has not been freed
  Cycle now_ = 0;
  Cycle last_activity_ = 0;
  std::optional<Offence> offence_;
};

}  // namespace allport
