// SPDX-License-Identifier: Apache-2.0
// Shows in a Router, which nobody calls, what a router in RTL holds, so that monitors, the deadlock
// report and waves see either twin in the same way. Buffers and credits follow from what is on the
// pins; owners, routes and marks are read from the twin's registers. In a cycle it hears of what
// arrives, then of what the RTL did (sent, freed), then it is told to settle. Notices what breaks
// the rules of a channel: a fatal report names router, port, VC and cycle.
#pragma once

#include <vector>

#include "rtl_model/systemc/router.h"
#include "rtl_model/verilated/pin_model.h"

namespace allport {

class RouterMirror {
 public:
  /// `model` without readable registers: buffers and credits only.
  RouterMirror(Router& view, const PinModel& model);

  void reset();
  void accept(int input, const Flit& flit, Cycle now);
  void accept_credit(int output, int vc) {
    view_.switch_allocator.accept_credit(vc_of(output, vc));
  }
  void accept_ack(int output, int vc) { view_.accept_ack(output, vc); }

  /// A new cycle is being decided; the registers are those at its beginning.
  void begin() {
    view_.crossbar.disconnect();
    view_.forget_acks();
  }
  /// `flit` has been sent on `output`; it goes on to `channels`.
  void send(int output, const Flit& flit, Cycle now, RouterChannels& channels);
  /// A place in the buffer of VC `vc` of `input` has become free.
  void free_place(int input, int vc, Cycle now);
  /// An acknowledgement goes back on VC `vc` of `input`.
  void acknowledge(int input, int vc, Cycle now) const;
  /// All of cycle `now` has been heard: shows its stalls, and the registers as they are after it.
  void settle(Cycle now);

  const Router& view() const { return view_; }
  /// Whether routes, owners and stalls are shown: the model has readable registers.
  bool shows_allocation() const { return has_registers_; }
  /// Flits in all buffers.
  int buffered() const { return buffered_; }

 private:
  struct Worm {  // the one at the front of an input VC, or last seen there
    MessageId message = no_message;
    VcClass vc_class = VcClass::h_or_l;
    bool is_tree = false;
    bool is_adaptive = false;  // and has somewhere to go
  };
  struct Freed {
    int input;
    int vc;
  };
  struct Release {
    int output;
    int vc;
    MessageId message;
  };

  int vc_of(int port, int vc) const { return view_.config().channel_vc(port, vc); }
  int owner_in_registers(int output_vc) const;
  void look_at_fronts();
  void show_routes();
  void show_owners();
  void show_stalls(Cycle now);
  std::uint32_t candidate_vcs(int input_vc, int output) const;
  void show_wanted(int input_vc, PortMask lacking);
  bool is_freed(int input, int vc) const;
  [[noreturn]] void fault(const char* what, const char* port_kind, int port, int vc,
                          Cycle now) const;

  Router& view_;
  const PinModel& model_;
  const bool has_registers_;
  const int choice_width_;
  std::vector<Worm> worms_;                 // by input VC
  std::vector<std::uint8_t> choice_q_;      // by input VC: its VC pointer before this cycle
  std::vector<std::uint32_t> free_before_;  // by output: free VCs before this cycle
  std::vector<Freed> freed_d_;
  std::vector<Release> releases_d_;
  std::vector<Router::Stalled> stalled_d_;
  int buffered_ = 0;
};

}  // namespace allport
