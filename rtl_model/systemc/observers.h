// SPDX-License-Identifier: Apache-2.0
// What may be observed of a fabric. Observers hang on from outside: with none and with all
// attached, every cycle is the same.
#pragma once

#include "rtl_model/systemc/flit.h"

namespace allport {

class Router;

/// Hears of the flits that took part in a cycle and did not leave.
class StallObserver {
 public:
  virtual ~StallObserver() = default;
  /// router.stalled() holds for `cycles` cycles from `first` on; called before tails release their
  /// virtual channels, so owners and drivers are those of the cycle.
  virtual void on_stalled(const Router& router, Cycle first, Cycle cycles) = 0;
};

/// Hears of every flit put on a channel, and of the acknowledgements of circuits.
class FlitObserver {
 public:
  virtual ~FlitObserver() = default;
  /// `flit` is on the injection channel `port` of `node` in cycle `on_channel`.
  virtual void on_injected(NodeId node, int port, const Flit& flit, Cycle on_channel) = 0;
  /// `flit` is in the register of `output` of `node`'s router in cycle `on_channel`.
  virtual void on_sent(NodeId node, int output, const Flit& flit, Cycle on_channel) = 0;
  /// An acknowledgement is in the register of VC `vc` of `input` of `node`'s router in cycle
  /// `on_wire`.
  virtual void on_acknowledged(NodeId /*node*/, int /*input*/, int /*vc*/, Cycle /*on_wire*/) {}
};

/// Is called in every cycle in which anything can change, when all that arrives in it has arrived
/// and nothing has been decided.
class CycleObserver {
 public:
  virtual ~CycleObserver() = default;
  virtual void on_cycle(Cycle now) = 0;
};

}  // namespace allport
