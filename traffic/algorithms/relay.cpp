// SPDX-License-Identifier: Apache-2.0
// These are the multicasts of figure 3(a) and (b) of [Robinson93] in a hypercube: a tree of
// neighbours in which processors relay for others, as store-and-forward switching needs it, and the
// same where the routers pass a message on at relays that have one successor. The figure is lost;
// that a node serves its relays first is this project's reading (docs/algorithms.md). The steps
// come from step_assignment.h.
#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "traffic/algorithms/cube_frame.h"
#include "traffic/algorithms/rows.h"
#include "traffic/schedule/step_assignment.h"

namespace allport {

namespace {

using Addresses = std::vector<std::uint32_t>;

// A node with the message, and the destinations beyond it: they have all bits of its address.
struct Part {
  std::uint32_t address = 0;
  Addresses beyond{};
};

class RelayTree {
 public:
  RelayTree(const PlanRequest& request, bool routers_pass)
      : frame_(request.routing, request.goal.source),
        routers_pass_(routers_pass),
        is_destination_(std::size_t{1} << frame_.dimensions()),
        programs_(request.routing, request.internal_ports, request.step_rule) {
    for (const NodeId node : request.goal.destinations) {
      all_.beyond.push_back(frame_.address(node));
      is_destination_[all_.beyond.back()] = true;
    }
  }

  Schedule plan() {
    std::vector<std::pair<Part, StepIndex>> holders{{all_, 0}};
    while (!holders.empty()) {
      auto [part, received] = std::move(holders.back());
      holders.pop_back();
      programs_.begin(frame_.node(part.address), received, part.address);
      while (!part.beyond.empty()) {
        Part next = split(part);
        if (routers_pass_) pass_relays(part.address, next);
        const StepIndex step = programs_.send(frame_.node(next.address));
        holders.emplace_back(std::move(next), step);
      }
    }
    return programs_.take();
  }

 private:
  // The neighbour to which `part` sends next: a relay if there is one, else a destination, the
  // highest port first.
  std::uint32_t next_bit(const Part& part) const {
    std::uint32_t needed = 0;
    for (const std::uint32_t one : part.beyond) needed |= one & ~part.address;
    std::uint32_t first = 0;
    for (std::uint32_t bit = std::uint32_t{1} << (frame_.dimensions() - 1); bit != 0; bit >>= 1) {
      if ((needed & bit) == 0) continue;
      if (!is_destination_[part.address | bit]) return bit;
      if (first == 0) first = bit;
    }
    return first;
  }

  // Takes what lies beyond the next neighbour out of `part`.
  Part split(Part& part) const {
    const std::uint32_t bit = next_bit(part);
    Part next{part.address | bit};
    const auto rest = std::stable_partition(part.beyond.begin(), part.beyond.end(),
                                            [bit](std::uint32_t one) { return (one & bit) == 0; });
    for (auto one = rest; one != part.beyond.end(); ++one) {
      if (*one != next.address) next.beyond.push_back(*one);
    }
    part.beyond.erase(rest, part.beyond.end());
    return next;
  }

  // Goes on behind relays that have one successor, as long as the route of a message from `sender`
  // does: it crosses the highest of its dimensions first.
  void pass_relays(std::uint32_t sender, Part& part) const {
    for (;;) {
      if (is_destination_[part.address]) return;
      Part rest = part;
      Part next = split(rest);
      const std::uint32_t crossed = part.address ^ sender;
      const std::uint32_t last = crossed & (~crossed + 1);
      if (!rest.beyond.empty() || (next.address ^ part.address) > last) return;
      part = std::move(next);
    }
  }

  const CubeFrame frame_;
  const bool routers_pass_;
  std::vector<bool> is_destination_;
  StepAssignment programs_;
  Part all_;
};

Schedule plan_relay(const PlanRequest& request) { return RelayTree(request, false).plan(); }

Schedule plan_relay_routers(const PlanRequest& request) { return RelayTree(request, true).plan(); }

}  // namespace

Rows relay_rows() {
  return {Row("relay",
              "multicast over neighbours, processors relay, these first (reading of the project)",
              "Robinson93", hypercubes, plan_relay)
              .multicasts(),
          Row("relay-routers", "the same, routers pass it on at relays with one successor",
              "Robinson93", hypercubes, plan_relay_routers)
              .multicasts()};
}

}  // namespace allport
