// SPDX-License-Identifier: Apache-2.0
// The door between a processor and its router: one TLM-2.0 target socket for the processor, an
// Injector and an Ejector per internal port. A message whose first external channel is p is
// injected on port p mod k, a tree or path worm on port 0. nb_transport_fw: BEGIN_REQ (accepted at
// once; END_REQ follows with the tail on the injection channel) and END_RESP. b_transport: returns
// with the tail on the injection channel. A message without the extension, without bytes, with an
// impossible destination or of a kind or length that the switching mode or the routing does not
// take gets an error response at once.
#pragma once

#include <systemc>
#include <tlm>
#include <vector>

#include "rtl_model/systemc/fabric.h"
#include "rtl_model/systemc/terminal.h"
#include "tlm/interface/ejector.h"
#include "tlm/interface/injector.h"
#include "tlm/message/message_log.h"
#include "tlm/message/observer.h"

namespace allport {

class NetworkInterface : public sc_core::sc_module,
                         public tlm::tlm_fw_transport_if<>,
                         public Terminal {
 public:
  tlm::tlm_target_socket<> socket;

  /// `flit_bytes`: payload bytes of a flit, 1 .. 8. Attaches itself to `fabric`.
  NetworkInterface(const sc_core::sc_module_name& name, Fabric& fabric, NodeId node,
                   MessageLog& log, MessagePool& pool, int flit_bytes);

  void reset();
  void observe(MessageObserver* observer) { observer_ = observer; }
  NodeId node() const { return node_; }
  const Injector& injector(int port) const { return injectors_[static_cast<std::size_t>(port)]; }

  // tlm_fw_transport_if
  tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& message, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay) override;
  void b_transport(tlm::tlm_generic_payload& message, sc_core::sc_time& delay) override;
  bool get_direct_mem_ptr(tlm::tlm_generic_payload&, tlm::tlm_dmi&) override { return false; }
  unsigned transport_dbg(tlm::tlm_generic_payload&) override { return 0; }

  // Terminal
  bool inject(Cycle now) override;
  void eject(int port, const Flit& flit, Cycle now) override;
  void accept_credit(int port, Cycle now) override;
  void accept_ack(int port, Cycle now) override;

 private:
  /// TLM_OK_RESPONSE when the message can be sent.
  tlm::tlm_response_status check(tlm::tlm_generic_payload& message) const;
  bool is_reachable(const tlm::tlm_generic_payload& message, const ViaList& via) const;
  void queue(tlm::tlm_generic_payload& message, const sc_core::sc_time& delay);
  int injection_port(const tlm::tlm_generic_payload& message,
                     const MessageExtension& extension) const;
  void end_request(tlm::tlm_generic_payload& message);
  void end_response(tlm::tlm_generic_payload& message, const sc_core::sc_time& delay);

  Fabric& fabric_;
  NodeId node_;
  MessageLog& log_;
  int flit_bytes_;
  std::vector<Injector> injectors_;
  std::vector<Ejector> ejectors_;
  PortMask busy_q_ = 0;  // injectors with a message
  MessageObserver* observer_ = nullptr;
  std::vector<tlm::tlm_generic_payload*> blocking_;  // requests of b_transport under way
  sc_core::sc_event blocking_done_;
};

}  // namespace allport
