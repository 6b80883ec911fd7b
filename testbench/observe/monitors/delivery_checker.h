// SPDX-License-Identifier: Apache-2.0
// A DeliveryChecker checks that every message was delivered once at each of its destinations, at no
// other node, with its bytes unchanged, and that nothing is missing at the end. (The ejectors check
// that flits come in order and unmixed.) A finding is a broken invariant: a router or this model is
// wrong.
#pragma once

#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "rtl_model/topology/routing.h"
#include "testbench/observe/monitors/join_checker.h"
#include "tlm/message/message_log.h"
#include "tlm/message/observer.h"

namespace allport {

class DeliveryChecker {
 public:
  DeliveryChecker(const MessageLog& log, const Routing& routing,
                  CombineOrder order = CombineOrder::port)
      : log_(log), routing_(routing), joins_(log, routing, order) {}

  void reset();
  /// Does not check bytes: for machines in which they never leave their transaction.
  void skip_payloads() { looks_at_payloads_ = false; }
  /// Notes that the whole `message` is at `extension.receiver`.
  void on_delivered(const tlm::tlm_generic_payload& message, const MessageExtension& extension);
  /// At the end, checks that every message has arrived at all its destinations.
  void finish();

  /// The first finding, a sentence; empty if there is none.
  const std::string& finding() const { return finding_; }
  std::uint64_t deliveries() const { return deliveries_; }
  /// What joins yielded.
  const JoinChecker& joins() const { return joins_; }

 private:
  bool has_right_bytes(const tlm::tlm_generic_payload& message, const MessageExtension& extension);
  bool is_for(const MessageRecord& record, NodeId receiver) const;
  bool is_repeated(const MessageRecord& record, const MessageExtension& extension);
  std::size_t expected_deliveries(const MessageRecord& record) const;
  void fail(const MessageExtension& extension, const std::string& what);

  const MessageLog& log_;
  const Routing& routing_;
  std::vector<std::uint32_t> delivered_;           // deliveries per message
  std::set<std::pair<MessageId, NodeId>> copies_;  // copies of messages of all kinds but unicasts
  JoinChecker joins_;
  std::uint64_t deliveries_ = 0;
  bool looks_at_payloads_ = true;
  std::string finding_;
};

}  // namespace allport
