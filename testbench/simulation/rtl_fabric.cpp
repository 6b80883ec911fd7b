// SPDX-License-Identifier: Apache-2.0
#include "testbench/simulation/rtl_fabric.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <stdexcept>

#include "rtl_model/base/split_mix.h"
#include "testbench/plan/label_worms.h"
#include "testbench/plan/resolve.h"
#include "tlm/message/wide_payloads.h"

namespace allport {

namespace {

RtlSource twin_of(const RunPlan& plan, bool with_assertions) {
  const int payload_bits = 8 * carried_bytes(plan.simulation.flit_bytes);
  RtlSource source = twin_source(plan.router, plan.routing, payload_bits + PinLayout::message_bits,
                                 max_via(plan), pin_groups(plan));
  if (with_assertions) {
    for (const auto& file : assertion_files()) source.files.push_back(file);
    source.has_assertions = true;
  }
  return source;
}

// The share of all nodes, at least one, drawn without replacement.
std::vector<NodeId> random_nodes(double share, std::size_t count, std::uint64_t seed) {
  std::vector<NodeId> nodes;
  for (std::size_t i = 0; i < count; ++i) nodes.push_back(node_id(i));
  const double rounded = std::round(share * static_cast<double>(count));
  const std::size_t wanted = std::min(count, static_cast<std::size_t>(std::max(1.0, rounded)));
  SplitMix64 generator(seed);
  for (std::size_t i = 0; i < wanted; ++i) {
    std::swap(nodes[i], nodes[i + generator.next() % (count - i)]);
  }
  nodes.resize(wanted);
  std::sort(nodes.begin(), nodes.end());
  return nodes;
}

}  // namespace

int max_via(const RunPlan& plan) {
  int room = has_label_worms(plan) ? 1 : 0;  // routers in RTL know them if they know lists
  while (room < longest_via(plan)) room = 2 * room + 1;  // up to 15, one less than a power of two
  return room;
}

std::vector<NodeId> rtl_nodes(const NodeChoice& choice, std::uint64_t seed,
                              const Topology& topology) {
  const std::size_t count = topology.router_count();
  if (choice.share) return random_nodes(*choice.share, count, seed);
  if (choice.listed.empty()) return random_nodes(1, count, 0);
  std::vector<NodeId> nodes = to_nodes(choice.listed, topology, "RTL node");
  std::sort(nodes.begin(), nodes.end());
  const auto twice = std::adjacent_find(nodes.begin(), nodes.end());
  if (twice != nodes.end()) {
    throw std::invalid_argument(fmt::format("--rtl-nodes: node {} is named twice", index(*twice)));
  }
  return nodes;
}

RtlFabric::RtlFabric(const RunPlan& plan, bool with_assertions, const BuildHooks& hooks)
    : library_(twin_of(plan, with_assertions), hooks),
      nodes_(library_, plan.router, plan.routing, 8 * carried_bytes(plan.simulation.flit_bytes), 0,
             max_via(plan), 1, pin_groups(plan)) {}

}  // namespace allport
