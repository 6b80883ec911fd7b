// SPDX-License-Identifier: Apache-2.0
// In each cycle the crossbar connects at most one input to each output and passes one flit over
// each connection, to one output or, if the flit is replicated, to several. A flit of several phits
// occupies its output until the last one has gone, and a channel that repeats what came in error
// keeps its output busy meanwhile. With a crossbar delay x a flit stays in the crossbar's registers
// for x further cycles on its way out.
#pragma once

#include <cstddef>
#include <vector>

#include "rtl_model/base/bits.h"
#include "rtl_model/systemc/channel.h"
#include "rtl_model/systemc/flit.h"
#include "rtl_model/systemc/unit.h"

namespace allport {

class Crossbar : public Unit {
 public:
  Crossbar(const char* name, const RouterConfig& config, UnitPlace place = {})
      : Unit(name, config, place),
        driver_q_(this->arena(), config.ports(), no_message),
        free_from_q_(this->arena(), config.has_busy_outputs() ? config.external_ports : 0) {}

  void reset() {
    disconnect();
    busy_q_ = 0;
    repeats_q_ = 0;
    leaving_q_.clear();
  }

  /// Ends the connections of the previous cycle.
  void disconnect() { connected_q_ = 0; }
  // Where outputs may be busy:
  /// Begins cycle `now` after disconnect(): outputs that still have phits to send, or repeat what
  /// they sent, stay busy.
  void keep_busy(Cycle now) {
    for (const int output : bits(busy_q_)) {
      if (free_from_q_[output] <= now) busy_q_ &= ~(PortMask{1} << output);
    }
    connected_q_ = busy_q_;
    for (const int output : bits(repeats_q_)) driver_q_[output] = no_message;
    repeats_q_ = 0;
  }
  /// Ends cycle `now` at the router of `node`: outputs that took a flit of several phits are busy
  /// from now on.
  void occupy(Cycle now, NodeId node = {}) {
    const PortMask external = (PortMask{1} << config_.external_ports) - 1;
    for (const int output : bits(connected_q_ & external & ~busy_q_)) {
      const int phits = config_.phits_at(node, output);
      if (phits == 1) continue;
      free_from_q_[output] = now + phits;
      busy_q_ |= PortMask{1} << output;
    }
  }
  /// From the cycle that is evaluated next on, and before cycle `until`, which no earlier replay
  /// goes beyond, the channel of `output` repeats what it carried. Until keep_busy() begins that
  /// cycle, driver() tells of the one evaluated last.
  void repeat(int output, Cycle until) {
    free_from_q_[output] = until;
    busy_q_ |= PortMask{1} << output;
    repeats_q_ |= PortMask{1} << output;
  }
  /// The outputs that take nothing in this cycle because an earlier flit, or a replay, occupies
  /// them.
  PortMask busy() const { return busy_q_; }

  /// Passes `flit` to `output` on its virtual channel `vc` in cycle `now`, which matters if x > 0.
  template <class Channels>
  void traverse(const Flit& flit, int output, int vc, Channels& channels, Cycle now = 0) {
    connected_q_ |= PortMask{1} << output;
    driver_q_[output] = flit.message;
    if (config_.crossbar_delay == 0) {
      channels.send(output, vc, flit);
    } else {
      channels.win(output, vc, flit);
      leaving_q_.push_back({now + config_.crossbar_delay, output, vc, flit});
    }
  }
  // With a crossbar delay:
  /// Sends the flits that have been in its registers for x cycles.
  template <class Channels>
  void send_due(Cycle now, Channels& channels) {
    std::size_t sent = 0;
    for (; sent < leaving_q_.size() && leaving_q_[sent].due == now; ++sent) {
      const Leaving& one = leaving_q_[sent];
      channels.send(one.output, one.vc, one.flit);
    }
    leaving_q_.erase(leaving_q_.begin(), leaving_q_.begin() + static_cast<std::ptrdiff_t>(sent));
  }
  /// Whether a flit is in its registers.
  bool has_flits() const { return !leaving_q_.empty(); }
  /// The message whose flit, or a phit of it, leaves on `output` in this cycle; no_message if there
  /// is none (for observers).
  MessageId driver(int output) const {
    return (connected_q_ >> output & 1U) != 0 ? driver_q_[output] : no_message;
  }

 private:
  struct Leaving {
    Cycle due;
    int output;
    int vc;
    Flit flit;
  };

  PortMask connected_q_ = 0;
  PortMask busy_q_ = 0;
  PortMask repeats_q_ = 0;          // outputs whose replay begins with the next cycle
  Registers<MessageId> driver_q_;   // valid for connected outputs only
  Registers<Cycle> free_from_q_;    // by external output, if it may be busy
  std::vector<Leaving> leaving_q_;  // in the order in which they are due
};

}  // namespace allport
