// SPDX-License-Identifier: Apache-2.0
// A VerilatedFabric is a whole fabric in RTL as one Verilated module: the fastest form that
// Verilator offers. It takes the places of all routers of a Fabric at once; only injection and
// ejection channels cross its pins, so observers see deliveries, not buffers, and flit hops are not
// counted.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "rtl_model/systemc/fabric.h"
#include "rtl_model/verilated/pin_layout.h"
#include "rtl_model/verilated/pin_model.h"

namespace allport {

class VerilatedFabric {
 public:
  /// `model`: a model of fabric_source(). It takes the places of all routers of `fabric`, which
  /// must outlive it.
  VerilatedFabric(std::unique_ptr<PinModel> model, Fabric& fabric, int payload_bits,
                  int max_via = 0);
  ~VerilatedFabric();

 private:
  class Node;

  void reset();
  void inject(std::size_t channel, const Flit& flit);
  void return_credit(std::size_t channel);
  void return_ack(std::size_t channel);
  bool clock(Cycle now);
  void eject();
  std::size_t words() const { return (channels_ + 31) / 32; }

  std::unique_ptr<PinModel> model_;
  Fabric& fabric_;
  PinLayout layout_;
  std::size_t channels_;  // internal channels of all nodes
  std::vector<std::unique_ptr<Node>> nodes_;
  Cycle clocked_ = -1;
  int quiet_cycles_ = 0;
};

}  // namespace allport
