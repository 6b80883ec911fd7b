// SPDX-License-Identifier: Apache-2.0
#include "tlm/processor/message_barrier.h"

#include <algorithm>
#include <utility>

namespace allport {

MessageBarrier::MessageBarrier(const sc_core::sc_module_name& name) : sc_module(name) {
  SC_HAS_PROCESS(MessageBarrier);
  SC_METHOD(act);
  sensitive << change_;
  dont_initialize();
}

void MessageBarrier::arm(std::vector<std::vector<NodeId>> sources,
                         std::vector<std::vector<bool>> is_receiver,
                         std::function<void(std::size_t, NodeId)> enter,
                         std::function<void(std::size_t)> start) {
  sources_ = std::move(sources);
  is_complete_ = std::move(is_receiver);
  for (std::vector<bool>& nodes : is_complete_) nodes.flip();
  const std::size_t nodes = is_complete_.front().size();
  entered_.assign(sources_.size() - 1, 0);
  left_.assign(nodes, 0);
  state_.assign(nodes, State::outside);
  is_released_.assign(nodes, false);
  enter_ = std::move(enter);
  start_ = std::move(start);
  entering_.clear();
  leaving_.clear();
  started_ = 0;
  finding_.clear();
  change_.cancel();
  for (std::size_t i = 0; i < nodes; ++i) enter_if_ready(node_id(i));
}

void MessageBarrier::complete(std::size_t collective, NodeId node) {
  is_complete_[collective][index(node)] = true;
  enter_if_ready(node);
}

void MessageBarrier::release(std::size_t barrier, NodeId node) {
  if (state_[index(node)] == State::inside) {
    leave(barrier, node);
  } else {
    is_released_[index(node)] = true;
  }
}

void MessageBarrier::leave(std::size_t barrier, NodeId node) {
  if (entered_[barrier] < left_.size() && finding_.empty()) {
    finding_ = "node " + std::to_string(index(node)) + " leaves barrier " +
               std::to_string(barrier) + " when " + std::to_string(entered_[barrier]) + " of " +
               std::to_string(left_.size()) + " nodes have entered it";
  }
  ++left_[index(node)];
  state_[index(node)] = State::outside;
  is_released_[index(node)] = false;
  leaving_.insert(barrier);
  change_.notify(sc_core::SC_ZERO_TIME);
  enter_if_ready(node);
}

void MessageBarrier::enter_if_ready(NodeId node) {
  const std::size_t next = left_[index(node)];
  if (next >= entered_.size() || state_[index(node)] != State::outside) return;
  if (!is_complete_[next][index(node)]) return;
  state_[index(node)] = State::at_the_door;
  entering_.insert({next, node});
  change_.notify(sc_core::SC_ZERO_TIME);
}

bool MessageBarrier::is_over(std::size_t barrier) const {
  const std::vector<NodeId>& sources = sources_[barrier + 1];
  return std::all_of(sources.begin(), sources.end(),
                     [&](NodeId node) { return left_[index(node)] > barrier; });
}

// Nodes enter and collectives start in the order of their numbers, whatever the order of the calls
// in the cycle.
void MessageBarrier::act() {
  const std::set<Place> entering = std::exchange(entering_, {});
  for (const auto& [barrier, node] : entering) {
    ++entered_[barrier];
    state_[index(node)] = State::inside;
    enter_(barrier, node);
  }
  for (const auto& [barrier, node] : entering) {
    if (is_released_[index(node)]) leave(barrier, node);
  }
  const std::set<std::size_t> leaving = std::exchange(leaving_, {});
  for (const std::size_t barrier : leaving) {
    if (started_ > barrier || !is_over(barrier)) continue;
    started_ = barrier + 1;
    start_(started_);
  }
}

}  // namespace allport
