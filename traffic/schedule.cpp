// SPDX-License-Identifier: Apache-2.0
#include "traffic/schedule.h"

#include <algorithm>
#include <stdexcept>
#include <tuple>
#include <utility>

namespace allport {

namespace {

std::string in_words(const std::vector<int>& displacement) {
  std::string words = "(";
  for (const int offset : displacement) {
    if (words.size() > 1) words += ", ";
    words += (offset > 0 ? "+" : "") + std::to_string(offset);
  }
  return words + ")";
}

}  // namespace

void Schedule::sort() {
  std::stable_sort(unicasts.begin(), unicasts.end(), [](const Unicast& a, const Unicast& b) {
    return std::tie(a.step, a.u, a.order) < std::tie(b.step, b.u, b.order);
  });
}

StepIndex Schedule::steps() const {
  StepIndex largest = 0;
  for (const Unicast& unicast : unicasts) largest = std::max(largest, unicast.step);
  return largest;
}

std::string describe(const Unicast& unicast) {
  const std::string to =
      unicast.kind == MessageKind::tree ? "all" : std::to_string(index(unicast.v));
  return "unicast " + std::to_string(index(unicast.u)) + " -> " + to + " (step " +
         std::to_string(unicast.step) + ")";
}

std::string route_fault(const Unicast& unicast, const Routing& routing) {
  const Topology& topology = routing.topology();
  const bool has_destination = unicast.kind != MessageKind::tree;
  for (const NodeId node : {unicast.u, has_destination ? unicast.v : unicast.u}) {
    if (index(node) < topology.node_count()) continue;
    return describe(unicast) + ": node " + std::to_string(index(node)) + " is not one of 0.." +
           std::to_string(topology.node_count() - 1) + " of " + topology.name();
  }
  if (has_destination && unicast.u == unicast.v) return describe(unicast) + ": u and v are equal";
  if (!has_destination && !topology.is_hypercube()) {
    return describe(unicast) + ": tree worms are for hypercubes; " + topology.name() + " is none";
  }
  if (unicast.displacement.empty()) return {};
  if (has_destination && routing.ties_of(unicast.u, unicast.v, unicast.displacement)) return {};
  return describe(unicast) + ": the displacement " + in_words(unicast.displacement) +
         " is no minimal way on " + topology.name();
}

TieMask ties_of(const Unicast& unicast, const Routing& routing) {
  const std::string fault = route_fault(unicast, routing);
  if (!fault.empty()) throw std::invalid_argument(fault);
  if (unicast.displacement.empty()) return 0;
  return *routing.ties_of(unicast.u, unicast.v, unicast.displacement);
}

void set_ties(Unicast& unicast, TieMask ties, const Routing& routing) {
  std::vector<int> displacement = routing.displacement(unicast.u, unicast.v, ties);
  const bool is_default = displacement == routing.displacement(unicast.u, unicast.v, 0);
  unicast.displacement = is_default ? std::vector<int>{} : std::move(displacement);
}

}  // namespace allport
