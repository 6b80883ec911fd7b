// SPDX-License-Identifier: Apache-2.0
// A RouterWave is one router in a wave: it declares its signals (wave_names.h) and sets them to the
// values that the router and its channels hold. Channel signals show the wires of a cycle, buffers
// include what arrives in the cycle, registers whose names end in _q are those at the start of the
// cycle. The caller decides when to look.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "rtl_model/systemc/router_state.h"
#include "rtl_model/topology/routing.h"
#include "testbench/observe/waves/channel_wave.h"
#include "testbench/observe/waves/join_wave.h"
#include "testbench/observe/waves/router_twin.h"
#include "testbench/observe/waves/wave_contention.h"
#include "testbench/observe/waves/wave_window.h"

namespace allport {

/// The activity of a router in the recorded cycles.
struct RouterActivity {
  NodeId node{};
  std::vector<std::uint64_t> input_flits;   ///< flits on the channel, by input VC
  std::vector<std::uint64_t> output_flits;  ///< flits on the channel, by output
  std::vector<bool> has_waited;             ///< by input VC: contention, or a wait in the circle
  std::vector<bool> output_contention;      ///< by output: whether there was any
  std::uint64_t flits = 0;                  ///< flits on all output channels
  Cycle first_flit = -1;         ///< first cycle with a flit on a channel; -1: there was none
  Cycle first_contention = -1;   ///< first cycle of contention at an external output; -1: none
  std::vector<WaveWait> waits;   ///< waits at external outputs
  Cycle circle_since = -1;       ///< first wait of a deadlock's circle; -1: it is not in it
  PortMask circle_outputs = 0;   ///< outputs for which messages of the circle wait
  bool has_focus = false;        ///< whether the contention that is looked at is here
  bool is_source = false;        ///< whether it sent before it received or passed on anything
  bool has_join = false;         ///< whether a join came to its injection channel
  bool shows_allocation = true;  ///< whether its owners and its contention are recorded
  bool has_twin = false;         ///< whether the activity of its twin is included
  bool twin_shows_allocation = true;
  std::optional<TwinDifference> difference;  ///< difference from its twin

  /// Adds the activity of its twin.
  void include(const RouterActivity& twin);
};

class RouterWave {
 public:
  /// `twin`: `router` is the state of this twin, which also has the line `difference`; null: it is
  /// not a twin.
  /// With `has_joins` it shows the join unit as well.
  RouterWave(WaveWindow& window, const RouterState& router, const Routing& routing, bool has_joins,
             const RouterTwin* twin = nullptr);

  bool has_input(int input) const { return (inputs_there_ >> input & 1U) != 0; }
  bool has_output(int output) const { return (outputs_there_ >> output & 1U) != 0; }

  /// Shows that `flit` is on the channel of `input` in `cycle`; null: no flit is.
  void show_input(int input, const Flit* flit, Cycle cycle);
  /// Shows that `flit` is in the register of `output` in `cycle`; null: no flit is.
  void show_output(int output, const Flit* flit, Cycle cycle);
  /// Shows whether an acknowledgement is in the register of VC `vc` of `input` in the present
  /// cycle.
  void show_input_ack(int input, int vc, bool is_on_wire) {
    window_.set(input_acks_[channel_vc(input, vc)], is_on_wire ? 1 : 0);
  }
  /// Shows whether the flit on the channel of `input`, an external one, is in error in the present
  /// cycle, and whether a nack of that of `output` is on the wire.
  void show_error(int input, bool is_there) { show_mark(errors_, input, is_there); }
  void show_nack(int output, bool is_there) { show_mark(nacks_, output, is_there); }
  /// Notes that a flit leaves by VC `vc` of `output`: there is one credit fewer from the next cycle
  /// on.
  void spend_credit(int output, int vc) {
    --credits_[channel_vc(output, vc)];
    is_quiet_ = false;
  }

  /// Hides a flit that is already in the buffer of VC `vc` of `input` but was not there in the
  /// cycle to be shown.
  void hide_arrival(int input, int vc) { ++hidden_[channel_vc(input, vc)]; }
  /// Shows buffers and allocators as the last decisions left them, without hidden arrivals and
  /// without the credits that have come since.
  void show_settled(Cycle now);
  /// Shows buffers and allocators with everything that arrives in this cycle.
  void show_arrived(Cycle now);
  /// Shows the contention in `decided`, the last cycle decided, which lasts for all cycles before
  /// `end`.
  void show_contention(Cycle decided, Cycle end, const IsContention& is_contention);
  /// Shows whether this twin differs from the fabric's router in the present cycle.
  void show_difference(bool differs) { window_.set(difference_, differs ? 1 : 0); }

  RouterActivity activity() const;

 private:
  struct BufferSignals {
    int input_vc;
    WaveSignal count{}, front{}, message{};
  };
  struct OutputVcSignals {
    int output_vc;
    int output;
    int vc;
    WaveSignal owner_q{}, owner_message{}, credits_q{}, credit{}, ack{};
  };

  std::size_t channel_vc(int port, int vc) const {
    return static_cast<std::size_t>(router_.config().channel_vc(port, vc));
  }
  void show_mark(const std::vector<WaveSignal>& marks, int port, bool is_there) {
    window_.set(marks[static_cast<std::size_t>(port)], is_there ? 1 : 0);
  }
  bool has_marks(int port) const {
    return router_.config().retry && router_.config().is_external(port);
  }
  void declare_input(int input);
  void declare_output(int output);
  void show_buffers(Cycle now);
  void show_owner(const OutputVcSignals& signals);
  void show_output_vcs();
  void note_contention(Cycle first, Cycle cycles);
  bool has_acks() const { return router_.config().switching == Switching::circuit; }
  bool can_skip() const { return is_quiet_ && !router_.has_flits(); }

  WaveWindow& window_;
  const RouterState& router_;
  const bool shows_allocation_;
  PortMask inputs_there_ = 0;  // that have a channel
  PortMask outputs_there_ = 0;
  WaveSignal flits_{};
  WaveSignal contention_{};
  WaveSignal difference_{};  // for a twin only
  std::vector<ChannelWave> inputs_;
  std::vector<ChannelWave> outputs_;
  std::vector<WaveSignal> output_contention_;
  std::vector<BufferSignals> buffers_;
  std::optional<JoinWave> join_;
  std::vector<OutputVcSignals> output_vcs_;
  std::vector<std::uint16_t> credits_;   // by output VC, as the last decisions left them
  std::vector<WaveSignal> input_acks_;   // by input VC, in circuit mode
  std::vector<WaveSignal> errors_;       // by external input, with retry
  std::vector<WaveSignal> nacks_;        // by external output, with retry
  std::vector<std::uint16_t> hidden_;    // by input VC
  std::vector<const Flit*> fronts_d_;    // by input VC: in the cycle being shown
  std::vector<ContentionPair> pairs_d_;  // pairs in the cycle being shown
  std::vector<std::uint16_t> pairs_at_;  // number of pairs by output
  WaveWaits waits_;
  PortMask driven_ = 0;  // outputs with a flit
  bool has_traffic_ = false;
  bool has_contention_ = false;
  bool is_quiet_ = true;  // shown as after reset, which lasts until a flit arrives
  RouterActivity activity_;
};

}  // namespace allport
