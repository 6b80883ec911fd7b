// SPDX-License-Identifier: Apache-2.0
#include "traffic/theory/lower_bound.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "rtl_model/base/run_end.h"
#include "rtl_model/base/stop_flag.h"
#include "rtl_model/graphs/graph.h"
#include "rtl_model/graphs/node_ports.h"
#include "traffic/theory/graph_cuts.h"

namespace allport {

namespace {

using Amount = long double;  // flits: exact up to 2^64

class Bounds {
 public:
  explicit Bounds(const BoundRequest& request)
      : request_(request),
        topology_(request.topology),
        nodes_(request.goal.rank_count()),
        flits_(request.timing.flits),
        is_narrow_(request.timing.has_narrow_channels()),
        has_equal_nodes_(has_equal_nodes()) {
    for (const NodeId node : everybody()) {
      if (is_rooted() && node != root() && counts(node)) others_.push_back(node);
    }
  }

  LowerBound take() {
    if (nodes_ < 2 || (is_rooted() && others_.empty())) return {0, "ports"};
    const Load by_node = by_ports();
    const Load by_all{by_channels(), {Bottleneck::Kind::channels, channels()}};
    offer("ports", after_a_hop(whole(by_node.cycles()), has_tails_of_heads(timing().classes)));
    offer("channels", after_a_hop(whole(by_all.cycles()), has_tails_of_heads(timing().vcs)));
    for (std::size_t i = 0; i < topology_.dimension_count(); ++i) {
      const auto is_near = [&](NodeId node) { return is_low(node, i); };
      if (offer_cut(is_near, count_low(i), channels_cut(i))) cut_.dimension = i;
    }
    if (topology_.is_graph()) offer_graph_cuts();
    offer("distance", by_distance());
    if (!request_.has_worms && everybody_hears()) offer("start-ups", by_startups());
    if (bound_.binds == "cut") {
      bound_.through = bottleneck_of_cut();
    } else {
      bound_.through = bound_.binds == "channels" ? by_all.through : by_node.through;
    }
    return bound_;
  }

 private:
  struct BothWays {  // from the lower half to the upper one, and back
    Amount up = 0;
    Amount down = 0;
  };
  struct Load {  // flits that go through something
    Amount flits = 0;
    Bottleneck through;
    Amount cycles() const { return flits / through.rate; }
  };
  struct Cut {  // the one that binds most so far: between halves of a dimension, or of a graph
    std::size_t dimension = 0;
    GraphCut near;
    bool is_upward = false;
    Amount rate = 1;
  };

  Operation operation() const { return request_.goal.operation(); }
  NodeId root() const { return request_.goal.root(); }
  bool is_rooted() const {
    const Operation one = operation();
    return one == Operation::bcast || one == Operation::scatter || one == Operation::gather ||
           one == Operation::reduce;
  }
  // Whether a node other than the root takes part: of a bcast, whether it is a destination.
  bool counts(NodeId node) const {
    return operation() != Operation::bcast || request_.goal.must_hold(node, 0);
  }
  // Whether blocks are counted one by one, each from one node to another.
  bool is_exchange() const {
    return request_.goal.neighbours() != nullptr || request_.goal.has_pair_lengths();
  }
  bool everybody_hears() const {
    const Operation one = operation();
    return one == Operation::bcast || one == Operation::allgather || one == Operation::allreduce ||
           one == Operation::barrier;
  }

  // Whether it is the largest so far.
  bool offer(std::string_view binds, const BoundCycles& of) {
    if (!bound_.binds.empty() && of.total() <= bound_.cycles) return false;
    bound_ = {of.total(), binds, of};
    return true;
  }
  const TimingParameters& timing() const { return request_.timing; }
  // For how long each router holds a head that no flit behind it is held.
  Cycle held_head() const { return timing().head_delay(); }
  // Whether the flits that go through something follow their heads without a gap, if it is never
  // idle: where none takes more than a cycle, and messages take no turns, as on one of `queues`.
  bool has_tails_of_heads(int queues) const { return !is_narrow_ && queues == 1; }
  // What `flits` cycles of flits take that cross a channel at least. The first router holds the
  // first head; the second one holds the last flit with its head, or that has caught up with it.
  BoundCycles after_a_hop(Cycle flits, bool has_tails_of_heads) const {
    const Cycle routers = 2 * timing().pipeline_delay() - (has_tails_of_heads ? 0 : held_head());
    return {timing().ts, timing().tr, 1 + timing().least_delay() + routers, flits};
  }
  // Sums of rates below 1 are rounded: what may be a whole number counts as that.
  Cycle whole(Amount amount) const {
    constexpr Amount slack = 16 * std::numeric_limits<Amount>::epsilon();
    const Amount cycles = std::ceil(is_narrow_ ? amount * (1 - slack) : amount);
    return static_cast<Cycle>(std::min<Amount>(cycles, last_cycle));
  }
  // The flits that a channel of the dimension carries per cycle.
  Amount rate(std::size_t dimension) const {
    return Amount{1} / request_.timing.phits_of(dimension);
  }
  Amount rate(Channel channel) const {
    return Amount{1} / request_.timing.phits_of(channel, topology_);
  }

