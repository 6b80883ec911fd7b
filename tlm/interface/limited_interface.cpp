// SPDX-License-Identifier: Apache-2.0
#include "tlm/interface/limited_interface.h"

#include "rtl_model/base/bits.h"
#include "rtl_model/router/round_robin.h"

namespace allport {

LimitedInterface::LimitedInterface(const sc_core::sc_module_name& name, Fabric& fabric, NodeId node,
                                   MessageLog& log, MessagePool& pool, int flit_bytes,
                                   PortLimits limits)
    : NetworkInterface(name, fabric, node, log, pool, flit_bytes),
      limits_(limits),
      turns_(static_cast<std::size_t>(port_count())) {}

void LimitedInterface::reset() {
  NetworkInterface::reset();
  taking_q_ = 0;
  took_at_ = -1;
  passed_at_ = -1;
  asked_at_ = -1;
  next_port_ = 0;
  turns_.assign(turns_.size(), {});
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
  const bool takes_turns = limits_.share_bandwidth || has_classes();
  const bool wants_to_pass = takes_turns ? ask_for_turn(now) : inject_private(now);
  return wants_to_pass || !waiting_.empty();
}

bool LimitedInterface::may_pass(int port, Cycle now) const {
  if (!limits_.are_half_duplex || took_at_ != now) return true;
  return !limits_.share_bandwidth && (taking_q_ >> port & 1) == 0;
}

// Whether `port`, or the node where its ports share their bandwidth, has passed its flit of the
// cycle.
bool LimitedInterface::has_passed(int port, Cycle now) const {
  if (limits_.share_bandwidth) return passed_at_ == now;
  return turns_[static_cast<std::size_t>(port)].passed_at == now;
}

// Whether some class of `port` has a flit that may be on the channel now.
bool LimitedInterface::can_send(int port, Cycle now) const {
  for (int one = 0; one < class_count(); ++one) {
    if (may_send(port, one, now)) return true;
  }
  return false;
}

bool LimitedInterface::inject_private(Cycle now) {
  bool wants_next_cycle = false;
  for (const int port : bits(busy())) {
    if (!may_send(port, 0, now)) continue;
    wants_next_cycle |= may_pass(port, now) ? pass(port, 0, now) : true;
  }
  return wants_next_cycle;
}

// Whether a port could send although its flit of the cycle has been passed.
bool LimitedInterface::ask_for_turn(Cycle now) {
  bool could_send = false;
  bool waits = false;
  for (const int port : bits(busy())) {
    if (!can_send(port, now)) continue;
    (has_passed(port, now) ? waits : could_send) = true;
  }
  if (could_send && asked_at_ != now) {
    wake_last();
    asked_at_ = now;
  }
  return waits;
}

bool LimitedInterface::inject_last(Cycle now) {
  const int ports = port_count();
  const int first = limits_.share_bandwidth ? next_port_ : 0;
  bool wants_next_cycle = false;
  asked_at_ = -1;
  for (int i = 0; i < ports; ++i) {
    const int port = (first + i) % ports;
    if ((busy() >> port & 1) == 0 || !can_send(port, now)) continue;
    if (has_passed(port, now) || !may_pass(port, now)) {
      wants_next_cycle = true;
      continue;
    }
    passed_at_ = now;
    next_port_ = (port + 1) % ports;
    wants_next_cycle |= pass_in_turn(port, now);
  }
  return wants_next_cycle;
}

// Passes the next flit of the first class from the pointer of `port` on that may send one; there is
// one. Classes that waited for its turn want theirs.
bool LimitedInterface::pass_in_turn(int port, Cycle now) {
  Turn& turn = turns_[static_cast<std::size_t>(port)];
  int chosen = turn.first_class;
  while (!may_send(port, chosen, now)) {
    chosen = round_robin_next(chosen, class_count());
  }
  turn.first_class = static_cast<std::uint8_t>(round_robin_next(chosen, class_count()));
  turn.passed_at = now;
  bool wants_next_cycle = pass(port, chosen, now);
  for (int one = 0; one < class_count(); ++one) {
    const Injector* other = injector(port, one);
    wants_next_cycle |= other != nullptr && !other->is_empty() && other->next_start() <= now + 1;
  }
  return wants_next_cycle;
}

}  // namespace allport
