// SPDX-License-Identifier: Apache-2.0
// A LockstepRouter is two routers in one place: the fabric's SystemC router, which drives the
// channels, and one in RTL with the same inputs. Every output of the two is compared in every
// cycle; at the first difference the run is halted, and difference() describes it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "rtl_model/systemc/fabric.h"
#include "rtl_model/verilated/verilated_router.h"
#include "testbench/observe/lockstep/difference.h"

namespace allport {

/// Keeps what a router sends, and passes it on if a receiver is set.
class OutputRecorder final : public RouterChannels {
 public:
  explicit OutputRecorder(RouterChannels* onward = nullptr) : onward_(onward) {}

  void send(int output, int vc, const Flit& flit) override {
    outputs.flits.push_back({output, flit});
    outputs.flits.back().flit.vc = static_cast<VcId>(vc);
    if (onward_ != nullptr) onward_->send(output, vc, flit);
  }
  void win(int output, int vc, const Flit& flit) override {
    if (onward_ != nullptr) onward_->win(output, vc, flit);
  }
  void return_credit(int input, int vc) override {
    outputs.credits.push_back({input, vc});
    if (onward_ != nullptr) onward_->return_credit(input, vc);
  }
  void return_ack(int input, int vc) override {
    outputs.acks.push_back({input, vc});
    if (onward_ != nullptr) onward_->return_ack(input, vc);
  }

  RouterOutputs outputs;  ///< outputs in the last cycle

 private:
  RouterChannels* onward_;
};

class LockstepRouter final : public RouterModel {
 public:
  /// Takes the place of the router of `node`; to be called before the first cycle.
  LockstepRouter(Fabric& fabric, NodeId node, std::unique_ptr<PinModel> model,
                 const PinLayout& layout);

  void reset() override;
  void accept(int input, const Flit& flit, Cycle now) override;
  bool accept_credit(int output, int vc) override;
  void accept_ack(int output, int vc) override;
  void discard(int input, const Flit& flit, bool is_in_error, Cycle now) override {
    rtl_.discard(input, flit, is_in_error, now);
  }
  void accept_nack(int output, Cycle until) override;
  bool evaluate(Cycle now) override;
  bool has_moved() const override { return systemc_.has_moved() || rtl_.has_moved(); }
  Cycle unchanged_since(Cycle asleep) const override { return rtl_.unchanged_since(asleep); }
  const RouterState& state() const override { return systemc_; }

  /// Reports the flits and acknowledgements that the RTL sends to `observer`; null: to nobody.
  void observe_rtl(FlitObserver* observer) { rtl_observer_ = observer; }

  const std::optional<Difference>& difference() const { return difference_; }
  NodeId node() const { return systemc_.node(); }
  /// The router in RTL.
  const VerilatedRouter& rtl() const { return rtl_; }
  /// The last cycle that was compared; -1: there was none.
  Cycle compared() const { return compared_; }
  std::uint64_t compared_cycles() const { return compared_cycles_; }

 private:
  static constexpr std::size_t kept_flits = 64;

  void keep(bool is_input, int port, const Flit& flit, Cycle cycle);
  void compare(Cycle now);
  void differ(Difference difference, Cycle now);
  std::vector<PassedFlit> passed(const Difference& difference) const;

  Fabric& fabric_;
  Router& systemc_;
  OutputRecorder systemc_sent_;
  OutputRecorder rtl_sent_;
  VerilatedRouter rtl_;
  std::array<PassedFlit, kept_flits> kept_{};
  std::size_t kept_count_ = 0;
  int trial_ = -1;  // number of resets so far, less one
  Cycle compared_ = -1;
  std::uint64_t compared_cycles_ = 0;
  std::optional<Difference> difference_;
  FlitObserver* rtl_observer_ = nullptr;
};

}  // namespace allport
