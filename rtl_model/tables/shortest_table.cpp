// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdint>
#include <numeric>
#include <optional>
#include <stdexcept>
#include <unordered_map>

#include "rtl_model/base/stop_flag.h"
#include "rtl_model/base/words.h"
#include "rtl_model/tables/dependencies.h"
#include "rtl_model/tables/rules.h"

namespace allport {

namespace {

using Entry = RoutingTable::Entry;
using Vertex = LayerDependencies::Vertex;

constexpr std::uint32_t unreached = UINT32_MAX;

// The ways to each node are a tree of shortest ways. Of these ways a node takes the one whose
// channels have the fewest other ways, all of its channels together, of equals that of the lowest
// port.
class ShortestWays {
 public:
  ShortestWays(const Topology& topology, const std::vector<Channel>& missing)
      : topology_(topology),
        nodes_(topology.node_count()),
        routers_(topology.router_count()),
        ports_(topology.port_count()),
        neighbours_(routers_ * ports_, unreached),
        senders_(routers_),
        load_(routers_ * ports_),
        next_(nodes_ * routers_, Entry::none) {
    for_each_channel_there(topology, missing,
                           [this](std::uint32_t from, std::uint32_t to, std::uint8_t port) {
                             neighbours_[from * ports_ + port] = to;
                             senders_[to].push_back(from);
                           });
    // Those that come first know of no load, so all grow once more.
    for (std::size_t i = 0; i < 2 * nodes_; ++i) {
      heed_stop();
      grow(static_cast<std::uint32_t>(i % nodes_));
    }
  }

  /// The port by which `from` goes on to `to`; Entry::none: it is there, or no way
  /// leads there.
  std::uint8_t port(std::size_t from, std::size_t to) const { return next_[to * routers_ + from]; }
  std::uint32_t neighbour(std::size_t node, std::size_t port) const {
    return neighbours_[node * ports_ + port];
  }
  /// The nodes from which a channel leads to `node`; one with several channels is there as often.
  const std::vector<std::uint32_t>& senders(std::size_t node) const { return senders_[node]; }
  std::size_t node_count() const { return nodes_; }
  std::size_t router_count() const { return routers_; }
  std::size_t port_count() const { return ports_; }

 private:
  // Grows the tree of `to` anew, once what it loads the channels with is taken away.
  void grow(std::uint32_t to) {
    find_distances(to);
    if (port(reached_.back(), to) != Entry::none) load_ways(to, false);
    costs_.assign(routers_, 0);
    for (std::size_t i = 1; i < reached_.size(); ++i) {
      const std::uint32_t from = reached_[i];
      const std::size_t port = best_port(from);
      costs_[from] = cost(from, port);
      next_[std::size_t{to} * routers_ + from] = static_cast<std::uint8_t>(port);
    }
    load_ways(to, true);
  }

  void find_distances(std::uint32_t to) {
    distances_.assign(routers_, unreached);
    distances_[to] = 0;
    reached_.assign(1, to);
    for (std::size_t i = 0; i < reached_.size(); ++i) {
      for (const std::uint32_t from : senders_[reached_[i]]) {
        if (distances_[from] != unreached) continue;
        distances_[from] = distances_[reached_[i]] + 1;
        reached_.push_back(from);
      }
    }
  }

  // Counts the ways to `to` over each channel, or takes them away: the farthest come first, so that
  // the number of ways over a node is known when it is its turn.
  void load_ways(std::uint32_t to, bool is_more) {
    std::vector<std::uint64_t> ways(routers_);
    std::fill(ways.begin(), ways.begin() + static_cast<std::ptrdiff_t>(nodes_), 1);
    for (std::size_t i = reached_.size(); i-- > 1;) {
      const std::uint32_t from = reached_[i];
      const std::size_t port = this->port(from, to);
      std::uint64_t& load = load_[from * ports_ + port];
      load = is_more ? load + ways[from] : load - ways[from];
      ways[neighbour(from, port)] += ways[from];
    }
  }

