// SPDX-License-Identifier: Apache-2.0
#include "traffic/proof/program_order.h"

#include <algorithm>
#include <tuple>
#include <unordered_map>

namespace allport {

namespace {

std::string in_words(const Unicast& unicast, const Topology& topology) {
  return (goes_to_all(unicast.kind) ? "all" : topology.node_name(unicast.v)) + " (step " +
         std::to_string(unicast.step) + ")";
}

// Whether the programs follow `unicasts`, which are sorted by step.
bool are_in_order(const std::vector<const Unicast*>& unicasts) {
  std::unordered_map<NodeId, int> last;
  return std::all_of(unicasts.begin(), unicasts.end(), [&](const Unicast* one) {
    const auto [place, is_first] = last.try_emplace(one->u, one->order);
    const bool is_behind = is_first || place->second <= one->order;
    place->second = one->order;
    return is_behind;
  });
}

}  // namespace

std::string order_note(std::vector<const Unicast*> unicasts, const Topology& topology) {
  if (are_in_order(unicasts)) return {};
  std::stable_sort(unicasts.begin(), unicasts.end(), [](const Unicast* a, const Unicast* b) {
    return std::tie(a->u, a->order) < std::tie(b->u, b->order);
  });
  std::string example;
  std::size_t programs = 0;
  NodeId last{};
  for (std::size_t i = 1; i < unicasts.size(); ++i) {
    const Unicast& before = *unicasts[i - 1];
    const Unicast& one = *unicasts[i];
    if (one.u != before.u || one.step >= before.step) continue;
    if (programs == 0) {
      example = "node " + topology.node_name(one.u) + " sends to " + in_words(before, topology) +
                " before " + in_words(one, topology);
    }
    if (programs == 0 || last != one.u) ++programs;
    last = one.u;
  }
  if (programs == 0) return {};
  return "the check follows the order of the programs, and " + std::to_string(programs) +
         (programs == 1 ? " of them is" : " of them are") +
         " not in the order of the steps: " + example;
}

}  // namespace allport