  // The flits that the external channels of the fabric carry per cycle: a line that does not close
  // lacks one channel each way.
  Amount channels() const {
    const auto nodes = static_cast<Amount>(topology_.node_count());
    const bool is_open = !topology_.wraps() && !topology_.is_hypercube();
    const bool has_own = topology_.is_graph() || request_.timing.links != nullptr;
    Amount all = 0;
    if (has_own) {
      for (const Channel channel : topology_.channels()) all += rate(channel);
    }
    for (std::size_t port = 0; !has_own && port < topology_.port_count(); ++port) {
      const std::size_t dimension = topology_.dimension_of(port_id(port));
      all += (is_open ? nodes - nodes / topology_.sides()[dimension] : nodes) * rate(dimension);
    }
    for (const Channel channel : request_.missing) all -= rate(channel);
    return all;
  }

  // The ports by which a node can send at once, or receive: the flits that they carry per cycle.
  enum class Use { send, receive };
  struct Degree {
    int channels = 0;
    Amount rate = 0;
  };
  // Whether all nodes have the same channels.
  bool has_equal_nodes() const {
    const bool closes = topology_.is_hypercube() || topology_.wraps();
    return closes && timing().links == nullptr && request_.missing.empty();
  }
  const Degree& degree(NodeId node, Use use) const {
    Known& known = known_[use == Use::send ? 0 : 1];
    if (known.node == node || (known.node && has_equal_nodes_)) return known.degree;
    known.degree = counted_degree(node, use);
    known.node = node;
    return known.degree;
  }
  Degree counted_degree(NodeId node, Use use) const {
    heed_stop();
    std::vector<bool> is_there(topology_.port_count());
    for (std::size_t i = 0; i < is_there.size(); ++i) {
      is_there[i] = use == Use::send ? topology_.neighbour(node, port_id(i)).has_value()
                                     : topology_.incoming(node, port_id(i)).has_value();
    }
    for (const Channel channel : request_.missing) {
      const NodeId receiver = *topology_.neighbour(channel.node, channel.port);
      if ((use == Use::send ? channel.node : receiver) != node) continue;
      is_there[index(use == Use::send ? channel.port
                                      : topology_.arrival_port(channel.node, channel.port))] =
          false;
    }
    Degree degree;
    for (std::size_t i = 0; i < is_there.size(); ++i) {
      if (!is_there[i]) continue;
      ++degree.channels;
      const Channel own{node, port_id(i)};
      degree.rate += rate(use == Use::send ? own : *topology_.incoming(node, port_id(i)));
    }
    return degree;
  }
  int internal_ports(NodeId node) const {
    return internal_ports_of(topology_, node, request_.internal_ports);
  }
  Amount width(NodeId node, Use use) const {
    return std::min<Amount>(degree(node, use).rate, internal_ports(node));
  }
  // The cycles in which a node can receive `flits`, from the first one on: each channel brings one
  // at once, and others while the router holds the head.
  Cycle receive_time(NodeId node, Amount flits) const {
    const Cycle by_ports = whole(flits / width(node, Use::receive));
    if (!is_narrow_) return by_ports;
    const Cycle by_ejection = whole(flits / internal_ports(node));
    const Degree& by = degree(node, Use::receive);
    const Amount rest = std::max<Amount>(flits - by.channels, 0);
    return std::max(by_ejection, 1 + whole(rest / by.rate) - held_head());
  }
  Amount least_width(const std::vector<NodeId>& list, Use use) const {
    Amount least = width(list.front(), use);
    for (const NodeId node : list) least = std::min(least, width(node, use));
    return least;
  }
  std::vector<NodeId> everybody() const {
    heed_stop();
    std::vector<NodeId> list;
    list.reserve(nodes_);
    for (std::size_t i = 0; i < nodes_; ++i) list.push_back(request_.goal.member(i));
    return list;
  }