  std::uint64_t cost(std::uint32_t from, std::size_t port) const {
    return costs_[neighbour(from, port)] + load_[from * ports_ + port];
  }

  std::size_t best_port(std::uint32_t from) const {
    std::size_t best = ports_;
    for (std::size_t port = 0; port < ports_; ++port) {
      const std::uint32_t there = neighbour(from, port);
      if (there == unreached || distances_[there] == unreached) continue;
      if (distances_[there] + 1 != distances_[from]) continue;
      if (best == ports_ || cost(from, port) < cost(from, best)) best = port;
    }
    return best;
  }

  const Topology& topology_;
  std::size_t nodes_;
  std::size_t routers_;
  std::size_t ports_;
  std::vector<std::uint32_t> neighbours_;            // by node and port
  std::vector<std::vector<std::uint32_t>> senders_;  // by node
  std::vector<std::uint64_t> load_;                  // by node and port: ways over the channel
  std::vector<std::uint8_t> next_;                   // by destination and node
  // To the present destination:
  std::vector<std::uint32_t> distances_;
  std::vector<std::uint64_t> costs_;    // ways over the channels of the way that is taken
  std::vector<std::uint32_t> reached_;  // nodes, the nearest first
};

// All pairs begin in layer 0. As long as channels of a layer wait for each other in a cycle, the
// pairs whose ways make the wait of it that the fewest make go to the next layer.
class LayerAssignment {
 public:
  explicit LayerAssignment(const Topology& topology, const ShortestWays& ways)
      : topology_(topology), ways_(ways), layer_(ways.node_count() * ways.node_count()) {}

  /// Returns the number of layers, `most` at most; `cycle` is what is left if they do not suffice.
  int assign(int most, std::vector<Vertex>& cycle) {
    for (int layer = 0;; ++layer) {
      count(layer);
      bool is_emptied = true;
      for (cycle = dependencies_->find_cycle(); !cycle.empty();
           cycle = dependencies_->find_cycle()) {
        heed_stop();
        if (layer + 1 == most) return most;
        break_at(weakest(cycle), layer);
        is_emptied = false;
      }
      if (is_emptied) return layer + 1;
    }
  }

  int layer(std::size_t from, std::size_t to) const { return layer_[to * nodes() + from]; }

 private:
  struct Wait {
    Channel from{};
    Channel next{};
  };

  std::size_t nodes() const { return ways_.node_count(); }
  std::uint64_t key(Channel from, std::size_t next_port) const {
    return (index(from.node) * ways_.port_count() + index(from.port)) * ways_.port_count() +
           next_port;
  }

  // The waits of a pair, in the order of its way.
  template <class Action>
  void for_each_wait(std::size_t from, std::size_t to, Action action) const {
    std::optional<Channel> held;
    for (std::size_t here = from; here != to;) {
      const std::uint8_t port = ways_.port(here, to);
      const Channel channel{node_id(here), port_id(port)};
      if (held) action(Wait{*held, channel});
      held = channel;
      here = ways_.neighbour(here, port);
    }
  }

  bool is_in(std::size_t from, std::size_t to, int layer) const {
    return from != to && ways_.port(from, to) != Entry::none && this->layer(from, to) == layer;
  }

  void count(int layer) {
    dependencies_.emplace(topology_, 1);
    counts_.clear();
    for (std::size_t to = 0; to < nodes(); ++to) {
      heed_stop();
      for (std::size_t from = 0; from < nodes(); ++from) {
        if (!is_in(from, to, layer)) continue;
        for_each_wait(from, to, [&](const Wait& wait) {
          if (counts_[key(wait.from, index(wait.next.port))]++ == 0) {
            dependencies_->add({wait.from, 0}, {wait.next, 0});
          }
        });
      }
    }
  }

  Wait weakest(const std::vector<Vertex>& cycle) const {
    Wait best;
    std::uint64_t least = UINT64_MAX;
    for (std::size_t i = 0; i < cycle.size(); ++i) {
      const Channel from = cycle[i].channel;
      const Channel next = cycle[(i + 1) % cycle.size()].channel;
      const std::uint64_t count = counts_.at(key(from, index(next.port)));
      if (count >= least) continue;
      least = count;
      best = {from, next};
    }
    return best;
  }

