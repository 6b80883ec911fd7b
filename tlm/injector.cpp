// SPDX-License-Identifier: Apache-2.0
#include "tlm/injector.h"

#include <algorithm>
#include <cstring>

namespace allport {

Injector::Injector(int flit_bytes, int credits)
    : flit_bytes_(flit_bytes), initial_credits_(credits), credits_(credits) {}

void Injector::reset() {
  queue_.clear();
  credits_ = initial_credits_;
  next_flit_ = 0;
  last_cycle_ = -1;
}

void Injector::push(tlm::tlm_generic_payload& message, Cycle start, int flits) {
  queue_.push({&message, start, flits});
}

// The bytes of the next flit.
std::uint64_t Injector::payload(const tlm::tlm_generic_payload& message) const {
  const auto flit_bytes = static_cast<std::size_t>(flit_bytes_);
  const std::size_t at = static_cast<std::size_t>(next_flit_) * flit_bytes;
  const std::size_t rest = message.get_data_length() - at;
  std::uint64_t data = 0;
  if (rest < sizeof data) {
    std::memcpy(&data, message.get_data_ptr() + at, std::min(rest, flit_bytes));
    return data;
  }
  std::memcpy(&data, message.get_data_ptr() + at, sizeof data);
  return data & ~std::uint64_t{0} >> 8 * (sizeof data - flit_bytes);
}

Flit Injector::send(Cycle now) {
  const Pending& pending = queue_.front();
  const tlm::tlm_generic_payload& message = *pending.message;
  Flit flit;
  if (next_flit_ == 0) {
    const MessageExtension& extension = *message.get_extension<MessageExtension>();
    flit.head = true;
    flit.kind = extension.kind;
    flit.ties = extension.ties;
    flit.address = extension.kind == MessageKind::tree ? extension.source
                                                       : static_cast<NodeId>(message.get_address());
    id_ = extension.id;
  }
  flit.message = id_;
  flit.data = payload(message);
  flit.tail = ++next_flit_ == pending.flits;
  --credits_;
  last_cycle_ = now;
  if (flit.tail) {
    next_flit_ = 0;
    sent_message_ = pending.message;
    queue_.pop();
  }
  return flit;
}

}  // namespace allport
