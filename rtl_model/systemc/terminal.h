// SPDX-License-Identifier: Apache-2.0
// A Terminal is the node's end of a router's internal channels, whose virtual channels are the
// message classes. It obeys the credit rule: B flits may be put on a virtual channel of an
// injection channel before a credit is seen; it takes every flit that eject() gives it.
#pragma once

#include <systemc>

#include "rtl_model/base/fetch_ahead.h"
#include "rtl_model/systemc/flit.h"

namespace allport {

class Terminal : public virtual sc_core::sc_interface {
 public:
  /// May put one flit on each injection channel for cycle `now` (Fabric::inject); returns whether
  /// it wants to be called in the next cycle too. Called in the cycles requested with Fabric::wake.
  virtual bool inject(Cycle now) = 0;
  /// The same, called after Fabric::wake_last, when everything else of cycle `now` has happened.
  virtual bool inject_last(Cycle /*now*/) { return false; }
  /// `flit` is on ejection channel `port` in cycle `now`.
  virtual void eject(int port, const Flit& flit, Cycle now) = 0;
  /// A credit for VC `vc` of injection channel `port` may be used from cycle `now` on.
  virtual void accept_credit(int port, int vc, Cycle now) = 0;
  /// The circuit of the message on VC `vc` of injection channel `port` is complete: the flits
  /// behind its head may follow from cycle `now` on.
  virtual void accept_ack(int port, int vc, Cycle now) = 0;
  /// Whether what it does with flits between head and tail, and with credits, concerns nothing
  /// beyond its own channels: then it may be called at the same time as those of other nodes.
  virtual bool is_apart() const { return false; }
  /// Of one that is apart: whether inject() would put only such flits on its channels in cycle
  /// `now`.
  virtual bool injects_apart(Cycle /*now*/) const { return false; }

  // For the cache, in steps (rtl_model/base/fetch_ahead.h): first itself, then what it needs for
  // one of the calls above.
  void fetch_itself() const { fetch(this, 256); }  // with the members of most
  /// Before inject().
  static constexpr int steps_of_injection = 4;
  virtual void fetch_for_injection(int /*step*/) const {}
  /// Before eject() of a flit on VC `vc` of `port`.
  static constexpr int steps_of_ejection = 4;
  virtual void fetch_for_ejection(int /*port*/, int /*vc*/, int /*step*/) const {}
  /// Before accept_credit().
  static constexpr int steps_of_credit = 2;
  virtual void fetch_for_credit(int /*port*/, int /*vc*/, int /*step*/) const {}
};

}  // namespace allport
