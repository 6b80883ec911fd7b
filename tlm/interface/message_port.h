// SPDX-License-Identifier: Apache-2.0
// A MessagePort is the fabric's end of the phases of tlm/message/message.h, written once: one
// TLM-2.0 target socket, BEGIN_REQ and END_RESP forwards, END_REQ and BEGIN_RESP backwards,
// b_transport, annotated delays, and the message's line in the log. The classes that carry the
// messages derive from it.
//   BEGIN_REQ    accepted at once, END_REQ follows with the tail on the injection channel; a port
//                that processors of many nodes share answers with END_REQ, unless they want to
//                know of the tail
//   b_transport  returns with the tail on the injection channel; not on a shared port
// A request that is no write of all its bytes, that has no extension, or that the fabric cannot
// carry, gets an error response at once. Extended phases are ignored, as the standard wants it;
// other phases than these two, and an END_RESP of what is no response, are fatal. There is no
// memory to look at: transport_dbg reads and writes nothing, and direct access is denied.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <systemc>
#include <tlm>
#include <vector>

#include "rtl_model/systemc/cycle_clock.h"
#include "tlm/message/message_log.h"
#include "tlm/message/observer.h"

namespace allport {

class MessagePort : public tlm::tlm_fw_transport_if<> {
 public:
  tlm::tlm_target_socket<> socket;

  /// From now on `observer` is notified of the messages; it must outlive the port.
  void observe(MessageObserver& observer) { observers_.push_back(&observer); }

  // tlm_fw_transport_if
  tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& message, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay) override;
  void b_transport(tlm::tlm_generic_payload& message, sc_core::sc_time& delay) override;
  bool get_direct_mem_ptr(tlm::tlm_generic_payload&, tlm::tlm_dmi& access) override {
    access.init();  // none, wherever
    return false;
  }
  unsigned transport_dbg(tlm::tlm_generic_payload&) override { return 0; }

 protected:
  /// `owner`: the node whose processor binds to the socket; none: processors of many nodes share
  /// it, and the extension's `source` names the sender. `flit_bytes`: payload bytes of a flit, 1 ..
  /// 8.
  MessagePort(const char* socket_name, std::optional<NodeId> owner, const CycleClock& clock,
              MessageLog& log, int flit_bytes);

  void reset() { blocking_.clear(); }
  bool is_shared() const { return !owner_; }
  /// Whether requests at a shared port are answered with END_REQ, as they are at first; otherwise
  /// END_REQ follows with the tail on the injection channel, as at a port of its own.
  void answer_at_once(bool wanted) { answers_at_once_ = wanted; }
  bool answers_at_once() const { return answers_at_once_; }
  MessageLog& log() { return log_; }
  int flit_bytes() const { return flit_bytes_; }

  /// TLM_OK_RESPONSE if the fabric can carry `message`, a complete request of `flits` flits, from
  /// `source`.
  virtual tlm::tlm_response_status judge(const tlm::tlm_generic_payload& message, NodeId source,
                                         int flits) const = 0;
  /// TLM_ADDRESS_ERROR_RESPONSE; says `why` in a report.
  tlm::tlm_response_status refuse_address(const std::string& why) const;
  /// Carries `message`, which is in the log: its head may be on the injection channel from cycle
  /// `start` on. The fabric sets the extension's `internal_port`.
  virtual void carry(tlm::tlm_generic_payload& message, int flits, Cycle start) = 0;

  /// Ends the request of `message`, one of the owner's: its tail is on the injection channel.
  void end_request(tlm::tlm_generic_payload& message);
  /// Delivers `message`, whose tail is on ejection channel `internal_port` of `receiver`
  /// (extension: head and tail). The port releases it when the processor has it.
  void deliver(tlm::tlm_generic_payload& message, NodeId receiver, int internal_port);

 private:
  tlm::tlm_sync_enum begin_request(tlm::tlm_generic_payload& message, tlm::tlm_phase& phase,
                                   const sc_core::sc_time& delay);
  NodeId source_of(const MessageExtension& extension) const {
    return owner_ ? *owner_ : extension.source;
  }
  tlm::tlm_response_status check(const tlm::tlm_generic_payload& message) const;
  void queue(tlm::tlm_generic_payload& message, const sc_core::sc_time& delay);
  [[noreturn]] void refuse_phase(const std::string& what) const;
  void end_response(tlm::tlm_generic_payload& message, const sc_core::sc_time& delay);
  Cycle cycle_after(const sc_core::sc_time& delay) const;

  const std::optional<NodeId> owner_;
  const CycleClock& clock_;
  MessageLog& log_;
  const int flit_bytes_;
  bool answers_at_once_ = true;
  std::vector<MessageObserver*> observers_;          // in the order in which they came
  std::vector<tlm::tlm_generic_payload*> blocking_;  // requests of b_transport under way
  sc_core::sc_event blocking_done_;
};

}  // namespace allport
