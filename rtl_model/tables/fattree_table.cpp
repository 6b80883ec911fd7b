// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdint>
#include <numeric>
#include <optional>
#include <stdexcept>

#include "rtl_model/base/stop_flag.h"
#include "rtl_model/tables/rules.h"

namespace allport {

namespace {

using Entry = RoutingTable::Entry;

[[noreturn]] void refuse(const std::string& why) {
  throw std::invalid_argument("routing table:fattree: " + why);
}

struct Step {
  std::uint32_t to;
  std::uint8_t port;
};

// Routers by level; nodes with a processor lie below all switches unless they have a level.
class Levels {
 public:
  explicit Levels(const TableRequest& request) : topology_(*request.topology) {
    for (std::size_t i = 0; i < topology_.router_count(); ++i) {
      levels_.push_back(level(node_id(i), request.levels[i]));
    }
    ups_.resize(levels_.size());
    downs_.resize(levels_.size());
    for_each_channel_there(
        topology_, request.missing,
        [this](std::uint32_t from, std::uint32_t to, std::uint8_t port) { add(from, to, port); });
    find_leaves();
  }

  // The ports by which heads go on to `destination`; Entry::none: there is no way.
  std::vector<std::uint8_t> ports_to(std::uint32_t destination) const {
    std::vector<std::uint32_t> distances(levels_.size(), UINT32_MAX);
    std::vector<std::uint8_t> ports(levels_.size(), Entry::none);
    distances[destination] = 0;
    for (const std::uint32_t node : by_level_) {  // from below
      for (const Step& step : downs_[node]) {
        if (distances[step.to] == UINT32_MAX || distances[step.to] + 1 >= distances[node]) continue;
        distances[node] = distances[step.to] + 1;
        ports[node] = step.port;
      }
    }
    for (std::size_t node = 0; node < levels_.size(); ++node) {
      const bool is_below = distances[node] != UINT32_MAX;
      if (is_below || ups_[node].empty()) continue;
      ports[node] = ups_[node][destination / leaves_below_child_[node] % ups_[node].size()].port;
    }
    return ports;
  }

 private:
  int level(NodeId node, const std::optional<int>& own) const {
    if (own) return *own;
    if (index(node) < topology_.node_count()) return -1;
    refuse("switch " + topology_.node_name(node) + " of " + topology_.name() +
           " has no level; it takes a graph whose switches have one");
  }

  void add(std::uint32_t from, std::uint32_t to, std::uint8_t port) {
    if (levels_[from] == levels_[to]) {
      const bool are_nodes = from < topology_.node_count() && to < topology_.node_count();
      refuse(topology_.node_name(node_id(from)) + " and " + topology_.node_name(node_id(to)) +
             (are_nodes ? ", which have processors and are at the foot of the tree, have a link; "
                          "between them stand switches with a level"
                        : " have the same level and a link; links lead up or down"));
    }
    (levels_[to] > levels_[from] ? ups_ : downs_)[from].push_back({to, port});
  }

  // The most nodes with a processor below one child of each router.
  void find_leaves() {
    by_level_.resize(levels_.size());
    std::iota(by_level_.begin(), by_level_.end(), 0U);
    std::stable_sort(by_level_.begin(), by_level_.end(),
                     [this](std::uint32_t a, std::uint32_t b) { return levels_[a] < levels_[b]; });
    leaves_below_child_.assign(levels_.size(), 1);
    for (const std::uint32_t node : by_level_) {
      heed_stop();
      for (const Step& step : downs_[node]) {
        leaves_below_child_[node] = std::max(leaves_below_child_[node], leaves_below(step.to));
      }
    }
  }
  std::size_t leaves_below(std::uint32_t node) const {
    std::vector<bool> is_seen(levels_.size());
    std::vector<std::uint32_t> reached{node};
    is_seen[node] = true;
    std::size_t leaves = 0;
    for (std::size_t i = 0; i < reached.size(); ++i) {
      if (reached[i] < topology_.node_count()) ++leaves;
      for (const Step& step : downs_[reached[i]]) {
        if (is_seen[step.to]) continue;
        is_seen[step.to] = true;
        reached.push_back(step.to);
      }
    }
    return leaves;
  }

  const Topology& topology_;
  std::vector<int> levels_;
  std::vector<std::vector<Step>> ups_, downs_;  // by router, ports ascending
  std::vector<std::uint32_t> by_level_;
  std::vector<std::size_t> leaves_below_child_;
};

}  // namespace

RoutingTable fattree_table(const TableRequest& request) {
  const Topology& topology = *request.topology;
  if (request.levels.empty()) refuse(topology.name() + " is no graph whose switches have levels");
  const Levels levels(request);
  return table_of_ports("table:fattree", topology,
                        [&](std::uint32_t to) { return levels.ports_to(to); });
}

}  // namespace allport
