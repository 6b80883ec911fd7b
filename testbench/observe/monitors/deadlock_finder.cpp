// SPDX-License-Identifier: Apache-2.0
#include "testbench/observe/monitors/deadlock_finder.h"

#include <algorithm>
#include <map>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>

#include "rtl_model/base/bits.h"
#include "rtl_model/base/circle.h"
#include "rtl_model/topology/group_routes.h"

namespace allport {

namespace {

struct Edge {
  MessageId held_by;  // no_message: a node that may take what it has received at any time
  const char* waits_for;
  Channel channel;
  int vc;
  std::vector<MessageId> or_held_by{};  // it ends with the wait for one of these, too
};

// A wait that ends nowhere: the processor of a node has not sent what a join needs of it.
constexpr const char* waits_for_processor = "processor";
// The same: nothing is beyond the channel of which a flit lacks a credit, for the credit was lost.
constexpr const char* waits_for_lost = "lost";

bool is_for_lost(std::string_view waits_for) { return waits_for == waits_for_lost; }

/// A flit with everything that it waits for at once.
struct Stuck {
  MessageId message;
  bool is_head;
  Channel input;
  int vc;
  PortMask taken;
  std::vector<Edge> edges;
  bool is_queued = false;  // whether it is in the queue of its processor
  Cycle prepared = 0;      // cycle in which it was prepared, if it is
};

/// The stuck flits of one node: first those of its router in the order of their buffers, then those
/// of its processor.
class NodeWaits {
 public:
  NodeWaits(const QuiescentFabric& fabric, NodeId node, const MessageLog& log,
            std::vector<Stuck>& stuck)
      : fabric_(fabric),
        log_(log),
        router_(fabric.state(node)),
        config_(router_.config()),
        stuck_(stuck) {}

  void collect() {
    for (int input = 0; input < config_.ports(); ++input) {
      for (int vc = 0; vc < config_.vcs_of(input); ++vc) {
        if (router_.buffered(config_.channel_vc(input, vc)) > 0) collect(input, vc);
      }
    }
    const int ports = has_processor(router_.node()) ? config_.internal_ports : 0;
    for (int port = 0; port < ports; ++port) {
      for (int one = 0; one < config_.classes; ++one) collect_queue(port, one);
    }
  }

 private:
  void collect(int input, int vc) {
    const int input_vc = config_.channel_vc(input, vc);
    const Flit& front = router_.front(input_vc);
    const PortMask pending = router_.pending(input_vc);
    const PortMask taken = router_.outputs(input_vc) & ~pending;
    stuck_.push_back({front.message, front.head, at(input), vc, taken, {}});
    if (!wait_for_operands(input, front.message)) {
      for (const int port : bits(pending)) {
        wait_at_output(input_vc, port);
      }
    }
    MessageId before = front.message;
    for (int place = 1; place < router_.buffered(input_vc); ++place) {
      const Flit& flit = router_.flit(input_vc, place);
      if (flit.head) {
        stuck_.push_back(
            {flit.message, true, at(input), vc, 0, {{before, "buffer", at(input), vc}}});
      }
      before = flit.message;
    }
  }

  // The first message lacks a credit, and may be on its way; the others wait behind it.
  void collect_queue(int port, int message_class) {
    const int input = config_.external_ports + port;
    const int input_vc = config_.channel_vc(input, message_class);
    const bool has_front = router_.buffered(input_vc) > 0;
    const char* waits_for = "credit";
    MessageId before = has_front ? router_.front(input_vc).message : no_message;
    for (const QuiescentFabric::Queued& queued :
         fabric_.queue(router_.node(), port, message_class)) {
      stuck_.push_back(
          {queued.message, queued.is_at_head, at(input), message_class, 0, {}, true, queued.start});
      add(before, waits_for, input, message_class);
      waits_for = "buffer";
      before = queued.message;
    }
  }