  int distance(int from, int to, std::size_t dimension) const {
    const int apart = std::abs(from - to);
    const bool closes = topology_.wraps();
    return closes ? std::min(apart, topology_.sides()[dimension] - apart) : apart;
  }
  int distance(NodeId from, NodeId to) const {
    if (topology_.is_graph()) return distances_from(from)[index(to)];
    if (topology_.is_hypercube()) return __builtin_popcountll(index(from) ^ index(to));
    int sum = 0;
    for (std::size_t i = 0; i < topology_.dimension_count(); ++i) {
      sum += distance(topology_.coordinate(from, i), topology_.coordinate(to, i), i);
    }
    return sum;
  }
  // The hops from a node of a graph to all others, breadth first.
  const std::vector<int>& distances_from(NodeId from) const {
    if (from_ == from) return distances_;
    heed_stop();
    from_ = from;
    distances_.assign(topology_.router_count(), -1);
    distances_[index(from)] = 0;
    std::vector<NodeId> reached{from};
    for (std::size_t i = 0; i < reached.size(); ++i) {
      for (std::size_t port = 0; port < topology_.port_count(); ++port) {
        const auto next = topology_.neighbour(reached[i], port_id(port));
        if (!next || distances_[index(*next)] >= 0) continue;
        distances_[index(*next)] = distances_[index(reached[i])] + 1;
        reached.push_back(*next);
      }
    }
    return distances_;
  }
  // How many of those that take part have each coordinate in the dimension.
  std::vector<Amount> counts_along(std::size_t dimension) const {
    std::vector<Amount> counts(static_cast<std::size_t>(topology_.sides()[dimension]));
    for (const NodeId node : everybody()) {
      ++counts[static_cast<std::size_t>(topology_.coordinate(node, dimension))];
    }
    return counts;
  }
  // Over all ordered pairs, dimension by dimension.
  Amount all_distances() const {
    Amount sum = 0;
    if (topology_.is_graph()) {
      const std::vector<NodeId> list = everybody();
      for (const NodeId from : list) {
        for (const NodeId to : list) sum += distance(from, to);
      }
      return sum;
    }
    for (std::size_t i = 0; i < topology_.dimension_count(); ++i) {
      const int side = topology_.sides()[i];
      const std::vector<Amount> counts = counts_along(i);
      for (int from = 0; from < side; ++from) {
        for (int to = 0; to < side; ++to) {
          sum += counts[static_cast<std::size_t>(from)] * counts[static_cast<std::size_t>(to)] *
                 distance(from, to, i);
        }
      }
    }
    return sum;
  }
  NodeId farthest(NodeId from, const std::vector<NodeId>& list) const {
    return *std::max_element(list.begin(), list.end(), [&](NodeId a, NodeId b) {
      return distance(from, a) < distance(from, b);
    });
  }
  // The largest distance of two that take part; in a group at least that of the one farthest from
  // its first node to the one farthest from there.
  int diameter() const {
    if (nodes_ == topology_.node_count()) return topology_.diameter();
    const std::vector<NodeId> list = everybody();
    const NodeId end = farthest(list.front(), list);
    return distance(end, farthest(end, list));
  }

  // Of an exchange, calls `use` with both ranks of each block that is sent, and its flits.
  template <class Use>
  void for_each_pair(const Use& use) const {
    if (request_.goal.has_pair_lengths()) {
      for (std::size_t from = 0; from < nodes_; ++from) {
        heed_stop();
        for (std::size_t to = 0; to < nodes_; ++to) {
          const int flits = request_.goal.pair_flits(from, to);
          if (from != to && flits > 0) use(from, to, static_cast<Amount>(flits));
        }
      }
      return;
    }
    const NeighbourBlocks& all = *request_.goal.neighbours();
    for (std::size_t block = 0; block < all.block_count(); ++block) {
      const auto receiver = all.receiver(block);
      if (receiver) use(all.sender(block), *receiver, flits_);
    }
  }
  // The same with both nodes.
  template <class Use>
  void for_each_block(const Use& use) const {
    for_each_pair([&](std::size_t from, std::size_t to, Amount flits) {
      use(request_.goal.member(from), request_.goal.member(to), flits);
    });
  }
  // Of an exchange: what leaves a node by the ports it has, or comes in.
  Load by_ports_of_exchange() const {
    std::vector<Amount> sent(nodes_);
    std::vector<Amount> received(nodes_);
    for_each_pair([&](std::size_t from, std::size_t to, Amount flits) {
      sent[from] += flits;
      received[to] += flits;
    });
    Load most;
    const auto add = [&](NodeId node, Amount flits, Use use) {
      if (flits == 0) return;
      const Load one{flits, {Bottleneck::Kind::node, width(node, use), use == Use::send, node}};
      if (one.cycles() > most.cycles()) most = one;
    };
    for (std::size_t i = 0; i < nodes_; ++i) {
      const NodeId node = request_.goal.member(i);
      add(node, sent[i], Use::send);
      add(node, received[i], Use::receive);
    }
    return most;
  }

