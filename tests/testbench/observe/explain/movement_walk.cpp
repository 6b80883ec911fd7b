// SPDX-License-Identifier: Apache-2.0
#include "tests/testbench/observe/explain/movement_walk.h"

#include <algorithm>

#include "rtl_model/topology/group_routes.h"
#include "rtl_model/topology/message_kind.h"

namespace allport::test {

namespace {

constexpr int local = -1;  // the input of what the processor of a router sends

PortId port_of(int port) { return port_id(static_cast<std::size_t>(port)); }

}  // namespace

Cycle MovementWalk::Flow::arrived(int flit) const {
  Cycle last = 0;
  for (const auto& [input, cycles] : arrivals) {
    last = std::max(last, cycles.at(static_cast<std::size_t>(flit)));
  }
  return last;
}

Cycle MovementWalk::Flow::left(int flit) const {
  Cycle last = 0;
  for (const auto& [output, cycles] : departures) {
    last = std::max(last, cycles.at(static_cast<std::size_t>(flit)));
  }
  return last;
}

// Compares the arrivals of the flit, of that before it, and so on.
int MovementWalk::Flow::last_input(int flit) const {
  const auto backwards = [&](const Cycles& cycles) {
    Cycles list(cycles.begin(), cycles.begin() + flit + 1);
    std::reverse(list.begin(), list.end());
    return list;
  };
  const auto last = std::max_element(
      arrivals.begin(), arrivals.end(),
      [&](const auto& a, const auto& b) { return backwards(a.second) < backwards(b.second); });
  return last->first;
}

bool MovementWalk::is_at_root(MessageId message, NodeId node) const {
  return simulation_.message(message).source == node;
}

// Whether a flit that leaves `node` by `output` is of a join, on its way to the root.
bool MovementWalk::is_gathering(MessageId message, NodeId node, int output) const {
  const MessageRecord& record = simulation_.message(message);
  if (!is_join(record.kind)) return false;
  if (is_at_root(message, node)) return true;
  return index(join_hop(routing_, node, record.source)->port) == static_cast<std::size_t>(output);
}

Cycle MovementWalk::link_delay(Channel channel) const {
  const LinkTable* const links = config_.fabric.links.get();
  return links == nullptr ? config_.fabric.link_delay
                          : links->delays[links->place(channel.node, index(channel.port))];
}

void MovementWalk::on_injected(NodeId node, int, const Flit& flit, Cycle on_channel) {
  const bool joins = is_join(simulation_.message(flit.message).kind);
  flows_[{flit.message, node, joins}].arrivals[local].push_back(on_channel);
}

void MovementWalk::on_sent(NodeId node, int output, const Flit& flit, Cycle on_channel) {
  const bool gathers = is_gathering(flit.message, node, output);
  flows_[{flit.message, node, gathers}].departures[output].push_back(on_channel - 1);
  const Topology& topology = routing_.topology();
  if (static_cast<std::size_t>(output) >= topology.port_count()) return;
  const NodeId next = *topology.neighbour(node, port_of(output));
  const auto input = static_cast<int>(index(topology.arrival_port(node, port_of(output))));
  const bool goes_to_root = gathers && !is_at_root(flit.message, node);
  flows_[{flit.message, next, goes_to_root}].arrivals[input].push_back(
      on_channel + link_delay({node, port_of(output)}));
}

Cycle MovementWalk::combine_delay(const Flow& flow, const Stop& stop) const {
  const bool has_inputs = flow.arrivals.rbegin()->first != local;
  return stop.is_gathering && has_inputs ? config_.fabric.combine_delay : 0;
}

Cycle MovementWalk::replication_delay(const Flow& flow, const Stop& stop) const {
  const MessageKind kind = simulation_.message(stop.message).kind;
  const bool branches = kind == MessageKind::tree || kind == MessageKind::join_tree;
  const auto ports = static_cast<int>(routing_.topology().port_count());
  const bool goes_on = flow.departures.begin()->first < ports;
  const bool turns = stop.is_gathering && is_at_root(stop.message, stop.node);
  return branches && goes_on && (turns || !stop.is_gathering) ? config_.fabric.replication_delay
                                                              : 0;
}

std::string MovementWalk::walk(MessageId message, NodeId receiver) const {
  const bool at_root = is_join(simulation_.message(message).kind) && is_at_root(message, receiver);
  Place place{{message, receiver, at_root}};
  const Cycles& ejected = flows_.at(place.stop).departures.rbegin()->second;
  place.flit = static_cast<int>(ejected.size()) - 1;
  place.now = ejected.back();
  std::map<std::string, Cycle> causes{{"hop", 1}};
  while (step(place, causes)) {
  }
  std::string text = "from " + std::to_string(index(place.stop.node)) + ":";
  for (const auto& [cause, cycles] : causes) text += " " + cause + " " + std::to_string(cycles);
  return text;
}

// One step back; false: the head is at its processor.
bool MovementWalk::step(Place& place, std::map<std::string, Cycle>& causes) const {
  const Flow& flow = flows_.at(place.stop);
  const auto spend = [&](const char* cause, Cycle cycles) {
    causes[cause] += cycles;
    place.now -= cycles;
  };
  const Cycle arrived = flow.arrived(place.flit);
  const Cycle combined = arrived + combine_delay(flow, place.stop);
  const Cycle before = place.now - 1;
  if (place.now == arrived) {
    const int input = flow.last_input(place.flit);
    if (input == local) {
      const Cycles& injected = flow.arrivals.at(local);
      for (; place.flit > 0; --place.flit) {
        const Cycle sent = injected.at(static_cast<std::size_t>(place.flit) - 1);
        if (place.now - 1 > sent) spend("wait", place.now - 1 - sent);
        spend("length", 1);
      }
      return false;
    }
    const Channel from = *routing_.topology().incoming(place.stop.node, port_of(input));
    spend("hop", 1 + link_delay(from));
    place.stop.node = from.node;
    const bool is_join_tree =
        simulation_.message(place.stop.message).kind == MessageKind::join_tree;
    if (is_join_tree && is_at_root(place.stop.message, place.stop.node)) {
      place.stop.is_gathering = true;
    }
  } else if (before < combined) {
    spend("combine", 1);
  } else if (before < combined + replication_delay(flow, place.stop)) {
    spend("replication", 1);
  } else if (place.flit > 0 && flow.left(place.flit - 1) == before) {
    spend("length", 1);
    --place.flit;
  } else {
    spend("wait", 1);
  }
  return true;
}

}  // namespace allport::test
