// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <vector>

#include "rtl_model/base/bits.h"
#include "rtl_model/base/circle.h"
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
    for (auto& senders : senders_) {
      senders.erase(std::unique(senders.begin(), senders.end()), senders.end());
    }
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
  /// The nodes from which a channel leads to `node`.
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

// Waits of a layer: a head on one channel asks for the next one of its way. They are counted by
// pair of nodes; a wait of no pair is none. Vertices are channels.
class Waits {
 public:
  explicit Waits(const ShortestWays& ways)
      : ports_(ways.port_count()),
        far_ends_(ways.router_count() * ports_, unreached),
        first_(far_ends_.size()),
        next_(far_ends_.size()),
        place_(far_ends_.size()) {
    std::size_t count = 0;
    for (std::size_t channel = 0; channel < far_ends_.size(); ++channel) {
      far_ends_[channel] = ways.neighbour(channel / ports_, channel % ports_);
      first_[channel] = count;
      if (far_ends_[channel] != unreached) count += ports_;
    }
    counts_.resize(count);
  }

  std::uint32_t channel(std::size_t node, std::size_t port) const {
    return static_cast<std::uint32_t>(node * ports_ + port);
  }

  /// The search begins anew, and nothing waits.
  void clear() {
    std::fill(counts_.begin(), counts_.end(), 0);
    std::fill(next_.begin(), next_.end(), 0);
    search_.emplace(far_ends_.size());
    start_ = 0;
    left_ = 0;
    std::fill(place_.begin(), place_.end(), nowhere);
  }

  std::uint32_t count(std::uint32_t channel, std::size_t next_port) const {
    return counts_[first_[channel] + next_port];
  }
  void add(std::uint32_t channel, std::size_t next_port, std::uint32_t pairs) {
    counts_[first_[channel] + next_port] += pairs;
    next_[channel] |= std::uint64_t{1} << next_port;
  }
  void take(std::uint32_t channel, std::size_t next_port, std::uint32_t pairs) {
    if ((counts_[first_[channel] + next_port] -= pairs) > 0) return;
    next_[channel] &= ~(std::uint64_t{1} << next_port);
    // Where the path of the search led over this wait, it ends before it.
    const std::size_t place = place_[channel];
    const bool is_on_path = place < left_ && place + 1 < left_ &&
                            search_->path()[place] == channel &&
                            search_->path()[place + 1] == next_of(channel, next_port);
    if (is_on_path) left_ = place + 1;
  }

  /// Channels each of which waits for the next, and the last for the first; the circle that a
  /// search from the first channel on finds first. Empty: there is none.
  std::vector<std::uint32_t> find_circle() {
    const auto next = [this](std::uint32_t channel, auto is_done) {
      for (const int port : bits(next_[channel])) {
        const std::uint32_t found = next_of(channel, static_cast<std::size_t>(port));
        if (!is_done(found)) return found;
      }
      return no_vertex;
    };
    const std::vector<std::uint32_t>& path = search_->path();
    for (std::size_t i = left_; i < path.size(); ++i) place_[path[i]] = nowhere;
    search_->go_back(left_);
    for (; start_ < far_ends_.size(); ++start_) {
      std::vector<std::uint32_t> circle = search_->from(start_, next);
      if (circle.empty()) continue;
      // What a search leaves behind is done, so those that stay have kept their places.
      for (std::size_t i = path.size(); i-- > 0 && place_[path[i]] != i;) place_[path[i]] = i;
      left_ = path.size();
      return circle;
    }
    return {};
  }

 private:
  static constexpr std::size_t nowhere = SIZE_MAX;

  std::uint32_t next_of(std::uint32_t channel, std::size_t next_port) const {
    return this->channel(far_ends_[channel], next_port);
  }

  const std::size_t ports_;
  std::vector<std::uint32_t> far_ends_;  // by channel; unreached: there is none
  std::vector<std::size_t> first_;       // by channel: its first place in counts_
  std::vector<std::uint32_t> counts_;    // by channel and port of the next one
  std::vector<std::uint64_t> next_;      // by channel: the ports of the next ones, a bit each
  std::optional<CircleSearch> search_;
  std::uint32_t start_ = 0;         // of the search
  std::vector<std::size_t> place_;  // by channel: on the path of the search, if it is there
  std::size_t left_ = 0;            // how many of the path still wait for one another
};

