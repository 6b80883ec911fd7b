// SPDX-License-Identifier: Apache-2.0
// A FlitTerminal is a node of a network of routers: it puts the flits of messages, which carry no
// data, on the injection channels of its router, and takes those on the ejection channels.
#pragma once

#include <cstdint>
#include <vector>

#include "rtl_model/systemc/fabric.h"
#include "rtl_model/systemc/terminal.h"
#include "tlm/interface/injection_queue.h"
#include "tlm/worm/listeners.h"
#include "tlm/worm/request.h"

namespace allport {

/// Hears of the messages of all terminals.
class FlitTerminalListener {
 public:
  virtual ~FlitTerminalListener() = default;
  /// The head of `message` is on its injection channel in cycle `now`.
  virtual void on_head(MessageId message, Cycle now) = 0;
  /// The tail of a message is on an ejection channel; `injected` is not known.
  virtual void on_tail(const WormReception& reception) = 0;
};

class FlitTerminal final : public Terminal {
 public:
  /// It attaches itself to `fabric`; both references must outlive it.
  FlitTerminal(Fabric& fabric, NodeId node, FlitTerminalListener& listener);

  /// Queues a unicast or a tree on its injection channel.
  void send(const WormRequest& request);
  /// Flits of a class at an injection channel that have not been put on it.
  std::int64_t unsent(int port, int message_class) const {
    return unsent_[place(port, message_class)];
  }
  const InjectionQueue<WormRequest>& queue(int port, int message_class) const {
    return queues_[place(port, message_class)];
  }

  // Terminal
  bool inject(Cycle now) override;
  void eject(int port, const Flit& flit, Cycle now) override;
  void accept_credit(int port, int vc, Cycle now) override;
  void accept_ack(int port, int vc, Cycle now) override;

 private:
  struct Turn {            // of the classes on a port
    int pointer = 0;       // round robin over them
    Cycle passed_at = -1;  // the last cycle in which one put a flit on the channel
  };

  std::size_t place(int port, int message_class) const {
    return static_cast<std::size_t>(port * classes_ + message_class);
  }
  bool inject(int port, Cycle now);
  void pass(int port, int message_class, Cycle now);
  Flit head_of(const WormRequest& message) const;

  Fabric& fabric_;
  FlitTerminalListener& listener_;
  const NodeId node_;
  const int classes_;
  std::vector<InjectionQueue<WormRequest>> queues_;  // by port and class
  std::vector<std::int64_t> unsent_;                 // by port and class
  std::vector<Turn> turns_;                          // by port
  std::vector<Cycle> heads_;  // by port and class: the cycle of the head that came last
  PortMask busy_ = 0;         // ports with a message to send
};

}  // namespace allport
