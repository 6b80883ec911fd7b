// SPDX-License-Identifier: Apache-2.0
#include "tlm/interface/injector.h"

#include <algorithm>
#include <cstring>

namespace allport {

Injector::Injector(int flit_bytes, int credits, Switching switching, bool carries_length)
    : flit_bytes_(flit_bytes), carries_length_(carries_length), queue_(credits, switching) {}

void Injector::reset() { queue_.reset(); }

void Injector::push(tlm::tlm_generic_payload& message, Cycle start, int flits, Data data) {
  queue_.push({&message, start, flits, data});
}

// The bytes of the next flit. Those of a list are not modelled: it is known to the processors.
std::uint64_t Injector::payload(const Data& carried) const {
  if (queue_.next_flit() < list_flits_) return 0;
  const auto flit_bytes = static_cast<std::size_t>(flit_bytes_);
  const std::size_t at = static_cast<std::size_t>(queue_.next_flit() - list_flits_) * flit_bytes;
  const std::size_t rest = carried.bytes - at;
  std::uint64_t data = 0;
  if (rest < sizeof data) {
    std::memcpy(&data, carried.first + at, std::min(rest, flit_bytes));
    return data;
  }
  std::memcpy(&data, carried.first + at, sizeof data);
  return data & ~std::uint64_t{0} >> 8 * (sizeof data - flit_bytes);
}

void Injector::fill_header(Flit& head, const tlm::tlm_generic_payload& message, int flits) const {
  const MessageExtension& extension = *message.get_extension<MessageExtension>();
  head.head = true;
  head.kind = extension.kind;
  head.ties = has_group(extension.kind) ? extension.group : extension.ties;
  head.join = extension.join;
  const auto destination = static_cast<NodeId>(message.get_address());
  head.address = goes_to_all(extension.kind) ? extension.source : destination;
  if (carries_length_) head.length = static_cast<std::uint16_t>(flits);
  if (extension.via.empty()) return;
  std::vector<NodeId> others = extension.via.rest().nodes();
  others.push_back(destination);
  head.address = extension.via.front();
  head.via = ViaList(others);
}

Flit Injector::send(Cycle now) {
  const Pending& pending = queue_.front();
  const tlm::tlm_generic_payload& message = *pending.message;
  Flit flit;
  if (queue_.is_at_head()) {
    fill_header(flit, message, pending.flits);
    id_ = message.get_extension<MessageExtension>()->id;
    list_flits_ = message.get_extension<MessageExtension>()->address_flits;
  }
  flit.message = id_;
  flit.data = payload(pending.data);
  flit.tail = queue_.is_at_tail();
  if (flit.tail) sent_message_ = pending.message;
  queue_.send(now);
  return flit;
}

}  // namespace allport