  // Adds the wait of the flit added last.
  void wait_at_output(int input_vc, int output) {
    const int output_vc = router_.output_vc(input_vc, output);
    const int vc = output_vc - config_.channel_vc(output, 0);
    if ((router_.owned(input_vc) >> output & 1U) == 0) {
      add(router_.owner_message(output_vc), "vc", output, vc);
      add_other_owners(input_vc, output, vc);
      return;
    }
    const Flit& front = router_.front(input_vc);
    const int needed = needed_credits(config_.switching, front.head, front.length);
    if (router_.credits(output_vc) >= needed) return;  // it waits for its own tail
    if (!config_.is_external(output)) {
      wait_for_client(output, vc);
      return;
    }
    const MessageId ahead = first_beyond(output, vc);
    const bool is_lost = ahead == no_message;
    add(is_lost ? front.message : ahead, is_lost ? waits_for_lost : "credit", output, vc);
  }

  // The flit added last lacks a credit of an ejection channel: its node has taken too little, and
  // takes more when all that it waits for has come.
  void wait_for_client(int output, int vc) {
    const auto awaited = fabric_.awaited(router_.node(), config_.message_class(output, vc));
    if (!awaited) return;  // a node that takes every flit at once cannot block
    for (const MessageId message : *awaited) add(message, "take", output, vc);
    if (awaited->empty()) stuck_.back().edges.push_back({no_message, "take", at(output), vc});
  }

  // Where nodes may take something later, a head may be given any of its VCs that becomes free.
  void add_other_owners(int input_vc, int output, int vc) {
    if (stuck_.back().edges.empty()) return;
    Edge& edge = stuck_.back().edges.back();
    for (const int port : bits(fabric_.alternatives(router_.node(), input_vc, output))) {
      for (const int other : bits(fabric_.candidates(router_.node(), input_vc, port))) {
        if (port == output && other == vc) continue;
        const MessageId owner = router_.owner_message(config_.channel_vc(port, other));
        const MessageId ahead = owner != no_message ? owner : first_beyond(port, other);
        if (ahead != no_message) edge.or_held_by.push_back(ahead);
      }
    }
  }

  // The message at the front of the buffer behind the external `output`; none: it is empty.
  MessageId first_beyond(int output, int vc) const {
    const Topology& topology = fabric_.routing().topology();
    const PortId port = port_id(static_cast<std::size_t>(output));
    const RouterState& beyond = fabric_.state(*topology.neighbour(router_.node(), port));
    const int far_input = static_cast<int>(index(topology.arrival_port(router_.node(), port)));
    const int far_vc = config_.channel_vc(far_input, vc);
    return beyond.buffered(far_vc) == 0 ? no_message : beyond.front(far_vc).message;
  }

  // What the front flit of `input` waits for if it is a contribution to a join that has not come
  // together here; false if it is not a join, or all have come. In a switch each waits for all that
  // are missing, elsewhere others than the local one wait for that.
  bool wait_for_operands(int input, MessageId message) {
    const MessageRecord& record = log_[message];
    if (!is_join(record.kind)) return false;
    const NodeId node = router_.node();
    const PortMask inputs = join_inputs(fabric_.routing(), node, record.source, record.group);
    const bool is_operand = config_.is_external(input) && (inputs >> input & 1U) != 0;
    if (has_processor(node) && input != config_.external_ports) {
      if (is_operand) wait_for_contribution(node, message);
      return is_operand;
    }
    const bool lacks_any = wait_for_inputs(router_, inputs, message);
    const auto speaker = join_speaker(fabric_.routing(), node, record.source);
    return lacks_any || (speaker && input != *speaker);
  }

  // Adds waits for those contributions that have not come to `inputs` of `router`; returns whether
  // any is not at the front there.
  bool wait_for_inputs(const RouterState& router, PortMask inputs, MessageId message) {
    bool lacks_any = false;
    for (const int port : bits(inputs)) {
      if (is_at_front(router, port, message)) continue;
      lacks_any = true;
      if (is_buffered(router, port, message)) continue;  // it waits there for those before it
      const PortId operand = port_id(static_cast<std::size_t>(port));
      wait_for_sender(fabric_.routing().topology().incoming(router.node(), operand)->node, message);
    }
    return lacks_any;
  }

