// SPDX-License-Identifier: Apache-2.0
// A NetworkFabric is the fabric behind a network, which moves when it is told to: worms
// (network_worms.h), or flits (flits/network_flits.h). Time goes from moment to moment: in a cycle
// come its receptions, then what nodes put on injection channels, then what routers decide
// (tlm/worm/calendar.h).
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "testbench/network/network.h"
#include "testbench/observe/explain/movement.h"
#include "testbench/observe/monitors/contention_monitor.h"
#include "testbench/plan/plan_run.h"
#include "testbench/results/results.h"
#include "tlm/message/message_log.h"
#include "tlm/worm/calendar.h"
#include "tlm/worm/listeners.h"
#include "tlm/worm/request.h"

namespace allport {

class NetworkFabric {
 public:
  /// What clients wait for before they take anything, by node and message class.
  using Awaited = std::map<std::pair<std::uint32_t, int>, std::vector<MessageId>>;

  NetworkFabric() = default;
  NetworkFabric(const NetworkFabric&) = delete;
  NetworkFabric& operator=(const NetworkFabric&) = delete;
  virtual ~NetworkFabric() = default;
  /// A fabric in the same state, for an equal `plan`, which tells `listener`. Throws
  /// std::invalid_argument, one sentence, if there is none.
  virtual std::unique_ptr<NetworkFabric> copy(const RunPlan& plan,
                                              WormListener& listener) const = 0;

  /// Queues a message on its injection channel, from whose `start` on it may go.
  virtual void send(const WormRequest& request) = 0;
  /// `node` takes a message out of its reception buffer in cycle `now`.
  virtual void take(NodeId node, int port, int message_class, std::int64_t flits, Cycle now) = 0;
  /// The first moment at which anything happens; WormCalendar::never if there is none.
  virtual Cycle next_moment() const = 0;
  /// Has happen what does at `moment`, that one.
  virtual void pass(Cycle moment) = 0;
  /// Whether no message is under way or queued.
  virtual bool is_idle() const = 0;
  /// All receivers of a message have been told of; `recorded`: its record, or null.
  virtual void end(const MessageRecord* recorded) = 0;
  /// Flits of a class at an injection channel that were not on it in a cycle before `now`.
  virtual std::int64_t unsent(NodeId node, int port, int message_class, Cycle now) const = 0;
  /// Whether one of them may go without a further event.
  virtual bool is_sending(NodeId node, int port, int message_class) const = 0;

  /// The deadlock of a fabric in which nothing moves any more, among the messages of `log`.
  /// `awaited`: null where nodes take everything at once. Tells `contention` of waits that do not
  /// end, and of which it has not heard.
  virtual Deadlock find_deadlock(const MessageLog& log, const Awaited* awaited,
                                 ContentionMonitor& contention) const = 0;

  // What is recorded, from the first cycle on.
  /// From now on `contention` hears of contention and crossings are counted.
  virtual void record(ContentionMonitor& contention) = 0;
  /// The channels that messages took, if the routing does not determine them; else null.
  virtual const RouteLog* routes() const { return nullptr; }
  /// Flits that left by each external channel in cycles before `now`, by node, then port.
  virtual std::vector<std::uint64_t> crossings(Cycle now) const = 0;
  /// Tells `contention`, a copy, of what has been lost in cycles before `now` and is not over.
  virtual void add_open_contention(Cycle now, ContentionMonitor& contention) const = 0;

  /// From now on `movement` has the movement of the messages of `log`.
  virtual void write(Movement& movement, const MessageLog& log) = 0;
  /// Goes on in `movement`, which has taken over that of `other`, of which this is a copy.
  virtual void go_on_writing(const NetworkFabric& other, Movement& movement) = 0;
  /// Whether the latencies of messages of `kind` can be explained from it.
  virtual bool explains(MessageKind kind) const = 0;
  /// Writes into `copy`, a copy of the movement, what is still moving in cycles before `now`.
  virtual void finish_movement(Cycle /*now*/, Movement& /*copy*/) const {}

  /// From now on its signals go into a wave; the contention of its messages is recorded already.
  virtual void record_wave(const NetworkWave& /*wave*/) {}
  /// Completes the wave, whose messages are those of `log`, with what was in cycles before `now`.
  /// Throws std::runtime_error, one sentence, if a file could not be written.
  virtual void finish_wave(Cycle /*now*/, const Results& /*results*/, const MessageLog& /*log*/) {}
};

/// Makes the fabric of a plan. `reception_limit`: 0 for none.
using NetworkFabricMaker = std::function<std::unique_ptr<NetworkFabric>(
    const RunPlan& plan, WormListener& listener, std::int64_t reception_limit)>;

}  // namespace allport
