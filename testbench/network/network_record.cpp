// SPDX-License-Identifier: Apache-2.0
#include "testbench/network/network_record.h"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <tuple>

#include "testbench/observe/monitors/channel_load.h"
#include "testbench/observe/monitors/delivery_log.h"
#include "testbench/observe/monitors/measurement_window.h"
#include "testbench/observe/monitors/source_queues.h"

namespace allport {

NetworkRecord::NetworkRecord(const RunPlan& plan, NetworkFabric& fabric)
    : plan_(plan), fabric_(fabric), contention_({log_, plan.routing, fabric.routes()}) {
  fabric.record(contention_);
}

NetworkRecord::NetworkRecord(const NetworkRecord& other, const RunPlan& plan, NetworkFabric& fabric)
    : NetworkRecord(plan, fabric) {
  log_ = other.log_;
  contention_.take_over(other.contention_);
  received_ = other.received_;
}

void NetworkRecord::receive(const WormReception& reception) {
  received_.push_back({reception.message, node_id(reception.destination), reception.injected,
                       reception.head, reception.tail});
}

Results NetworkRecord::results(Cycle now, const FindDeadlock& find_deadlock) const {
  Results results;
  const MessageLog messages = named_messages();
  results.messages = messages.size();
  add_deliveries(messages, results);
  add_contention(now, messages, find_deadlock, results);
  add_traffic(now, results);
  if (results.deadlock) results.cycles = std::max(results.cycles, results.deadlock->cycle);
  return results;
}

MessageLog NetworkRecord::named_messages() const {
  std::vector<std::uint32_t> places(log_.size());
  std::iota(places.begin(), places.end(), 0U);
  std::sort(places.begin(), places.end(), [this](std::uint32_t a, std::uint32_t b) {
    const MessageRecord& one = log_[MessageId{a}];
    const MessageRecord& other = log_[MessageId{b}];
    return std::tuple(one.source, one.created, a) < std::tuple(other.source, other.created, b);
  });
  std::vector<int> orders(places.size());
  for (std::size_t i = 1; i < places.size(); ++i) {
    const bool is_first =
        log_[MessageId{places[i]}].source != log_[MessageId{places[i - 1]}].source;
    orders[places[i]] = is_first ? 0 : orders[places[i - 1]] + 1;
  }
  MessageLog named = log_;
  for (std::uint32_t place = 0; place < orders.size(); ++place) {
    named.set_order(MessageId{place}, orders[place]);
  }
  return named;
}

// The cycles end with the last reception.
void NetworkRecord::add_deliveries(const MessageLog& messages, Results& results) const {
  DeliveryLog deliveries;
  deliveries.reserve(received_.size());
  for (const Received& one : received_) {
    const MessageRecord& message = messages[one.message];
    deliveries.add({message.source, one.node, message.order, one.head, one.tail});
    results.cycles = std::max(results.cycles, one.tail);
  }
  deliveries.end_trial();
  results.digest = deliveries.digest();
  results.deliveries = deliveries.take();
}

void NetworkRecord::add_contention(Cycle now, const MessageLog& messages,
                                   const FindDeadlock& find_deadlock, Results& results) const {
  ContentionMonitor contention({messages, plan_.routing, fabric_.routes()});
  contention.take_over(contention_);
  results.deadlock = find_deadlock(messages, contention);
  if (results.deadlock) {
    results.cycles = std::max(results.cycles, results.deadlock->cycle);
  } else {
    fabric_.add_open_contention(now, contention);
  }
  contention.report(0, ContentionMonitor::max_listed, results.contention, results.reception);
}

void NetworkRecord::add_traffic(Cycle now, Results& results) const {
  const std::vector<std::uint64_t> crossings = fabric_.crossings(now);
  results.flit_hops = std::accumulate(crossings.begin(), crossings.end(), std::uint64_t{0});
  if (now == 0) return;
  const Topology& topology = plan_.routing.topology();
  const MeasurementWindow window{0, now};
  const double node_cycles = static_cast<double>(now) * static_cast<double>(topology.node_count());
  std::int64_t offered = 0;
  for (std::size_t i = 0; i < log_.size(); ++i) {
    const MessageRecord& message = log_[static_cast<MessageId>(i)];
    if (message.created < now) offered += message.flits;
  }
  std::vector<Cycle> latencies;
  std::vector<Cycle> network_latencies;
  std::int64_t ejected = 0;
  for (const Received& one : received_) {
    const MessageRecord& message = log_[one.message];
    ejected += window.flits_ejected(one.head, one.tail, message.flits);
    latencies.push_back(one.tail - message.created);
    network_latencies.push_back(one.tail - one.injected);
  }
  TrafficResults& traffic = results.traffic.emplace();
  traffic.offered = static_cast<double>(offered) / node_cycles;
  traffic.accepted = static_cast<double>(ejected) / node_cycles;
  traffic.latency_histogram = histogram(latencies);
  traffic.latency = distribution(latencies);
  traffic.network_latency = distribution(network_latencies);
  traffic.channel_load = channel_load(topology, crossings, now);
}

}  // namespace allport
