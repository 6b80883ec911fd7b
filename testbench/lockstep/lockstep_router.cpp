// SPDX-License-Identifier: Apache-2.0
#include "testbench/lockstep/lockstep_router.h"

#include <algorithm>
#include <string>
#include <utility>

namespace allport {

LockstepRouter::LockstepRouter(Fabric& fabric, NodeId node, std::unique_ptr<PinModel> model,
                               const PinLayout& layout)
    : systemc_(fabric.router(node)),
      view_(("rtl_" + std::to_string(index(node))).c_str(), fabric.config(), fabric.routing(), node,
            rtl_sent_),
      systemc_sent_(&fabric.channels(node)),
      rtl_(std::move(model), layout, view_, rtl_sent_) {
  systemc_.connect(systemc_sent_);
  fabric.substitute(node, *this);
}

void LockstepRouter::reset() {  // the fabric resets its own router
  rtl_.reset();
  kept_count_ = 0;
  compared_ = -1;
  ++trial_;
}

void LockstepRouter::accept(int input, const Flit& flit, Cycle now) {
  systemc_.accept(input, flit, now);
  rtl_.accept(input, flit, now);
  keep(true, input, flit, now);
}

bool LockstepRouter::accept_credit(int output, int vc) {
  const bool is_waited_for = systemc_.accept_credit(output, vc);
  return rtl_.accept_credit(output, vc) || is_waited_for;
}

bool LockstepRouter::evaluate(Cycle now) {
  systemc_sent_.outputs.clear();
  rtl_sent_.outputs.clear();
  const bool is_awake = systemc_.evaluate(now);
  const bool is_rtl_awake = rtl_.evaluate(now);
  if (rtl_observer_ != nullptr) {
    for (const RouterOutputs::SentFlit& sent : rtl_sent_.outputs.flits) {
      rtl_observer_->on_sent(node(), sent.output, sent.flit, now + 1);
    }
  }
  compare(now);
  return is_awake || is_rtl_awake;
}

void LockstepRouter::keep(bool is_input, int port, const Flit& flit, Cycle cycle) {
  kept_[kept_count_++ % kept_flits] = {cycle, is_input, port, flit};
}

void LockstepRouter::compare(Cycle now) {
  compared_ = now;
  ++compared_cycles_;
  std::optional<Difference> found =
      first_difference(systemc_sent_.outputs, rtl_sent_.outputs, systemc_.config().ports());
  if (found) {
    found->cycle = now + 1;
    found->node = node();
    found->trial = trial_;
    found->passed = passed(*found);
    difference_ = std::move(found);
    const std::string text = "node " + std::to_string(index(node())) +
                             ": the RTL differs from the SystemC router in cycle " +
                             std::to_string(now + 1);
    SC_REPORT_FATAL("/allport/lockstep", text.c_str());
  }
  for (const RouterOutputs::SentFlit& sent : systemc_sent_.outputs.flits) {
    keep(false, sent.output, sent.flit, now + 1);
  }
}

// The last flits on the channel of the difference and, there, on its VC.
std::vector<PassedFlit> LockstepRouter::passed(const Difference& difference) const {
  constexpr std::size_t most = 8;
  std::vector<PassedFlit> flits;
  const std::size_t oldest = kept_count_ > kept_flits ? kept_count_ - kept_flits : 0;
  for (std::size_t at = kept_count_; at > oldest && flits.size() < most; --at) {
    const PassedFlit& flit = kept_[(at - 1) % kept_flits];
    if (flit.is_input == difference.is_credit && flit.port == difference.port &&
        static_cast<int>(index(flit.flit.vc)) == difference.vc) {
      flits.push_back(flit);
    }
  }
  std::reverse(flits.begin(), flits.end());
  return flits;
}

}  // namespace allport
