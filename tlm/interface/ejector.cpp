// SPDX-License-Identifier: Apache-2.0
#include "tlm/interface/ejector.h"

#include <algorithm>
#include <cstring>
#include <sstream>
#include <stdexcept>
#include <utility>

namespace allport {

Ejector::Interface::Interface(std::string its_name, const MessageLog& messages, MessagePool& memory,
                              int bytes, int classes)
    : name(std::move(its_name)),
      log(messages),
      pool(memory),
      has_names(carries_names(bytes)),
      flit_bytes(carried_bytes(bytes)),
      has_classes(classes > 1) {}

Ejector::Ejector(const Interface& interface, int port, int message_class)
    : interface_(interface),
      port_(static_cast<std::uint8_t>(port)),
      message_class_(static_cast<std::uint8_t>(message_class)) {}

void Ejector::reset() {
  if (message_ != nullptr) message_->release();
  message_ = nullptr;
  id_ = no_message;
}

void Ejector::begin(const Flit& head, Cycle now) {
  if (message_ != nullptr) fail(head, now, "a head in the middle of another message");
  if (static_cast<std::size_t>(head.message) >= interface_.log.size())
    fail(head, now, "an unknown message");
  const MessageRecord& record = interface_.log[head.message];
  const auto names = static_cast<std::size_t>(record.payload_flits()) * sizeof(WidePayloads::Name);
  message_ =
      &interface_.pool.allocate(interface_.has_names ? std::max<std::size_t>(record.bytes, names)
                                                     : static_cast<std::size_t>(record.bytes));
  message_->set_address(index(record.destination));
  MessageExtension& extension = *message_extension(*message_);
  extension.header() = record.header();
  extension.source = record.source;
  extension.created = record.created;
  extension.id = id_ = head.message;
  extension.head = now;
  flits_ = 0;
  expected_flits_ = record.flits;
  list_flits_ = record.address_flits;
}

// Writes all 8 bytes while there is room: those that are not this flit's are overwritten by later
// flits. Flits of a list carry none.
void Ejector::store(std::uint64_t data) {
  if (flits_ < list_flits_) return;
  const auto at = static_cast<std::size_t>(flits_ - list_flits_) *
                  static_cast<std::size_t>(interface_.flit_bytes);
  const std::size_t rest = message_->get_data_length() - at;
  unsigned char* const to = message_->get_data_ptr() + at;
  if (rest < sizeof data) {
    std::memcpy(to, &data, std::min(rest, static_cast<std::size_t>(interface_.flit_bytes)));
  } else {
    std::memcpy(to, &data, sizeof data);
  }
}

tlm::tlm_generic_payload* Ejector::take(const Flit& flit, Cycle now) {
  if (flit.head) begin(flit, now);
  if (message_ == nullptr) fail(flit, now, "a flit without a head before it");
  if (flit.message != id_) fail(flit, now, "a flit of another message within a message");
  if (flits_ == expected_flits_ || flit.tail != (flits_ + 1 == expected_flits_)) {
    fail(flit, now, flit.tail ? "a tail too early" : "a tail missing");
  }
  store(flit.data);
  ++flits_;
  if (!flit.tail) return nullptr;
  message_extension(*message_)->tail = now;
  id_ = no_message;
  return std::exchange(message_, nullptr);
}

std::string Ejector::name() const {
  const std::string of_port = interface_.name + ".ejector_" + std::to_string(port_);
  return interface_.has_classes ? of_port + "_class_" + std::to_string(message_class_) : of_port;
}

void Ejector::fail(const Flit& flit, Cycle now, const char* what) const {
  std::ostringstream text;
  text << name() << ": cycle " << now << ": " << what << " (" << flit << ")";
  SC_REPORT_FATAL("/allport/ejector", text.str().c_str());
  throw std::logic_error(text.str());  // if fatal reports are configured to return
}

}  // namespace allport
