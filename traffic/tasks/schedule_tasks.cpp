// SPDX-License-Identifier: Apache-2.0
#include "traffic/tasks/schedule_tasks.h"

#include <algorithm>
#include <stdexcept>

#include "rtl_model/base/quote.h"

namespace allport {

namespace {

// What a node sends or receives: the number of the task, and its place in the plan.
struct Item {
  StepIndex step = 0;
  int order = 0;
  std::uint32_t task = 0;
};

struct NodeItems {
  std::vector<Item> sends;     // by order
  std::vector<Item> receives;  // by step
};

void require_plain(const TimedUnicast& one, const std::string& place, std::size_t nodes) {
  const Unicast& unicast = one.unicast;
  const auto reject = [&](const std::string& why) {
    throw std::invalid_argument(place + ":" + std::to_string(one.line) + ": " + why);
  };
  const bool is_plain = unicast.kind == MessageKind::unicast && unicast.blocks.empty() &&
                        unicast.via.empty() && unicast.displacement.empty() && unicast.free == 0 &&
                        unicast.first_dimension < 0;
  if (!is_plain) {
    reject(
        "where messages have flits, at or class, they are unicasts without blocks and displacements");
  }
  const std::size_t last = std::max(index(unicast.u), index(unicast.v));
  if (last >= nodes) {
    reject("node " + std::to_string(last) + ", but the nodes are 0.." + std::to_string(nodes - 1));
  }
  if (unicast.u == unicast.v) reject("the message goes to its own sender");
}

// A send comes after the one before it, and after what its node receives in steps before its own
// that no earlier send has waited for.
void add_dependencies(const NodeItems& node, TaskGraph& graph) {
  std::size_t waited = 0;
  for (std::size_t i = 0; i < node.sends.size(); ++i) {
    const Item& send = node.sends[i];
    if (i > 0) graph.dependencies.push_back({send.task, node.sends[i - 1].task, true, true});
    for (; waited < node.receives.size() && node.receives[waited].step < send.step; ++waited) {
      graph.dependencies.push_back({send.task, node.receives[waited].task, false});
    }
  }
}

}  // namespace

TaskGraph schedule_tasks(const std::vector<TimedUnicast>& messages, const std::string& name,
                         int flits, int flit_bytes, std::size_t nodes) {
  TaskGraph graph;
  graph.files.push_back(shown_path(name));
  for (const TimedUnicast& one : messages) {
    require_plain(one, graph.files.front(), nodes);
    const auto last =
        static_cast<std::uint32_t>(std::max(index(one.unicast.u), index(one.unicast.v)));
    graph.ranks = std::max(graph.ranks, last + 1);
  }
  std::vector<NodeItems> items(graph.ranks);
  for (const TimedUnicast& one : messages) {
    const auto number = static_cast<std::uint32_t>(graph.tasks.size());
    Task send;
    send.kind = TaskKind::send;
    send.rank = static_cast<std::uint32_t>(index(one.unicast.u));
    send.peer = static_cast<std::uint32_t>(index(one.unicast.v));
    send.tag = number;
    send.order = static_cast<std::uint32_t>(one.unicast.order);
    send.amount = static_cast<std::uint64_t>(one.flits > 0 ? one.flits : flits) *
                  static_cast<std::uint64_t>(flit_bytes);
    send.at = one.at;
    send.message_class = one.message_class;
    send.origin.line = static_cast<std::uint32_t>(one.line);
    Task receive = send;
    receive.kind = TaskKind::receive;
    std::swap(receive.rank, receive.peer);
    receive.order = no_order;
    receive.at = 0;
    receive.turn = 0;  // what has come is taken over before the next message
    graph.tasks.push_back(send);
    graph.tasks.push_back(receive);
    items[send.rank].sends.push_back({one.unicast.step, one.unicast.order, number});
    items[receive.rank].receives.push_back({one.unicast.step, one.unicast.order, number + 1});
  }
  for (NodeItems& node : items) {
    std::stable_sort(node.sends.begin(), node.sends.end(),
                     [](const Item& a, const Item& b) { return a.order < b.order; });
    std::stable_sort(node.receives.begin(), node.receives.end(),
                     [](const Item& a, const Item& b) { return a.step < b.step; });
    add_dependencies(node, graph);
  }
  return graph;
}

}  // namespace allport