// All pairs begin in layer 0. As long as channels of a layer wait for each other in a cycle, the
// pairs whose ways make the wait of it that the fewest make go to the next layer.
class LayerAssignment {
 public:
  explicit LayerAssignment(const ShortestWays& ways)
      : ways_(ways),
        routers_(ways.router_count()),
        nodes_(ways.node_count()),
        layer_(nodes_ * nodes_),
        pairs_(nodes_ * routers_),
        words_((nodes_ + 63) / 64),
        first_word_(routers_ * ways.port_count()),
        waits_(ways) {
    std::size_t count = 0;
    for (std::size_t channel = 0; channel < first_word_.size(); ++channel) {
      first_word_[channel] = count;
      const std::size_t port = channel % ways.port_count();
      if (ways.neighbour(channel / ways.port_count(), port) != unreached) count += words_;
    }
    destinations_.resize(count);
    for (std::size_t to = 0; to < nodes_; ++to) {
      heed_stop();
      for (std::size_t from = 0; from < routers_; ++from) {
        const std::uint8_t port = ways.port(from, to);
        if (port == Entry::none) continue;
        destinations_[first_word_[waits_.channel(from, port)] + to / 64] |= std::uint64_t{1}
                                                                            << to % 64;
      }
    }
  }

  /// Returns the number of layers, `most` at most; `cycle` is what is left if they do not suffice.
  int assign(int most, std::vector<Vertex>& cycle) {
    for (int layer = 0;; ++layer) {
      count(layer);
      bool is_emptied = true;
      for (auto circle = waits_.find_circle(); !circle.empty(); circle = waits_.find_circle()) {
        heed_stop();
        if (layer + 1 == most) {
          for (const std::uint32_t channel : circle) cycle.push_back({channel_of(channel), 0});
          return most;
        }
        break_weakest(circle, layer);
        is_emptied = false;
      }
      if (is_emptied) return layer + 1;
    }
  }

  int layer(std::size_t from, std::size_t to) const { return layer_[to * nodes_ + from]; }

 private:
  Channel channel_of(std::uint32_t channel) const {
    return {node_id(channel / ways_.port_count()), port_id(channel % ways_.port_count())};
  }

  bool is_in(std::size_t from, std::size_t to, int layer) const {
    return from < nodes_ && from != to && ways_.port(from, to) != Entry::none &&
           this->layer(from, to) == layer;
  }

  // The ways to a node are counted from those that begin farthest out on.
  void count(int layer) {
    waits_.clear();
    std::vector<std::uint32_t> ways_left(routers_);  // to a node, not yet counted
    std::vector<std::uint32_t> leaves;
    for (std::size_t to = 0; to < nodes_; ++to) {
      heed_stop();
      std::uint16_t* const pairs = &pairs_[to * routers_];
      std::fill(ways_left.begin(), ways_left.end(), 0);
      for (std::size_t from = 0; from < routers_; ++from) {
        pairs[from] = is_in(from, to, layer) ? 1 : 0;
        const std::uint8_t port = ways_.port(from, to);
        if (port != Entry::none) ++ways_left[ways_.neighbour(from, port)];
      }
      for (std::size_t from = 0; from < routers_; ++from) {
        if (ways_left[from] == 0 && ways_.port(from, to) != Entry::none) {
          leaves.push_back(static_cast<std::uint32_t>(from));
        }
      }
      while (!leaves.empty()) {
        const std::uint32_t from = leaves.back();
        leaves.pop_back();
        const std::uint8_t port = ways_.port(from, to);
        const std::uint32_t next = ways_.neighbour(from, port);
        if (next == to) continue;
        if (pairs[from] > 0) {
          waits_.add(waits_.channel(from, port), ways_.port(next, to), pairs[from]);
        }
        pairs[next] = static_cast<std::uint16_t>(pairs[next] + pairs[from]);
        if (--ways_left[next] == 0) leaves.push_back(next);
      }
    }
  }

