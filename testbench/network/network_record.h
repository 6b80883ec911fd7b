// SPDX-License-Identifier: Apache-2.0
// A NetworkRecord keeps what Network::results() tells of: all messages, their receptions and their
// contention. It grows with each message, and is there only where it was asked for.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "testbench/observe/monitors/contention_monitor.h"
#include "testbench/plan/plan_run.h"
#include "testbench/results/results.h"
#include "tlm/message/message_log.h"
#include "tlm/worm/engine.h"

namespace allport {

class NetworkRecord final : private WormContentionListener {
 public:
  /// Of all messages of `engine`; `plan` and `engine` must outlive it.
  NetworkRecord(const RunPlan& plan, WormEngine& engine);
  /// The same record, for an equal plan and an engine that takes over the state of that of `other`.
  NetworkRecord(const NetworkRecord& other, const RunPlan& plan, WormEngine& engine);
  NetworkRecord(const NetworkRecord&) = delete;
  NetworkRecord& operator=(const NetworkRecord&) = delete;
  ~NetworkRecord() override = default;

  /// Notes a message, whose number in the engine is its place among those noted.
  void send(const MessageRecord& message) { log_.add(message); }
  /// Notes that a node has received one; `is_last`: that all have.
  void receive(const WormReception& reception, bool is_last);

  /// Finds the deadlock, if there is one, among the messages of a log, and tells the monitor of the
  /// waits that do not end.
  using FindDeadlock =
      std::function<std::optional<Deadlock>(const MessageLog& log, ContentionMonitor& contention)>;
  /// What a run would tell of them in cycle `now`.
  Results results(Cycle now, const FindDeadlock& find_deadlock) const;
  /// The messages, whose orders are their places at their senders, which send in the order of (at,
  /// call).
  MessageLog named_messages() const;

 private:
  struct Received {
    MessageId message = no_message;
    NodeId node{};
    Cycle injected = 0;
    Cycle head = 0;
    Cycle tail = 0;
  };

  void on_contention(const WormContention& wait) override { contention_.count(plan_.router, wait); }
  void add_contention(Cycle now, const MessageLog& messages, const FindDeadlock& find_deadlock,
                      Results& results) const;
  void add_deliveries(const MessageLog& messages, Results& results) const;
  void add_traffic(Cycle now, Results& results) const;

  const RunPlan& plan_;
  const WormEngine& engine_;
  MessageLog log_;
  ContentionMonitor contention_;
  std::vector<Received> received_;
  std::vector<std::uint64_t> crossings_;  // flits of messages that are over, by router and port
};

}  // namespace allport
