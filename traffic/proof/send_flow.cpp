// SPDX-License-Identifier: Apache-2.0
#include "traffic/proof/send_flow.h"

#include <algorithm>
#include <tuple>

namespace allport {

namespace {

std::vector<std::uint32_t> send_numbers(const Sends& sends) {
  std::vector<std::uint32_t> numbers;
  if (sends.have_own_indices()) return numbers;
  for (std::uint32_t i = 0; i < sends.size(); ++i) {
    const std::size_t unicast = sends.index_of(i);
    if (unicast >= numbers.size()) {
      numbers.resize(std::max(unicast + 1, sends.size()), SendFlow::no_send);
    }
    numbers[unicast] = i;
  }
  return numbers;
}

}  // namespace

SendFlow::SendFlow(const Sends& sends, const BlockFlow& flow, StopFlag stop)
    : sends_(sends), flow_(flow), stop_(stop), numbers_(send_numbers(sends)) {
  const UnicastIndices order = flow.execution_order();  // before the ranks: its making takes memory
  ranks_.assign(sends.size(), no_send);
  std::uint32_t place = 0;
  for (const std::uint32_t unicast : order) {
    const std::uint32_t send = number_of(unicast);
    if (send == no_send) continue;
    ranks_[send] = place++;
    for (const std::uint32_t reception : flow.waits_for(unicast)) {
      if (number_of(reception) != no_send) is_trivial_ = false;
    }
  }
  stuck_from_ = place;
  std::vector<std::uint32_t> stuck;  // sends that wait in a circle, or behind one that does
  for (std::uint32_t i = 0; i < sends.size(); ++i) {
    node_count_ = std::max(node_count_, index(sends[i].u) + 1);
    if (ranks_[i] == no_send) stuck.push_back(i);
  }
  std::stable_sort(stuck.begin(), stuck.end(), [&](std::uint32_t a, std::uint32_t b) {
    return std::tie(sends[a].u, sends[a].order) < std::tie(sends[b].u, sends[b].order);
  });
  for (const std::uint32_t send : stuck) ranks_[send] = place++;
}

}  // namespace allport
