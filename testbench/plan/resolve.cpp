// SPDX-License-Identifier: Apache-2.0
#include "testbench/plan/resolve.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>
#include <stdexcept>

#include "rtl_model/base/quote.h"
#include "rtl_model/base/words.h"
#include "rtl_model/graphs/graph.h"
#include "rtl_model/graphs/link_attributes.h"
#include "rtl_model/graphs/node_ports.h"
#include "rtl_model/router/router_config.h"
#include "rtl_model/tables/make_table.h"
#include "rtl_model/topology/channel_words.h"
#include "testbench/plan/cut_off.h"
#include "testbench/plan/missing_links.h"
#include "testbench/plan/place_values.h"
#include "testbench/plan/router_declaration.h"
#include "traffic/schedule/reception.h"

namespace allport {

namespace {

// The delay and the phits that a channel has by the options for all links, or for a dimension.
struct OwnLink {
  int delay = 0;
  int phits = 1;
  bool operator==(const OwnLink& other) const {
    return delay == other.delay && phits == other.phits;
  }
};

class UsualLinks {
 public:
  explicit UsualLinks(const RunRequest& request)
      : topology_(*request.fabric.topology),
        router_(request.router),
        flit_bytes_(request.message.flit_bytes) {}

  OwnLink of(Channel channel) const {
    const std::size_t dimension = topology_.dimension_of(channel.port);
    const std::vector<int>& widths = router_.link_widths;
    const std::size_t place = widths.size() == 1 ? 0 : dimension;
    return {router_.link_delays.empty() ? router_.link_delay : router_.link_delays[dimension],
            widths.empty() ? 1 : phits(widths[place])};
  }
  // A link that has its own delay or width, and is like `usual` otherwise.
  OwnLink own(std::optional<int> delay, std::optional<int> width, OwnLink usual) const {
    return {delay.value_or(usual.delay), width ? phits(*width) : usual.phits};
  }

 private:
  int phits(int width) const { return (flit_bytes_ - 1) / width + 1; }

