// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdint>
#include <stdexcept>

#include "rtl_model/base/stop_flag.h"
#include "rtl_model/tables/rules.h"

namespace allport {

namespace {

using Entry = RoutingTable::Entry;

constexpr std::uint32_t unreached = UINT32_MAX;

[[noreturn]] void refuse(const std::string& why) {
  throw std::invalid_argument("routing table:dragonfly: " + why);
}

// The ways to one destination after another: those within its group, and those that come to it over
// one channel from another group.
class Groups {
 public:
  explicit Groups(const TableRequest& request) : topology_(*request.topology) {
    for (std::size_t i = 0; i < topology_.router_count(); ++i) {
      groups_.push_back(request.groups[i]);
      if (groups_.back().empty()) {
        refuse(topology_.node_name(node_id(i)) + " of " + topology_.name() +
               " has no group; it takes a graph whose nodes and switches have one");
      }
    }
    steps_.resize(groups_.size());
    for_each_channel_there(topology_, request.missing,
                           [this](std::uint32_t from, std::uint32_t to, std::uint8_t port) {
                             steps_[to].push_back({from, port});
                           });
  }

  // Whether the channel by which `from` goes on leads to another group.
  struct Way {
    std::uint8_t port = Entry::none;
    bool is_global = false;
  };

  // The ways of all routers to `destination`, breadth first from there. Of equals the lowest port.
  std::vector<Way> ways_to(std::uint32_t destination) const {
    std::vector<Way> ways(groups_.size());
    std::vector<std::uint32_t> distances(groups_.size(), unreached);
    distances[destination] = 0;
    std::vector<std::uint32_t> present{destination};
    for (std::uint32_t distance = 1; !present.empty(); ++distance) {
      std::vector<std::uint32_t> next;
      for (const std::uint32_t to : present) {
        for (const Step& step : steps_[to]) {
          const bool is_global = groups_[step.from] != groups_[to];
          if (is_global && groups_[to] != groups_[destination]) continue;  // a second one
          if (distances[step.from] < distance) continue;
          if (distances[step.from] == unreached) next.push_back(step.from);
          distances[step.from] = distance;
          Way& way = ways[step.from];
          if (way.port == Entry::none || step.port < way.port) way = {step.port, is_global};
        }
      }
      present = std::move(next);
    }
    return ways;
  }

 private:
  struct Step {  // a channel that ends here
    std::uint32_t from;
    std::uint8_t port;
  };

  const Topology& topology_;
  std::vector<std::string> groups_;
  std::vector<std::vector<Step>> steps_;  // by router
};

}  // namespace

RoutingTable dragonfly_table(const TableRequest& request) {
  const Topology& topology = *request.topology;
  if (request.groups.empty()) refuse(topology.name() + " is no graph whose nodes have groups");
  const Groups groups(request);
  RoutingTable table("table:dragonfly", topology.router_count(), topology.node_count(), 2);
  for (std::uint32_t to = 0; to < topology.node_count(); ++to) {
    heed_stop();
    const std::vector<Groups::Way> ways = groups.ways_to(to);
    for (std::uint32_t from = 0; from < ways.size(); ++from) {
      const Groups::Way& way = ways[from];
      for (std::uint8_t layer = 0; layer < 2; ++layer) {
        const std::uint8_t next = way.is_global ? 1 : layer;
        const Entry entry{from == to ? Entry::local : way.port,
                          from == to ? std::uint8_t{0} : next};
        table.set(node_id(from), layer, node_id(to), entry);
        if (layer == 0 && from != to && from < topology.node_count()) {
          table.set_injection(node_id(from), node_id(to), entry);
        }
      }
    }
  }
  return table;
}

}  // namespace allport
