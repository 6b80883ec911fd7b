// SPDX-License-Identifier: Apache-2.0
// What a fabric asks of whatever stands in a router's place: the calls of a Router, which see the
// wires of a cycle first and then decide it. What it decides goes out through the node's
// RouterChannels (Fabric::channels). The fabric's own Router of that node is not called.
#pragma once

#include "rtl_model/systemc/flit.h"
#include "rtl_model/systemc/router_state.h"

namespace allport {

class RouterModel {
 public:
  virtual ~RouterModel() = default;

  virtual void reset() = 0;
  /// `flit` is on the wires of `input` in cycle `now`.
  virtual void accept(int input, const Flit& flit, Cycle now) = 0;
  /// A credit for VC `vc` of `output` is on the wires; whether it must be evaluated therefore.
  virtual bool accept_credit(int output, int vc) = 0;
  /// An acknowledgement for VC `vc` of `output` is on the wires: it must be evaluated therefore.
  virtual void accept_ack(int output, int vc) = 0;
  /// Decides cycle `now`. Whether it must be called in the next cycle even if nothing arrives.
  virtual bool evaluate(Cycle now) = 0;
  /// Whether a flit moved in the last evaluated cycle.
  virtual bool has_moved() const = 0;
  /// What observers see of it; always the same object.
  virtual const RouterState& state() const = 0;
};

}  // namespace allport