  // From a node to the farthest one that must have something of it.
  int longest_way() const {
    if (!is_exchange()) return diameter();
    int most = 0;
    for_each_block(
        [&](NodeId from, NodeId to, Amount) { most = std::max(most, distance(from, to)); });
    return most;
  }

  // The flits that a node must send or receive, by its ports.
  Load by_ports() const {
    if (is_exchange()) return by_ports_of_exchange();
    using Kind = Bottleneck::Kind;
    const auto peers = static_cast<Amount>(nodes_ - 1);
    const std::vector<NodeId> all = everybody();
    const Amount of_all = peers * flits_;
    const auto of_root = [&](Amount rate, bool sends) {
      return Bottleneck{Kind::node, rate, sends, root()};
    };
    switch (operation()) {
      case Operation::bcast: {
        const Amount rate = std::min(least_width(others_, Use::receive), width(root(), Use::send));
        return {flits_, {Kind::last_receiver, rate}};
      }
      case Operation::reduce:
        return {
            flits_,
            of_root(std::min(least_width(others_, Use::send), width(root(), Use::receive)), false)};
      case Operation::scatter:
        return {of_all, of_root(width(root(), Use::send), true)};
      case Operation::gather:
        return {of_all, of_root(width(root(), Use::receive), false)};
      case Operation::allreduce:
      case Operation::barrier: {
        BothWays sum;
        for (const NodeId node : all) {
          sum.up += width(node, Use::send);
          sum.down += width(node, Use::receive);
        }
        const Amount least = std::min(least_width(all, Use::send), least_width(all, Use::receive));
        const Load of_one{flits_, {Kind::last_receiver, least}};
        const Load together{2 * of_all, {Kind::nodes, std::min(sum.up, sum.down)}};
        return of_one.cycles() > together.cycles() ? of_one : together;
      }
      case Operation::allgather:
        return {of_all, {Kind::last_receiver, least_width(all, Use::receive)}};
      case Operation::reduce_scatter:
        return {of_all, {Kind::last_receiver, least_width(all, Use::send), true}};
      default:
        return {of_all,
                {Kind::last_receiver,
                 std::min(least_width(all, Use::send), least_width(all, Use::receive))}};
    }
  }

  // The flits that cross channels, each as often as it must.
  Amount by_channels() const {
    if (is_exchange()) {
      Amount sum = 0;
      for_each_block(
          [&](NodeId from, NodeId to, Amount flits) { sum += flits * distance(from, to); });
      return sum;
    }
    const auto nodes = static_cast<Amount>(nodes_);
    switch (operation()) {
      case Operation::bcast:
      case Operation::reduce:
        return static_cast<Amount>(others_.size()) * flits_;
      case Operation::scatter:
      case Operation::gather: {
        Amount sum = 0;
        for (const NodeId node : others_) sum += distance(root(), node);
        return sum * flits_;
      }
      case Operation::alltoall:
        return all_distances() * flits_;
      case Operation::allreduce:
      case Operation::barrier:
        return 2 * (nodes - 1) * flits_;
      default:
        return nodes * (nodes - 1) * flits_;
    }
  }