  // Takes the pairs whose ways make the wait of `circle` that the fewest make out of `layer`.
  void break_weakest(const std::vector<std::uint32_t>& circle, int layer) {
    std::size_t weakest = 0;
    std::uint32_t least = UINT32_MAX;
    for (std::size_t i = 0; i < circle.size(); ++i) {
      const Channel next = channel_of(circle[(i + 1) % circle.size()]);
      const std::uint32_t count = waits_.count(circle[i], index(next.port));
      if (count >= least) continue;
      least = count;
      weakest = i;
    }
    const std::uint32_t from = circle[weakest];
    const std::uint32_t next = circle[(weakest + 1) % circle.size()];
    for (std::size_t word = 0; word < words_; ++word) {
      const std::uint64_t both =
          destinations_[first_word_[from] + word] & destinations_[first_word_[next] + word];
      for (const int bit : bits(both)) {
        lift(index(channel_of(from).node), 64 * word + static_cast<std::size_t>(bit), layer);
      }
    }
  }

  // All pairs to `to` whose way leads over `node`, which it is of as well, go to the next layer.
  void lift(std::size_t node, std::size_t to, int layer) {
    std::uint16_t* const pairs = &pairs_[to * routers_];
    const std::uint16_t lifted = pairs[node];
    if (lifted == 0) return;
    heed_stop();
    for (std::size_t from = node; from != to; from = ways_.neighbour(from, ways_.port(from, to))) {
      take_wait(from, to, lifted);
      if (from != node) pairs[from] = static_cast<std::uint16_t>(pairs[from] - lifted);
    }
    over_.assign(1, static_cast<std::uint32_t>(node));
    for (std::size_t i = 0; i < over_.size(); ++i) {
      const std::uint32_t here = over_[i];
      if (here != node) take_wait(here, to, pairs[here]);
      pairs[here] = 0;
      if (is_in(here, to, layer)) layer_[to * nodes_ + here] = static_cast<std::uint8_t>(layer + 1);
      for (const std::uint32_t from : ways_.senders(here)) {
        if (pairs[from] == 0 || from == to) continue;
        if (ways_.neighbour(from, ways_.port(from, to)) == here) over_.push_back(from);
      }
    }
  }

  // So many pairs less go from the channel by which `from` goes on to `to` to the next one.
  void take_wait(std::size_t from, std::size_t to, std::uint32_t pairs) {
    const std::uint8_t port = ways_.port(from, to);
    const std::uint32_t next = ways_.neighbour(from, port);
    if (next != to) waits_.take(waits_.channel(from, port), ways_.port(next, to), pairs);
  }

  const ShortestWays& ways_;
  std::size_t routers_;
  std::size_t nodes_;
  std::vector<std::uint8_t> layer_;          // by destination and node
  std::vector<std::uint16_t> pairs_;         // of the layer, over a node: by destination and node
  std::size_t words_;                        // of the bits of a channel
  std::vector<std::size_t> first_word_;      // by channel
  std::vector<std::uint64_t> destinations_;  // of the ways over a channel, a bit each
  std::vector<std::uint32_t> over_;          // nodes
  Waits waits_;                              // of the layer
};

}  // namespace

RoutingTable shortest_table(const TableRequest& request) {
  const Topology& topology = *request.topology;
  require_table_entries("table:shortest", topology.router_count(), topology.node_count(), 1);
  const ShortestWays ways(topology, request.missing);
  LayerAssignment assignment(ways);
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
  std::vector<std::uint8_t> ports(nodes);
  for (std::size_t from = 0; from < routers; ++from) {
    heed_stop();
    for (std::size_t to = 0; to < nodes; ++to) ports[to] = ways.port(from, to);
    for (int layer = 0; layer < layers; ++layer) {
      const auto own = static_cast<std::uint8_t>(layer);
      for (std::size_t to = 0; to < nodes; ++to) {
        const Entry entry = from == to ? Entry{Entry::local, 0} : Entry{ports[to], own};
        if (entry.port != Entry::none) table.set(node_id(from), layer, node_id(to), entry);
      }
    }
    for (std::size_t to = 0; from < nodes && to < nodes; ++to) {
      if (ports[to] == Entry::none) continue;
      const auto own = static_cast<std::uint8_t>(assignment.layer(from, to));
      table.set_injection(node_id(from), node_id(to), {ports[to], own});
    }
  }
  return table;
}

}  // namespace allport
