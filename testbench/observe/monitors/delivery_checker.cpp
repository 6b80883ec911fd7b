// SPDX-License-Identifier: Apache-2.0
#include "testbench/observe/monitors/delivery_checker.h"

#include <algorithm>

#include "rtl_model/topology/group_routes.h"

namespace allport {

namespace {

std::string describe(const MessageRecord& record) {
  std::string text = "message " + std::to_string(record.order) + " of node " +
                     std::to_string(index(record.source));
  if (!goes_to_all(record.kind)) {
    text += " to node " + std::to_string(index(record.destination));
  }
  return text;
}

}  // namespace

void DeliveryChecker::reset() {
  delivered_.clear();
  copies_.clear();
  joins_.reset();
  deliveries_ = 0;
  finding_.clear();
}

void DeliveryChecker::on_delivered(const tlm::tlm_generic_payload& message,
                                   const MessageExtension& extension) {
  const MessageRecord& record = log_[extension.id];
  const auto id = static_cast<std::size_t>(extension.id);
  if (id >= delivered_.size()) delivered_.resize(std::max(log_.size(), 2 * delivered_.size()), 0);
  ++delivered_[id];
  ++deliveries_;
  if (!is_for(record, extension.receiver)) {
    fail(extension, "was delivered to the wrong node");
  } else if (is_repeated(record, extension)) {
    fail(extension, "was delivered twice");
  } else if (looks_at_payloads_ && !has_right_bytes(message, extension)) {
    fail(extension, is_join(record.kind)
                        ? "was delivered with other bytes than its contributions yield"
                        : "was delivered with other bytes than were sent");
  }
}

bool DeliveryChecker::has_right_bytes(const tlm::tlm_generic_payload& message,
                                      const MessageExtension& extension) {
  const MessageRecord& record = log_[extension.id];
  const unsigned char* const data = message.get_data_ptr();
  const std::size_t bytes = message.get_data_length();
  if (is_join(record.kind)) return joins_.is_right(extension.id, {data, data + bytes});
  return payload_checksum(data, bytes) == record.checksum;
}

bool DeliveryChecker::is_for(const MessageRecord& record, NodeId receiver) const {
  if (record.kind == MessageKind::unicast) return receiver == record.destination;
  if (record.kind == MessageKind::join) return receiver == record.destination;
  if (has_group(record.kind)) {
    const bool is_other = receiver != record.source || is_join(record.kind);
    return is_other && is_in_group(routing_.topology(), receiver, record.source, record.group);
  }
  if (goes_to_all(record.kind)) return receiver != record.source;
  if (goes_by_list(record.kind)) {
    const std::vector<NodeId> others = record.via.nodes();
    return receiver == record.destination ||
           std::find(others.begin(), others.end(), receiver) != others.end();
  }
  if (receiver == record.source) return false;
  const auto path = routing_.path(record.source, record.destination, record.ties);
  return receiver == record.destination ||
         std::any_of(path.begin(), path.end(),
                     [&](const Channel& channel) { return channel.node == receiver; });
}

bool DeliveryChecker::is_repeated(const MessageRecord& record, const MessageExtension& extension) {
  if (record.kind == MessageKind::unicast) {
    return delivered_[static_cast<std::size_t>(extension.id)] > 1;
  }
  return !copies_.insert({extension.id, extension.receiver}).second;
}

std::size_t DeliveryChecker::expected_deliveries(const MessageRecord& record) const {
  switch (record.kind) {
    case MessageKind::tree:
    case MessageKind::path:
      return group_size(routing_.topology(), record.group) - 1;
    case MessageKind::join_tree:
      return group_size(routing_.topology(), record.group);
    case MessageKind::deposit:
      return static_cast<std::size_t>(routing_.distance(record.source, record.destination));
    case MessageKind::multidestination:
    case MessageKind::label:
      return record.via.nodes().size() + 1;
    default:
      return 1;
  }
}

void DeliveryChecker::finish() {
  delivered_.resize(log_.size(), 0);
  for (std::size_t id = 0; id < log_.size() && finding_.empty(); ++id) {
    const MessageRecord& record = log_[static_cast<MessageId>(id)];
    const std::size_t expected = expected_deliveries(record);
    if (delivered_[id] == expected) continue;
    finding_ = describe(record) + " was received by " + std::to_string(delivered_[id]) + " of " +
               std::to_string(expected) + " nodes although the network is empty";
  }
}

void DeliveryChecker::fail(const MessageExtension& extension, const std::string& what) {
  if (!finding_.empty()) return;
  finding_ = "cycle " + std::to_string(extension.tail) + ": " + describe(log_[extension.id]) + " " +
             what + " (node " + std::to_string(index(extension.receiver)) + ")";
}

}  // namespace allport
