// SPDX-License-Identifier: Apache-2.0
// A NetworkRecord keeps what Network::results() tells of: all messages, their receptions and their
// contention. It grows with each message, and is there only where it was asked for.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "testbench/network/network_fabric.h"
#include "testbench/observe/monitors/contention_monitor.h"
#include "testbench/plan/plan_run.h"
#include "testbench/results/results.h"
#include "tlm/message/message_log.h"

namespace allport {

class NetworkRecord {
 public:
  /// Of all messages of `fabric`; `plan` and `fabric` must outlive it.
  NetworkRecord(const RunPlan& plan, NetworkFabric& fabric);
  /// The same record, for an equal plan and a fabric that is a copy of that of `other`.
  NetworkRecord(const NetworkRecord& other, const RunPlan& plan, NetworkFabric& fabric);
  NetworkRecord(const NetworkRecord&) = delete;
  NetworkRecord& operator=(const NetworkRecord&) = delete;
  ~NetworkRecord() = default;

  /// Notes a message, whose number in the fabric is its place among those noted.
  void send(const MessageRecord& message) { log_.add(message); }
  /// Notes that a node has received one.
  void receive(const WormReception& reception);

  /// Finds the deadlock, if there is one, among the messages of a log, and tells the monitor of the
  /// waits that do not end.
  using FindDeadlock =
      std::function<std::optional<Deadlock>(const MessageLog& log, ContentionMonitor& contention)>;
  /// What a run would tell of them in cycle `now`.
  Results results(Cycle now, const FindDeadlock& find_deadlock) const;
  /// The messages, whose orders are their places at their senders, which send in the order of (at,
  /// call).
  MessageLog named_messages() const;
  /// The messages, whose orders are 0.
  const MessageLog& messages() const { return log_; }

 private:
  struct Received {
    MessageId message = no_message;
    NodeId node{};
    Cycle injected = 0;
    Cycle head = 0;
    Cycle tail = 0;
  };

  void add_contention(Cycle now, const MessageLog& messages, const FindDeadlock& find_deadlock,
                      Results& results) const;
  void add_deliveries(const MessageLog& messages, Results& results) const;
  void add_traffic(Cycle now, Results& results) const;

  const RunPlan& plan_;
  NetworkFabric& fabric_;
  MessageLog log_;
  ContentionMonitor contention_;
  std::vector<Received> received_;
};

}  // namespace allport
