// SPDX-License-Identifier: Apache-2.0
// Room in the queues of a network that is driven, and who is told of it.
#include <algorithm>
#include <stdexcept>
#include <utility>
#include <vector>

#include "testbench/network/network_state.h"

namespace allport {

std::int64_t NetworkState::queued(NodeId node, int message_class) const {
  require_node(topology(), index(node), "node");
  require_class(message_class);
  return flits_at({static_cast<std::uint32_t>(index(node)), message_class});
}

std::int64_t NetworkState::flits_at(const Queue& queue) const {
  const std::size_t place = queue.node * static_cast<std::size_t>(plan_.router.classes) +
                            static_cast<std::size_t>(queue.message_class);
  std::int64_t flits = later_flits_[place];
  for (int port = 0; port < plan_.router.internal_ports; ++port) {
    flits += fabric_->unsent(node_id(queue.node), port, queue.message_class, now_);
  }
  return flits;
}

void NetworkState::on_space(Network::OnSpace call) {
  if (is_calling_) {
    throw std::invalid_argument("a call-back that is told of room may send, but sets no other");
  }
  on_space_ = std::move(call);
  waiting_.clear();
  first_check_ = Network::never;
}

void NetworkState::wait_for_room(const NetworkMessage& message, std::int64_t flits) {
  if (!on_space_) return;
  const Queue queue = queue_of(message);
  const auto [found, is_new] = waiting_.try_emplace(queue, Waiting{flits, 0});
  Waiting& waiting = found->second;
  waiting.flits = std::min(waiting.flits, flits);
  waiting.check = next_check(queue, waiting.flits - room(message));
  find_first_check();
}

// The first cycle in which there may be room for `lacking` flits more: an injection channel takes
// one in a cycle, and where none does none will before something happens.
Cycle NetworkState::next_check(const Queue& queue, std::int64_t lacking) const {
  if (lacking <= 0) return now_;
  const Cycle ports = plan_.router.internal_ports;
  const Cycle least = now_ + (lacking + ports - 1) / ports;
  for (int port = 0; port < ports; ++port) {
    if (fabric_->is_sending(node_id(queue.node), port, queue.message_class)) return least;
  }
  Cycle event = later_.empty() ? Network::never : later_.top().at;
  const Cycle moment = fabric_->next_moment();
  if (moment != WormCalendar::never) event = std::min(event, WormCalendar::cycle_of(moment));
  return event == Network::never ? event : std::max(least, event + 1);
}

void NetworkState::find_first_check() {
  first_check_ = Network::never;
  for (const auto& [queue, waiting] : waiting_) {
    first_check_ = std::min(first_check_, waiting.check);
  }
}

// Tells of the queues with room, by node and class; a call may send there and elsewhere, and wait
// again.
void NetworkState::look_for_room() {
  std::vector<Queue> due;
  for (const auto& [queue, waiting] : waiting_) {
    if (waiting.check <= now_) due.push_back(queue);
  }
  for (const Queue& queue : due) {
    const auto found = waiting_.find(queue);
    if (found == waiting_.end() || found->second.check > now_) continue;
    const std::int64_t lacking = found->second.flits - (*limit_ - flits_at(queue));
    if (lacking > 0) {
      found->second.check = next_check(queue, lacking);
      continue;
    }
    waiting_.erase(found);
    find_first_check();
    is_calling_ = true;
    try {
      on_space_(node_id(queue.node), queue.message_class);
    } catch (...) {
      is_calling_ = false;
      throw;
    }
    is_calling_ = false;
  }
  find_first_check();
}

}  // namespace allport
