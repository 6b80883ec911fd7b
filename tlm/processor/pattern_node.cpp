// SPDX-License-Identifier: Apache-2.0
#include "tlm/processor/pattern_node.h"

#include "tlm/message/message.h"

namespace allport {

std::size_t payload_bytes(const Start& start, const NodeConfig& config) {
  const auto flits = static_cast<std::size_t>(start.flits);
  const auto flit_bytes = static_cast<std::size_t>(config.flit_bytes);
  return flits * flit_bytes - config.bytes < flit_bytes ? config.bytes : flits * flit_bytes;
}

void PatternNode::reset() {
  Node::reset();
  messages_.reset();
  next_.reset();
}

void PatternNode::start(const MessageSource& messages, std::uint64_t jitter_seed,
                        Cycle jitter_max) {
  messages_ = messages;
  next_ = messages_->next();
  jitter_ = SplitMix64(jitter_seed);
  jitter_max_ = jitter_max;
  order_ = 0;
  call();
}

std::optional<Cycle> PatternNode::next_ready() const {
  if (!next_) return std::nullopt;
  return next_->cycle;
}

tlm::tlm_generic_payload& PatternNode::take_next() {
  tlm::tlm_generic_payload& message = pool().allocate(payload_bytes(*next_, config()));
  message.set_address(index(next_->destination));
  MessageExtension& extension = *message_extension(message);
  extension.order = order_;
  extension.created = next_->cycle;
  if (jitter_max_ > 0) {
    const auto choices = static_cast<std::uint64_t>(jitter_max_) + 1;
    extension.jitter = static_cast<Cycle>(jitter_.next() % choices);
  }
  const auto sender = static_cast<std::uint64_t>(index(node()));
  fill_payload(message, sender << 32 | static_cast<std::uint32_t>(order_));
  ++order_;
  next_ = messages_->next();
  return message;
}

}  // namespace allport
