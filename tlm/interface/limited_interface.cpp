// SPDX-License-Identifier: Apache-2.0
#include "tlm/interface/limited_interface.h"

#include "rtl_model/base/bits.h"

namespace allport {

LimitedInterface::LimitedInterface(const sc_core::sc_module_name& name, Fabric& fabric, NodeId node,
                                   MessageLog& log, MessagePool& pool, int flit_bytes,
                                   PortLimits limits)
    : NetworkInterface(name, fabric, node, log, pool, flit_bytes), limits_(limits) {}

void LimitedInterface::reset() {
  NetworkInterface::reset();
  taking_q_ = 0;
  took_at_ = -1;
  passed_at_ = -1;
  asked_at_ = -1;
  next_port_ = 0;
  waiting_.clear();
}

// The flits of a cycle come before it injects any.
void LimitedInterface::eject(int port, const Flit& flit, Cycle now) {
  if (limits_.share_bandwidth && (!waiting_.empty() || took_at_ == now)) {
    waiting_.push({port, flit});
    wake(now + 1);
    return;
  }
  take(port, flit, now);
}

void LimitedInterface::take(int port, const Flit& flit, Cycle now) {
  if (took_at_ != now) taking_q_ = 0;
  took_at_ = now;
  taking_q_ |= PortMask{1} << port;
  NetworkInterface::eject(port, flit, now);
}

bool LimitedInterface::inject(Cycle now) {
  if (!waiting_.empty() && took_at_ != now) {
    const Waiting first = waiting_.front();
    waiting_.pop();
    take(first.port, first.flit, now);
  }
  const bool wants_to_pass = limits_.share_bandwidth ? ask_for_turn(now) : inject_private(now);
  return wants_to_pass || !waiting_.empty();
}

bool LimitedInterface::may_pass(int port, Cycle now) const {
  if (!limits_.are_half_duplex || took_at_ != now) return true;
  return !limits_.share_bandwidth && (taking_q_ >> port & 1) == 0;
}

bool LimitedInterface::inject_private(Cycle now) {
  bool wants_next_cycle = false;
  for (const int port : bits(busy())) {
    if (!injector(port).can_send(now)) continue;
    wants_next_cycle |= may_pass(port, now) ? pass(port, now) : true;
  }
  return wants_next_cycle;
}

// Whether a port could send although the node has passed its flit of the cycle.
bool LimitedInterface::ask_for_turn(Cycle now) {
  bool could_send = false;
  for (PortMask rest = busy(); rest != 0 && !could_send; rest &= rest - 1) {
    could_send = injector(__builtin_ctzll(rest)).can_send(now);
  }
  if (!could_send || passed_at_ == now) return could_send;
  if (asked_at_ != now) wake_last();
  asked_at_ = now;
  return false;
}

bool LimitedInterface::inject_last(Cycle now) {
  const int ports = port_count();
  bool wants_next_cycle = false;
  for (int i = 0, first = next_port_; i < ports; ++i) {
    const int port = (first + i) % ports;
    if ((busy() >> port & 1) == 0 || !injector(port).can_send(now)) continue;
    if (passed_at_ == now || !may_pass(port, now)) return true;
    passed_at_ = now;
    next_port_ = (port + 1) % ports;
    wants_next_cycle = pass(port, now);
  }
  return wants_next_cycle;
}

}  // namespace allport
