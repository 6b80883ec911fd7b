// SPDX-License-Identifier: Apache-2.0
// What every message of a run is, by its MessageId: filled in by the fabric's message ports as the
// message is sent and received, whoever sends it; read by monitors and checkers to put names to the
// ids that flits carry.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "rtl_model/systemc/flit.h"
#include "tlm/message/message_header.h"

namespace allport {

struct MessageRecord : MessageHeader {
  NodeId source{};
  NodeId destination{};  ///< the last one; means nothing for a tree or path worm
  int flits = 0;
  std::uint32_t bytes = 0;
  std::uint64_t checksum = 0;  ///< of the payload as it was sent; 0 where worms are moved
  Cycle created = 0;
  // Filled in on the way, -1 before:
  Cycle injected = -1;  ///< the head on the injection channel
  Cycle head = -1;      ///< the head of the last copy on the ejection channel
  Cycle tail = -1;      ///< its tail
};

class MessageLog {
 public:
  MessageId add(const MessageRecord& record) {
    records_.push_back(record);
    return static_cast<MessageId>(records_.size() - 1);
  }
  /// The checksum of the payload of message `id`.
  void set_checksum(MessageId id, std::uint64_t checksum) {
    records_[static_cast<std::size_t>(id)].checksum = checksum;
  }
  /// The head of message `id` is on the injection channel in cycle `now`.
  void on_injected(MessageId id, Cycle now) {
    records_[static_cast<std::size_t>(id)].injected = now;
  }
  /// The tail of a copy of it is on the ejection channel.
  void on_delivered(MessageId id, Cycle head, Cycle tail) {
    records_[static_cast<std::size_t>(id)].head = head;
    records_[static_cast<std::size_t>(id)].tail = tail;
  }
  const MessageRecord& operator[](MessageId id) const {
    return records_[static_cast<std::size_t>(id)];
  }
  std::size_t size() const { return records_.size(); }
  void reserve(std::size_t messages) { records_.reserve(messages); }
  void clear() { records_.clear(); }

 private:
  std::vector<MessageRecord> records_;
};

}  // namespace allport
