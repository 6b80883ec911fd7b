// SPDX-License-Identifier: Apache-2.0
// What waits at the nodes is counted anew, flit by flit and cycle by cycle, and who waits for room
// is told of it in the first cycle in which somebody who asks in every cycle finds some.
#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "testbench/network/network.h"
#include "testbench/plan/plan_run.h"
#include "tests/properties/reference/random_cases.h"
#include "tests/testbench/network/network_cases.h"
#include "tlm/worm/engine.h"

namespace allport::test {
namespace {

// Notes in which cycles flits of each queue, of a node and a message class, are put on injection
// channels: of a fabric of worms that is told of all messages before it starts, by what it tells of
// its movement.
class InjectionLog final : public WormMovementListener, public WormListener {
 public:
  explicit InjectionLog(std::size_t queues) : flits_(queues) {}

  void on_granted(WormIndex id, const Passage& passage, const Passage*, Cycle) override {
    if (id >= senders_.size()) senders_.resize(2 * std::size_t{id} + 2);
    senders_[id] = {passage.is_first ? static_cast<int>(queue_of(passage.message)) : -1, -1};
  }
  void on_start(WormIndex id, Cycle now) override { senders_[id].since = now; }
  void on_stop(WormIndex id, Cycle now) override {
    for (Cycle at = senders_[id].since; at >= 0 && at < now; ++at) note(id, at);
    senders_[id].since = -1;
  }
  void on_move(WormIndex id, Cycle now) override { note(id, now); }
  void on_slept(WormIndex id, std::uint64_t moves, Cycle period, Cycle periods,
                Cycle from) override {
    const bool is_running = senders_[id].since >= 0;
    if (is_running) on_stop(id, from);
    for (Cycle at = from; at < from + periods * period; ++at) {
      if ((moves >> (period - 1 - (at - from) % period) & 1U) != 0) note(id, at);
    }
    if (is_running) senders_[id].since = from + periods * period;
    has_slept_ = has_slept_ || periods > 0;
  }
  void on_sent(NodeId, MessageId, Cycle) override {}
  void on_received(const WormReception&) override {}

  /// The next message is of `queue`.
  void add(std::size_t queue) { queues_.push_back(queue); }
  bool has_slept() const { return has_slept_; }
  /// The flits of `queue` that were put on channels in `cycle`.
  std::int64_t flits(std::size_t queue, Cycle cycle) const {
    const auto found = flits_[queue].find(cycle);
    return found == flits_[queue].end() ? 0 : found->second;
  }

 private:
  struct Sender {
    int queue = -1;  // -1: it is no passage onto an injection channel
    Cycle since = -1;
  };
  std::size_t queue_of(MessageId id) const { return queues_[static_cast<std::size_t>(id)]; }
  void note(WormIndex id, Cycle cycle) {
    if (senders_[id].queue >= 0) ++flits_[static_cast<std::size_t>(senders_[id].queue)][cycle];
  }

