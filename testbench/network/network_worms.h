// SPDX-License-Identifier: Apache-2.0
// NetworkWorms is the fabric of worms behind a network.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "testbench/network/network_fabric.h"
#include "testbench/observe/explain/worm_movement.h"
#include "tlm/worm/engine.h"

namespace allport {

class NetworkWorms final : public NetworkFabric, private WormContentionListener {
 public:
  /// `plan` and `listener` must outlive it.
  NetworkWorms(const RunPlan& plan, WormListener& listener, std::int64_t reception_limit);
  std::unique_ptr<NetworkFabric> copy(const RunPlan& plan, WormListener& listener) const override;

  void send(const WormRequest& request) override { engine_.send(request); }
  void take(NodeId node, int port, int message_class, std::int64_t flits, Cycle now) override {
    engine_.take(node, port, message_class, flits, now);
  }
  Cycle next_moment() const override { return engine_.next_moment(); }
  void pass(Cycle moment) override { engine_.pass(moment); }
  bool is_idle() const override { return engine_.is_idle(); }
  std::int64_t unsent(NodeId node, int port, int message_class, Cycle now) const override {
    return engine_.unsent(node, port, message_class, now);
  }
  bool is_sending(NodeId node, int port, int message_class) const override {
    return engine_.is_sending(node, port, message_class);
  }
  Deadlock find_deadlock(const MessageLog& log, const Awaited* awaited,
                         ContentionMonitor& contention) const override;

  void record(ContentionMonitor& contention) override;
  void end(const MessageRecord* recorded) override;
  std::vector<std::uint64_t> crossings(Cycle now) const override;
  void add_open_contention(Cycle now, ContentionMonitor& contention) const override;
  void write(Movement& movement, const MessageLog& log) override;
  void go_on_writing(const NetworkFabric& other, Movement& movement) override;
  bool explains(MessageKind kind) const override { return kind == MessageKind::unicast; }
  void finish_movement(Cycle now, Movement& copy) const override;

 private:
  void on_contention(const WormContention& wait) override { contention_->hear(plan_.router, wait); }

  const RunPlan& plan_;
  const std::int64_t reception_limit_;
  WormEngine engine_;
  ContentionMonitor* contention_ = nullptr;  // null: nothing is recorded
  std::vector<std::uint64_t> crossings_;     // flits of messages that are over, by router and port
  std::optional<WormMovement> writer_;
};

}  // namespace allport
