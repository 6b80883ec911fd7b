// SPDX-License-Identifier: Apache-2.0
#include "rtl_model/graphs/parts.h"

#include <algorithm>
#include <optional>

#include "rtl_model/base/stop_flag.h"

namespace allport {

namespace {

class Search {
 public:
  Search(const Topology& topology, const std::vector<Channel>& missing)
      : topology_(topology), missing_(missing) {}

  // The routers without a part to which ways lead from `first`; `goes_back`: from which they lead
  // to it.
  std::vector<NodeId> reach(NodeId first, const std::vector<std::size_t>& parts, bool goes_back) {
    std::vector<NodeId> reached{first};
    is_reached_.assign(parts.size(), false);
    is_reached_[index(first)] = true;
    for (std::size_t i = 0; i < reached.size(); ++i) {
      heed_stop();
      for (std::size_t port = 0; port < topology_.port_count(); ++port) {
        const auto next = beyond(reached[i], port_id(port), goes_back);
        if (!next || is_reached_[index(*next)] || parts[index(*next)] != no_part) continue;
        is_reached_[index(*next)] = true;
        reached.push_back(*next);
      }
    }
    return reached;
  }
  bool has_reached(NodeId node) const { return is_reached_[index(node)]; }

 private:
  std::optional<NodeId> beyond(NodeId node, PortId port, bool goes_back) const {
    const auto channel =
        goes_back ? topology_.incoming(node, port) : std::make_optional(Channel{node, port});
    const auto to = channel ? topology_.neighbour(channel->node, channel->port) : std::nullopt;
    if (!to || std::binary_search(missing_.begin(), missing_.end(), *channel)) return std::nullopt;
    return goes_back ? channel->node : *to;
  }

  const Topology& topology_;
  const std::vector<Channel>& missing_;
  std::vector<bool> is_reached_;  // by the last search
};

}  // namespace

std::vector<std::size_t> parts_of(const Topology& topology, const std::vector<NodeId>& gone,
                                  const std::vector<Channel>& missing) {
  constexpr std::size_t left_out = no_part - 1;  // so that no search goes there
  std::vector<std::size_t> parts(topology.router_count(), no_part);
  for (const NodeId node : gone) parts[index(node)] = left_out;
  Search search(topology, missing);
  std::size_t count = 0;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (parts[i] != no_part) continue;
    // A way between two routers of a part leads through this part alone.
    const std::vector<NodeId> there = search.reach(node_id(i), parts, false);
    search.reach(node_id(i), parts, true);
    for (const NodeId node : there) {
      if (search.has_reached(node)) parts[index(node)] = count;
    }
    ++count;
  }
  std::replace(parts.begin(), parts.end(), left_out, no_part);
  return parts;
}

bool is_one_part(const Topology& topology, const std::vector<NodeId>& gone,
                 const std::vector<Channel>& missing) {
  const std::vector<std::size_t> parts = parts_of(topology, gone, missing);
  return std::all_of(parts.begin(), parts.end(),
                     [](std::size_t part) { return part == 0 || part == no_part; }) &&
         std::find(parts.begin(), parts.end(), std::size_t{0}) != parts.end();
}

}  // namespace allport