  // Takes the pairs whose ways go from one channel of `wait` to the next out of `layer`.
  void break_at(const Wait& wait, int layer) {
    const std::size_t node = index(wait.from.node);
    const std::size_t middle = index(wait.next.node);
    for (std::size_t to = 0; to < nodes(); ++to) {
      const bool is_way = to != middle && to != node &&
                          ways_.port(node, to) == index(wait.from.port) &&
                          ways_.port(middle, to) == index(wait.next.port);
      if (is_way) lift_all(node, to, layer);
    }
  }

  // All pairs to `to` whose way leads over `node`, which it is of as well.
  void lift_all(std::size_t node, std::size_t to, int layer) {
    std::vector<std::size_t> over{node};
    for (std::size_t i = 0; i < over.size(); ++i) {
      if (over[i] < nodes() && is_in(over[i], to, layer)) lift(over[i], to, layer);
      std::vector<std::uint32_t> before = ways_.senders(over[i]);
      before.erase(std::unique(before.begin(), before.end()), before.end());
      for (const std::uint32_t from : before) {
        const std::uint8_t port = from == to ? Entry::none : ways_.port(from, to);
        if (port != Entry::none && ways_.neighbour(from, port) == over[i]) over.push_back(from);
      }
    }
  }

  void lift(std::size_t from, std::size_t to, int layer) {
    layer_[to * nodes() + from] = static_cast<std::uint8_t>(layer + 1);
    for_each_wait(from, to, [&](const Wait& wait) {
      const auto found = counts_.find(key(wait.from, index(wait.next.port)));
      if (--found->second > 0) return;
      counts_.erase(found);
      dependencies_->remove({wait.from, 0}, {wait.next, 0});
    });
  }

  const Topology& topology_;
  const ShortestWays& ways_;
  std::vector<std::uint8_t> layer_;                          // by destination and node
  std::optional<LayerDependencies> dependencies_;            // of one layer
  std::unordered_map<std::uint64_t, std::uint64_t> counts_;  // pairs of each wait of it
};

}  // namespace

RoutingTable shortest_table(const TableRequest& request) {
  const Topology& topology = *request.topology;
  const ShortestWays ways(topology, request.missing);
  LayerAssignment assignment(topology, ways);
  std::vector<Vertex> cycle;
  const int most = request.vcs == 0 ? max_table_layers : request.vcs;
  const int layers = assignment.assign(most, cycle);
  if (!cycle.empty()) {
    for (Vertex& one : cycle) one.layer = most - 1;  // which was the only one there
    throw std::invalid_argument(
        "routing table:shortest: " + counted(static_cast<std::uint64_t>(most), "layer") +
        (most == 1 ? ", that of the only virtual channel of a message class, does not suffice on "
                   : ", one for each virtual channel of a message class, do not suffice on ") +
        topology.name() + (most == 1 ? ": its" : ": in the last of them") +
        " channels wait for each other in a cycle: " + in_words(cycle, topology));
  }
  const std::size_t nodes = topology.node_count();
  const std::size_t routers = topology.router_count();
  RoutingTable table("table:shortest", routers, nodes, layers);
  for (std::size_t to = 0; to < nodes; ++to) {
    heed_stop();
    for (std::size_t from = 0; from < routers; ++from) {
      if (from == to) {
        for (int layer = 0; layer < layers; ++layer) {
          table.set(node_id(from), layer, node_id(to), {Entry::local, 0});
        }
        continue;
      }
      const std::uint8_t port = ways.port(from, to);
      if (port == Entry::none) continue;
      if (from < nodes) {
        const auto own = static_cast<std::uint8_t>(assignment.layer(from, to));
        table.set_injection(node_id(from), node_id(to), {port, own});
      }
      for (int layer = 0; layer < layers; ++layer) {
        table.set(node_id(from), layer, node_id(to), {port, static_cast<std::uint8_t>(layer)});
      }
    }
  }
  return table;
}

}  // namespace allport