  // The contribution that `node` sends on is missing; a switch has none of its own.
  void wait_for_sender(NodeId node, MessageId message) {
    if (has_processor(node)) {
      wait_for_contribution(node, message);
      return;
    }
    const MessageRecord& record = log_[message];
    const RouterState& there = fabric_.state(node);
    const PortMask inputs = join_inputs(fabric_.routing(), node, record.source, record.group);
    for (const int port : bits(inputs)) {
      if (is_at_front(there, port, message)) return;  // that says what it waits for
    }
    wait_for_inputs(there, inputs, message);
  }

  bool has_processor(NodeId node) const {
    return index(node) < fabric_.routing().topology().node_count();
  }

  // The contribution of `node` is behind another message, or its processor has not sent it. If it
  // is at the front there, or in a queue, its own flit says what it waits for.
  void wait_for_contribution(NodeId node, MessageId message) {
    const MessageRecord& record = log_[message];
    const RouterState& there = fabric_.state(node);
    const int local = config_.channel_vc(config_.external_ports, 0);
    const Channel channel{node, port_id(static_cast<std::size_t>(config_.external_ports))};
    std::vector<Edge>& edges = stuck_.back().edges;
    if (there.buffered(local) > 0 && there.front(local).message != message) {
      edges.push_back({there.front(local).message, "join", channel, 0});
    } else if (!log_.joins().has_contributed(message, node, record.source, record)) {
      edges.push_back({message, waits_for_processor, channel, 0});
    }
  }

  bool is_at_front(const RouterState& router, int input, MessageId message) const {
    for (int vc = 0; vc < config_.vcs_of(input); ++vc) {
      const int input_vc = config_.channel_vc(input, vc);
      if (router.buffered(input_vc) > 0 && router.front(input_vc).message == message) return true;
    }
    return false;
  }

  bool is_buffered(const RouterState& router, int input, MessageId message) const {
    for (int vc = 0; vc < config_.vcs_of(input); ++vc) {
      const int input_vc = config_.channel_vc(input, vc);
      for (int place = 0; place < router.buffered(input_vc); ++place) {
        if (router.flit(input_vc, place).message == message) return true;
      }
    }
    return false;
  }

  void add(MessageId held_by, const char* waits_for, int port, int vc) {
    if (held_by != no_message) {
      stuck_.back().edges.push_back({held_by, waits_for, at(port), vc});
    }
  }

  Channel at(int port) const { return {router_.node(), port_id(static_cast<std::size_t>(port))}; }

