// SPDX-License-Identifier: Apache-2.0
// The crossbar: in each cycle it connects at most one input to each output and passes one flit over
// each connection, to one output or, if the flit is replicated, to several.
#pragma once

#include "rtl_model/systemc/channel.h"
#include "rtl_model/systemc/flit.h"
#include "rtl_model/systemc/unit.h"

namespace allport {

class Crossbar : public Unit {
 public:
  Crossbar(const sc_core::sc_module_name& name, const RouterConfig& config,
           StateArena* arena = nullptr)
      : Unit(name, config, arena), driver_q_(this->arena(), config.ports(), no_message) {}

  void reset() { disconnect(); }

  /// Ends the connections of the previous cycle.
  void disconnect() { connected_q_ = 0; }
  /// Passes `flit` to `output` on its virtual channel `vc`.
  void traverse(const Flit& flit, int output, int vc, RouterChannels& channels) {
    connected_q_ |= PortMask{1} << output;
    driver_q_[output] = flit.message;
    channels.send(output, vc, flit);
  }
  /// The message whose flit leaves on `output` in this cycle; no_message if there is none (for
  /// observers).
  MessageId driver(int output) const {
    return (connected_q_ >> output & 1U) != 0 ? driver_q_[output] : no_message;
  }

 private:
  PortMask connected_q_ = 0;
  Registers<MessageId> driver_q_;  // valid for connected outputs only
};

}  // namespace allport
