// SPDX-License-Identifier: Apache-2.0
// A message is a TLM-2.0 transaction: the generic payload carries the bytes (command WRITE, address
// = destination node, data, data_length); the MessageExtension has the rest. Its phases are
// (docs/timing.md):
//   BEGIN_REQ  processor -> network interface  the processor starts to prepare the message
//   END_REQ    network interface -> processor  its tail is on the injection channel
//   BEGIN_RESP network interface -> receiver   its tail is on the ejection channel
//   END_RESP   receiver -> network interface   the receiving processor has it, tr cycles later
// A message goes one way: its sender sees the request phases, each receiver the response phases of
// a transaction of its own. Several requests of a processor may be under way at once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <tlm>
#include <vector>

#include "rtl_model/systemc/flit.h"
#include "tlm/message/message_header.h"

namespace allport {

class MessageExtension : public tlm::tlm_extension<MessageExtension>, public MessageHeader {
 public:
  // Set by the sender, in addition to the header:
  Cycle created = 0;  ///< cycle from which its latency counts: the sender has what it depends on
  Cycle preparation = 0;  ///< cycles the processor takes to prepare it, from BEGIN_REQ on
  Cycle jitter = 0;       ///< further delay at the injection port
  /// Injection port, modulo their number; -1: that of its first channel. Of a contribution to a
  /// join it must be port 0.
  int injection = -1;
  /// Bytes that the payload stands for, in the fabric of worms; 0: it has all its bytes.
  std::uint64_t stands_for = 0;

  // Set on the way:
  NodeId source{};        ///< the sender
  NodeId receiver{};      ///< response phases: the node that received it
  int internal_port = 0;  ///< injection port (request), ejection port (response)
  MessageId id = no_message;
  Cycle head = 0;  ///< response phases: cycle of the head on the ejection channel
  Cycle tail = 0;  ///< response phases: cycle of the tail on the ejection channel
  /// END_RESP: the message sent before it for which its receiver waited; no_message: none.
  MessageId awaited = no_message;
  bool is_response = false;  ///< from BEGIN_RESP to END_RESP

  tlm::tlm_extension_base* clone() const override { return new MessageExtension(*this); }
  void copy_from(const tlm::tlm_extension_base& other) override {
    *this = static_cast<const MessageExtension&>(other);
  }
};

/// The extension of `message`; null if it has none.
inline MessageExtension* message_extension(tlm::tlm_generic_payload& message) {
  return message.get_extension<MessageExtension>();
}

/// The bytes of `message`, or those that its payload stands for.
inline std::uint64_t payload_bytes(const tlm::tlm_generic_payload& message) {
  const std::uint64_t stands_for = message.get_extension<MessageExtension>()->stands_for;
  return stands_for > 0 ? stands_for : message.get_data_length();
}

/// Flits of `message`, those of its list of destinations and those of its payload in `flit_bytes`
/// bytes each.
inline std::uint64_t flits_of(const tlm::tlm_generic_payload& message, int flit_bytes) {
  const auto list = message.get_extension<MessageExtension>()->address_flits;
  const std::uint64_t flits = (payload_bytes(message) - 1) / static_cast<unsigned>(flit_bytes) + 1;
  return flits + static_cast<std::uint64_t>(list);
}

/// TLM_OK_RESPONSE if `message` is a write of all its bytes, each once; otherwise what the standard
/// answers. A streaming width of 0, which a new transaction has, says nothing.
tlm::tlm_response_status payload_status(const tlm::tlm_generic_payload& message);

/// Checksum of a payload that depends on every byte and its place.
std::uint64_t payload_checksum(const unsigned char* data, std::size_t bytes);

/// Fills the payload of `message` with bytes that differ by place and by seed.
void fill_payload(tlm::tlm_generic_payload& message, std::uint64_t seed);

/// Transactions with their payload memory, reused once all holders have released them.
class MessagePool : public tlm::tlm_mm_interface {
 public:
  MessagePool();
  ~MessagePool() override;
  MessagePool(const MessagePool&) = delete;
  MessagePool& operator=(const MessagePool&) = delete;

  /// A WRITE transaction with an extension and, if `own_bytes` > 0, with `own_bytes` bytes of
  /// payload of its own; it is acquired once.
  tlm::tlm_generic_payload& allocate(std::size_t own_bytes);
  /// The same for the `bytes` bytes at `data`, which outlive it.
  tlm::tlm_generic_payload& allocate_around(unsigned char* data, std::size_t bytes);
  void free(tlm::tlm_generic_payload* message) override;

 private:
  class Pooled;
  std::vector<std::unique_ptr<Pooled>> all_;
  std::vector<Pooled*> free_;
};

}  // namespace allport
