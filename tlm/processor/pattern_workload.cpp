// SPDX-License-Identifier: Apache-2.0
#include "tlm/processor/pattern_workload.h"

#include "tlm/processor/jitter.h"

namespace allport {

PatternWorkload::PatternWorkload(const NodeConfig& config, MessagePool& pool, MessageBytes bytes,
                                 std::size_t nodes)
    : config_(config), messages_(config, pool, bytes), nodes_(nodes), senders_(nodes) {}

void PatternWorkload::reset() {
  senders_.assign(nodes_, Sender{});
  last_start_ = never;
}

void PatternWorkload::end(Cycle now) {
  last_start_ = now;
  for (Sender& sender : senders_) {
    if (sender.next && sender.next->cycle > now) sender.next.reset();
  }
}

std::optional<Start> PatternWorkload::next_of(Sender& sender) const {
  std::optional<Start> next = sender.messages->next();
  if (next && next->cycle > last_start_) next.reset();
  return next;
}

void PatternWorkload::start(NodeId node, const MessageSource& messages, std::uint64_t jitter_seed,
                            Cycle jitter_max) {
  Sender& sender = senders_[index(node)];
  sender.messages = messages;
  sender.next = sender.messages->next();
  sender.jitter = SplitMix64(jitter_seed);
  sender.order = 0;
  jitter_max_ = jitter_max;
}

Cycle PatternWorkload::next_ready(NodeId node) const {
  const Sender& sender = senders_[index(node)];
  return sender.next ? sender.next->cycle : never;
}

// A message of the configured length has the bytes that were requested; a longer one fills its
// flits.
std::size_t PatternWorkload::bytes_of(const Start& start) const {
  const auto flits = static_cast<std::size_t>(start.flits);
  const auto flit_bytes = static_cast<std::size_t>(config_.flit_bytes);
  return flits * flit_bytes - config_.bytes < flit_bytes ? config_.bytes : flits * flit_bytes;
}

tlm::tlm_generic_payload& PatternWorkload::take_next(NodeId node, Cycle) {
  Sender& sender = senders_[index(node)];
  tlm::tlm_generic_payload& message = messages_.make(node, sender.order, bytes_of(*sender.next));
  message.set_address(index(sender.next->destination));
  MessageExtension& extension = *message_extension(message);
  extension.ties = sender.next->ties;
  extension.order = sender.order++;
  extension.created = sender.next->cycle;
  extension.jitter = draw_jitter(sender.jitter, jitter_max_);
  sender.next = next_of(sender);
  return message;
}

}  // namespace allport
