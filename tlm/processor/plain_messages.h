// SPDX-License-Identifier: Apache-2.0
// PlainMessages are the messages of synthetic traffic, whose bytes nobody reads: on flits those of
// each message are its own, and on worms all share zeros.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "tlm/message/message.h"
#include "tlm/processor/processor_rule.h"

namespace allport {

class PlainMessages {
 public:
  /// `config` and `pool` must outlive it.
  PlainMessages(const NodeConfig& config, MessagePool& pool, MessageBytes bytes)
      : config_(config), pool_(pool), bytes_(bytes) {}

  /// Message `order` of `node`, of so many bytes, acquired once.
  tlm::tlm_generic_payload& make(NodeId node, int order, std::size_t bytes) {
    if (bytes_ == MessageBytes::shared) {
      const std::size_t kept = config_.payload_is_symbolic ? 1 : bytes;
      if (shared_.size() < kept) shared_.resize(kept);
      tlm::tlm_generic_payload& message = pool_.allocate_around(shared_.data(), kept);
      if (config_.payload_is_symbolic) message_extension(message)->stands_for = bytes;
      return message;
    }
    tlm::tlm_generic_payload& message = pool_.allocate(bytes);
    const auto number = static_cast<std::uint64_t>(index(node));
    fill_payload(message, number << 32 | static_cast<std::uint32_t>(order));
    return message;
  }

 private:
  const NodeConfig& config_;
  MessagePool& pool_;
  const MessageBytes bytes_;
  std::vector<unsigned char> shared_;
};

}  // namespace allport
