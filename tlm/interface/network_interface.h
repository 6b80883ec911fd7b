// SPDX-License-Identifier: Apache-2.0
// A NetworkInterface connects a processor and its router: a MessagePort for the processor, an
// Injector and an Ejector per internal port and message class. A message whose first external
// channel is p is injected on port p mod k, a tree or path worm on port 0, unless its sender chose
// a port. A message with an impossible destination, or of a class, kind or length that the fabric,
// the switching mode or the routing does not support, gets an error response at once. A fabric with
// several message classes takes a LimitedInterface, which gives each its turn.
#pragma once

#include <cstddef>
#include <systemc>
#include <tlm>

#include "rtl_model/systemc/fabric.h"
#include "rtl_model/systemc/terminal.h"
#include "tlm/interface/ejector.h"
#include "tlm/interface/ends_in_use.h"
#include "tlm/interface/injector.h"
#include "tlm/interface/message_port.h"

namespace allport {

class NetworkInterface : public sc_core::sc_module, public MessagePort, public Terminal {
 public:
  /// `flit_bytes`: payload bytes of a flit, 1 .. 64. It attaches itself to `fabric`.
  NetworkInterface(const sc_core::sc_module_name& name, Fabric& fabric, NodeId node,
                   MessageLog& log, MessagePool& pool, int flit_bytes);

  virtual void reset();
  NodeId node() const { return node_; }
  /// The sending end of a class of `port`; null: it never had a message.
  const Injector* injector(int port, int message_class) const {
    return injectors_.find(place(port, message_class));
  }
  /// Whether it has a flit that may be on the channel in cycle `now`.
  bool may_send(int port, int message_class, Cycle now) const {
    const Injector* one = injector(port, message_class);
    return one != nullptr && one->can_send(now);
  }

  // Terminal
  bool inject(Cycle now) override;
  void eject(int port, const Flit& flit, Cycle now) override;
  bool is_apart() const override { return true; }
  bool injects_apart(Cycle now) const override;
  void accept_credit(int port, int vc, Cycle now) override;
  void accept_ack(int port, int vc, Cycle now) override;
  void fetch_for_injection(int step) const override;
  void fetch_for_ejection(int port, int vc, int step) const override;
  void fetch_for_credit(int port, int vc, int step) const override;

 protected:
  int port_count() const { return fabric_.config().internal_ports; }
  int class_count() const { return classes_; }
  bool has_classes() const { return classes_ > 1; }
  /// The ports that have a message to send.
  PortMask busy() const { return busy_q_; }
  /// Puts the next flit of a class of `port`, which may be sent now, on its channel; returns
  /// whether this class wants to send in the next cycle too.
  bool pass(int port, int message_class, Cycle now);
  /// The fabric calls inject() in cycle `when`.
  void wake(Cycle when) { fabric_.wake(node_, when); }
  /// The fabric calls inject_last() in the present cycle.
  void wake_last() { fabric_.wake_last(node_); }

 private:
  // MessagePort
  tlm::tlm_response_status judge(const tlm::tlm_generic_payload& message, NodeId source,
                                 int flits) const override;
  void carry(tlm::tlm_generic_payload& message, int flits, Cycle start) override;

  std::size_t place(int port, int message_class) const {
    return static_cast<std::size_t>(port * classes_ + message_class);
  }
  bool has_no_message(int port) const;
  bool pass_on(int port, int message_class, Cycle now);

  std::size_t copies(const tlm::tlm_generic_payload& message,
                     const MessageExtension& extension) const;
  Injector::Data carried(const tlm::tlm_generic_payload& message, int flits);
  void reveal(tlm::tlm_generic_payload& message);

  Fabric& fabric_;
  NodeId node_;
  int flit_bytes_;
  int classes_;  // message classes
  const Ejector::Interface of_ejectors_;
  EndsInUse<Injector> injectors_;  // by port and class
  EndsInUse<Ejector> ejectors_;    // by port and class
  PortMask busy_q_ = 0;            // ports with a message to send
};

}  // namespace allport
