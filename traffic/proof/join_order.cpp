// SPDX-License-Identifier: Apache-2.0
#include "traffic/proof/join_order.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <tuple>

#include "rtl_model/base/bits.h"
#include "rtl_model/base/stop_flag.h"
#include "rtl_model/topology/group_routes.h"
#include "traffic/schedule/joins.h"

namespace allport {

namespace {

using Number = std::uint32_t;

/// A message as the rules see it: a join with all of its contributions, or another line.
struct Item {
  MessageKind kind = MessageKind::unicast;
  NodeId root{};  // of others the sender
  DimensionMask free = 0;
  Number part = 0;
  StepIndex step = 0;  // that in which its receivers have it
  Number first_line = 0;
  std::string words;

  bool is_join() const { return allport::is_join(kind); }
  bool branches() const { return kind == MessageKind::tree || kind == MessageKind::join_tree; }
};

/// A line of a program: the item that it sends, or contributes to.
struct Line {
  NodeId node{};
  Number part = 0;
  int order = 0;
  StepIndex step = 0;
  Number item = 0;
};

/// The messages of all parts, and the programs that send them.
class Messages {
 public:
  explicit Messages(const std::vector<SoundPart>& parts) : routing_(parts.front().request.routing) {
    Number first = 0;
    for (Number part = 0; part < parts.size(); ++part) {
      add(parts[part].schedule, part, first);
      first += static_cast<Number>(parts[part].schedule.unicasts.size());
    }
    std::sort(lines_.begin(), lines_.end(), [](const Line& a, const Line& b) {
      return std::tie(a.node, a.part, a.order) < std::tie(b.node, b.part, b.order);
    });
  }

  const Routing& routing() const { return routing_; }
  const Topology& topology() const { return routing_.topology(); }
  const std::vector<Item>& items() const { return items_; }
  /// By node, then part, then order.
  const std::vector<Line>& lines() const { return lines_; }
  /// What is wrong with the contributions of single joins.
  const Finding& faults() const { return faults_; }
  const std::vector<NodeId>& receivers_of(Number item) const { return receivers_[item]; }

 private:
  void add(const Schedule& schedule, Number part, Number first) {
    for (const PlannedJoin& join : joins_of(schedule)) add_join(schedule, join, part, first);
    for (Number i = 0; i < schedule.unicasts.size(); ++i) {
      const Unicast& line = schedule.unicasts[i];
      if (allport::is_join(line.kind)) continue;
      lines_.push_back({line.u, part, line.order, line.step, static_cast<Number>(items_.size())});
      items_.push_back(
          {line.kind, line.u, line.free, part, line.step, first + i, describe(line, topology())});
      receivers_.push_back(receivers(line, routing_));
    }
  }

  void add_join(const Schedule& schedule, const PlannedJoin& join, Number part, Number first) {
    const std::string words = describe(join, topology());
    const auto number = static_cast<Number>(items_.size());
    std::map<NodeId, int> contributions;
    for (const Number i : join.lines) {
      const Unicast& line = schedule.unicasts[i];
      ++contributions[line.u];
      lines_.push_back({line.u, part, line.order, line.step, number});
    }
    const std::vector<NodeId> group = group_nodes(topology(), join.root, join.free);
    for (const NodeId node : group) {
      const int count = contributions[node];
      if (count == 1) continue;
      faults_.add(words + ": node " + topology().node_name(node) +
                  (count == 0 ? " does not contribute, so it waits for ever"
                              : " contributes " + std::to_string(count) + " times"));
    }
    items_.push_back(
        {join.kind, join.root, join.free, part, join.step, first + join.lines.front(), words});
    receivers_.push_back(join.kind == MessageKind::join ? std::vector<NodeId>{join.root} : group);
  }

  const Routing& routing_;
  std::vector<Item> items_;
  std::vector<Line> lines_;
  std::vector<std::vector<NodeId>> receivers_;
  Finding faults_;
};

/// The graph of rule (1). Its first vertices are the items; the others are gates, one for each node
/// and step: what is received before that step leads to it, and it leads to what is sent then.
class OrderGraph {
 public:
  explicit OrderGraph(const Messages& messages) : messages_(messages) {
    successors_.resize(messages.items().size());
    const std::vector<Line>& lines = messages.lines();
    for (std::size_t i = 1; i < lines.size(); ++i) {
      if (lines[i - 1].node == lines[i].node) add(lines[i - 1].item, lines[i].item);
    }
    add_gates();
  }

