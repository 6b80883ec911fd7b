// SPDX-License-Identifier: Apache-2.0
#include "tlm/interface/injector.h"

#include <algorithm>
#include <cstring>
#include <limits>

namespace allport {

Injector::Injector(int flit_bytes, int credits, Switching switching, bool carries_length)
    : flit_bytes_(flit_bytes),
      initial_credits_(credits),
      switching_(switching),
      carries_length_(carries_length),
      credits_(credits) {}

void Injector::reset() {
  queue_.clear();
  credits_ = initial_credits_;
  needed_credits_ = 1;
  next_flit_ = 0;
  last_cycle_ = -1;
}

void Injector::push(tlm::tlm_generic_payload& message, Cycle start, int flits, Data data) {
  queue_.push({&message, start, flits, data});
  if (queue_.size() == 1) prepare_next(false);
}

// Sets what the next flit needs, in the modes that demand more than a credit.
void Injector::prepare_next(bool is_head_sent) {
  if (is_head_sent && switching_ == Switching::circuit) {
    needed_credits_ = std::numeric_limits<int>::max();
  } else {
    const int flits = queue_.empty() ? 1 : queue_.front().flits;
    needed_credits_ = needed_credits(switching_, !is_head_sent, flits);
  }
}

// The bytes of the next flit. Those of a list are not modelled: it is known to the processors.
std::uint64_t Injector::payload(const Data& carried) const {
  if (next_flit_ < list_flits_) return 0;
  const auto flit_bytes = static_cast<std::size_t>(flit_bytes_);
  const std::size_t at = static_cast<std::size_t>(next_flit_ - list_flits_) * flit_bytes;
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
  if (next_flit_ == 0) {
    fill_header(flit, message, pending.flits);
    id_ = message.get_extension<MessageExtension>()->id;
    list_flits_ = message.get_extension<MessageExtension>()->address_flits;
  }
  flit.message = id_;
  flit.data = payload(pending.data);
  flit.tail = ++next_flit_ == pending.flits;
  --credits_;
  last_cycle_ = now;
  if (flit.tail) {
    next_flit_ = 0;
    sent_message_ = pending.message;
    queue_.pop();
  }
  if (switching_ != Switching::wormhole && (flit.head || flit.tail)) prepare_next(!flit.tail);
  return flit;
}

}  // namespace allport
