// SPDX-License-Identifier: Apache-2.0
#include "traffic/schedule/collective.h"

#include <algorithm>
#include <array>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <string>
#include <utility>

#include "rtl_model/base/names.h"

namespace allport {

namespace {

constexpr std::array<std::string_view, 8> operation_names{
    "bcast", "scatter", "gather", "allgather", "alltoall", "reduce", "allreduce", "barrier"};

std::size_t count_blocks(Operation operation, std::size_t nodes) {
  if (operation == Operation::scatter || operation == Operation::gather ||
      operation == Operation::allgather) {
    return nodes;
  }
  return operation == Operation::alltoall ? nodes * nodes : 1;
}

}  // namespace

void require_node(const Topology& topology, NodeId node, const char* role) {
  if (index(node) < topology.node_count()) return;
  throw std::invalid_argument(std::string(role) + " " + std::to_string(index(node)) +
                              " is not a node of " + topology.name() + ", which has the nodes 0.." +
                              std::to_string(topology.node_count() - 1));
}

Multicast broadcast(const Topology& topology, NodeId source) {
  require_node(topology, source, "source");
  Multicast goal{source, {}};
  goal.destinations.reserve(topology.node_count() - 1);
  for (std::size_t i = 0; i < topology.node_count(); ++i) {
    if (node_id(i) != source) goal.destinations.push_back(node_id(i));
  }
  return goal;
}

Multicast multicast(const Topology& topology, NodeId source, std::vector<NodeId> destinations) {
  require_node(topology, source, "source");
  if (destinations.empty()) {
    throw std::invalid_argument("a multicast needs at least one destination, 1.." +
                                std::to_string(topology.node_count() - 1) + " of " +
                                topology.name());
  }
  std::sort(destinations.begin(), destinations.end());
  require_node(topology, destinations.back(), "destination");
  const auto twice = std::adjacent_find(destinations.begin(), destinations.end());
  if (twice != destinations.end()) {
    throw std::invalid_argument("destination " + std::to_string(index(*twice)) +
                                " is named twice; every destination must be named once");
  }
  if (std::binary_search(destinations.begin(), destinations.end(), source)) {
    throw std::invalid_argument("destination " + std::to_string(index(source)) +
                                " is the source, which has the message already");
  }
  return {source, std::move(destinations)};
}

std::string_view to_string(Operation operation) {
  return operation_names[static_cast<std::size_t>(operation)];
}

const std::vector<Operation>& operations() {
  static const std::vector<Operation> all{
      Operation::bcast,    Operation::scatter, Operation::gather,    Operation::allgather,
      Operation::alltoall, Operation::reduce,  Operation::allreduce, Operation::barrier};
  return all;
}

Operation find_operation(std::string_view name) {
  for (const Operation operation : operations()) {
    if (to_string(operation) == name) return operation;
  }
  throw std::invalid_argument(
      unknown_name("collective", name, {operation_names.begin(), operation_names.end()}));
}

Collective::Collective(Operation operation, std::size_t nodes, NodeId root)
    : operation_(operation), nodes_(nodes), root_(root), blocks_(count_blocks(operation, nodes)) {
  constexpr std::size_t largest = std::numeric_limits<BlockId>::max();
  if (blocks_ <= largest) return;
  throw std::invalid_argument(std::string(to_string(operation)) + " among " +
                              std::to_string(nodes) + " nodes has " + std::to_string(blocks_) +
                              " blocks, but the limit is " + std::to_string(largest));
}

Collective::Collective(std::size_t nodes, const Multicast& goal, std::size_t pieces)
    : operation_(Operation::bcast),
      nodes_(nodes),
      root_(goal.source),
      blocks_(pieces),
      is_destination_(nodes) {
  for (const NodeId node : goal.destinations) is_destination_[index(node)] = true;
}

bool Collective::is_reduction() const {
  return operation_ == Operation::reduce || operation_ == Operation::allreduce ||
         operation_ == Operation::barrier;
}

bool Collective::holds_before(NodeId node, BlockId block) const {
  switch (operation_) {
    case Operation::bcast:
    case Operation::scatter:
      return node == root_;
    case Operation::gather:
    case Operation::allgather:
      return block == index(node);
    case Operation::alltoall:
      return block / nodes_ == index(node);
    default:
      return true;
  }
}

bool Collective::must_hold(NodeId node, BlockId block) const {
  switch (operation_) {
    case Operation::bcast:
      return is_destination_[index(node)];
    case Operation::scatter:
      return block == index(node);
    case Operation::gather:
    case Operation::reduce:
      return node == root_;
    case Operation::alltoall:
      return block % nodes_ == index(node);
    default:
      return true;
  }
}

std::vector<BlockId> Collective::all() const {
  std::vector<BlockId> list(blocks_);
  std::iota(list.begin(), list.end(), BlockId{0});
  return list;
}

// The blocks of an alltoall that begin at `node`.
std::vector<BlockId> Collective::row(NodeId node) const {
  std::vector<BlockId> list(nodes_);
  std::iota(list.begin(), list.end(), static_cast<BlockId>(index(node) * nodes_));
  return list;
}

// The blocks that end at `node`.
std::vector<BlockId> Collective::column(NodeId node) const {
  std::vector<BlockId> list(nodes_);
  for (std::size_t i = 0; i < nodes_; ++i) list[i] = static_cast<BlockId>(i * nodes_ + index(node));
  return list;
}

std::vector<BlockId> Collective::blocks_before(NodeId node) const {
  if (operation_ == Operation::alltoall) return row(node);
  if (operation_ == Operation::gather || operation_ == Operation::allgather) {
    return {static_cast<BlockId>(index(node))};
  }
  return holds_before(node, 0) ? all() : std::vector<BlockId>{};
}

std::vector<BlockId> Collective::blocks_after(NodeId node) const {
  if (operation_ == Operation::alltoall) return column(node);
  if (operation_ == Operation::scatter) return {static_cast<BlockId>(index(node))};
  return must_hold(node, 0) ? all() : std::vector<BlockId>{};
}

bool Collective::is_receiver(NodeId node) const {
  if (nodes_ == 1) return false;
  switch (operation_) {
    case Operation::bcast:
      return is_destination_[index(node)];
    case Operation::scatter:
      return node != root_;
    case Operation::gather:
    case Operation::reduce:
      return node == root_;
    default:
      return true;
  }
}

std::vector<NodeId> Collective::receivers() const {
  std::vector<NodeId> list;
  for (std::size_t i = 0; i < nodes_; ++i) {
    if (is_receiver(node_id(i))) list.push_back(node_id(i));
  }
  return list;
}

}  // namespace allport