  /// Items in a cycle with at least one join; empty: there is none.
  std::vector<Number> find_cycle() {
    marks_.assign(successors_.size(), 0);
    for (Number start = 0; start < messages_.items().size(); ++start) {
      if (!messages_.items()[start].is_join()) continue;
      std::vector<Number> cycle = way_back(start);
      if (!cycle.empty()) return cycle;
    }
    return {};
  }

 private:
  struct Frame {
    Number vertex = 0;
    std::size_t next = 0;
  };

  void add(Number from, Number to) {
    if (from != to) successors_[from].push_back(to);
  }

  void add_gates() {
    std::map<std::tuple<Number, NodeId, StepIndex>, Number> gates;  // by part, node and step
    for (const Line& line : messages_.lines()) {
      const auto [place, is_new] = gates.try_emplace({line.part, line.node, line.step},
                                                     static_cast<Number>(successors_.size()));
      if (is_new) successors_.emplace_back();
      add(place->second, line.item);
    }
    for (auto gate = gates.begin(); gate != gates.end(); ++gate) {
      const auto next = std::next(gate);
      if (next != gates.end() && std::get<0>(next->first) == std::get<0>(gate->first) &&
          std::get<1>(next->first) == std::get<1>(gate->first)) {
        add(gate->second, next->second);
      }
    }
    for (Number item = 0; item < messages_.items().size(); ++item) {
      const Item& one = messages_.items()[item];
      for (const NodeId node : messages_.receivers_of(item)) {
        heed_stop();
        const auto gate = gates.upper_bound({one.part, node, one.step});
        if (gate != gates.end() && std::get<0>(gate->first) == one.part &&
            std::get<1>(gate->first) == node) {
          add(item, gate->second);
        }
      }
    }
  }

  // A way from `start` back to it; the mark of a vertex is the number of the last start from which
  // it was reached, counted from 1. A CircleSearch does not ask whether a circle has a join.
  std::vector<Number> way_back(Number start) {
    std::vector<Frame> stack{{start}};
    while (!stack.empty()) {
      Frame& top = stack.back();
      if (top.next == successors_[top.vertex].size()) {
        stack.pop_back();
        continue;
      }
      const Number to = successors_[top.vertex][top.next++];
      if (to == start) return items_on(stack);
      if (marks_[to] == start + 1) continue;
      marks_[to] = start + 1;
      stack.push_back({to});
    }
    return {};
  }

  std::vector<Number> items_on(const std::vector<Frame>& stack) const {
    std::vector<Number> items;
    for (const Frame& frame : stack) {
      if (frame.vertex < messages_.items().size()) items.push_back(frame.vertex);
    }
    return items;
  }

  const Messages& messages_;
  std::vector<std::vector<Number>> successors_;
  std::vector<Number> marks_;
};

std::string circle_in_words(const std::vector<Number>& items, const Messages& messages) {
  constexpr std::size_t longest = 8;
  std::string words;
  for (std::size_t i = 0; i < items.size() && i < longest; ++i) {
    words += messages.items()[items[i]].words + " before ";
  }
  if (items.size() > longest) words += "... before ";
  return words + messages.items()[items.front()].words;
}

bool have_a_common_node(const Item& a, const Item& b, const Topology& topology) {
  const DimensionMask free = free_dimensions(topology, a.free) | free_dimensions(topology, b.free);
  return is_in_group(topology, a.root, b.root, group_mask(topology, free));
}

/// Rules (3) and (4) for two items, at least one of which is a join.
class PairRules {
 public:
  PairRules(const Messages& messages, bool shares_vcs)
      : messages_(messages), shares_vcs_(shares_vcs), lines_(messages.items().size()) {
    for (const Line& line : messages.lines()) lines_[line.item].push_back(&line);
  }

  /// What is wrong with the order of items `a` and `b`; empty: nothing.
  std::string fault(Number a, Number b) const {
    if (!item(a).is_join() && !item(b).is_join()) return {};  // the routes of worms decide
    if (!have_a_common_node(item(a), item(b), topology())) return {};
    if (item(a).branches() && item(b).branches()) return fault_of_branches(a, b);
    const Number tree = item(a).branches() ? a : b;
    const Number join = item(a).branches() ? b : a;
    const bool is_pair = item(tree).branches() && item(join).kind == MessageKind::join;
    if (!is_pair || !shares_vcs_) return {};
    if (awaits(join, tree) || is_over_before(join, tree)) return {};
    return item(join).words + " and " + item(tree).words +
           " share virtual channels, and no step keeps them apart: a node may contribute before " +
           "it has received";
  }

