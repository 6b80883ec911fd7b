// SPDX-License-Identifier: Apache-2.0
#include "tlm/message/message.h"

#include <cstring>

namespace allport {

tlm::tlm_response_status payload_status(const tlm::tlm_generic_payload& message) {
  if (!message.is_write()) return tlm::TLM_COMMAND_ERROR_RESPONSE;
  if (message.get_byte_enable_ptr() != nullptr) return tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE;
  const unsigned width = message.get_streaming_width();
  const bool is_streamed = width > 0 && width < message.get_data_length();
  return is_streamed ? tlm::TLM_BURST_ERROR_RESPONSE : tlm::TLM_OK_RESPONSE;
}

std::uint64_t payload_checksum(const unsigned char* data, std::size_t bytes) {
  std::uint64_t sum = 0xcbf29ce484222325U ^ bytes;
  for (std::size_t at = 0; at < bytes; at += 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, data + at, bytes - at < 8 ? bytes - at : 8);
    sum = (sum ^ word) * 0x9e3779b97f4a7c15U;
    sum ^= sum >> 29;
  }
  return sum;
}

void fill_payload(tlm::tlm_generic_payload& message, std::uint64_t seed) {
  const std::size_t bytes = message.get_data_length();
  for (std::size_t at = 0; at < bytes; at += 8) {
    const std::uint64_t mixed = (seed + at + 1) * 0x9e3779b97f4a7c15U;
    const std::uint64_t word = mixed ^ mixed >> 32;
    std::memcpy(message.get_data_ptr() + at, &word, bytes - at < 8 ? bytes - at : 8);
  }
}

namespace {

void set_data(tlm::tlm_generic_payload& message, unsigned char* data, std::size_t bytes) {
  message.set_data_ptr(data);
  message.set_data_length(static_cast<unsigned>(bytes));
  message.set_streaming_width(static_cast<unsigned>(bytes));
}

}  // namespace

class MessagePool::Pooled : public tlm::tlm_generic_payload {
 public:
  explicit Pooled(MessagePool& pool) : tlm_generic_payload(&pool) {
    set_extension(new MessageExtension);  // the payload deletes it
  }
  std::vector<unsigned char> bytes;
};

MessagePool::MessagePool() = default;
MessagePool::~MessagePool() = default;

tlm::tlm_generic_payload& MessagePool::allocate(std::size_t own_bytes) {
  if (free_.empty()) {
    all_.push_back(std::make_unique<Pooled>(*this));
    free_.reserve(all_.capacity());
    free_.push_back(all_.back().get());
  }
  Pooled& message = *free_.back();
  free_.pop_back();
  *message_extension(message) = MessageExtension{};
  message.bytes.resize(own_bytes);
  message.set_command(tlm::TLM_WRITE_COMMAND);
  set_data(message, own_bytes > 0 ? message.bytes.data() : nullptr, own_bytes);
  message.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
  message.acquire();
  return message;
}

tlm::tlm_generic_payload& MessagePool::allocate_around(unsigned char* data, std::size_t bytes) {
  tlm::tlm_generic_payload& message = allocate(0);
  set_data(message, data, bytes);
  return message;
}

void MessagePool::free(tlm::tlm_generic_payload* message) {
  free_.push_back(static_cast<Pooled*>(message));
}

}  // namespace allport
