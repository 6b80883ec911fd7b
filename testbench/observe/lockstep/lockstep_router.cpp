// SPDX-License-Identifier: Apache-2.0
#include "testbench/observe/lockstep/lockstep_router.h"

#include <algorithm>
#include <string>
#include <utility>

#include "rtl_model/topology/channel_words.h"

namespace allport {

namespace {

// The channel by its name, and the pins by their numbers.
std::string place_in_words(const Difference& difference, const Topology& topology) {
  const auto port = static_cast<std::size_t>(difference.port);
  const Channel channel{difference.node, port_id(port)};
  const std::string pins = std::to_string(port) + " of node " + topology.node_name(difference.node);
  return difference.is_credit
             ? input_in_words(topology, channel, difference.vc) + ", input " + pins
             : output_in_words(topology, channel, difference.vc) + ", output " + pins;
}

// The difference if the RTL broke a rule of its channels or ended the simulation.
Difference offence(const std::string& text) {
  Difference difference;
  difference.field = "contract";
  difference.systemc = "kept";
  difference.rtl = "broken (" + text + ")";
  return difference;
}

}  // namespace

LockstepRouter::LockstepRouter(Fabric& fabric, NodeId node, std::unique_ptr<PinModel> model,
                               const PinLayout& layout)
    : fabric_(fabric),
      systemc_(fabric.router(node)),
      systemc_sent_(&fabric.channels(node)),
      rtl_("rtl_" + std::to_string(index(node)), std::move(model), layout, systemc_, rtl_sent_) {
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

void LockstepRouter::accept_ack(int output, int vc) {
  systemc_.accept_ack(output, vc);
  rtl_.accept_ack(output, vc);
}

void LockstepRouter::accept_nack(int output, Cycle until) {
  systemc_.accept_nack(output, until);
  rtl_.accept_nack(output, until);
}

bool LockstepRouter::evaluate(Cycle now) {
  systemc_sent_.outputs.clear();
  rtl_sent_.outputs.clear();
  const bool is_awake = systemc_.evaluate(now);
  bool is_rtl_awake = false;
  try {
    is_rtl_awake = rtl_.evaluate(now);
  } catch (const sc_core::sc_report& report) {
    differ(offence(report.get_msg()), now);
  }
  if (rtl_observer_ != nullptr) {
    for (const RouterOutputs::SentFlit& sent : rtl_sent_.outputs.flits) {
      rtl_observer_->on_sent(node(), sent.output, sent.flit, now + 1);
    }
    for (const RouterOutputs::SentCredit& sent : rtl_sent_.outputs.acks) {
      rtl_observer_->on_acknowledged(node(), sent.input, sent.vc, now + 1);
    }
  }
  compare(now);
  return is_awake || is_rtl_awake;
}

void LockstepRouter::keep(bool is_input, int port, const Flit& flit, Cycle cycle) {
  kept_[kept_count_++ % kept_flits] = {cycle, is_input, port, flit};
}

void LockstepRouter::differ(Difference difference, Cycle now) {
  difference.cycle = now + 1;
  difference.node = node();
  difference.trial = trial_;
  difference.place = place_in_words(difference, fabric_.routing().topology());
  difference.passed = passed(difference);
  difference_ = std::move(difference);
  fabric_.halt("node " + fabric_.routing().topology().node_name(node()) +
               ": the RTL differs from the SystemC router in cycle " + std::to_string(now + 1));
}

void LockstepRouter::compare(Cycle now) {
  compared_ = now;
  ++compared_cycles_;
  std::optional<Difference> found =
      first_difference(systemc_sent_.outputs, rtl_sent_.outputs, systemc_.config().ports());
  if (found && fabric_.halted().empty()) differ(std::move(*found), now);
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