 private:
  const Item& item(Number number) const { return messages_.items()[number]; }
  const Topology& topology() const { return messages_.topology(); }

  static bool is_behind(const Item& later, const Item& earlier) {
    return later.part == earlier.part && later.step > earlier.step;
  }

  bool covers(const Item& wide, const Item& narrow) const {
    const DimensionMask free = free_dimensions(topology(), narrow.free);
    return (free & ~free_dimensions(topology(), wide.free)) == 0;
  }

  // The first contribution to `join` by a node that receives `earlier`, in a step that does not
  // wait for it; none: nullptr.
  const Line* hasty(Number join, Number earlier) const {
    const Item& first = item(earlier);
    const DimensionMask free = group_mask(topology(), free_dimensions(topology(), first.free));
    for (const Line* line : lines_[join]) {
      heed_stop();
      const bool waits = line->part == first.part && line->step > first.step;
      if (!waits && is_in_group(topology(), line->node, first.root, free)) return line;
    }
    return nullptr;
  }

  // Whether the nodes of both contribute to `join` only after they have received `earlier`.
  bool awaits(Number join, Number earlier) const {
    return item(join).is_join() && hasty(join, earlier) == nullptr;
  }

  // Whether the nodes that contribute to both joins, of one part, contribute to `first` first.
  bool precedes(Number first, Number second) const {
    if (item(first).part != item(second).part) return false;
    auto one = lines_[first].begin();
    for (const Line* other : lines_[second]) {
      while (one != lines_[first].end() && (*one)->node < other->node) ++one;
      if (one == lines_[first].end()) return true;
      if ((*one)->node == other->node && (*one)->order > other->order) return false;
    }
    return true;
  }

  // Whether `join` holds no channel of `tree` when the latter leaves its root. Of a join-tree that
  // is so if its contributions stand behind those to the join, for all must be there.
  bool is_over_before(Number join, Number tree) const {
    if (item(tree).kind == MessageKind::join_tree) return precedes(join, tree);
    if (item(join).root == item(tree).root && is_behind(item(tree), item(join))) return true;
    return is_gathered(tree, [&](Number last) { return precedes(join, last); });
  }

  // Whether a join of all nodes of `tree` to its root comes before it and fulfils `condition`.
  template <typename Condition>
  bool is_gathered(Number tree, Condition condition) const {
    for (Number last = 0; last < messages_.items().size(); ++last) {
      const Item& join = item(last);
      if (join.is_join() && join.root == item(tree).root && is_behind(item(tree), join) &&
          covers(join, item(tree)) && condition(last)) {
        return true;
      }
    }
    return false;
  }

  bool is_in_order(Number first, Number second) const {
    if (item(second).is_join()) return awaits(second, first);
    return is_gathered(second, [&](Number join) { return awaits(join, first); });
  }

  std::string fault_of_branches(Number a, Number b) const {
    if (is_in_order(a, b) || is_in_order(b, a)) return {};
    const Number first = is_behind(item(a), item(b)) ? b : a;
    const Number second = first == a ? b : a;
    if (!is_behind(item(second), item(first))) {
      return item(a).words + " and " + item(b).words +
             " are of one step: a node must have received the one before it sends the other";
    }
    if (item(second).is_join()) {
      const Line& line = *hasty(second, first);
      return "node " + std::to_string(index(line.node)) + " contributes to " + item(second).words +
             " in step " + std::to_string(line.step) + ", but must have received " +
             item(first).words + " of step " + std::to_string(item(first).step) + " before";
    }
    return item(second).words + " may start before all of its nodes have received " +
           item(first).words + ": a join of them to node " +
           std::to_string(index(item(second).root)) + " must stand in a step between the two";
  }

