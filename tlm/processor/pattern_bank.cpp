// SPDX-License-Identifier: Apache-2.0
#include "tlm/processor/pattern_bank.h"

#include <algorithm>

#include "tlm/processor/pattern_node.h"

namespace allport {

void PatternBank::reset() {
  ProcessorBank::reset();
  senders_.assign(nodes(), Sender{});
}

void PatternBank::start(NodeId node, const MessageSource& messages, std::uint64_t jitter_seed,
                        Cycle jitter_max) {
  Sender& sender = senders_[index(node)];
  sender.messages = messages;
  sender.next = sender.messages->next();
  sender.jitter = SplitMix64(jitter_seed);
  jitter_max_ = jitter_max;
  call(static_cast<std::uint32_t>(index(node)));
}

Cycle PatternBank::next_ready(std::uint32_t node) const {
  const Sender& sender = senders_[node];
  return sender.next ? sender.next->cycle : never;
}

tlm::tlm_generic_payload& PatternBank::take_next(std::uint32_t node) {
  Sender& sender = senders_[node];
  const std::size_t bytes = payload_bytes(*sender.next, config());
  if (bytes_.size() < bytes) bytes_.resize(bytes);  // nobody looks at them
  tlm::tlm_generic_payload& message = pool().allocate(0);
  message.set_address(index(sender.next->destination));
  message.set_data_ptr(bytes_.data());
  message.set_data_length(static_cast<unsigned>(bytes));
  message.set_streaming_width(static_cast<unsigned>(bytes));
  MessageExtension& extension = *message_extension(message);
  extension.order = sender.order++;
  extension.created = sender.next->cycle;
  if (jitter_max_ > 0) {
    const auto choices = static_cast<std::uint64_t>(jitter_max_) + 1;
    extension.jitter = static_cast<Cycle>(sender.jitter.next() % choices);
  }
  sender.next = sender.messages->next();
  return message;
}

}  // namespace allport
