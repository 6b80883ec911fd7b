// SPDX-License-Identifier: Apache-2.0
// A TwinBench has one router twice, in SystemC and in RTL, with the same random inputs: every
// output of the two is compared in every cycle. The inputs keep the rules of a channel and of the
// routing (messages on the inputs and VCs by which they would arrive, credits, room for a whole
// message if the switching mode demands it, acknowledgements). Everything else is drawn: kinds and
// lengths, idle inputs, sinks that keep credits and acknowledgements, resets, and phases in which
// either machine may sleep as long as it says that it can. Several branching worms may block one
// another: then both routers are reset. The contributions to a join come together: one on injection
// channel 0, and one on each input where the contract expects it, on any VC that joins may have,
// each when it likes. With retry flits come in error, and again, and nacks come.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "rtl_model/systemc/router.h"
#include "rtl_model/verilated/pin_layout.h"
#include "rtl_model/verilated/pin_model.h"
#include "rtl_model/verilated/retry_pins.h"
#include "testbench/conformance/bench_messages.h"
#include "testbench/observe/lockstep/lockstep_router.h"
#include "tests/support/blueprint.h"
#include "tests/support/draw.h"

namespace allport::test {

/// The kinds of message that a configuration knows.
std::vector<MessageKind> all_kinds(const Blueprint& blueprint, PinGroups groups = PinGroups::none);

/// "output 3 vc 1, valid: 1 (SystemC) and 0 (RTL) in cycle 17".
std::string in_words(const Difference& difference);

class TwinBench {
 public:
  struct Counts {
    std::uint64_t cycles = 0;  ///< cycles compared
    std::uint64_t flits = 0;   ///< flits that left
    std::uint64_t messages = 0;
    std::uint64_t resets = 0;
    std::uint64_t standstills = 0;  ///< worms that blocked one another
    std::uint64_t asleep = 0;       ///< cycles in which the RTL had no clock
    std::uint64_t errors = 0;       ///< flits that came in error
    std::uint64_t nacks = 0;
  };

  /// Makes a module, so it must be called before the simulation begins. `blueprint` must outlive
  /// it. `fault` is that of a mutated model; `max_via`, 0 .. 15, and `groups` are
  /// those of the model.
  TwinBench(std::unique_ptr<PinModel> model, const Blueprint& blueprint, int payload_bits,
            NodeId node, const std::vector<MessageKind>& kinds, std::uint64_t seed, int fault = 0,
            int max_via = 0, PinGroups groups = PinGroups::none);

  /// Goes on for `cycles`; returns the first difference, after which it cannot go on. Throws
  /// std::runtime_error with the cycle when the RTL ends the simulation.
  std::optional<Difference> run(Cycle cycles);

  /// Whether any message comes to the router, by the routes of its fabric.
  bool has_messages() const { return !kinds_.empty(); }
  const Counts& counts() const { return counts_; }
  Cycle now() const { return now_; }

 private:
  struct InputVc {
    BenchMessage message;
    MessageId number = no_message;
    int next = 0;  // flit; message.flits: none is under way
    int credits = 0;
    bool is_circuit_open = true;  // its body may follow
  };
  static constexpr int all_vcs = -1;
  struct OutputPort {
    std::vector<int> owed;  // credits, by VC
    int owed_in_all = 0;
    std::uint32_t owed_acks = 0;  // by VC: its circuit is not acknowledged
    Cycle shut_until = 0;
    int shut_vc = all_vcs;
  };
  /// The external channels of a port, where they have retry.
  struct ErringPort {
    Cycle window = 0;  // D
    std::map<Cycle, Flit>
        again;  // what is discarded at the input, by the cycle when it comes again
    Cycle discards_until = 0;
    std::array<Cycle, 2> replays{};  // the first cycles of the last two
    Cycle nack_from = 0;             // an earlier one would be for what is discarded

    bool is_replaying(Cycle now) const {
      return std::any_of(replays.begin(), replays.end(),
                         [&](Cycle first) { return now >= first && now < first + window; });
    }
  };
  /// How inputs and sinks behave for a while.
  struct Phase {
    Cycle end = 0;
    int cycles_between_resets = 0;
    int silence = 0;  // cycles between cycles in which inputs send
    int idle_percent = 0;
    int one_flit_percent = 0;
    int most_flits = 1;
    int return_percent = 100;
    int shut_permille = 0;
    int most_shut = 1;
    int hot_output = -1;
    int error_percent = 0;  // of the flits on external inputs
    int nack_percent = 0;   // of the cycles of external outputs
    bool may_sleep = false;
    std::vector<MessageKind> kinds;
  };
  using Pool = std::vector<std::vector<BenchMessage>>;  // by input VC

  bool chance(int percent) { return draw_.below(100) < percent; }
  /// A message that has been drawn for an input VC and has yet to begin there.
  struct Planned {
    BenchMessage message;
    MessageId number = no_message;
  };

  void fill_pools(const std::vector<MessageKind>& kinds, std::uint64_t seed);
  void begin_phase();
  bool begin_message(int input_vc, InputVc& input);
  bool begin_planned(int input_vc, InputVc& input);
  void draw_join(MessageKind kind);
  void draw_group();
  void plan_join(MessageKind kind);
  int draw_length();
  bool may_send(int input_vc, InputVc& input);
  std::optional<Difference> reset();
  std::optional<Difference> step();
  void drive_flits();
  void drive_next_flit(int port);
  bool drive_repeat(int port);
  void put(int port, const Flit& flit);
  void drive_nacks();
  void drive_credits();
  void drive_acks();
  void shut_sinks();
  int creditable_vc(const OutputPort& output, int vcs);
  Flit next_flit(InputVc& input, int vc);
  void evaluate_systemc();
  void evaluate_rtl();
  void read_pins();
  std::optional<Difference> compare();
  void take_outputs();
  bool stands_still() const;

  std::unique_ptr<PinModel> model_;
  const RouterConfig& config_;
  const Routing& routing_;
  const PinLayout layout_;
  const PinGroups groups_;
  const NodeId node_;
  OutputRecorder systemc_;
  RouterOutputs rtl_;
  Router router_;
  Draw draw_;
  SplitMix64 payload_;
  std::vector<MessageKind> kinds_;
  std::array<Pool, message_kinds.size()> pools_;  // by kind
  Phase phase_;
  std::vector<std::deque<Planned>> planned_;  // by input VC
  std::vector<InputVc> inputs_;
  std::vector<OutputPort> outputs_;
  std::optional<RetryPins> retry_;
  std::vector<ErringPort> erring_;  // by external port; empty: there is no retry
  BenchMessage join_;               // the one that was drawn last
  bool has_new_tag_ = false;        // whether no other join had its tag
  std::uint32_t joins_ = 0;         // tags drawn
  std::uint32_t messages_ = 0;
  int inside_ = 0;  // flits accepted whose place has not been freed
  int owed_ = 0;    // credits and acknowledgements
  Cycle now_ = 0;
  Cycle last_activity_ = 0;
  bool is_awake_ = false;  // whether the SystemC router is awake
  bool has_inputs_ = false;
  Counts counts_;
};

}  // namespace allport::test
