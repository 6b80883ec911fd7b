// SPDX-License-Identifier: Apache-2.0
#include "traffic/planning/embedding.h"

#include <algorithm>
#include <set>
#include <stdexcept>
#include <string>
#include <tuple>

#include "traffic/schedule/block_flow.h"
#include "traffic/schedule/step_assignment.h"

namespace allport {

namespace {

bool is_power_of_two(int side) { return (side & (side - 1)) == 0; }

std::string not_embedded(const Topology& guest, const Topology& host) {
  const std::string subject = guest.name() + " on " + host.name() + ": ";
  if (!host.is_hypercube()) return subject + "topologies can be embedded in hypercubes only";
  if (guest.is_hypercube()) return subject + "only a ring, a torus or a mesh can be embedded";
  if (!std::all_of(guest.sides().begin(), guest.sides().end(), is_power_of_two)) {
    return subject + "its sides must be powers of two";
  }
  if (guest.node_count() == host.node_count()) return {};
  return subject + "it has " + std::to_string(guest.node_count()) + " nodes, but must have " +
         std::to_string(host.node_count());
}

const std::shared_ptr<const Topology>& embeddable(const std::shared_ptr<const Topology>& guest,
                                                  const Topology& host) {
  const std::string fault = not_embedded(*guest, host);
  if (!fault.empty()) throw std::invalid_argument(fault);
  return guest;
}

int bits_of(int side) { return __builtin_ctz(static_cast<unsigned>(side)); }

NodeId gray_node(const Topology& guest, NodeId node) {
  std::size_t address = 0;
  for (std::size_t i = 0; i < guest.dimension_count(); ++i) {
    const auto coordinate = static_cast<std::size_t>(guest.coordinate(node, i));
    address = address << bits_of(guest.sides()[i]) | (coordinate ^ coordinate >> 1);
  }
  return node_id(address);
}

}  // namespace

Embedding::Embedding(const std::shared_ptr<const Topology>& guest, const Routing& host)
    : guest_(embeddable(guest, host.topology()), Routing::default_order(*guest)),
      host_(host),
      on_host_(guest->node_count()),
      on_guest_(guest->node_count()) {
  for (std::size_t i = 0; i < on_host_.size(); ++i) {
    on_host_[i] = gray_node(*guest, node_id(i));
    on_guest_[index(on_host_[i])] = node_id(i);
  }
}

Multicast Embedding::guest_goal(const Multicast& goal) const {
  std::vector<NodeId> destinations;
  for (const NodeId node : goal.destinations) destinations.push_back(on_guest(node));
  return multicast(guest_.topology(), on_guest(goal.source), std::move(destinations));
}

// Blocks are numbered by the nodes to which they belong.
BlockId Embedding::block_on_host(BlockId block, Operation operation) const {
  const auto nodes = static_cast<BlockId>(on_host_.size());
  const auto place = [this](BlockId node) {
    return static_cast<BlockId>(index(on_host(node_id(node))));
  };
  switch (operation) {
    case Operation::scatter:
    case Operation::gather:
    case Operation::allgather:
    case Operation::reduce_scatter:
      return place(block);
    case Operation::alltoall:
      return place(block / nodes) * nodes + place(block % nodes);
    default:
      return block;
  }
}

void Embedding::place(Schedule& schedule, Operation operation, BlockId parts) const {
  for (Unicast& unicast : schedule.unicasts) {
    unicast.u = on_host(unicast.u);
    unicast.v = on_host(unicast.v);
    unicast.displacement.clear();
    for (BlockId& block : unicast.blocks) {
      block = block_on_host(block / parts, operation) * parts + block % parts;
    }
  }
  schedule.sort();
}

bool Embedding::keeps_port_rule(const Schedule& schedule, int internal_ports) const {
  std::set<std::tuple<StepIndex, NodeId, std::size_t>> used;
  return std::all_of(
      schedule.unicasts.begin(), schedule.unicasts.end(), [&](const Unicast& unicast) {
        const PortId first = host_.route(unicast.u, unicast.v, 0)->port;
        return used.emplace(unicast.step, unicast.u, injection_port(first, internal_ports)).second;
      });
}

void Embedding::assign_steps(Schedule& schedule, const Collective& collective,
                             int internal_ports) const {
  const bool has_blocks = !schedule.unicasts.front().blocks.empty();
  for (Unicast& unicast : schedule.unicasts) {
    if (!has_blocks) unicast.blocks = {0};
  }
  const BlockFlow flow(schedule, collective);
  const auto ports = static_cast<std::size_t>(internal_ports);
  std::vector<StepIndex> last_step(collective.node_count() * ports);
  std::vector<StepIndex> steps(schedule.unicasts.size());
  for (const std::uint32_t i : flow.execution_order()) {
    const Unicast& unicast = schedule.unicasts[i];
    const PortId first = host_.route(unicast.u, unicast.v, 0)->port;
    StepIndex& last = last_step[index(unicast.u) * ports + injection_port(first, internal_ports)];
    for (const std::uint32_t reception : flow.waits_for(i)) last = std::max(last, steps[reception]);
    steps[i] = ++last;
  }
  for (std::size_t i = 0; i < steps.size(); ++i) {
    schedule.unicasts[i].step = steps[i];
    if (!has_blocks) schedule.unicasts[i].blocks.clear();
  }
  schedule.sort();
}

Schedule Embedding::plan(const Algorithm& algorithm, const Multicast& goal, int internal_ports,
                         int parts) const {
  if (algorithm.kind != MessageKind::unicast) {
    throw std::invalid_argument("algorithm " + std::string(algorithm.name) +
                                " is sent by the routers' worms and cannot be embedded");
  }
  // A node with all ports has all ports of the guest, even if these are more than its own.
  const auto ports_of = [](const Routing& routing) {
    return static_cast<int>(routing.topology().port_count());
  };
  const bool is_all_port = internal_ports == ports_of(host_);
  const int guest_ports =
      is_all_port ? ports_of(guest_) : std::min(internal_ports, ports_of(guest_));
  const int count = part_count(algorithm, guest_.topology(), parts);
  Schedule schedule =
      allport::plan(algorithm, {guest_, guest_ports, guest_goal(goal), StepRule::naive, count});
  place(schedule, algorithm.operation, static_cast<BlockId>(count));
  if (keeps_port_rule(schedule, internal_ports)) return schedule;
  assign_steps(schedule, collective_of(algorithm, host_.topology(), goal, count), internal_ports);
  return schedule;
}

}  // namespace allport