  const Topology& topology_;
  const RouterRequest& router_;
  const int flit_bytes_;
};

std::vector<ChannelAttributes> attributes_of(const RunRequest& request) {
  const auto& attributes = request.router.link_attributes;
  if (attributes == nullptr) return {};
  try {
    // A file is one of the whole fabric, and nodes that are missing have taken their links away.
    if (request.fabric.whole != nullptr) channels_of(*attributes, *request.fabric.whole);
    return channels_of(*attributes, *request.fabric.topology);
  } catch (const std::invalid_argument& error) {
    throw std::invalid_argument(std::string("--link-attributes: ") + error.what());
  }
}

void require_link_options(const RunRequest& request) {
  require_link_delays(request.router.link_delays, *request.fabric.topology);
  require_link_widths(request.router.link_widths, request.message.flit_bytes,
                      *request.fabric.topology);
}

// The topology in which, where some nodes of a graph have a number of internal ports of their own,
// all have one.
std::shared_ptr<const Topology> with_ports(const RunRequest& request) {
  const auto& topology = request.fabric.topology;
  if (!has_own_internal_ports(*topology)) return topology;
  const auto& graph = static_cast<const Graph&>(*topology);
  GraphDescription description = graph.description();
  const int all = usual_ports(request, graph);
  for (std::size_t i = 0; i < graph.node_count(); ++i) {
    description.nodes[graph.place_in_file(node_id(i))].internal_ports =
        internal_ports_of(graph, node_id(i), all);
  }
  return std::make_shared<Graph>(description);
}

// What the graph's file says for the rules of tables.
void add_attributes(TableRequest& wanted, const Graph& graph) {
  wanted.missing_nodes = graph.description().missing;
  for (std::size_t i = 0; i < graph.router_count(); ++i) {
    const GraphDescription::Node& node = graph.node_of(node_id(i));
    wanted.groups.push_back(node.group);
    wanted.levels.push_back(node.level);
  }
}

// By the table that is chosen; null: by that which a graph has by itself.
Routing routing_by_table(const RunRequest& request, const TableChoice* table) {
  const auto topology = with_ports(request);
  if (request.router.vc_use != VcUse::strict) {
    throw std::invalid_argument(
        fmt::format("--vc-use {}: routing {} says itself which virtual channels a message uses",
                    to_string(request.router.vc_use),
                    table == nullptr ? "by the table of a graph" : "table:" + table->rule));
  }
  const int vcs =
      std::max(request.router.vcs / request.router.classes, request.router.vcs > 0 ? 1 : 0);
  TableRequest wanted;
  if (table != nullptr) wanted.rule = table->rule;
  if (table != nullptr) wanted.text = table->text;
  wanted.topology = topology;
  wanted.ties = request.traffic.ties;
  wanted.vcs = vcs;
  wanted.missing = missing_channels(request, *topology);
  if (topology->is_graph()) add_attributes(wanted, static_cast<const Graph&>(*topology));
  if (table != nullptr) return {topology, make_table(wanted), request.traffic.ties};
  try {
    return {topology, make_default_table(wanted), request.traffic.ties};
  } catch (const std::invalid_argument&) {
    const std::vector<NodeId> cut_off = cut_off_without(*topology, {}, wanted.missing, {});
    if (cut_off.empty()) throw;
    throw std::invalid_argument(fmt::format("{}: {}; --replan runs on what is connected",
                                            topology->name(),
                                            cut_off_in_words(cut_off, *topology)));
  }
}

}  // namespace

void require_topology(const RunRequest& request) {
  if (request.fabric.topology != nullptr) return;
  throw std::invalid_argument(fmt::format("--topology is missing: give {}", fabrics_in_words));
}

Routing make_routing(const RunRequest& request) {
  require_topology(request);
  require_link_options(request);
  attributes_of(request);  // which sees to it that there are such links
  if (request.fabric.table) return routing_by_table(request, &*request.fabric.table);
  if (request.fabric.topology->is_graph() && !request.fabric.routing) {
    return routing_by_table(request, nullptr);
  }
  return {request.fabric.topology,
          request.fabric.routing.value_or(Routing::default_order(*request.fabric.topology)),
          request.traffic.ties, request.router.vc_use};
}

int usual_ports(const RunRequest& request, const Topology& topology) {
  const auto external = static_cast<int>(topology.node_port_count());
  // External and internal ports are bits of one mask: all of a node with many are too many.
  const int left = std::numeric_limits<PortMask>::digits - static_cast<int>(topology.port_count());
  const int most = std::max(1, std::min(external, left));
  const int default_ports =
      request.custom_router ? request.custom_router->default_ports(most) : most;
  const int ports = request.fabric.ports.value_or(default_ports);
  if (ports >= 1 && ports <= external) return ports;
  // Nodes of a graph have different numbers: each has the smaller of this and its own.
  if (ports >= 1 && topology.is_graph()) return most;
  throw std::invalid_argument(fmt::format(
      "--ports {}: a router of {} has {}, so it must be {} or all", ports, topology.name(),
      counted(static_cast<std::uint64_t>(external), "external port"), range_in_words(1, external)));
}

int internal_ports(const RunRequest& request, const Topology& topology) {
  const int all = usual_ports(request, topology);
  if (!has_own_internal_ports(topology)) return all;
  const auto& graph = static_cast<const Graph&>(topology);
  int most = 1;
  for (std::size_t i = 0; i < graph.node_count(); ++i) {
    most = std::max(most, internal_ports_of(graph, node_id(i), all));
  }
  return most;
}

RouterConfig router_of(const RunRequest& request, const Routing& routing) {
  FabricConfig fabric;
  fabric.internal_ports = internal_ports(request, routing.topology());
  fabric.vcs = request.router.vcs;
  fabric.classes = request.router.classes;
  fabric.join_vcs = request.router.join_vcs;
  return router_config(fabric, routing);
}

NodeId to_node(const NodeNumber& number, const Topology& topology, const char* role) {
  if (number.is_binary && !topology.is_hypercube()) {
    throw std::invalid_argument(fmt::format(
        "{} 0b{:b}: binary numbers name nodes of a hypercube; give those of {} in decimal", role,
        number.id, topology.name()));
  }
  if (number.id >= topology.node_count() && number.id < topology.router_count()) {
    throw std::invalid_argument(fmt::format("{} {}: it is a switch of {}, which has no processor",
                                            role, topology.node_name(node_id(number.id)),
                                            topology.name()));
  }
  require_node(topology, number.id, role);
  return node_id(number.id);
}

namespace {

// `to_one` turns a number into a node, or throws.
template <class ToOne>
std::vector<NodeId> each_once(const std::vector<NodeNumber>& numbers, const Topology& topology,
                              const char* role, ToOne to_one) {
  std::vector<NodeId> nodes;
  std::vector<bool> is_named(topology.router_count());
  for (const NodeNumber& number : numbers) {
    nodes.push_back(to_one(number));
    if (is_named[number.id]) {
      throw std::invalid_argument(
          fmt::format("{} {} is named twice", role, topology.node_name(nodes.back())));
    }
    is_named[number.id] = true;
  }
  return nodes;
}

}  // namespace

std::vector<NodeId> to_nodes(const std::vector<NodeNumber>& numbers, const Topology& topology,
                             const char* role) {
  return each_once(numbers, topology, role,
                   [&](const NodeNumber& number) { return to_node(number, topology, role); });
}

std::vector<NodeId> to_routers(const std::vector<NodeNumber>& numbers, const Topology& topology,
                               const char* role) {
  return each_once(numbers, topology, role, [&](const NodeNumber& number) {
    const bool is_switch =
        number.id >= topology.node_count() && number.id < topology.router_count();
    return is_switch ? node_id(number.id) : to_node(number, topology, role);
  });
}

std::vector<NodeId> chain_nodes(const RunRequest& request, const Topology& topology) {
  const std::vector<NodeNumber>& numbers = request.traffic.chain;
  if (numbers.empty()) return {};
  if (!topology.is_hypercube()) {
    throw std::invalid_argument("--chain: chains are for hypercubes; " + topology.name() +
                                " is not one");
  }
  std::vector<NodeId> nodes = to_nodes(numbers, topology, "chain node");
  if (nodes.size() > 1) return nodes;
  throw std::invalid_argument(
      fmt::format("--chain {}: it has a source, and no destination behind it", numbers.front().id));
}

namespace {

// The list of destinations, or the chain without its source; empty: all, or random ones.
std::vector<NodeId> listed_destinations(const RunRequest& request, const Topology& topology) {
  std::vector<NodeId> chain = chain_nodes(request, topology);
  if (chain.empty()) {
    return to_nodes(request.traffic.destinations.listed, topology, "destination");
  }
  chain.erase(chain.begin());
  return chain;
}

}  // namespace

std::vector<NodeId> source_nodes(const RunRequest& request, const Topology& topology) {
  if (!request.traffic.chain.empty()) return {chain_nodes(request, topology).front()};
  if (request.traffic.sources.empty()) return {node_id(0)};
  return to_nodes(request.traffic.sources, topology, "source");
}

NodeId single_source(const RunRequest& request, const Topology& topology) {
  const std::vector<NodeId> sources = source_nodes(request, topology);
  if (sources.size() == 1) return sources.front();
  throw std::invalid_argument(
      fmt::format("--source names {} nodes, but an algorithm is planned here for one at a time",
                  sources.size()));
}

GoalSource::GoalSource(const RunRequest& request, const Topology& topology,
                       std::vector<NodeId> members)
    : topology_(topology),
      members_(std::move(members)),
      listed_(listed_destinations(request, topology)) {
  if (members_.size() == topology.node_count()) members_.clear();  // a group of all is none
  for (const NodeId node : listed_) {
    if (members_.empty() || std::binary_search(members_.begin(), members_.end(), node)) continue;
    throw std::invalid_argument(
        fmt::format("destination {} is not of the group, whose nodes are {}",
                    topology.node_name(node), in_words(members_, topology)));
  }
  if (const auto drawn = request.traffic.destinations.random) {
    const std::size_t others = (members_.empty() ? topology.node_count() : members_.size()) - 1;
    if (*drawn < 1 || *drawn > others) {
      throw std::invalid_argument(fmt::format(
          "--destinations random:{}: {} has {} beside the source; the number must be 1..{}", *drawn,
          members_.empty() ? topology.name() : "the group", counted(others, "node"), others));
    }
    sampler_.emplace(others, *drawn, request.traffic.seed);
  }
}

std::vector<NodeId> GoalSource::others(NodeId source) const {
  std::vector<NodeId> nodes = members_;
  nodes.erase(std::remove(nodes.begin(), nodes.end(), source), nodes.end());
  return nodes;
}

// Among the members of a group, their places in it count.
NodeId GoalSource::absolute(std::uint32_t relative, NodeId source) const {
  if (members_.empty()) return topology_.absolute(relative, source);
  const auto place = std::lower_bound(members_.begin(), members_.end(), source) - members_.begin();
  return members_[(static_cast<std::size_t>(place) + relative) % members_.size()];
}

void GoalSource::next_trial() {
  if (sampler_) drawn_ = sampler_->next();
}

Multicast GoalSource::goal(NodeId source) const {
  if (!sampler_) {
    if (!listed_.empty()) return multicast(topology_, source, listed_);
    return members_.empty() ? broadcast(topology_, source)
                            : multicast(topology_, source, others(source));
  }
  std::vector<NodeId> nodes;
  for (const std::uint32_t relative : drawn_) nodes.push_back(absolute(relative, source));
  return multicast(topology_, source, std::move(nodes));
}

std::vector<NodeId> GoalSource::destinations(const std::vector<NodeId>& sources) const {
  std::vector<NodeId> nodes = goal(sources.front()).destinations;
  for (const NodeId source : sources) {
    if (!listed_.empty()) goal(source);  // throws if a destination is the source
    nodes.erase(std::remove(nodes.begin(), nodes.end(), source), nodes.end());
  }
  return nodes;
}

std::vector<NodeId> possible_roots(const Schedule& schedule, Operation operation,
                                   const Routing& routing) {
  const bool is_from_root = operation == Operation::bcast || operation == Operation::scatter;
  const bool is_to_root = operation == Operation::gather || operation == Operation::reduce;
  if (!is_from_root && !is_to_root) return {};
  std::vector<const Unicast*> unicasts;
  std::vector<bool> sends(routing.topology().node_count());
  for (const Unicast& unicast : schedule.unicasts) {
    unicasts.push_back(&unicast);
    sends[index(unicast.u)] = true;
  }
  const std::vector<StepIndex> received = first_receptions(unicasts, routing, {});
  std::vector<NodeId> roots;
  for (std::size_t i = 0; i < sends.size(); ++i) {
    const bool receives = received[i] != never_received;
    if (is_from_root ? sends[i] && !receives : receives && !sends[i]) roots.push_back(node_id(i));
  }
  return roots;
}

std::string link_delay_in_words(const RouterRequest& request) {
  if (request.link_delays.empty()) return std::to_string(request.link_delay);
  return fmt::format("{}", fmt::join(request.link_delays, ","));
}

namespace {

// Gives ports without a link what the first channel has, so that the most and the least of a list
// are those of channels.
void repeat_where_no_link_is(LinkTable& links, const Topology& topology,
                             const std::vector<Channel>& channels) {
  std::vector<bool> has_output(links.delays.size());
  std::vector<bool> has_input(links.delays.size());
  for (const Channel channel : channels) {
    const NodeId to = *topology.neighbour(channel.node, channel.port);
    has_output[links.place(channel.node, index(channel.port))] = true;
    has_input[links.place(to, index(topology.arrival_port(channel.node, channel.port)))] = true;
  }
  const std::size_t first = links.place(channels.front().node, index(channels.front().port));
  const std::uint16_t delay = links.delays[first];
  const std::uint8_t further = links.further_phits[first];
  for (std::size_t i = 0; i < links.delays.size(); ++i) {
    if (!has_output[i]) links.delays[i] = delay;
    if (!has_output[i]) links.further_phits[i] = further;
    if (!has_input[i]) links.input_delays[i] = delay;
  }
}

}  // namespace

std::shared_ptr<const LinkTable> links_of(const RunRequest& request) {
  require_link_options(request);
  const Topology& topology = *request.fabric.topology;
  const auto* const graph = topology.is_graph() ? static_cast<const Graph*>(&topology) : nullptr;
  const std::vector<ChannelAttributes> attributes = attributes_of(request);
  if (graph == nullptr && attributes.empty()) return nullptr;
  const UsualLinks usual(request);
  const std::vector<Channel> channels = topology.channels();
  const OwnLink first = usual.of(channels.front());
  bool has_own = graph != nullptr && first.phits > 1;
  LinkTable links(topology, first.delay, first.phits);
  for (const Channel channel : channels) {
    OwnLink link = usual.of(channel);
    if (graph != nullptr) {
      const GraphDescription::Edge& edge = graph->edge_of(channel);
      has_own = has_own || edge.delay || edge.width;
      link = usual.own(edge.delay, edge.width, link);
    }
    links.set(topology, channel, link.delay, link.phits);
  }
  for (const ChannelAttributes& one : attributes) {
    const std::size_t place = links.place(one.channel.node, index(one.channel.port));
    const OwnLink before{links.delays[place], 1 + links.further_phits[place]};
    const OwnLink link = usual.own(one.delay, one.width, before);
    has_own = has_own || !(link == before);
    links.set(topology, one.channel, link.delay, link.phits);
  }
  if (!has_own) return nullptr;
  repeat_where_no_link_is(links, topology, channels);
  return std::make_shared<const LinkTable>(std::move(links));
}

RouterChoice router_choice(const RunRequest& request) {
  RouterChoice choice = request.router;
  choice.links = links_of(request);
  return choice;
}

std::vector<int> phits_of(const RunRequest& request, const Topology& topology) {
  return phits_by_dimension(request.router.link_widths, request.message.flit_bytes, topology);
}

std::string link_width_in_words(const RouterRequest& request) {
  return fmt::format("{}", fmt::join(request.link_widths, ","));
}

}  // namespace allport
