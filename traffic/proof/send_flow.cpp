// SPDX-License-Identifier: Apache-2.0
#include "traffic/proof/send_flow.h"

#include <algorithm>
#include <limits>
#include <tuple>

namespace allport {

namespace {

constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();

// Sends by index into the schedule; none: the unicast has no valid route.
std::vector<std::uint32_t> send_numbers(const std::vector<Send>& sends) {
  std::vector<std::uint32_t> numbers;
  for (std::uint32_t i = 0; i < sends.size(); ++i) {
    if (sends[i].index >= numbers.size()) numbers.resize(sends[i].index + 1, none);
    numbers[sends[i].index] = i;
  }
  return numbers;
}

}  // namespace

SendFlow::SendFlow(const std::vector<Send>& sends, const BlockFlow& flow, StopFlag stop)
    : sends_(sends), stop_(stop), ranks_(sends.size(), none), waits_for_(sends.size()) {
  const std::vector<std::uint32_t> numbers = send_numbers(sends);
  const auto number_of = [&](std::uint32_t unicast) {
    return unicast < numbers.size() ? numbers[unicast] : none;
  };
  for (const std::uint32_t unicast : flow.execution_order()) {
    const std::uint32_t send = number_of(unicast);
    if (send == none) continue;
    ranks_[send] = static_cast<std::uint32_t>(order_.size());
    order_.push_back(send);
    for (const std::uint32_t reception : flow.waits_for(unicast)) {
      if (number_of(reception) != none) waits_for_[send].push_back(number_of(reception));
    }
    if (!waits_for_[send].empty()) is_trivial_ = false;
  }
  std::vector<std::uint32_t> stuck;  // sends that wait in a circle, or behind one that does
  for (std::uint32_t i = 0; i < sends.size(); ++i) {
    node_count_ = std::max(node_count_, index(sends[i].u) + 1);
    if (ranks_[i] == none) stuck.push_back(i);
  }
  std::stable_sort(stuck.begin(), stuck.end(), [&](std::uint32_t a, std::uint32_t b) {
    return std::tie(sends[a].u, sends[a].order) < std::tie(sends[b].u, sends[b].order);
  });
  for (const std::uint32_t send : stuck) {
    ranks_[send] = static_cast<std::uint32_t>(order_.size());
    order_.push_back(send);
  }
  known_.resize(is_trivial_ ? 0 : sends.size());
  arrives_.resize(known_.size());
}

}  // namespace allport
