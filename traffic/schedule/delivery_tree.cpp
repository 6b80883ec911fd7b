// SPDX-License-Identifier: Apache-2.0
#include "traffic/schedule/delivery_tree.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <tuple>

namespace allport {

namespace {

constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();

// The send by which each node got the message; none for sources and nodes that never receive. Along
// these edges the steps increase, so that they form no cycle even if causality is broken.
std::vector<std::uint32_t> tree_edges(const Sends& sends, const std::vector<StepIndex>& received) {
  std::vector<std::uint32_t> edges(received.size(), none);
  for (std::uint32_t i = 0; i < sends.size(); ++i) {
    const std::size_t receiver = index(sends[i].v);
    if (sends[i].step != received[receiver] || edges[receiver] != none) continue;
    const StepIndex held_from = received[index(sends[i].u)];
    if (held_from < sends[i].step) edges[receiver] = i;
  }
  return edges;
}

}  // namespace

// The sends of each node, by first channel, then place in its program.
class DeliveryTree::Programs {
 public:
  Programs(const Sends& sends, std::size_t node_count)
      : sends_(sends.size()), begins_(node_count + 1) {
    std::iota(sends_.begin(), sends_.end(), 0U);
    std::stable_sort(sends_.begin(), sends_.end(), [&](std::uint32_t a, std::uint32_t b) {
      const PortId port_of_a = sends.first_channel(a);
      const PortId port_of_b = sends.first_channel(b);
      return std::tie(sends[a].u, port_of_a, sends[a].order) <
             std::tie(sends[b].u, port_of_b, sends[b].order);
    });
    for (std::size_t i = 0; i < sends.size(); ++i) ++begins_[index(sends[i].u) + 1];
    std::partial_sum(begins_.begin(), begins_.end(), begins_.begin());
  }

  std::size_t begin(NodeId node) const { return begins_[index(node)]; }
  std::size_t end(NodeId node) const { return begins_[index(node) + 1]; }
  std::uint32_t operator[](std::size_t i) const { return sends_[i]; }

 private:
  std::vector<std::uint32_t> sends_;
  std::vector<std::size_t> begins_;
};

DeliveryTree::DeliveryTree(const Sends& sends, const std::vector<StepIndex>& received)
    : own_(sends.size()), later_(sends.size()), of_sender_(sends.size()) {
  const Programs programs(sends, received.size());
  const std::vector<std::uint32_t> edges = tree_edges(sends, received);
  for (std::size_t i = 0; i < received.size(); ++i) {
    if (edges[i] == none) number_from(node_id(i), sends, programs, edges);
  }
  for (std::size_t i = 0; i < received.size(); ++i) set_spans(node_id(i), sends, programs);
}

// The preorder is made without recursion, because a tree may be as deep as it has nodes.
void DeliveryTree::number_from(NodeId root, const Sends& sends, const Programs& programs,
                               const std::vector<std::uint32_t>& edges) {
  struct Visit {
    std::uint32_t reached_by;
    std::size_t next;
    std::size_t end;
  };
  std::vector<Visit> path{{none, programs.begin(root), programs.end(root)}};
  while (!path.empty()) {
    Visit& visit = path.back();
    if (visit.next == visit.end) {
      if (visit.reached_by != none) own_[visit.reached_by].end = positions_;
      path.pop_back();
      continue;
    }
    const std::uint32_t send = programs[visit.next++];
    own_[send] = {positions_, positions_ + 1};
    ++positions_;
    const NodeId receiver = sends[send].v;
    if (edges[index(receiver)] == send) {
      path.push_back({send, programs.begin(receiver), programs.end(receiver)});
    }
  }
}

void DeliveryTree::set_spans(NodeId node, const Sends& sends, const Programs& programs) {
  const std::size_t begin = programs.begin(node);
  const std::size_t end = programs.end(node);
  Span later;
  for (std::size_t i = end; i-- > begin;) {
    const std::uint32_t send = programs[i];
    of_sender_[send] = {own_[programs[begin]].begin, own_[programs[end - 1]].end};
    if (i + 1 == end || sends.first_channel(programs[i + 1]) != sends.first_channel(send)) {
      later = {own_[send].end, own_[send].end};
    } else if (sends[programs[i + 1]].step != sends[send].step) {
      later.begin = own_[programs[i + 1]].begin;
    }
    later_[send] = later;
  }
}

}  // namespace allport
