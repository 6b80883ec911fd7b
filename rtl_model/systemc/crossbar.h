// SPDX-License-Identifier: Apache-2.0
// The crossbar: in a cycle it connects at most one input to each output and passes one flit over
// each connection, to one or, for a replicated flit, several outputs.
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

  /// Ends the connections of the cycle before.
  void disconnect() { connected_q_ = 0; }
  /// Passes `flit` to `output` on its virtual channel `vc`.
  void traverse(const Flit& flit, int output, int vc, RouterChannels& channels) {
    connected_q_ |= PortMask{1} << output;
    driver_q_[output] = flit.message;
    channels.send(output, vc, flit);
  }
  /// The message whose flit goes out on `output` in this cycle; no_message: none (for observers).
  MessageId driver(int output) const {
    return (connected_q_ >> output & 1U) != 0 ? driver_q_[output] : no_message;
  }

 private:
  PortMask connected_q_ = 0;
  Registers<MessageId> driver_q_;  // means something where an output is connected
};

}  // namespace allport