  const Messages& messages_;
  bool shares_vcs_;
  std::vector<std::vector<const Line*>> lines_;  // of each item, by node
};

Finding check_at_once(const std::vector<SoundPart>& parts) {
  Finding finding;
  const bool has_any = std::any_of(parts.begin(), parts.end(),
                                   [](const SoundPart& part) { return has_joins(part.schedule); });
  if (!has_any) return finding;
  const Messages messages(parts);
  finding.add(messages.faults());
  if (const auto cycle = OrderGraph(messages).find_cycle(); !cycle.empty()) {
    finding.add("joins wait for one another, for nodes send " + circle_in_words(cycle, messages));
  }
  const PairRules rules(messages, parts.front().request.join_vcs < 2);
  const std::vector<Item>& items = messages.items();
  for (Number i = 0; i < items.size(); ++i) {
    if (!items[i].is_join() && !items[i].branches()) continue;
    for (Number j = i + 1; j < items.size(); ++j) {
      heed_stop();
      const std::string fault = rules.fault(i, j);
      if (!fault.empty()) finding.add(fault);
    }
  }
  return finding;
}

/// The external channels of an item.
std::set<Channel> channels_of(const Item& item, const Routing& routing) {
  std::set<Channel> taken;
  // Under a table the trees from and to a root have the same routers.
  for (const NodeId node : join_routers(routing, item.root, item.free)) {
    if (item.is_join() && node != item.root) {
      taken.insert({node, join_hop(routing, node, item.root)->port});
    }
    if (!item.branches()) continue;
    for (const int port : bits(tree_outputs(routing, node, item.root, item.free))) {
      taken.insert({node, port_id(static_cast<std::size_t>(port))});
    }
  }
  return taken;
}

}  // namespace

Finding check_join_order(const std::vector<SoundPart>& parts, bool has_barriers) {
  if (!has_barriers) return check_at_once(parts);
  Finding finding;
  for (const SoundPart& part : parts) finding.add(check_at_once({part}));
  return finding;
}

namespace {

// Counts the pairs of messages that use a channel together, one of them a join at least.
class SharedChannels {
 public:
  /// `first`: number of the first line in what is found.
  SharedChannels(const Messages& messages, std::size_t first, Finding& finding)
      : messages_(messages), first_(first), finding_(finding) {}

  void use(Channel channel, Number item) {
    std::vector<Number>& users = users_[channel];
    for (const Number user : users) add_pair(user, item, channel);
    if (users.empty() || users.back() != item) users.push_back(item);
  }

 private:
  void add_pair(Number one, Number other, Channel channel) {
    const Item& a = messages_.items()[std::min(one, other)];
    const Item& b = messages_.items()[std::max(one, other)];
    if (one == other || (!a.is_join() && !b.is_join())) return;
    if (!pairs_.insert(std::minmax(one, other)).second) return;
    ++finding_.violations;
    if (finding_.pairs.size() >= 10) return;
    finding_.pairs.push_back({first_ + a.first_line, first_ + b.first_line, channel});
  }

  const Messages& messages_;
  std::size_t first_;
  Finding& finding_;
  std::map<Channel, std::vector<Number>> users_;
  std::set<std::pair<Number, Number>> pairs_;
};

// Line `number` of `parts`, whose lines are numbered through.
const Unicast& line_of(const std::vector<SoundPart>& parts, std::size_t number) {
  auto part = parts.begin();
  for (; number >= part->schedule.unicasts.size(); ++part) number -= part->schedule.unicasts.size();
  return part->schedule.unicasts[number];
}

void add_contention(const std::vector<SoundPart>& parts, std::size_t first, Finding& finding) {
  const Messages messages(parts);
  const Routing& routing = messages.routing();
  SharedChannels shared(messages, first, finding);
  const auto count = static_cast<Number>(messages.items().size());
  for (Number item = 0; item < count; ++item) {
    const Item& one = messages.items()[item];
    if (!one.is_join() && !one.branches()) continue;
    for (const Channel channel : channels_of(one, routing)) shared.use(channel, item);
  }
  for (Number item = 0; item < count; ++item) {
    const Item& one = messages.items()[item];
    if (one.is_join() || one.branches()) continue;
    for (const Channel channel : channels(line_of(parts, one.first_line), routing)) {
      shared.use(channel, item);
    }
  }
}

}  // namespace

Finding find_join_contention(const std::vector<SoundPart>& parts, bool has_barriers) {
  Finding finding;
  std::size_t first = 0;
  const bool has_any = std::any_of(parts.begin(), parts.end(),
                                   [](const SoundPart& part) { return has_joins(part.schedule); });
  if (!has_any) return finding;
  if (!has_barriers) {
    add_contention(parts, 0, finding);
    return finding;
  }
  for (const SoundPart& part : parts) {
    add_contention({part}, first, finding);
    first += part.schedule.unicasts.size();
  }
  return finding;
}

}  // namespace allport