  // Whether it is the largest so far.
  template <class IsLow>
  bool offer_cut(const IsLow& is_low, Amount low, const BothWays& channels) {
    const BothWays flits = by_cut(is_low, low);
    const auto offer_one = [&](Amount amount, Amount rate, bool is_upward) {
      const bool is_dense = has_tails_of_heads(timing().vcs);
      if (rate <= 0 || !offer("cut", after_a_hop(whole(amount / rate), is_dense))) return false;
      cut_.is_upward = is_upward;
      cut_.rate = rate;
      return true;
    };
    const bool is_largest = offer_one(flits.up, channels.up, true);
    return offer_one(flits.down, channels.down, false) || is_largest;
  }
  Bottleneck bottleneck_of_cut() const {
    Bottleneck through{Bottleneck::Kind::cut, cut_.rate};
    through.near.resize(topology_.router_count());
    for (std::size_t i = 0; i < through.near.size(); ++i) {
      const bool is_low_one =
          topology_.is_graph() ? cut_.near[i] : is_low(node_id(i), cut_.dimension);
      through.near[i] = is_low_one == cut_.is_upward;
    }
    return through;
  }
  void offer_graph_cuts() {
    const auto& graph = dynamic_cast<const Graph&>(topology_);
    const std::set<Channel> missing(request_.missing.begin(), request_.missing.end());
    const std::vector<NodeId> members = everybody();
    constexpr std::int64_t unit = 1 << 20;  // flits per cycle are rounded to find the cuts only
    const auto capacity = [&](Channel channel) -> std::int64_t {
      if (missing.count(channel) > 0) return 0;
      return unit / request_.timing.phits_of(channel, topology_);
    };
    for (const GraphCut& cut : graph_cuts(graph, members, capacity)) {
      const auto is_near = [&](NodeId node) { return cut[index(node)]; };
      BothWays channels;
      for (const Channel channel : topology_.channels()) {
        const NodeId to = *topology_.neighbour(channel.node, channel.port);
        if (is_near(channel.node) == is_near(to) || missing.count(channel) > 0) continue;
        (is_near(to) ? channels.down : channels.up) += rate(channel);
      }
      const auto near = std::count_if(members.begin(), members.end(), is_near);
      if (offer_cut(is_near, static_cast<Amount>(near), channels)) cut_.near = cut;
    }
  }

  // The nodes in the lower half of a dimension.
  bool is_low(NodeId node, std::size_t dimension) const {
    return topology_.coordinate(node, dimension) < topology_.sides()[dimension] / 2;
  }
  // The channels from one half to the other: the flits that they carry per cycle.
  BothWays channels_cut(std::size_t dimension) const {
    if (request_.timing.links != nullptr) return own_channels_cut(dimension);
    const auto lines = static_cast<Amount>(topology_.node_count()) / topology_.sides()[dimension];
    const Amount all = topology_.wraps() ? 2 * lines : lines;
    BothWays left{all, all};
    for (const Channel channel : request_.missing) {
      const NodeId to = *topology_.neighbour(channel.node, channel.port);
      if (is_low(channel.node, dimension) == is_low(to, dimension)) continue;
      --(is_low(to, dimension) ? left.down : left.up);
    }
    return {left.up * rate(dimension), left.down * rate(dimension)};
  }
  // The same where each channel has its own width.
  BothWays own_channels_cut(std::size_t dimension) const {
    BothWays sum;
    const auto add = [&](Channel channel, Amount flits) {
      const NodeId to = *topology_.neighbour(channel.node, channel.port);
      if (is_low(channel.node, dimension) == is_low(to, dimension)) return;
      (is_low(to, dimension) ? sum.down : sum.up) += flits;
    };
    for (const Channel channel : topology_.channels()) add(channel, rate(channel));
    for (const Channel channel : request_.missing) add(channel, -rate(channel));
    return sum;
  }
  // The nodes there that take part.
  Amount count_low(std::size_t dimension) const {
    const int side = topology_.sides()[dimension];
    const int lower_half = side / 2;
    if (nodes_ == topology_.node_count()) return static_cast<Amount>(nodes_) / side * lower_half;
    const std::vector<NodeId> list = everybody();
    return static_cast<Amount>(std::count_if(list.begin(), list.end(),
                                             [&](NodeId node) { return is_low(node, dimension); }));
  }
  // The flits that must go from one half, in which are `low` of those that take part, to the other.
  template <class IsLow>
  BothWays by_cut(const IsLow& is_low, Amount low) const {
    if (is_exchange()) {
      BothWays sum;
      for_each_block([&](NodeId from, NodeId to, Amount flits) {
        if (is_low(from) == is_low(to)) return;
        (is_low(from) ? sum.up : sum.down) += flits;
      });
      return sum;
    }
    const Amount high = static_cast<Amount>(nodes_) - low;
    if (low == 0 || high == 0) return {};
    const bool is_root_low = is_rooted() && is_low(root());
    const auto is_beyond = [&](NodeId node) { return is_low(node) != is_root_low; };
    const auto has_beyond = [&] { return std::any_of(others_.begin(), others_.end(), is_beyond); };
    const auto beyond = [&] {  // nodes in the half without the root
      return static_cast<Amount>(std::count_if(others_.begin(), others_.end(), is_beyond));
    };
    const auto from_root = [&](Amount flits) {
      return is_root_low ? BothWays{flits, 0} : BothWays{0, flits};
    };
    const auto to_root = [&](Amount flits) {
      return is_root_low ? BothWays{0, flits} : BothWays{flits, 0};
    };
    switch (operation()) {
      case Operation::bcast:
        return from_root(has_beyond() ? flits_ : 0);
      case Operation::reduce:
        return to_root(has_beyond() ? flits_ : 0);
      case Operation::scatter:
        return from_root(beyond() * flits_);
      case Operation::gather:
        return to_root(beyond() * flits_);
      case Operation::alltoall:
        return {low * high * flits_, low * high * flits_};
      case Operation::allreduce:
      case Operation::barrier:
        return {flits_, flits_};
      case Operation::allgather:
        return {low * flits_, high * flits_};
      default:  // a sum of each node's block
        return {high * flits_, low * flits_};
    }
  }

