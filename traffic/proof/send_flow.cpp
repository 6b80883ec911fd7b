// SPDX-License-Identifier: Apache-2.0
#include "traffic/proof/send_flow.h"

#include <algorithm>
#include <tuple>

namespace allport {

namespace {

std::vector<std::uint32_t> send_numbers(const std::vector<Send>& sends) {
  std::vector<std::uint32_t> numbers;
  for (std::uint32_t i = 0; i < sends.size(); ++i) {
    if (sends[i].index >= numbers.size()) {
      numbers.resize(std::max(std::size_t{sends[i].index} + 1, sends.size()), SendFlow::no_send);
    }
    numbers[sends[i].index] = i;
  }
  return numbers;
}

}  // namespace

SendFlow::SendFlow(const std::vector<Send>& sends, const BlockFlow& flow, StopFlag stop)
    : sends_(sends),
      flow_(flow),
      stop_(stop),
      numbers_(send_numbers(sends)),
      ranks_(sends.size(), no_send) {
  for (const std::uint32_t unicast : flow.execution_order()) {
    const std::uint32_t send = number_of(unicast);
    if (send == no_send) continue;
    ranks_[send] = static_cast<std::uint32_t>(order_.size());
    order_.push_back(send);
    for (const std::uint32_t reception : flow.waits_for(unicast)) {
      if (number_of(reception) != no_send) is_trivial_ = false;
    }
  }
  stuck_from_ = order_.size();
  std::vector<std::uint32_t> stuck;  // sends that wait in a circle, or behind one that does
  for (std::uint32_t i = 0; i < sends.size(); ++i) {
    node_count_ = std::max(node_count_, index(sends[i].u) + 1);
    if (ranks_[i] == no_send) stuck.push_back(i);
  }
  std::stable_sort(stuck.begin(), stuck.end(), [&](std::uint32_t a, std::uint32_t b) {
    return std::tie(sends[a].u, sends[a].order) < std::tie(sends[b].u, sends[b].order);
  });
  for (const std::uint32_t send : stuck) {
    ranks_[send] = static_cast<std::uint32_t>(order_.size());
    order_.push_back(send);
  }
}

}  // namespace allport
