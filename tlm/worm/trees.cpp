// SPDX-License-Identifier: Apache-2.0
#include "tlm/worm/trees.h"

#include <algorithm>
#include <limits>

namespace allport {

void WormTrees::reset() {
  trees_.assign(1, Tree{});
  joins_.clear();
  free_trees_.clear();
  free_junctions_.clear();
}

WormIndex WormTrees::start(const WormRequest& request) {
  std::uint32_t number = 0;
  if (is_join(request.kind)) {
    std::uint32_t& known = joins_[static_cast<std::uint32_t>(request.message)];
    if (known == 0) known = make(request);
    number = known;
  } else {
    number = make(request);
  }
  Tree& tree = trees_[number];
  ++tree.messages;
  const auto own = std::lower_bound(
      tree.firsts.begin(), tree.firsts.end(), request.source,
      [](const std::pair<NodeId, WormIndex>& first, NodeId node) { return first.first < node; });
  return own->second;
}

std::uint64_t WormTrees::end(std::uint32_t number) {
  Tree& tree = trees_[number];
  const std::uint64_t messages = tree.messages;
  for (const std::uint32_t junction : tree.junctions) {
    store_.junctions[junction] = WormJunction{};
    free_junctions_.push_back(junction);
  }
  joins_.erase(static_cast<std::uint32_t>(tree.message));
  tree = Tree{};
  free_trees_.push_back(number);
  return messages;
}

std::uint32_t WormTrees::make(const WormRequest& request) {
  std::uint32_t number = 0;
  if (free_trees_.empty()) {
    number = static_cast<std::uint32_t>(trees_.size());
    trees_.emplace_back();
  } else {
    number = free_trees_.back();
    free_trees_.pop_back();
  }
  make_worm(request, tree_stops(request, store_.config, store_.routing), number);
  return number;
}

void WormTrees::make_worm(const WormRequest& request, const std::vector<TreeStop>& stops,
                          std::uint32_t number) {
  std::size_t count = 0;
  for (const TreeStop& stop : stops) {
    count += (stop.is_fed ? 1U : 0U) + stop.inputs.size() + stop.hops.size();
  }
  Worm worm;
  worm.message = request.message;
  worm.passages = static_cast<std::uint32_t>(count);
  worm.first_passage = store_.allocate_passages(worm.passages);
  worm.tree = number;
  worm.next_watch = std::numeric_limits<std::uint32_t>::max();  // it never falls into step
  Tree& tree = trees_[number];
  tree.message = request.message;
  tree.worm = store_.allocate_worm();
  store_.worms[tree.worm] = worm;
  store_.branches.resize(store_.passages.size());
  Passage blank{};
  blank.message = request.message;
  blank.length = request.flits;
  blank.worm = tree.worm;
  std::fill_n(store_.passages.begin() + worm.first_passage, count, blank);
  WormIndex next = worm.first_passage;
  for (const TreeStop& stop : stops) {
    if (stop.is_fed) {
      tree.firsts.emplace_back(stop.node, next++);
      ++tree.to_come;
    }
    const std::uint32_t junction = make_junction(stop, next);
    if (stop.is_fed) store_.passages[next - 1].junction = junction;
    tree.junctions.push_back(junction);
    if (store_.junctions[junction].has_ejection) ++tree.to_come;
    lay(stop, junction, request.message_class);
    next = store_.junctions[junction].end();
  }
  link(stops, tree);
}

std::uint32_t WormTrees::make_junction(const TreeStop& stop, WormIndex first) {
  std::uint32_t number = 0;
  if (free_junctions_.empty()) {
    number = static_cast<std::uint32_t>(store_.junctions.size());
    store_.junctions.emplace_back();
  } else {
    number = free_junctions_.back();
    free_junctions_.pop_back();
  }
  WormJunction junction{};
  junction.first = first;
  junction.operands = static_cast<std::uint8_t>(stop.inputs.size());
  junction.branches = static_cast<std::uint8_t>(stop.hops.size());
  junction.has_ejection = !store_.config.is_external(stop.hops.back().output);
  junction.delay = stop.delay;
  store_.junctions[number] = junction;
  return number;
}

// Sets what the passages of a junction know without those of other routers.
void WormTrees::lay(const TreeStop& stop, std::uint32_t number, int message_class) {
  const WormJunction& junction = store_.junctions[number];
  const auto node = static_cast<std::uint32_t>(index(stop.node));
  for (WormIndex id = junction.first; id < junction.end(); ++id) {
    store_.passages[id].junction = number;
    store_.passages[id].node = node;
    store_.branches[id] = {};
  }
  for (std::size_t i = 0; i < stop.inputs.size(); ++i) {
    Passage& operand = store_.passages[junction.first + i];
    operand.input = stop.inputs[i];
    operand.output = no_output;
    operand.out_channel = store_.no_channel();
    if (store_.config.is_external(operand.input)) continue;
    operand.in_channel =
        store_.injection_channel(node, operand.input - store_.config.external_ports);
    operand.in = store_.first_vc(operand.in_channel) + static_cast<WormIndex>(message_class);
    operand.input_vc =
        static_cast<std::uint16_t>(store_.config.channel_vc(operand.input, message_class));
  }
  for (std::size_t i = 0; i < stop.hops.size(); ++i) {
    lay_branch(stop, stop.hops[i], static_cast<WormIndex>(junction.first_branch() + i));
  }
}

void WormTrees::lay_branch(const TreeStop& stop, const TreeHop& hop, WormIndex id) {
  const RouterConfig& config = store_.config;
  Passage& branch = store_.passages[id];
  const Passage& local = store_.passages[store_.junctions[branch.junction].first];
  branch.in = local.in;
  branch.in_channel = local.in_channel;
  branch.input = local.input;
  branch.input_vc = local.input_vc;
  branch.output = hop.output;
  branch.candidates = hop.candidates;
  branch.is_last = !config.is_external(hop.output);
  const auto node = static_cast<std::uint32_t>(index(stop.node));
  branch.out_channel = branch.is_last
                           ? store_.ejection_channel(node, hop.output - config.external_ports)
                           : node * static_cast<std::uint32_t>(config.external_ports) + hop.output;
  if (!branch.is_last) store_.set_narrow(branch);
  if (branch.is_narrow) store_.junctions[branch.junction].is_narrow = true;
  branch.out = store_.first_vc(branch.out_channel);
}

// Leads each external branch to the operand in the next router.
void WormTrees::link(const std::vector<TreeStop>& stops, const Tree& tree) {
  const Topology& topology = store_.routing.topology();
  for (std::size_t at = 0; at < stops.size(); ++at) {
    WormIndex id = store_.junctions[tree.junctions[at]].first_branch();
    for (const TreeHop& hop : stops[at].hops) {
      const WormIndex branch = id++;
      if (store_.passages[branch].is_last) continue;
      const std::vector<std::uint8_t>& inputs = stops[hop.to].inputs;
      const auto arrival = static_cast<std::uint8_t>(index(
          topology.arrival_port(stops[at].node, port_id(static_cast<std::size_t>(hop.output)))));
      const auto place = std::find(inputs.begin(), inputs.end(), arrival) - inputs.begin();
      const WormJunction& beyond = store_.junctions[tree.junctions[hop.to]];
      const std::uint32_t channel = store_.passages[branch].out_channel;
      store_.branches[branch].next = static_cast<WormIndex>(beyond.first + place);
      store_.passages[store_.branches[branch].next].in_channel = channel;
      if (place > 0) continue;
      for (WormIndex other = beyond.first_branch(); other < beyond.end(); ++other) {
        store_.passages[other].in_channel = channel;
      }
    }
  }
}

}  // namespace allport
