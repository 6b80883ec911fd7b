// SPDX-License-Identifier: Apache-2.0
// The proof finds whether messages of any kind that are in the network together can wait for one
// another in a circle. A message that waits for a lane may wait for any other message with that
// lane on its route; that message holds the lane, or stands in its buffer, and may itself wait
// farther on or on another branch, because a worm holds all its branches while it waits for one.
// Without a circle of such waits there is no deadlock [DallySeitz87]; a possible circle does not
// mean that a deadlock occurs.
#include <algorithm>
#include <cstdlib>
#include <optional>

#include "rtl_model/base/circle.h"
#include "traffic/proof/waiting_graph.h"
#include "traffic/proof/worm_check.h"

namespace allport {

namespace {

using Vertices = std::vector<std::uint32_t>;

constexpr std::uint32_t no_wait = WaitingGraph::none;

// A cycle that can be reached from some wait; empty: there is none.
Vertices find_cycle(WaitingGraph& graph, std::size_t hops, StopFlag stop) {
  CircleSearch search(graph.vertex_count());
  Vertices cycle;
  for (std::uint32_t hop = 0; hop < hops && cycle.empty(); ++hop) {
    if (hop % 4096 == 0) heed(stop);
    if (!graph.is_member(hop)) continue;
    cycle = search.from(
        WaitingGraph::vertex(hop, WaitingGraph::waits),
        [&](std::uint32_t vertex, auto is_done) { return graph.next(vertex, is_done); });
  }
  return cycle;
}

// Searches breadth first for the shortest cycle through `start`, which is on one.
Vertices shortest_cycle(WaitingGraph& graph, std::uint32_t start) {
  graph.restore();
  std::vector<std::uint32_t> reached_from(graph.vertex_count(), no_wait);
  const auto is_done = [&](std::uint32_t vertex) { return reached_from[vertex] != no_wait; };
  Vertices queue{start};
  for (std::size_t i = 0; i < queue.size() && reached_from[start] == no_wait; ++i) {
    while (true) {
      const std::uint32_t next = graph.next(queue[i], is_done);
      if (next == no_wait) break;
      reached_from[next] = queue[i];
      if (next != start) queue.push_back(next);
    }
  }
  Vertices cycle{start};
  for (std::uint32_t at = reached_from[start]; at != start; at = reached_from[at]) {
    cycle.push_back(at);
  }
  std::reverse(cycle.begin() + 1, cycle.end());
  return cycle;
}

// The routes of the messages once more if their heads may choose classes of virtual channels. Then
// a message has a row for each of several ways to choose. A wait of a message for a lane while it
// holds another one depends on two choices at most; so all lower, all upper, and for each bit of
// the numbers of the choices that bit and its inverse show all waits.
class ChosenRoutes {
 public:
  explicit ChosenRoutes(const WormMessages& messages) : routes_(messages.no_routes()) {
    for (std::uint32_t i = 0; i < messages.size(); ++i) {
      const std::size_t choices = add(messages, i, {31, false});
      if (choices == 0) continue;
      add(messages, i, {31, true});
      for (unsigned bit = 0; ((choices - 1) >> bit) != 0; ++bit) {
        add(messages, i, {bit, false});
        add(messages, i, {bit, true});
      }
    }
  }

  const WormRoutes& routes() const { return routes_; }
  const std::vector<std::uint32_t>& messages() const { return messages_; }

 private:
  std::size_t add(const WormMessages& messages, std::uint32_t i, WormRoutes::Choices choices) {
    messages_.push_back(i);
    return routes_.add(*messages[i].unicast, choices);
  }

  WormRoutes routes_;
  std::vector<std::uint32_t> messages_;  // by row
};

}  // namespace

std::vector<WormWait> find_waiting_circle(const WormMessages& messages,
                                          const std::vector<SoundPart>& parts, int phase,
                                          bool has_barriers) {
  std::optional<ChosenRoutes> chosen;
  if (messages.routes().routing().vc_use() == VcUse::balanced) chosen.emplace(messages);
  const WormRoutes& routes = chosen ? chosen->routes() : messages.routes();
  const auto message_of = [&](std::uint32_t row) { return chosen ? chosen->messages()[row] : row; };
  std::vector<bool> is_member(routes.message_count(), true);
  for (std::uint32_t i = 0; i < is_member.size() && has_barriers; ++i) {
    is_member[i] = std::abs(parts[messages[message_of(i)].part].phase - phase) <= 1;
  }
  WaitingGraph graph(routes, is_member, chosen ? &chosen->messages() : nullptr);
  const Vertices cycle = find_cycle(graph, routes.hop_count(), parts.front().request.limits.stop);
  const auto wait = std::find_if(cycle.begin(), cycle.end(), [](std::uint32_t vertex) {
    return WaitingGraph::state_of(vertex) == WaitingGraph::waits;
  });
  if (wait == cycle.end()) return {};
  std::vector<WormWait> circle;
  for (const std::uint32_t vertex : shortest_cycle(graph, *wait)) {
    if (WaitingGraph::state_of(vertex) != WaitingGraph::waits) continue;
    const std::uint32_t hop = WaitingGraph::hop_of(vertex);
    WormWait one{messages[message_of(routes[hop].message)].index, routes.channel(hop), std::nullopt,
                 std::nullopt};
    if (routes.has_classes() && !routes.is_ejection(hop)) {
      const VcClass vc_class = routes.class_of(hop);
      if (routes.routing().table() != nullptr) {
        one.layer = layer_of(vc_class);
      } else {
        one.vc_class = vc_class;
      }
    }
    circle.push_back(one);
  }
  return circle;
}

}  // namespace allport