  const QuiescentFabric& fabric_;
  const MessageLog& log_;
  const RouterState& router_;
  const RouterConfig& config_;
  std::vector<Stuck>& stuck_;
};

/// The place of an edge of a message: the flit, and its edge.
struct EdgePlace {
  std::size_t flit;
  std::size_t edge;
};

/// The edges of a message.
struct MessageWaits {
  std::vector<EdgePlace> edges;
  std::size_t first = 0;  // those before it lead to no cycle
};

using WaitGraph = std::map<MessageId, MessageWaits>;

// Whether an edge counts as a wait of the message: that its flits wait for those before them does
// not; that its head waits for its own body does. A wait for a processor, or for a lost credit,
// leads to no message.
bool ties(const Stuck& flit, const Edge& edge) {
  if (std::string_view(edge.waits_for) == waits_for_processor) return false;
  if (is_for_lost(edge.waits_for)) return false;
  return edge.held_by != flit.message || flit.is_head;
}

// The messages that can move on when nodes take what they have received, those that wait for such
// messages alone, and so on: the ends of what has waits for a `take`.
std::set<MessageId> living(const std::vector<Stuck>& stuck) {
  std::set<MessageId> waiting;
  for (const Stuck& flit : stuck) waiting.insert(flit.message);
  std::set<MessageId> living;
  const auto lives = [&](MessageId message) {
    return waiting.count(message) == 0 || living.count(message) > 0;
  };
  const auto ends = [&](const Edge& edge) {
    return lives(edge.held_by) ||
           std::any_of(edge.or_held_by.begin(), edge.or_held_by.end(), lives);
  };
  for (bool grows = true; grows;) {
    std::set<MessageId> still;
    for (const Stuck& flit : stuck) {
      for (const Edge& edge : flit.edges) {
        const bool is_for_ever = is_for_lost(edge.waits_for);
        if (is_for_ever || (ties(flit, edge) && !ends(edge))) still.insert(flit.message);
      }
    }
    grows = false;
    for (const MessageId message : waiting) {
      if (still.count(message) == 0) grows |= living.insert(message).second;
    }
  }
  return living;
}

// Drops the flits of those messages, and waits for nodes that may take something at any time.
void drop_living(std::vector<Stuck>& stuck) {
  const auto is_for_client = [](const Edge& edge) {
    return std::string_view(edge.waits_for) == "take";
  };
  const bool is_any = std::any_of(stuck.begin(), stuck.end(), [&](const Stuck& flit) {
    return std::any_of(flit.edges.begin(), flit.edges.end(), is_for_client);
  });
  if (!is_any) return;
  const std::set<MessageId> gone = living(stuck);
  stuck.erase(std::remove_if(stuck.begin(), stuck.end(),
                             [&](const Stuck& flit) { return gone.count(flit.message) > 0; }),
              stuck.end());
  for (Stuck& flit : stuck) {
    flit.edges.erase(std::remove_if(flit.edges.begin(), flit.edges.end(),
                                    [](const Edge& edge) { return edge.held_by == no_message; }),
                     flit.edges.end());
  }
}

WaitGraph graph_of(const std::vector<Stuck>& stuck) {
  WaitGraph graph;
  for (std::size_t flit = 0; flit < stuck.size(); ++flit) {
    std::vector<EdgePlace>& edges = graph[stuck[flit].message].edges;
    for (std::size_t edge = 0; edge < stuck[flit].edges.size(); ++edge) {
      if (ties(stuck[flit], stuck[flit].edges[edge])) edges.push_back({flit, edge});
    }
  }
  return graph;
}

// The messages of `graph` in the order of their names, which no model of the fabric changes. A join
// without its root's contribution may have the place of another message of the root; two joins of
// one name are numbered in the order of their contributions.
std::vector<MessageId> by_name(const WaitGraph& graph, const MessageLog& log) {
  std::vector<MessageId> messages;
  for (const auto& [message, waits] : graph) messages.push_back(message);
  const auto name = [&log](MessageId id) {
    const MessageRecord& record = log[id];
    return std::make_tuple(record.source, record.order, record.collective, record.kind,
                           record.group, record.join.bits(), id);
  };
  std::sort(messages.begin(), messages.end(),
            [&](MessageId a, MessageId b) { return name(a) < name(b); });
  return messages;
}

// Follows waits from one message on until a message comes again: the cycle begins there. `count`
// messages have been sent.
std::vector<EdgePlace> find_cycle(const std::vector<MessageId>& messages, WaitGraph graph,
                                  const std::vector<Stuck>& stuck, std::size_t count) {
  const auto next = [&](std::uint32_t message, auto is_done) {
    const auto found = graph.find(MessageId{message});
    if (found == graph.end()) return no_vertex;
    auto& [edges, first] = found->second;
    for (; first < edges.size(); ++first) {
      const Edge& edge = stuck[edges[first].flit].edges[edges[first].edge];
      const auto holding = static_cast<std::uint32_t>(edge.held_by);
      if (!is_done(holding)) return holding;
    }
    return no_vertex;
  };
  CircleSearch search(count);
  std::vector<EdgePlace> cycle;
  for (std::size_t i = 0; i < messages.size() && cycle.empty(); ++i) {
    for (const std::uint32_t message : search.from(static_cast<std::uint32_t>(messages[i]), next)) {
      const MessageWaits& waits = graph.at(MessageId{message});
      cycle.push_back(waits.edges[waits.first]);
    }
  }
  return cycle;
}

/// The first cycle of each wait.
class Since {
 public:
  Since(const QuiescentFabric& fabric, const ContentionMonitor& contention)
      : fabric_(fabric), contention_(contention), end_(fabric.deadlock_cycle()) {}

