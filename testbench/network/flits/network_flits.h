// SPDX-License-Identifier: Apache-2.0
// NetworkFlits is the fabric of routers behind a network, flit by flit, paced by calls.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "rtl_model/systemc/fabric.h"
#include "testbench/network/flits/flit_terminal.h"
#include "testbench/network/network_fabric.h"
#include "testbench/observe/explain/flit_movement.h"
#include "testbench/observe/monitors/route_log.h"
#include "testbench/observe/waves/wave_recorder.h"

namespace allport {

/// The name of a network's fabric among the modules. SystemC keeps the place of every name for
/// good, so that names of networks that are gone are given anew.
class NetworkName {
 public:
  NetworkName();
  NetworkName(const NetworkName&) = delete;
  NetworkName& operator=(const NetworkName&) = delete;
  ~NetworkName();
  std::string text() const { return "allport_network_" + std::to_string(number_); }

 private:
  int number_ = 0;
};

class NetworkFlits final : public NetworkFabric,
                           private FlitTerminalListener,
                           private FlitObserver {
 public:
  /// `plan` and `listener` must outlive it. `reception_limit`: 0 for none.
  NetworkFlits(const RunPlan& plan, WormListener& listener, std::int64_t reception_limit);
  std::unique_ptr<NetworkFabric> copy(const RunPlan& plan, WormListener& listener) const override;

  void send(const WormRequest& request) override;
  void take(NodeId node, int port, int message_class, std::int64_t flits, Cycle now) override;
  Cycle next_moment() const override;
  void pass(Cycle moment) override;
  bool is_idle() const override { return messages_ == 0; }
  std::int64_t unsent(NodeId node, int port, int message_class, Cycle now) const override;
  bool is_sending(NodeId, int, int) const override { return false; }
  Deadlock find_deadlock(const MessageLog& log, const Awaited* awaited,
                         ContentionMonitor& contention) const override;

  void record(ContentionMonitor& contention) override;
  const RouteLog* routes() const override;
  void end(const MessageRecord*) override { --messages_; }
  std::vector<std::uint64_t> crossings(Cycle) const override { return crossings_; }
  void add_open_contention(Cycle now, ContentionMonitor& contention) const override;
  void write(Movement& movement, const MessageLog& log) override;
  void go_on_writing(const NetworkFabric& other, Movement& movement) override;
  bool explains(MessageKind) const override { return true; }
  void finish_movement(Cycle now, Movement& copy) const override;
  void record_wave(const NetworkWave& wave) override;
  void finish_wave(Cycle now, const Results& results, const MessageLog& log) override;

 private:
  void on_head(MessageId message, Cycle now) override;
  void on_tail(const WormReception& reception) override { received_.push_back(reception); }
  void on_sent(NodeId node, int output, const Flit& flit, Cycle on_channel) override;
  void on_won(NodeId node, int output, const Flit& flit, Cycle decided) override;
  void count_crossing(NodeId node, int output);
  void tell_of_receptions();

  const NetworkName name_;
  const RunPlan& plan_;
  WormListener& listener_;
  mutable Fabric fabric_;  // a search for a deadlock names routers, and changes nothing
  RouteLog routes_;        // used under adaptive routing
  std::vector<std::unique_ptr<FlitTerminal>> terminals_;  // by node
  std::vector<Cycle> injected_;  // by message: the cycle of the head on the injection channel
  std::size_t messages_ = 0;     // under way or queued
  std::vector<WormReception> received_;   // in the present cycle
  Cycle present_ = 0;                     // the first moment that has not been passed
  std::vector<std::uint64_t> crossings_;  // by router and external port, if they are recorded
  std::unique_ptr<FlitMovement> movement_;
  const ContentionMonitor* contention_ = nullptr;  // null: nothing is recorded
  const MessageLog* named_ = nullptr;              // the messages of the wave, once it is finished
  std::unique_ptr<WaveRecorder> wave_;
};

}  // namespace allport
