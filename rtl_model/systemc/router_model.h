// SPDX-License-Identifier: Apache-2.0
// A RouterModel is what a fabric demands of a model in a router's place: it has the calls of a
// Router, which see the wires of a cycle first and then decide it. Its decisions go out through the
// node's RouterChannels (Fabric::channels). The fabric's own Router of that node is not called.
#pragma once

#include "rtl_model/systemc/flit.h"
#include "rtl_model/systemc/router_state.h"

namespace allport {

class RouterModel {
 public:
  virtual ~RouterModel() = default;

  virtual void reset() = 0;
  /// Accepts `flit`, which is on the wires of `input` in cycle `now`.
  virtual void accept(int input, const Flit& flit, Cycle now) = 0;
  /// Accepts a credit for VC `vc` of `output` that is on the wires; returns whether the model must
  /// be evaluated because of it.
  virtual bool accept_credit(int output, int vc) = 0;
  /// Accepts an acknowledgement for VC `vc` of `output` that is on the wires; the model must be
  /// evaluated because of it.
  virtual void accept_ack(int output, int vc) = 0;
  // In a fabric with retry, where every model has it:
  /// `flit` is on the wires of external `input` in cycle `now`, and its receiver discards it: it
  /// is in error or, unless `is_in_error`, comes behind one that was. The model must be evaluated.
  virtual void discard(int /*input*/, const Flit& /*flit*/, bool /*is_in_error*/, Cycle /*now*/) {}
  /// A nack of the channel of `output` is on the wire in the cycle that is decided next; the output
  /// is busy from then on, before cycle `until`. The model must be evaluated.
  virtual void accept_nack(int /*output*/, Cycle /*until*/) {}
  /// Decides cycle `now`. Returns whether it must be called in the next cycle even if nothing
  /// arrives.
  virtual bool evaluate(Cycle now) = 0;
  /// Whether a flit moved in the last evaluated cycle.
  virtual bool has_moved() const = 0;
  /// The cycle from which the router has been as it is, where the model has slept since `asleep`.
  virtual Cycle unchanged_since(Cycle asleep) const { return asleep; }
  /// The state for observers; always the same object.
  virtual const RouterState& state() const = 0;
};

}  // namespace allport
