// SPDX-License-Identifier: Apache-2.0
#include "testbench/studies/bench/network_run.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <queue>
#include <utility>
#include <vector>

#include "testbench/network/network.h"
#include "testbench/observe/monitors/delivery_log.h"
#include "testbench/simulation/stopwatch.h"
#include "traffic/patterns/synthetic_traffic.h"

namespace allport {

namespace {

NetworkRequest network_request(const RunPlan& plan) {
  NetworkRequest request;
  request.fabric = plan.request.fabric;
  request.router = plan.request.router;
  request.ties = plan.request.traffic.ties;
  request.flit_bytes = plan.request.message.flit_bytes;
  return request;
}

// External channels that flits cross: the messages are drawn once more, so that nobody counts while
// time is measured.
std::uint64_t flit_hops_of(const RunPlan& plan) {
  const Topology& topology = plan.routing.topology();
  const SyntheticTraffic traffic(*plan.traffic(), topology);
  std::uint64_t hops = 0;
  for (std::size_t i = 0; i < topology.node_count(); ++i) {
    if (!traffic.sends(node_id(i))) continue;
    MessageSource messages(traffic, node_id(i));
    while (const std::optional<Start> start = messages.next()) {
      const auto flits = static_cast<std::uint64_t>(start->flits);
      hops += flits * plan.routing.path(node_id(i), start->destination).size();
    }
  }
  return hops;
}

// The messages of a pattern and the network that carries them; `user` of a message is its order.
class PatternClient {
 public:
  PatternClient(Network& network, const TrafficRequest& request)
      : network_(network), traffic_(request, network.topology()) {
    for (std::size_t i = 0; i < network.topology().node_count(); ++i) {
      const NodeId node = node_id(i);
      senders_.push_back({MessageSource(traffic_, node), std::nullopt, 0});
      if (traffic_.sends(node)) expect(i);
    }
  }

  void run(Results& results) {
    while (!due_.empty()) {
      const auto [cycle, node] = due_.top();
      due_.pop();
      if (cycle > network_.now()) note(network_.advance(cycle - 1));
      Sender& sender = senders_[node];
      NetworkMessage message;
      message.source = node_id(node);
      message.destination = sender.next->destination;
      message.flits = sender.next->flits;
      message.user = sender.sent++;
      network_.send(message, cycle);
      expect(node);
    }
    while (!network_.is_idle()) note(network_.advance_to_delivery(network_.now() + a_while));
    log_.end_trial();
    results.digest = log_.digest();
    results.cycles = last_tail_;
    results.messages = received_;
  }

 private:
  static constexpr Cycle a_while = 1'000'000;
  using Due = std::pair<Cycle, std::size_t>;
  struct Sender {
    MessageSource messages;
    std::optional<Start> next;
    std::uint64_t sent = 0;
  };

  void expect(std::size_t node) {
    Sender& sender = senders_[node];
    sender.next = sender.messages.next();
    if (sender.next) due_.emplace(sender.next->cycle, node);
  }

  void note(const std::vector<NetworkDelivery>& received) {
    for (const NetworkDelivery& one : received) {
      log_.add({one.source, one.destination, static_cast<int>(one.user), one.head, one.tail});
      last_tail_ = one.tail;
    }
    received_ += received.size();
  }

  Network& network_;
  const SyntheticTraffic traffic_;
  std::vector<Sender> senders_;
  std::priority_queue<Due, std::vector<Due>, std::greater<>> due_;
  DeliveryLog log_;
  Cycle last_tail_ = 0;
  std::uint64_t received_ = 0;
};

}  // namespace

Results run_network(const RunPlan& plan) {
  Results results;
  const Stopwatch startup;
  Network network(network_request(plan));
  results.startup_seconds = startup.seconds();
  results.wall_seconds = timed([&] { PatternClient(network, *plan.traffic()).run(results); });
  results.flit_hops = flit_hops_of(plan);
  return results;
}

}  // namespace allport
