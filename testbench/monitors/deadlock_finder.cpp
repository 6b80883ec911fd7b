// SPDX-License-Identifier: Apache-2.0
#include "testbench/monitors/deadlock_finder.h"

#include <map>
#include <set>

#include "testbench/monitors/contention_monitor.h"

namespace allport {

namespace {

struct Wait {
  MessageId held_by;
  const char* waits_for;
  Channel channel;
  int vc;
};

using WaitGraph = std::map<MessageId, std::vector<Wait>>;

/// The waits of what is in the buffers of one router.
class RouterWaits {
 public:
  RouterWaits(const Fabric& fabric, const Router& router, WaitGraph& graph)
      : fabric_(fabric), router_(router), config_(router.config()), graph_(graph) {}

  void collect() {
    for (int input = 0; input < config_.ports(); ++input) {
      for (int vc = 0; vc < config_.vcs_of(input); ++vc) {
        if (router_.input_buffer.count(config_.channel_vc(input, vc)) > 0) collect(input, vc);
      }
    }
  }

 private:
  void collect(int input, int vc) {
    const int input_vc = config_.channel_vc(input, vc);
    const MessageId front = router_.input_buffer.front(input_vc).message;
    const PortMask pending =
        router_.replication_unit.pending(input_vc, router_.route_computation.of(input_vc));
    for (PortMask rest = pending; rest != 0; rest &= rest - 1) {
      wait_at_output(front, input_vc, __builtin_ctzll(rest));
    }
    graph_[front];  // stuck even when, wrongly, it waits for nothing
    MessageId before = front;
    for (int at = 1; at < router_.input_buffer.count(input_vc); ++at) {
      const MessageId message = router_.input_buffer.flit(input_vc, at).message;
      if (message != before) add(message, before, "buffer", input, vc);
      before = message;
    }
  }

  void wait_at_output(MessageId front, int input_vc, int output) {
    const int vc = router_.vc_allocator.vc(input_vc, output);
    const int output_vc = config_.channel_vc(output, vc);
    if ((router_.vc_allocator.owned(input_vc) >> output & 1U) == 0) {
      add(front, router_.vc_allocator.owner_message(output_vc), "vc", output, vc);
      return;
    }
    if (router_.may_cross(input_vc, output_vc)) return;  // waits for its own tail
    if (!config_.is_external(output)) return;  // a node takes what is ejected: cannot block
    const Topology& topology = fabric_.routing().topology();
    const PortId port = port_id(static_cast<std::size_t>(output));
    const Router& beyond = fabric_.router(*topology.neighbour(router_.node(), port));
    const int far_input = static_cast<int>(index(topology.arrival_port(port)));
    const int far_vc = config_.channel_vc(far_input, vc);
    if (beyond.input_buffer.count(far_vc) == 0) return;
    add(front, beyond.input_buffer.front(far_vc).message, "credit", output, vc);
  }

  void add(MessageId message, MessageId held_by, const char* waits_for, int port, int vc) {
    if (held_by == no_message || held_by == message) return;
    const Channel channel{router_.node(), port_id(static_cast<std::size_t>(port))};
    graph_[message].push_back({held_by, waits_for, channel, vc});
  }

  const Fabric& fabric_;
  const Router& router_;
  const RouterConfig& config_;
  WaitGraph& graph_;
};

// Follows waits from `start` until a message comes again: the cycle begins there.
std::vector<std::pair<MessageId, const Wait*>> find_cycle(const WaitGraph& graph) {
  enum class Mark { unseen, open, closed };
  std::map<MessageId, Mark> marks;
  struct Frame {
    MessageId message;
    std::size_t next = 0;
  };
  for (const auto& [start, ignored] : graph) {
    if (marks[start] != Mark::unseen) continue;
    std::vector<Frame> stack{{start}};
    marks[start] = Mark::open;
    while (!stack.empty()) {
      Frame& frame = stack.back();
      const auto found = graph.find(frame.message);
      if (found == graph.end() || frame.next == found->second.size()) {
        marks[frame.message] = Mark::closed;
        stack.pop_back();
        continue;
      }
      const Wait& wait = found->second[frame.next++];
      if (marks[wait.held_by] == Mark::unseen) {
        marks[wait.held_by] = Mark::open;
        stack.push_back({wait.held_by});
      } else if (marks[wait.held_by] == Mark::open) {
        std::vector<std::pair<MessageId, const Wait*>> cycle;
        std::size_t first = 0;
        while (stack[first].message != wait.held_by) ++first;
        for (std::size_t at = first; at < stack.size(); ++at) {
          const Frame& member = stack[at];
          cycle.emplace_back(member.message, &graph.at(member.message)[member.next - 1]);
        }
        return cycle;
      }
    }
  }
  return {};
}

}  // namespace

Deadlock find_deadlock(const Fabric& fabric, const MessageLog& log) {
  WaitGraph graph;
  for (std::size_t node = 0; node < fabric.node_count(); ++node) {
    RouterWaits(fabric, fabric.router(node_id(node)), graph).collect();
  }
  Deadlock deadlock;
  const RouterConfig& config = fabric.config();
  deadlock.cycle = fabric.last_movement() + 2 + 2 * Cycle{config.link_delay_cycles} +
                   config.replication_delay_cycles;
  deadlock.stuck_messages = graph.size();
  for (const auto& [message, wait] : find_cycle(graph)) {
    deadlock.waits.push_back({message_name(log[message]), wait->waits_for,
                              message_name(log[wait->held_by]), wait->channel, wait->vc});
  }
  return deadlock;
}

}  // namespace allport
