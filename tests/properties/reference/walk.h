// SPDX-License-Identifier: Apache-2.0
// A Walk finds where the cycles of a delivery went: it goes back over the history, from the tail on
// the ejection channel to the cycle in which the sender has what it sends.
// Its choices are these: a front that has branches left is judged by the one on the way to the
// receiver, if that has not taken it, else (and always in a chain to a root) by the one that takes
// it last; a branch never taken is last. A head in store-and-forward mode that lacks only its tail
// waits for `length`. A worm that comes behind its own flit while this moves is `behind`, one that
// loses the switch to itself is at the `switch`, both without blame. The crossbar delay of each
// crossing, and the cycles in which a route or VC delay holds a head that is first in its buffer,
// are `pipeline`: behind `replication` and `behind` in the order of causes, the VC delay behind
// `channel` as well. A head that a pipeline holds keeps its place in the buffer like any flit that
// stays: others lack a credit because of it, its own flits have `pipeline` then. The place of
// `jitter` and `processor` is the processor, that of `port`, `ack` and a processor's credit the
// injection port, that of all others the output (of `behind` and of a route delay: the one that the
// flit at the front takes last).
#pragma once

#include <vector>

#include "tests/properties/reference/history.h"
#include "tests/properties/reference/roots.h"
#include "tests/properties/reference/waits.h"

namespace allport::reference {

/// Of all copies delivered, sorted. Throws std::logic_error where a cycle has no cause, or blames
/// the message itself.
std::vector<Account> accounts_of(const History& history);

/// The walk of one copy. It stands at a flit, a station of the way (or the processor) and a cycle
/// in which the flit left there, or could have; the cycle before is the one that gets a cause.
class Walk {
 public:
  Walk(const History& history, const Copy& copy);
  Account run();

 private:
  void step_at_router();
  void step_at_processor();
  void step_of_head_at_processor();
  void prepare();
  void spend(const char* cause, Cycle cycles);
  void cross(Cycle link_delay);
  void charge(const Wait& wait, Cycle cycles = 1);
  const Visit& visit(int flit) const;
  const Station& station() const { return way_[static_cast<std::size_t>(hops_)]; }

  const History& history_;
  const Waits waits_;
  const Roots roots_;
  const Copy copy_;
  const MessageNotes& message_;
  const std::vector<Station> way_;
  int flit_;
  int hops_;
  Cycle cycle_;
  bool is_at_processor_ = false;
  bool is_done_ = false;
  Account account_;
};

}  // namespace allport::reference
