// SPDX-License-Identifier: Apache-2.0
// A LimitedInterface is a network interface whose ports or classes take turns. With half duplex, a
// port passes no flit in a cycle in which one comes on it (docs/programs.md, node models). Where
// the ports share their bandwidth, the node passes one flit in a cycle, of its ports in turn, and
// takes one, in the order in which they came; others wait in the interface, which has room for all.
// With both it passes no flit in a cycle in which it takes one. Where there are several message
// classes (docs/router.md), a port passes one flit in a cycle, of its classes in turn. Whose turn
// it is is decided when all processors have acted, so that a message that begins in a cycle takes
// part in it, whoever sends it.
#pragma once

#include <cstdint>
#include <vector>

#include "tlm/interface/network_interface.h"
#include "tlm/interface/ring_queue.h"

namespace allport {

struct PortLimits {
  bool are_half_duplex = false;
  bool share_bandwidth = false;

  bool has_any() const { return are_half_duplex || share_bandwidth; }
};

class LimitedInterface final : public NetworkInterface {
 public:
  /// Parameters as for NetworkInterface; `limits` has some, or the fabric has several message
  /// classes.
  LimitedInterface(const sc_core::sc_module_name& name, Fabric& fabric, NodeId node,
                   MessageLog& log, MessagePool& pool, int flit_bytes, PortLimits limits);

  void reset() override;

  // Terminal
  bool inject(Cycle now) override;
  bool inject_last(Cycle now) override;
  void eject(int port, const Flit& flit, Cycle now) override;
  bool is_apart() const override { return false; }

 private:
  struct Waiting {
    int port = 0;
    Flit flit;
  };
  struct Turn {                    // of a port
    std::uint8_t first_class = 0;  // the class behind the one that passed a flit last
    Cycle passed_at = -1;          // the last cycle in which it did
  };

  void take(int port, const Flit& flit, Cycle now);
  bool inject_private(Cycle now);
  bool ask_for_turn(Cycle now);
  bool may_pass(int port, Cycle now) const;
  bool has_passed(int port, Cycle now) const;
  bool can_send(int port, Cycle now) const;
  bool pass_in_turn(int port, Cycle now);

  const PortLimits limits_;
  PortMask taking_q_ = 0;       // ports on which a flit came in cycle took_at_
  Cycle took_at_ = -1;          // last cycle in which a flit was taken
  Cycle passed_at_ = -1;        // last cycle in which a flit was passed
  Cycle asked_at_ = -1;         // cycle in which inject_last() is to be called
  int next_port_ = 0;           // port after the one that passed it
  std::vector<Turn> turns_;     // by port
  RingQueue<Waiting> waiting_;  // flits that have come and are not taken
};

}  // namespace allport
