// SPDX-License-Identifier: Apache-2.0
// A VerilatedRouter is a router in RTL in the place of a SystemC one: it has the same calls, and
// the wires of a cycle are on the pins of a Verilated module. Its clock stands still while active_o
// is low and nothing arrives; a module without that pin is clocked until its pins have been quiet
// for `quiet_cycles`. With retry it finds errors, and repeats, by itself; that it does so in the
// right cycles is looked at in each of them.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>

#include "rtl_model/systemc/router_model.h"
#include "rtl_model/verilated/pin_layout.h"
#include "rtl_model/verilated/retry_pins.h"
#include "rtl_model/verilated/router_mirror.h"

namespace allport {

class VerilatedRouter final : public RouterModel {
 public:
  static constexpr int quiet_cycles = 1024;

  /// Sends through `channels`; `name` and `twin` are those of a RouterMirror. All must outlive it.
  VerilatedRouter(std::string name, std::unique_ptr<PinModel> model, const PinLayout& layout,
                  const Router& twin, RouterChannels& channels, int hop_cycles = 1);

  void reset() override;
  void accept(int input, const Flit& flit, Cycle now) override;
  bool accept_credit(int output, int vc) override;
  void accept_ack(int output, int vc) override;
  void discard(int input, const Flit& flit, bool is_in_error, Cycle now) override;
  void accept_nack(int output, Cycle until) override;
  bool evaluate(Cycle now) override;
  bool has_moved() const override { return has_moved_; }
  Cycle unchanged_since(Cycle asleep) const override { return mirror_.unchanged_since(asleep); }

  const RouterState& state() const override { return mirror_; }
  /// Whether its state has routes, owners and stalls.
  bool shows_allocation() const { return mirror_.shows_allocation(); }

 private:
  void put(int input, const Flit& flit, RetryPins::Damage damage, Cycle now);
  void clock(Cycle now);
  void collect_flits(Cycle now);
  void collect_credits(Cycle now);
  void collect_acks(Cycle now);
  void collect_crossings(Cycle now);
  void clear_inputs();
  bool is_awake();

  std::unique_ptr<PinModel> model_;
  const PinLayout& layout_;
  RouterMirror mirror_;
  std::optional<RetryPins> retry_;
  RouterChannels& channels_;
  const std::size_t port_words_;
  const std::size_t ack_words_;  // 0: there are no acknowledgements
  bool has_arrivals_ = false;
  bool has_credits_ = false;
  bool has_acks_ = false;
  bool has_moved_ = false;
  bool has_freed_ = false;
  bool has_passed_acks_ = false;
  int quiet_ = 0;
};

}  // namespace allport
