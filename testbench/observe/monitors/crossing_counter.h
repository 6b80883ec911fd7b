// SPDX-License-Identifier: Apache-2.0
// A CrossingCounter counts the flits that cross each external channel within a measurement window.
// It is told of them while they move: by FlitCrossings from a fabric of routers, by WormCrossings
// from a fabric of worms.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "rtl_model/systemc/observers.h"
#include "rtl_model/topology/routing.h"
#include "testbench/observe/monitors/channel_load.h"
#include "testbench/observe/monitors/measurement_window.h"
#include "testbench/results/results.h"
#include "tlm/message/message_log.h"
#include "tlm/worm/listeners.h"

namespace allport {

/// What is counted. A flit crosses a channel in the cycle in which its router decides to send it.
struct CountedCrossings {
  MeasurementWindow window;
  /// Messages of the collectives from this one on are counted.
  int first_collective = 0;
  /// The last cycle of the window, if it comes before its end, as far as it is known; null: it does
  /// not.
  std::function<std::optional<Cycle>()> last_cycle = nullptr;
};

class CrossingCounter {
 public:
  /// `routing` and `log` must outlive it.
  CrossingCounter(const Routing& routing, const MessageLog& log, CountedCrossings counted);

  int ports() const { return static_cast<int>(ports_); }
  /// Whether the flits of `message` are counted.
  bool counts(MessageId message) const {
    return counted_.first_collective == 0 || is_late_enough(message);
  }
  /// A flit crosses the channel of external port `port` of `node` in each cycle of `first` ..
  /// `last` - 1.
  void add(NodeId node, int port, Cycle first, Cycle last) {
    flits_[index(node) * ports_ + static_cast<std::size_t>(port)] +=
        static_cast<std::uint64_t>(window().overlap(first, last));
  }
  /// A flit crosses it in `cycle`, the present one or an earlier one.
  void add(NodeId node, int port, Cycle cycle) {
    if (!counted_.window.contains(cycle)) return;
    if (counted_.last_cycle != nullptr && is_after_the_last(cycle)) return;
    ++flits_[index(node) * ports_ + static_cast<std::size_t>(port)];
  }
  /// The same `times` times, each time `period` cycles later.
  void add_every(NodeId node, int port, Cycle cycle, Cycle period, Cycle times);
  /// The load in flits per cycle, over `cycles` > 0.
  ChannelLoad load(Cycle cycles) const { return channel_load(routing_.topology(), flits_, cycles); }

 private:
  MeasurementWindow window() const;
  [[gnu::noinline]] bool is_late_enough(MessageId message) const;
  [[gnu::noinline]] bool is_after_the_last(Cycle cycle) const;

  const Routing& routing_;
  const MessageLog& log_;
  const CountedCrossings counted_;
  std::size_t ports_;
  std::vector<std::uint64_t> flits_;  // by node, then port
};

/// Tells a counter of what crosses the channels of a fabric of routers.
class FlitCrossings final : public FlitObserver, public HearsInParts {
 public:
  /// `counter` must outlive it; `exit_delay`: that of the routers.
  FlitCrossings(CrossingCounter& counter, int exit_delay)
      : counter_(counter), exit_delay_(exit_delay) {}

  void on_sent(NodeId node, int output, const Flit& flit, Cycle on_channel) override;

 private:
  CrossingCounter& counter_;
  const Cycle exit_delay_;
};

/// Tells a counter of what crosses the channels of a fabric of worms.
class WormCrossings final : public WormMovementListener {
 public:
  /// `counter` must outlive it.
  explicit WormCrossings(CrossingCounter& counter) : counter_(counter) {}

  bool may_hear_late() const override { return true; }
  void on_granted(WormIndex id, const Passage& passage, const Passage* next, Cycle now) override;
  void on_start(WormIndex id, Cycle now) override;
  void on_stop(WormIndex id, Cycle now) override;
  void on_move(WormIndex id, Cycle now) override;
  void on_slept(WormIndex id, std::uint64_t moves, Cycle period, Cycle periods,
                Cycle from) override;
  /// Tells of what is still moving, up to and including cycle `end`.
  void settle(Cycle end);

 private:
  struct Sender {
    NodeId node{};
    int port = -1;     // external; -1: it is not counted
    Cycle since = -1;  // from when on a flit leaves in every cycle; -1: none does
  };

  CrossingCounter& counter_;
  std::vector<Sender> passages_;  // by passage
};

}  // namespace allport