  // The way to the farthest node. What must all arrive there comes by all of its ports.
  BoundCycles by_distance() const {
    const TimingParameters& timing = request_.timing;
    const Cycle held = timing.pipeline_delay();
    const Cycle hop = timing.least_hop() + held;
    if (!is_rooted()) return {timing.ts, timing.tr, longest_way() * hop + held, 1};
    const bool is_whole = operation() == Operation::bcast || operation() == Operation::reduce;
    BoundCycles longest;
    for (const NodeId node : others_) {
      const NodeId receiver = operation() == Operation::bcast ? node : root();
      const Cycle flits = is_whole ? receive_time(receiver, flits_) : 1;
      const BoundCycles one{timing.ts, timing.tr, distance(root(), node) * hop + held, flits};
      if (one.total() > longest.total()) longest = one;
    }
    return longest;
  }

  // The least time after which all know: whoever knows tells one more node every ts cycles.
  BoundCycles by_startups() const {
    const TimingParameters& timing = request_.timing;
    const Cycle hop = timing.least_hop() + 2 * timing.pipeline_delay();
    const Cycle told = 1 + hop + timing.tr;
    const auto after = [&](Cycle now, Cycle tellings) -> BoundCycles {  // in a chain of these
      return {now - tellings * told, tellings * timing.tr, tellings * hop, tellings};
    };
    if (timing.ts == 0) return after(told, 1);
    struct Told {
      std::size_t nodes = 0;
      Cycle chain = 0;  // the fewest tellings one after another that lead to one of them
    };
    const std::size_t all = is_rooted() ? others_.size() + 1 : nodes_;
    std::map<Cycle, Told> tellings{{timing.ts + told, {1, 1}}};  // when how many more know
    const auto add = [&](Cycle when, std::size_t nodes, Cycle chain) {
      Told& then = tellings[when];
      then.chain = then.nodes == 0 ? chain : std::min(then.chain, chain);
      then.nodes += nodes;
    };
    for (std::size_t known = 1;;) {
      const auto [now, more] = *tellings.begin();
      tellings.erase(tellings.begin());
      known += more.nodes;
      if (known >= all) return after(now, more.chain);
      add(now + timing.ts, more.nodes, more.chain);             // whom the same nodes tell next
      add(now + timing.ts + told, more.nodes, more.chain + 1);  // whom these tell first
    }
  }

  const BoundRequest& request_;
  const Topology& topology_;
  const std::size_t nodes_;
  const Amount flits_;
  const bool is_narrow_;  // some channels carry less than a flit per cycle
  const bool has_equal_nodes_;
  struct Known {
    std::optional<NodeId> node;
    Degree degree;
  };
  mutable std::array<Known, 2> known_;  // of the node that was asked for last: to send, to receive
  std::vector<NodeId> others_;          // of a rooted collective: the other nodes that take part
  mutable std::optional<NodeId> from_;  // of a graph: whose distances are known
  mutable std::vector<int> distances_;
  LowerBound bound_;
  Cut cut_;
};

}  // namespace

LowerBound lower_bound(const BoundRequest& request) { return Bounds(request).take(); }

}  // namespace allport
