// SPDX-License-Identifier: Apache-2.0
// A MessageLog has the record of every message of a run, by its MessageId: the message ports of the
// fabric fill it in as the message is sent and received, whoever sends it; monitors and checkers
// read it to identify the messages whose ids flits carry.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "rtl_model/router/flit.h"
#include "tlm/message/contribution_records.h"
#include "tlm/message/join_log.h"
#include "tlm/message/message_header.h"
#include "tlm/message/wide_payloads.h"

namespace allport {

/// Of a join or join-tree, source and destination are its root, and order and times are those of
/// the root's own contribution; until it is begun, those of the lowest node that has contributed.
struct MessageRecord : MessageHeader {
  NodeId source{};
  NodeId destination{};  ///< the last one; not valid for a tree or path worm
  int flits = 0;         ///< those of its list of destinations included
  std::uint64_t bytes = 0;
  std::uint64_t checksum = 0;  ///< checksum of the payload as sent; 0 in the fabric of worms
  Cycle created = 0;           ///< cycle from which its latency counts
  Cycle begun = 0;             ///< cycle in which the processor begins to prepare it
  Cycle preparation = 0;       ///< cycles for that
  Cycle jitter = 0;            ///< further cycles at the injection port
  // Set on the way, -1 before; in the fabric of worms all of them when it is received:
  Cycle injected = -1;  ///< cycle of the head on the injection channel, of a join the root's own
  Cycle head = -1;      ///< cycle of the head of the last copy on the ejection channel
  Cycle tail = -1;      ///< cycle of the tail of that copy

  int payload_flits() const { return flits - address_flits; }
  /// The cycle in which it is prepared, and the one from which its head may be injected.
  Cycle prepared() const { return begun + preparation; }
  Cycle ready() const { return begun + preparation + jitter; }
};

/// A message, or a contribution to a join, that a processor sent.
struct Sending {
  MessageId message = no_message;
  NodeId node{};
};

class MessageLog {
 public:
  MessageId add(const MessageRecord& record) {
    records_.push_back(record);
    return static_cast<MessageId>(records_.size() - 1);
  }
  /// Adds the contribution of `record.source` to a join: all contributions to one join have the
  /// same id.
  MessageId add_contribution(const MessageRecord& record) {
    const NodeId node = record.source;
    const NodeId root = record.destination;
    const std::size_t before = size();
    MessageId id = joins_.next(node, root, record);
    if (id == no_message) id = add(record);
    if (joins_.note(node, root, record, id)) {
      MessageRecord& known = records_[static_cast<std::size_t>(id)];
      const Cycle injected = known.injected;
      known = record;
      known.source = root;
      known.injected = injected;
    }
    if (keeps_contributions_) contributions_.add(id, record, before);
    return id;
  }
  /// From now on the record of every contribution is kept: sent() and sendings() need them.
  void keep_contributions() { keeps_contributions_ = true; }
  /// The record of what `node` sent of message `id`: of a join its contribution, whose source is
  /// `node`; otherwise that of the message.
  const MessageRecord& sent(MessageId id, NodeId node) const {
    const MessageRecord& message = (*this)[id];
    if (!is_join(message.kind)) return message;
    const MessageRecord* const contribution = contributions_.find(id, node);
    return contribution != nullptr ? *contribution : message;
  }
  /// Whether `node` has begun to prepare its contribution to join `id`.
  bool has_contributed(MessageId id, NodeId node) const {
    return contributions_.find(id, node) != nullptr;
  }
  /// What the processors sent, in the order in which they began it; of a join its contributions.
  std::vector<Sending> sendings() const;
  /// The joins among the messages.
  JoinLog& joins() { return joins_; }
  const JoinLog& joins() const { return joins_; }
  /// Sets the checksum of the payload of message `id`.
  void set_checksum(MessageId id, std::uint64_t checksum) {
    records_[static_cast<std::size_t>(id)].checksum = checksum;
  }
  /// Sets the place of message `id` in the program of its sender.
  void set_order(MessageId id, int order) { records_[static_cast<std::size_t>(id)].order = order; }
  /// Notes that the head of message `id` is on the injection channel in cycle `now`.
  void on_injected(MessageId id, Cycle now) {
    records_[static_cast<std::size_t>(id)].injected = now;
  }
  /// Notes that the head and tail of a copy of it are on the ejection channel in these cycles.
  void on_delivered(MessageId id, Cycle head, Cycle tail) {
    records_[static_cast<std::size_t>(id)].head = head;
    records_[static_cast<std::size_t>(id)].tail = tail;
  }
  const MessageRecord& operator[](MessageId id) const {
    return records_[static_cast<std::size_t>(id)];
  }
  std::size_t size() const { return records_.size(); }
  void reserve(std::size_t messages) { records_.reserve(messages); }
  void clear() {
    records_.clear();
    joins_.clear();
    contributions_.clear();
    wide_payloads_.clear();
  }
  /// The payloads of messages of wide flits that are on their way.
  WidePayloads& wide_payloads() { return wide_payloads_; }

 private:
  JoinLog joins_;
  bool keeps_contributions_ = false;
  ContributionRecords<MessageRecord> contributions_;
  std::vector<MessageRecord> records_;
  WidePayloads wide_payloads_;
};

}  // namespace allport
