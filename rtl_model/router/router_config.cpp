// SPDX-License-Identifier: Apache-2.0
#include "rtl_model/router/router_config.h"

#include <algorithm>
#include <stdexcept>
#include <string>

#include "rtl_model/base/range.h"
#include "rtl_model/base/words.h"
#include "rtl_model/topology/adaptive_deadlock.h"
#include "rtl_model/topology/deadlock.h"
#include "rtl_model/topology/deposits.h"
#include "rtl_model/topology/group_routes.h"

namespace allport {

namespace {

// The virtual channels that the routing has: those of a message class.
std::string vcs_in_words(const RouterConfig& config) {
  const std::string vcs = "vcs " + std::to_string(config.vcs);
  if (config.classes == 1) return vcs;
  return vcs + " with classes " + std::to_string(config.classes) + ", " +
         std::to_string(config.vcs_of_class()) + " for each message class";
}

void require_classes(const RouterConfig& config) {
  if (config.vcs % config.classes == 0) return;
  const std::string classes = std::to_string(config.classes);
  throw std::invalid_argument("classes " + classes + ": vcs " + std::to_string(config.vcs) +
                              " cannot be divided among them equally; vcs must be a multiple of " +
                              classes + ", up to " + std::to_string(limits::vcs.high));
}

// Where none are chosen, what the routing needs, for each message class.
int default_vcs(int classes, const Routing& routing) {
  const int of_class = routing.default_vcs();
  if (limits::vcs.has(of_class * classes)) return of_class * classes;
  throw std::invalid_argument(
      "classes " + std::to_string(classes) + ": routing " + routing.name() + " takes " +
      std::to_string(of_class) + " virtual channels for each of them, " +
      std::to_string(of_class * classes) + " in all, and a channel has at most " +
      std::to_string(limits::vcs.high));
}

// Adaptive routing: the escape channels lead everywhere and depend on each other in no cycle.
void require_escape(const RouterConfig& config, const Routing& routing) {
  const std::size_t dimensions = routing.topology().dimension_count();
  if (config.vcs_of_class() == 1) {
    const auto cycle = find_adaptive_cycle(dimensions);
    throw std::invalid_argument(
        vcs_in_words(config) + ": routing adaptive takes " +
        range_in_words(2, limits::vcs.high / config.classes) + ", one of them the escape channel" +
        (cycle.empty() ? ""
                       : "; without it " + routing.topology().name() +
                             " can deadlock because its channels wait for each other in a cycle: " +
                             describe_cycle(routing.topology(), cycle, false)));
  }
  const auto cycle = find_escape_cycle(adaptive_relation(), dimensions);
  if (cycle.empty() && find_missing_escape(adaptive_relation(), dimensions) == 0) return;
  throw std::invalid_argument(
      "routing adaptive: " + routing.topology().name() +
      " can deadlock because its escape channels wait for each other in a cycle " +
      "or end somewhere: " + describe_cycle(routing.topology(), cycle, false));
}

void require_deadlock_freedom(const RouterConfig& config, const Routing& routing) {
  if (routing.is_adaptive()) {
    require_escape(config, routing);
    return;
  }
  if (routing.table() != nullptr) return;  // it was proved when it was made
  const auto cycle = find_dependency_cycle(routing, config.layers > 1);
  if (cycle.empty()) return;
  throw std::invalid_argument(
      vcs_in_words(config) + ": " + routing.topology().name() +
      " can deadlock because its channels wait for each other in a cycle: " +
      describe_cycle(routing.topology(), cycle, config.layers > 1));
}

// The layers into which the virtual channels of a message class are cut.
int layers_of(const RouterConfig& config, const Routing& routing) {
  const int vcs = config.vcs_of_class();
  const int layers = routing.layers_among(vcs);
  if (layers == 0) {
    const int least = routing.table()->layers() * config.classes;
    throw std::invalid_argument(
        vcs_in_words(config) + ": routing " + routing.name() + " has " +
        counted(static_cast<std::uint64_t>(routing.table()->layers()), "layer") +
        ", each with virtual channels of its own" +
        (least > limits::vcs.high ? ", so fewer classes are possible"
                                  : "; vcs must be " + range_in_words(least, limits::vcs.high)));
  }
  if (vcs % layers == 0) return layers;
  throw std::invalid_argument(
      vcs_in_words(config) + ": " + routing.topology().name() +
      " halves them between the classes h/l and p, so an odd number above 1 is not possible");
}

void require_one_for_each(const char* what, std::size_t given, const Topology& topology) {
  const std::size_t dimensions = topology.dimension_count();
  if (given == dimensions) return;
  throw std::invalid_argument(std::string(what) + ": " + std::to_string(given) +
                              (given == 1 ? " is" : " are") + " given, but " + topology.name() +
                              " has " + counted(dimensions, "dimension") + "; give one for all" +
                              (dimensions > 1 ? ", or one for each" : ""));
}

void set_link_delays(RouterConfig& router, const FabricConfig& config, const Topology& topology) {
  require_link_delays(config.link_delays, topology);
  const bool is_one = config.link_delays.empty();
  router.link_delay = is_one
                          ? config.link_delay
                          : *std::max_element(config.link_delays.begin(), config.link_delays.end());
  require_range("link delay", router.link_delay, limits::link_delay);
  for (std::size_t port = 0; port < topology.port_count(); ++port) {
    const std::size_t dimension = topology.dimension_of(port_id(port));
    router.link_delays[port] =
        static_cast<std::uint16_t>(is_one ? config.link_delay : config.link_delays[dimension]);
  }
}

// Channels of their own: the most counts where one number stands for all.
void set_links(RouterConfig& router, const FabricConfig& config) {
  if (config.links == nullptr) return;
  router.links = config.links;
  const auto most = [](const auto& list) { return *std::max_element(list.begin(), list.end()); };
  router.link_delay = most(config.links->delays);
  router.most_phits = 1 + most(config.links->further_phits);
}

void set_phits(RouterConfig& router, const FabricConfig& config, const Topology& topology) {
  if (config.phits.empty()) return;
  require_one_for_each("phits", config.phits.size(), topology);
  for (std::size_t port = 0; port < topology.port_count(); ++port) {
    const int phits = config.phits[topology.dimension_of(port_id(port))];
    require_range("phits", phits, limits::flit_bytes);
    router.further_phits[port] = static_cast<std::uint8_t>(phits - 1);
    router.most_phits = std::max(router.most_phits, phits);
  }
}

// The virtual channels of joins and trees come after all others.
void add_join_vcs(RouterConfig& router, int join_vcs, const Routing& routing) {
  require_range("join VCs", join_vcs, limits::join_vcs);
  if (join_vcs > 0 && router.classes > 1) {
    throw std::invalid_argument(
        "join VCs " + std::to_string(join_vcs) + ": with classes " +
        std::to_string(router.classes) +
        " every virtual channel is that of a message class, and joins have none; leave them out");
  }
  const bool has_none = routing.is_adaptive() || !group_fault(routing, MessageKind::tree).empty();
  if (join_vcs > 0 && (has_none || router.switching == Switching::circuit)) {
    throw std::invalid_argument("join VCs " + std::to_string(join_vcs) + ": " +
                                (has_none ? "routing " + routing.name() : "switching circuit") +
                                " has neither joins nor trees");
  }
  if (!limits::vcs.has(router.vcs + join_vcs)) {
    throw std::invalid_argument("join VCs " + std::to_string(join_vcs) + ": with vcs " +
                                std::to_string(router.vcs) + " a channel has more than " +
                                std::to_string(limits::vcs.high) + " in all");
  }
  router.vcs += join_vcs;
  router.join_vcs = join_vcs;
}

}  // namespace

bool RouterConfig::has_one_link_delay() const {
  return links == nullptr && std::all_of(link_delays.begin(), link_delays.begin() + external_ports,
                                         [this](int delay) { return delay == link_delay; });
}

namespace {

// Calls `use` with the phits and the delay of each external channel, or of those of each port.
template <class Use>
void for_each_channel(const RouterConfig& router, Use use) {
  if (router.links == nullptr) {
    for (int port = 0; port < router.external_ports; ++port) {
      use(router.phits(port), int{router.link_delays[static_cast<std::size_t>(port)]});
    }
    return;
  }
  const LinkTable& links = *router.links;
  for (std::size_t i = 0; i < links.delays.size(); ++i) {
    use(1 + links.further_phits[i], int{links.delays[i]});
  }
}

}  // namespace

int RouterConfig::longest_hop() const {
  int longest = 1;
  for_each_channel(*this,
                   [&](int phits, int delay) { longest = std::max(longest, phits + delay); });
  return longest;
}

int RouterConfig::longest_round_trip() const {
  int longest = 2;
  for_each_channel(
      *this, [&](int phits, int delay) { longest = std::max(longest, phits + 1 + 2 * delay); });
  return longest + exit_delay();
}

int RouterConfig::full_rate_depth(int held) const {
  const int later = held + exit_delay();
  int most = 2 + later;  // those of the internal channels
  for_each_channel(*this, [&](int phits, int delay) {
    most = std::max(most, (phits + 1 + 2 * delay + later - 1) / phits + 1);
  });
  return most;
}

void require_link_delays(const std::vector<int>& by_dimension, const Topology& topology) {
  for (const int delay : by_dimension) require_range("link delay", delay, limits::link_delay);
  if (!by_dimension.empty()) require_one_for_each("link delay", by_dimension.size(), topology);
}

void require_link_widths(const std::vector<int>& widths, int flit_bytes, const Topology& topology) {
  for (const int width : widths) {
    if (width >= 1 && width <= flit_bytes) continue;
    throw std::invalid_argument("link width " + std::to_string(width) + ": must be 1.." +
                                std::to_string(flit_bytes) + ", the bytes of a flit");
  }
  if (widths.size() > 1) require_one_for_each("link width", widths.size(), topology);
}

std::vector<int> phits_by_dimension(const std::vector<int>& widths, int flit_bytes,
                                    const Topology& topology) {
  std::vector<int> phits;
  phits.reserve(topology.dimension_count());
  for (const int width : widths) phits.push_back((flit_bytes - 1) / width + 1);
  if (phits.size() == 1) phits.resize(topology.dimension_count(), phits.front());
  const bool is_wide = std::all_of(phits.begin(), phits.end(), [](int one) { return one == 1; });
  return is_wide ? std::vector<int>{} : phits;
}

RouterConfig router_config(const FabricConfig& config, const Routing& routing) {
  const Topology& topology = routing.topology();
  RouterConfig router;
  static_cast<RouterParameters&>(router) = config;
  router.external_ports = static_cast<int>(topology.port_count());
  const auto most_internal = static_cast<int>(topology.node_port_count());
  router.internal_ports = config.internal_ports == 0 ? most_internal : config.internal_ports;
  require_range("classes", router.classes, limits::classes);
  router.vcs = config.vcs == 0 ? default_vcs(router.classes, routing) : config.vcs;
  router.length_in_heads = config.length_in_heads;
  router.longest_message = config.longest_message;

  require_range("ports", router.internal_ports, {1, most_internal});
  constexpr int most_ports = 64;  // bits of a PortMask
  if (router.ports() > most_ports) {
    throw std::invalid_argument(
        "ports " + std::to_string(router.internal_ports) + ": a router of " + topology.name() +
        " has up to " + std::to_string(router.external_ports) +
        " external ports, and with the internal ones " + std::to_string(most_ports) +
        " at most; it must be 1.." + std::to_string(most_ports - router.external_ports));
  }
  require_range("vcs", router.vcs, limits::vcs);
  require_classes(router);
  if (!config.custom_vc_classes) router.layers = layers_of(router, routing);
  if (routing.vc_use() == VcUse::balanced && router.layers == 1) {
    const char* const of_each = router.classes > 1 ? " for each message class" : "";
    throw std::invalid_argument(std::string("vc use balanced: with 1 virtual channel") + of_each +
                                " there are no classes to choose from; it takes 2, 4, .. virtual " +
                                "channels" + of_each);
  }
  require_range("buffer depth", router.buffer_depth, limits::buffer_depth);
  set_link_delays(router, config, topology);
  set_phits(router, config, topology);
  set_links(router, config);
  require_range("replication delay", router.replication_delay, limits::replication_delay);
  require_range("combine delay", router.combine_delay, limits::combine_delay);
  for (const PipelineDelay& delay : pipeline_delays) {
    require_range(delay.name, router.*delay.cycles, limits::pipeline_delay);
  }
  if (!config.custom_vc_classes) require_deadlock_freedom(router, routing);
  add_join_vcs(router, config.join_vcs, routing);
  return router;
}

void require_room(const FabricConfig& config, int flits) {
  if (config.longest_message > 0 && flits > config.longest_message) {
    throw std::invalid_argument(
        "flits " + std::to_string(flits) + ": this router declares that a message has at most " +
        counted(static_cast<std::uint64_t>(config.longest_message), "flit") +
        " (parameter MaxFlits = " + std::to_string(config.longest_message) + ")");
  }
  if (config.length_in_heads && flits > max_carried_length) {
    throw std::invalid_argument(
        "flits " + std::to_string(flits) +
        ": the heads of this router carry the length of their message, which must be 1.." +
        std::to_string(max_carried_length));
  }
  if (!buffers_messages(config.switching) || flits <= config.buffer_depth) return;
  throw std::invalid_argument(std::string("switching ") + to_string(config.switching) +
                              ": a buffer of " + counted(config.buffer_depth, "flit") +
                              " cannot hold a message of " + std::to_string(flits) +
                              "; the buffer depth must be at least that");
}

std::string kind_fault(MessageKind kind, Switching switching, const Routing& routing) {
  if (kind == MessageKind::path && !routing.topology().is_hypercube()) {
    return "path worms are for hypercubes; " + routing.topology().name() + " is not one";
  }
  if (kind == MessageKind::label && routing.topology().kind() != TopologyKind::mesh) {
    return "label worms are for meshes; " + routing.topology().name() + " is not one";
  }
  if (kind == MessageKind::unicast) return {};
  const std::string only =
      std::string("is for unicasts only, and this is a ") + to_string(kind) + " message";
  if (is_join(kind) && switching == Switching::store_and_forward) {
    return std::string("switching store-and-forward has no joins, and this is a ") +
           to_string(kind) + " message; wormhole and cut-through have them";
  }
  if (switching == Switching::circuit) return "switching circuit " + only;
  if (routing.is_adaptive()) return "routing adaptive " + only;
  if (kind == MessageKind::deposit) return deposit_fault(routing.topology());
  if (has_group(kind)) return group_fault(routing, kind);
  if (routing.table() != nullptr) {
    const bool has_trees = routing.table()->tree() != nullptr;
    return "routing " + routing.name() + " is for unicasts" +
           (has_trees ? ", deposits, trees and joins" : " and deposits") + " only, and this is a " +
           to_string(kind) + " message";
  }
  return {};
}

}  // namespace allport
