// SPDX-License-Identifier: Apache-2.0
// The crossbar: in a cycle it connects at most one input to each output and passes one flit over
// each connection, to one or, for a replicated flit, several outputs.
#pragma once

#include <systemc>
#include <vector>

#include "rtl_model/systemc/channel.h"
#include "rtl_model/systemc/flit.h"
#include "rtl_model/systemc/router_config.h"

namespace allport {

class Crossbar : public sc_core::sc_module {
 public:
  Crossbar(const sc_core::sc_module_name& name, const RouterConfig& config)
      : sc_module(name), driver_q_(static_cast<std::size_t>(config.ports()), no_message) {}

  void reset() { disconnect(); }

  /// Ends the connections of the cycle before.
  void disconnect();
  /// Passes `flit` to `output` on its virtual channel `vc`.
  void traverse(const Flit& flit, int output, int vc, RouterChannels& channels);
  /// The message whose flit goes out on `output` in this cycle; no_message: none (for observers).
  MessageId driver(int output) const { return driver_q_[static_cast<std::size_t>(output)]; }

 private:
  std::vector<MessageId> driver_q_;
  PortMask connected_q_ = 0;
};

}  // namespace allport