  Cycle of(const Stuck& flit, const Edge& edge) const {
    const Cycle still = fabric_.still_since(flit.input.node, end_);
    if (flit.is_queued) return std::max(still, flit.prepared);
    if (std::string_view(edge.waits_for) != "vc") return still;
    const RouterConfig& config = fabric_.config();
    const int input_vc = config.channel_vc(static_cast<int>(index(flit.input.port)), flit.vc);
    const int output = static_cast<int>(index(edge.channel.port));
    return contention_
        .first_loss(config, {edge.channel.node, output, flit.message, edge.held_by}, input_vc)
        .value_or(still);
  }

 private:
  const QuiescentFabric& fabric_;
  const ContentionMonitor& contention_;
  const Cycle end_;
};

std::vector<PortId> ports_of(PortMask mask) {
  std::vector<PortId> ports;
  for (; mask != 0; mask &= mask - 1) {
    ports.push_back(port_id(static_cast<std::size_t>(__builtin_ctzll(mask))));
  }
  return ports;
}

/// The stuck flits as reported.
std::vector<WaitingFlit> waiting_flits(const std::vector<Stuck>& stuck, const Since& since,
                                       const MessageLog& log) {
  std::vector<WaitingFlit> flits;
  for (const Stuck& flit : stuck) {
    WaitingFlit waiting{message_name(log[flit.message]),
                        flit.input,
                        flit.vc,
                        ports_of(flit.taken),
                        {},
                        flit.is_queued};
    for (const Edge& edge : flit.edges) {
      waiting.waits.push_back({edge.waits_for, message_name(log[edge.held_by]), edge.channel,
                               edge.vc, since.of(flit, edge), false});
    }
    flits.push_back(std::move(waiting));
  }
  return flits;
}

// Of the first messages of `log` that are not among `messages`.
std::vector<MessageName> names_besides(const std::vector<MessageId>& messages,
                                       const MessageLog& log) {
  constexpr std::size_t most = 5;
  const std::set<MessageId> others(messages.begin(), messages.end());
  std::vector<MessageName> names;
  for (std::size_t i = 0; i < log.size() && names.size() < most; ++i) {
    const auto message = static_cast<MessageId>(i);
    if (others.count(message) == 0) names.push_back(message_name(log[message]));
  }
  return names;
}

}  // namespace

Deadlock find_deadlock(const QuiescentFabric& fabric, const MessageLog& log,
                       const ContentionMonitor& contention) {
  std::vector<Stuck> stuck;
  for (std::size_t i = 0; i < fabric.routing().topology().router_count(); ++i) {
    NodeWaits(fabric, node_id(i), log, stuck).collect();
  }
  drop_living(stuck);
  WaitGraph graph = graph_of(stuck);
  const std::vector<MessageId> messages = by_name(graph, log);
  Deadlock deadlock;
  deadlock.cycle = fabric.deadlock_cycle();
  deadlock.last_movement = fabric.last_movement();
  deadlock.stuck_messages = messages.size();
  for (const MessageId message : messages) deadlock.messages.push_back(message_name(log[message]));
  deadlock.delivered_messages = log.size() - messages.size();
  deadlock.delivered = names_besides(messages, log);
  deadlock.flits = waiting_flits(stuck, Since(fabric, contention), log);
  for (const EdgePlace& place : find_cycle(messages, std::move(graph), stuck, log.size())) {
    WaitingFlit& flit = deadlock.flits[place.flit];
    WaitEdge& edge = flit.waits[place.edge];
    edge.is_in_cycle = true;
    deadlock.waits.push_back({flit.message, edge.waits_for, edge.held_by, edge.channel, edge.vc,
                              place.flit, edge.since, flit.is_queued});
  }
  return deadlock;
}

}  // namespace allport
