// SPDX-License-Identifier: Apache-2.0
#include "testbench/program/report/routes_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <stdexcept>

#include "rtl_model/base/words.h"
#include "rtl_model/topology/channel_words.h"
#include "traffic/theory/route_load.h"

namespace allport {

namespace {

constexpr std::size_t most_channels = 8;  // that are listed, the busiest first

// `1: 64, 2: 96`
std::string lengths_in_words(const RouteLoad& load) {
  std::string words;
  for (std::size_t hops = 0; hops < load.pairs_by_hops.size(); ++hops) {
    if (load.pairs_by_hops[hops] == 0) continue;
    words += fmt::format("{}{}: {}", words.empty() ? "" : ", ", hops, load.pairs_by_hops[hops]);
  }
  return words;
}

std::vector<Channel> busiest_channels(const RouteLoad& load, const Topology& topology) {
  std::vector<Channel> channels = topology.channels();
  std::stable_sort(channels.begin(), channels.end(),
                   [&](Channel a, Channel b) { return load.uniform_use(a) > load.uniform_use(b); });
  channels.resize(std::min(channels.size(), most_channels));
  return channels;
}

Json load_json(const RouteLoad& load, Channel channel, const Topology& topology) {
  Json json = channel_json(channel, topology);
  json["pairs"] = load.pairs_over(channel);
  json["load"] = load.uniform_load(channel);
  if (load.phits_of(channel) > 1) json["phits"] = load.phits_of(channel);
  return json;
}

// Of a channel that is narrower than a flit.
std::string phits_in_words(int phits, const char* before) {
  return phits == 1 ? "" : fmt::format("{}{} cycles a flit", before, phits);
}

}  // namespace

Shown show_all_routes(const Routing& routing, const RouterConfig& router,
                      const ChannelPhits& phits) {
  if (routing.is_adaptive()) {
    throw std::invalid_argument(
        "show routes: under adaptive routing a message has no route of its own; choose another --routing");
  }
  const Topology& topology = routing.topology();
  const RouteLoad load = route_load(routing, phits);
  const Channel busiest = load.busiest();
  const double most = load.uniform_use(busiest);
  Shown shown;
  shown.text = fmt::format(
      "routes      {} on {}, {} routing{}\n"
      "hops        {:.3f} on average; pairs by hops {}\n"
      "uniform     if each node sends a flit in a cycle, to all others alike, {} on {}{}; "
      "the channels carry up to {:.3f} flits per node and cycle\n",
      counted(load.pair_count(), "pair"), topology.name(), routing.name(),
      router.layers > 1
          ? fmt::format(
                ", {} of {}", counted(static_cast<std::uint64_t>(router.layers), "layer"),
                counted(static_cast<std::uint64_t>(router.vcs_of_layer()), "virtual channel"))
          : "",
      load.mean_hops(), lengths_in_words(load),
      fmt::format("{:.3f} cross", load.uniform_load(busiest)), output_in_words(topology, busiest),
      phits_in_words(load.phits_of(busiest), ", "), 1 / most);
  Json channels = Json::array();
  for (const Channel channel : busiest_channels(load, topology)) {
    shown.text += fmt::format(
        "  {:<10.3f}{} ({}{})\n", load.uniform_load(channel), output_in_words(topology, channel),
        counted(load.pairs_over(channel), "pair"), phits_in_words(load.phits_of(channel), ", "));
    channels.push_back(load_json(load, channel, topology));
  }
  shown.json = {
      {"topology", topology.name()},
      {"routing", routing.name()},
      {"layers", router.layers},
      {"pairs", load.pair_count()},
      {"hops", {{"mean", load.mean_hops()}, {"pairs", load.pairs_by_hops}}},
      {"uniform",
       {{"load", load.uniform_load(busiest)}, {"saturation", 1 / most}, {"busiest", channels}}},
      {"permutation", Json()}};
  if (const auto worst = worst_permutation(routing, phits)) {
    shown.text += fmt::format(
        "permutation at worst {} of a permutation cross {}{}: it carries {:.3f} flits per node and cycle\n",
        counted(worst->pairs, "message"), output_in_words(topology, worst->channel),
        phits_in_words(phits(worst->channel), ", "), 1 / static_cast<double>(worst->cycles));
    Json crossing = Json::array();
    for (const auto& [from, to] : worst->crossing)
      crossing.push_back(nodes_json({from, to}, topology));
    shown.json["permutation"] = {{"load", worst->pairs},
                                 {"saturation", 1 / static_cast<double>(worst->cycles)},
                                 {"channel", channel_json(worst->channel, topology)},
                                 {"crossing", crossing}};
  }
  return shown;
}

}  // namespace allport
