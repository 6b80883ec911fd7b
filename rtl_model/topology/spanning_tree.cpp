// SPDX-License-Identifier: Apache-2.0
#include "rtl_model/topology/spanning_tree.h"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace allport {

namespace {

using Link = SpanningTree::Link;

// The routers of the tree, each before those below it, which follow it without a gap.
std::vector<std::uint32_t> in_order(NodeId root, const std::vector<Link>& links) {
  std::vector<std::vector<std::uint32_t>> below(links.size());
  for (auto router = static_cast<std::uint32_t>(links.size()); router-- > 0;) {
    if (links[router].above != Link::nowhere) below[links[router].above].push_back(router);
  }
  std::vector<std::uint32_t> order;
  std::vector<std::uint32_t> rest{static_cast<std::uint32_t>(index(root))};
  while (!rest.empty()) {
    const std::uint32_t router = rest.back();
    rest.pop_back();
    order.push_back(router);
    rest.insert(rest.end(), below[router].begin(), below[router].end());
  }
  return order;
}

}  // namespace

SpanningTree::SpanningTree(const Topology& topology, NodeId root, const std::vector<Link>& links)
    : places_(links.size(), Link::nowhere) {
  const std::vector<std::uint32_t> order = in_order(root, links);
  std::vector<std::uint32_t> ends(links.size());        // by router: behind the last place below it
  std::vector<std::uint32_t> processors(links.size());  // of it and below it
  for (std::uint32_t i = 0; i < order.size(); ++i) places_[order[i]] = i;
  for (auto i = static_cast<std::uint32_t>(order.size()); i-- > 0;) {
    const std::uint32_t router = order[i];
    ends[router] = std::max(ends[router], i + 1);
    if (router < topology.node_count()) ++processors[router];
    const std::uint32_t above = links[router].above;
    if (above == Link::nowhere) continue;
    ends[above] = std::max(ends[above], ends[router]);
    processors[above] += processors[router];
  }
  std::vector<std::vector<Branch>> of(links.size());
  for (const std::uint32_t router : order) {  // so branches downwards are in the order of places
    const Link& link = links[router];
    if (link.above == Link::nowhere || processors[router] == 0) continue;
    const PortId input = topology.arrival_port(node_id(router), port_id(link.up));
    of[link.above].push_back({port_id(link.down), input, places_[router], ends[router]});
  }
  for (std::uint32_t router = 0; router < links.size(); ++router) {
    const Link& link = links[router];
    const bool is_needed =
        link.above != Link::nowhere && processors[router] < processors[index(root)];
    if (is_needed) {
      const PortId input = topology.arrival_port(node_id(link.above), port_id(link.down));
      of[router].push_back({port_id(link.up), input, places_[router], ends[router]});
    }
    begins_.push_back(static_cast<std::uint32_t>(branches_.size()));
    branches_.insert(branches_.end(), of[router].begin(), of[router].end());
  }
  begins_.push_back(static_cast<std::uint32_t>(branches_.size()));
}

// The branch to the router above has the places of this router and of those below it.
bool SpanningTree::is_beyond(const Branch& branch, NodeId here, NodeId there) const {
  const std::uint32_t place = places_[index(there)];
  const bool is_within = branch.first <= place && place < branch.end;
  return branch.first == places_[index(here)] ? !is_within : is_within;
}

const SpanningTree::Branch& SpanningTree::towards(NodeId here, NodeId there) const {
  const Branch* const found = std::find_if(
      begin(here), end(here), [&](const Branch& branch) { return is_beyond(branch, here, there); });
  if (found != end(here)) return *found;
  throw std::logic_error("spanning tree: router " + std::to_string(index(here)) +
                         " has no branch to router " + std::to_string(index(there)));
}

PortMask SpanningTree::outputs(NodeId here, NodeId source) const {
  PortMask ports = 0;
  for (const Branch* one = begin(here); one != end(here); ++one) {
    const bool leads_back = here != source && is_beyond(*one, here, source);
    if (!leads_back) ports |= PortMask{1} << index(one->output);
  }
  return ports;
}

PortMask SpanningTree::inputs(NodeId here, NodeId root) const {
  PortMask ports = 0;
  for (const Branch* one = begin(here); one != end(here); ++one) {
    const bool leads_on = here != root && is_beyond(*one, here, root);
    if (!leads_on) ports |= PortMask{1} << index(one->input);
  }
  return ports;
}

}  // namespace allport