  std::vector<std::size_t> queues_;                   // by message
  std::vector<Sender> senders_;                       // by passage
  std::vector<std::map<Cycle, std::int64_t>> flits_;  // by queue
  bool has_slept_ = false;
};

RunPlan plan_of(const std::string& options) {
  const NetworkRequest network = read_network_request(options);
  RunRequest request;
  request.fabric = network.fabric;
  request.router = network.router;
  request.traffic.ties = network.ties;
  request.model = Model::worm;
  return plan_fabric(request);
}

TEST(NetworkQueue, IsThatOfTheFlitsThatHaveNotGone) {
  const RandomCases cases(300);
  int slept = 0;
  for (std::uint64_t seed = cases.first; seed < cases.end; ++seed) {
    Draw draw(seed + 500000);
    const std::string options = draw_options(draw);
    const RunPlan plan = plan_of(options);
    const std::size_t nodes = plan.routing.topology().node_count();
    const int classes = classes_of(options);
    const auto messages = by_time(draw_unicasts(draw, nodes, classes, 1 + draw.below(16)));
    InjectionLog log(nodes * static_cast<std::size_t>(classes));
    const auto queue_of = [classes](std::size_t node, int message_class) {
      return node * static_cast<std::size_t>(classes) + static_cast<std::size_t>(message_class);
    };
    WormEngine engine(plan.router, plan.routing, log);
    engine.observe(static_cast<WormMovementListener&>(log));
    Network network = network_of(options);
    std::vector<std::int64_t> waiting(nodes * static_cast<std::size_t>(classes));
    for (std::size_t i = 0; i < messages.size(); ++i) {
      const NetworkMessage& one = messages[i].message;
      const TieMask ties = plan.routing.default_ties(one.source, one.destination, 0);
      const std::size_t queue = queue_of(index(one.source), one.message_class);
      log.add(queue);
      engine.send({static_cast<MessageId>(i), one.source, one.destination, ties,
                   static_cast<int>(one.flits), messages[i].at, -1, MessageKind::unicast, 0,
                   one.message_class});
      network.send(one, messages[i].at);
      waiting[queue] += one.flits;
    }
    for (Cycle moment = engine.next_moment(); moment != WormCalendar::never;
         moment = engine.next_moment()) {
      engine.pass(moment);
    }
    if (log.has_slept()) ++slept;
    for (Cycle cycle = 0; !network.is_idle() && cycle < end_of_case; ++cycle) {
      for (std::size_t node = 0; node < nodes; ++node) {
        for (int one = 0; one < classes; ++one) {
          const std::size_t queue = queue_of(node, one);
          ASSERT_EQ(network.queued(node_id(node), one), waiting[queue])
              << "seed " << seed << ", cycle " << cycle << ", node " << node << ": " << options;
          waiting[queue] -= log.flits(queue, cycle);
        }
      }
      if (draw.below(4) == 0) {
        network.advance_to_delivery(cycle);  // after the receptions of a cycle it is the same
        if (network.now() == cycle) network.queued(node_id(0));
      }
      if (network.now() == cycle) network.advance(cycle);
    }
  }
  EXPECT_GT(slept, 0);  // the test has seen worms that move in step
}

// Each node has messages that it sends as early as the limit lets it.
struct Backlog {
  std::vector<std::deque<NetworkMessage>> messages;  // by node
};

Backlog draw_backlog(Draw& draw, std::size_t nodes, int classes, std::int64_t limit) {
  Backlog backlog;
  backlog.messages.resize(nodes);
  const int count = 2 + draw.below(40);
  for (int i = 0; i < count; ++i) {
    const auto source = static_cast<std::size_t>(draw.below(static_cast<int>(nodes)));
    const std::size_t destination =
        (source + 1 + static_cast<std::size_t>(draw.below(static_cast<int>(nodes) - 1))) % nodes;
    const std::int64_t flits = 1 + draw.below(static_cast<int>(limit));
    backlog.messages[source].push_back(
        unicast(source, destination, flits, static_cast<std::uint64_t>(i)));
    backlog.messages[source].back().message_class = draw.below(classes);
  }
  return backlog;
}

struct Happened {
  std::vector<std::pair<Cycle, std::size_t>> room;  // in which cycle which node had room
  std::vector<Told> deliveries;
};

void send_what_fits(Network& network, std::deque<NetworkMessage>& messages) {
  while (!messages.empty() && network.try_send(messages.front(), network.now())) {
    messages.pop_front();
  }
}

Happened told_of_room(const std::string& options, Backlog backlog, Draw& draw) {
  Happened happened;
  Network network = network_of(options);
  network.on_space([&](NodeId node, int) {
    happened.room.emplace_back(network.now(), index(node));
    send_what_fits(network, backlog.messages[index(node)]);
  });
  for (auto& messages : backlog.messages) send_what_fits(network, messages);
  while (!network.is_idle() && network.now() < end_of_case) {
    const Cycle to = network.now() + draw.one_of<int>({0, 1, 5, 100, 20000});
    const auto& received =
        draw.below(2) == 0 ? network.advance(to) : network.advance_to_delivery(to);
    for (const NetworkDelivery& one : received) happened.deliveries.push_back(told(one));
  }
  return happened;
}

Happened asking_in_every_cycle(const std::string& options, Backlog backlog) {
  Happened happened;
  Network network = network_of(options);
  for (auto& messages : backlog.messages) send_what_fits(network, messages);
  while (!network.is_idle() && network.now() < end_of_case) {
    for (const NetworkDelivery& one : network.advance(network.now())) {
      happened.deliveries.push_back(told(one));
    }
    for (std::size_t node = 0; node < backlog.messages.size(); ++node) {
      auto& messages = backlog.messages[node];
      if (messages.empty()) continue;
      const NetworkMessage& first = messages.front();
      const std::int64_t waiting = network.queued(node_id(node), first.message_class);
      if (waiting + first.flits > *network.limit()) continue;
      happened.room.emplace_back(network.now(), node);
      send_what_fits(network, messages);
    }
  }
  return happened;
}

TEST(NetworkQueue, WhoWaitsForRoomIsToldInTheFirstCycleThatHasSome) {
  const RandomCases cases(300);
  std::size_t calls = 0;
  for (std::uint64_t seed = cases.first; seed < cases.end; ++seed) {
    Draw draw(seed + 900000);
    const auto limit = draw.one_of<int>({1, 2, 7, 40, 300});
    const std::string options = draw_options(draw) + " queue_limit=" + std::to_string(limit);
    const std::size_t nodes = read_network_request(options).fabric.topology->node_count();
    const Backlog backlog = draw_backlog(draw, nodes, classes_of(options), limit);
    const Happened told = told_of_room(options, backlog, draw);
    const Happened asked = asking_in_every_cycle(options, backlog);
    ASSERT_EQ(told.room, asked.room) << "seed " << seed << ": " << options;
    ASSERT_EQ(told.deliveries, asked.deliveries) << "seed " << seed << ": " << options;
    calls += told.room.size();
  }
  EXPECT_GT(calls, cases.end - cases.first);  // the test has something to see
}

}  // namespace
}  // namespace allport::test
