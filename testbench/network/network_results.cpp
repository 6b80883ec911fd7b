// SPDX-License-Identifier: Apache-2.0
#include "testbench/network/network_results.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "testbench/observe/monitors/events_json.h"
#include "testbench/plan/option_values.h"
#include "testbench/plan/run_request.h"
#include "testbench/results/explanation_json.h"
#include "testbench/results/statistics.h"

namespace allport {

namespace {

// Those of the statistics of a pattern that tell of messages sent by clients, too.
constexpr std::array<std::string_view, 6> traffic_keys{
    "offered", "accepted", "latency", "network_latency", "channel_load", "latency_histogram"};

Json traffic_json(const TrafficResults& traffic, const Topology& topology) {
  const Json all = json_of(traffic, topology);
  Json json = Json::object();
  for (const auto& [key, value] : all.items()) {
    const bool is_told =
        std::find(traffic_keys.begin(), traffic_keys.end(), key) != traffic_keys.end();
    if (is_told) json[key] = value;
  }
  return json;
}

Json json_of_network(const Network& network, const Results& results) {
  Json json{{"version", ALLPORT_VERSION}, {"model", to_string(network.model())}};
  add_statistics(json, results, Presence::always);
  add_contention(json, results, false, network.topology());
  add_deadlock(json, results, false, network.topology());
  if (results.traffic) json["traffic"] = traffic_json(*results.traffic, network.topology());
  json["digest"] = results.digest;
  if (results.explanation)
    json["explanation"] = explanation_json(*results.explanation, network.topology());
  return json;
}

}  // namespace

Json results_json(const Network& network) { return json_of_network(network, network.results()); }

Json explained_json(const Network& network, const ExplainRequest& request) {
  return json_of_network(network, network.explain(request));
}

std::string results_text(const Network& network) { return results_json(network).dump(); }

std::string explained_text(const Network& network, std::string_view what) {
  return explained_json(network, parse_explained(what)).dump();
}

}  // namespace allport
