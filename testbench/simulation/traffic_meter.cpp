// SPDX-License-Identifier: Apache-2.0
#include "testbench/simulation/traffic_meter.h"

#include <algorithm>
#include <tuple>
#include <utility>
#include <vector>

#include "rtl_model/graphs/node_ports.h"
#include "testbench/plan/requirements.h"
#include "testbench/simulation/stopwatch.h"

namespace allport {

TrafficRequest TrafficMeter::settled(TrafficRequest request) const {
  request.flits = core_.config.flits;
  require_room(core_.config.fabric, request.longest_flits());
  request.seed = core_.config.seed;
  if (core_.routing.table() == nullptr) request.ties = core_.routing.tie_break();
  return request;
}

MeasurementWindow TrafficMeter::run(const TrafficRequest& request,
                                    const std::function<void(const SyntheticTraffic&)>& start) {
  const SyntheticTraffic traffic(request, core_.routing.topology(), core_.watch.stop_flag());
  core_.begin_single_trial(request.cycles);
  count({{request.warmup, request.cycles}});
  MeasurementWindow measured;
  Results& results = core_.results;
  results.wall_seconds = timed([&] {
    core_.reset();
    start(traffic);
    core_.run_kernel(0);
    if (traffic.is_stopped()) results.was_interrupted = true;  // messages were kept from starting
    core_.end_trial(0, true);
    results.cycles = core_.end_of(core_.machine().last_movement() + 1 + core_.config.tr);
    measured = window(request.warmup, request.cycles);
    if (!core_.explainer) return;
    core_.explainer->explain_pattern(measured, results.cycles);
    results.explanation = core_.explainer->result();
  });
  return measured;
}

MeasurementWindow TrafficMeter::window(Cycle warmup, Cycle cycles) const {
  const Cycle end = core_.results.was_interrupted ? std::min(core_.now() + 1, cycles) : cycles;
  return {std::min(warmup, end - 1), end};
}

ProcessorLoad TrafficMeter::processor_load(const TrafficRequest& request) const {
  const auto ports_of = [this](NodeId node) {
    return internal_ports_of(core_.routing.topology(), node, core_.router.internal_ports);
  };
  const auto fewest_ports = [&] {
    int fewest = core_.router.internal_ports;
    for (std::size_t i = 0; i < core_.nodes(); ++i) fewest = std::min(fewest, ports_of(node_id(i)));
    return fewest;
  };
  const SimulationConfig& config = core_.config;
  const NodeModel plain;
  const NodeModel& model = config.has_background ? plain : config.model;  // of its processors
  double most = 0;                                                        // of all nodes
  const auto loads = request.loads(core_.nodes());
  for (std::size_t i = 0; i < loads.size(); ++i) {
    const auto& [messages, flits] = loads[i];
    // One load is that of all nodes, of which the one with the fewest ports has most to do.
    const int ports = loads.size() == 1 ? fewest_ports() : ports_of(node_id(i));
    const int workers = model.startup_per_port ? ports : 1;
    double cycles = static_cast<double>(config.ts) + static_cast<double>(model.ts_per_flit) * flits;
    if (model.send_blocks) cycles += flits - 1;  // they are sent meanwhile
    most = std::max(most, messages * cycles / workers);
  }
  return {most, !model.send_blocks && !model.startup_per_port};
}

void TrafficMeter::count(CountedCrossings counted) {
  crossings_.emplace(core_.routing, core_.log, std::move(counted));
  core_.machine().count(*crossings_);
}

TrafficResults TrafficMeter::measure(const MeasurementWindow& window,
                                     const ProcessorLoad& processors,
                                     std::size_t first_collective) {
  core_.machine().end_count();
  const bool is_beside_ranks = core_.config.has_background;
  const MessageLog& log = core_.log;
  TrafficMonitor monitor(window, core_.nodes(), processors);
  std::vector<MessageId> ids;
  for (std::size_t i = 0; i < log.size(); ++i) {
    const auto id = static_cast<MessageId>(i);
    if (static_cast<std::size_t>(log[id].collective) >= first_collective) ids.push_back(id);
  }
  // A prepared message beside ranks is begun once more where it is handed to its port, so when it
  // was prepared follows from the rule of its processor.
  if (is_beside_ranks) {
    std::sort(ids.begin(), ids.end(), [&log](MessageId a, MessageId b) {
      return std::tuple(log[a].source, log[a].order) < std::tuple(log[b].source, log[b].order);
    });
  }
  std::vector<Cycle> free_at(is_beside_ranks ? core_.nodes() : 0, 0);
  for (const MessageId id : ids) {
    const MessageRecord& message = log[id];
    const Cycle received = message.tail >= 0 ? message.tail + core_.config.tr : -1;
    Cycle begun = message.begun;
    Cycle ready = message.ready();
    if (is_beside_ranks) {
      Cycle& free = free_at[index(message.source)];
      begun = std::max(free, message.created);
      ready = free = begun + core_.config.ts;
    }
    monitor.add({message.source, message.flits, message.created, begun, ready, message.injected,
                 message.head, message.tail, received});
  }
  TrafficResults results = monitor.results();
  results.channel_load = crossings_->load(window.cycles());
  crossings_.reset();
  return results;
}

}  // namespace allport
