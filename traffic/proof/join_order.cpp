// SPDX-License-Identifier: Apache-2.0
#include "traffic/proof/join_order.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <tuple>

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

/// The messages of all parts, on valid routes, and the programs that send them.
class Messages {
 public:
  explicit Messages(const std::vector<CheckedPart>& parts)
      : routing_(parts.front().request.routing) {
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
      if (allport::is_join(line.kind) || !route_fault(line, routing_).empty()) continue;
      lines_.push_back({line.u, part, line.order, line.step, static_cast<Number>(items_.size())});
      items_.push_back({line.kind, line.u, line.free, part, line.step, first + i, describe(line)});
      receivers_.push_back(receivers(line, routing_));
    }
  }

  void add_join(const Schedule& schedule, const PlannedJoin& join, Number part, Number first) {
    const std::string words = describe(join, topology());
    const auto number = static_cast<Number>(items_.size());
    std::map<NodeId, int> contributions;
    for (const Number i : join.lines) {
      const Unicast& line = schedule.unicasts[i];
      if (!route_fault(line, routing_).empty()) return;  // others say so
      ++contributions[line.u];
      lines_.push_back({line.u, part, line.order, line.step, number});
    }
    const std::vector<NodeId> group = group_nodes(topology(), join.root, join.free);
    for (const NodeId node : group) {
      const int count = contributions[node];
      if (count == 1) continue;
      faults_.add(words + ": node " + std::to_string(index(node)) +
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
        const auto gate = gates.upper_bound({one.part, node, one.step});
        if (gate != gates.end() && std::get<0>(gate->first) == one.part &&
            std::get<1>(gate->first) == node) {
          add(item, gate->second);
        }
      }
    }
  }

  // A way from `start` back to it; the mark of a vertex is the number of the last start from which
  // it was reached, counted from 1.
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

/// Rules (2) and (3) for two items, at least one of which is a join.
class PairRules {
 public:
  PairRules(const Messages& messages, bool shares_vcs)
      : messages_(messages), shares_vcs_(shares_vcs) {}

  /// What is wrong with the order of `a` and `b`; empty: nothing.
  std::string fault(const Item& a, const Item& b) const {
    if (!a.is_join() && !b.is_join()) return {};  // the routes of worms decide
    if (!have_a_common_node(a, b, messages_.topology())) return {};
    if (a.branches() && b.branches()) return fault_of_branches(a, b);
    const Item& tree = a.branches() ? a : b;
    const Item& join = a.branches() ? b : a;
    if (!tree.branches() || !shares_vcs_ || join.kind != MessageKind::join) return {};
    if (is_behind(join, tree) || is_behind(tree, join)) return {};
    return join.words + " and " + tree.words +
           " share virtual channels, and no step keeps them apart: a node may contribute before " +
           "it has received";
  }

 private:
  static bool is_behind(const Item& later, const Item& earlier) {
    return later.part == earlier.part && later.step > earlier.step;
  }

  std::string fault_of_branches(const Item& a, const Item& b) const {
    const Item& first = is_behind(a, b) ? b : a;
    const Item& second = is_behind(a, b) ? a : b;
    if (!is_behind(second, first)) {
      return a.words + " and " + b.words +
             " are of one step: a node must have received the one before it sends the other";
    }
    if (second.kind == MessageKind::join_tree || is_gathered(first, second)) return {};
    return second.words + " may start before all of its nodes have received " + first.words +
           ": a join of them to node " + std::to_string(index(second.root)) +
           " must stand in a step between the two";
  }

  // Whether a join of all nodes of `tree` to its root is between `first` and `tree`.
  bool is_gathered(const Item& first, const Item& tree) const {
    const Topology& topology = messages_.topology();
    const DimensionMask free = free_dimensions(topology, tree.free);
    const std::vector<Item>& items = messages_.items();
    return std::any_of(items.begin(), items.end(), [&](const Item& join) {
      return join.is_join() && join.root == tree.root && is_behind(join, first) &&
             is_behind(tree, join) && (free & ~free_dimensions(topology, join.free)) == 0;
    });
  }

  const Messages& messages_;
  bool shares_vcs_;
};

Finding check_at_once(const std::vector<CheckedPart>& parts) {
  Finding finding;
  const bool has_any = std::any_of(
      parts.begin(), parts.end(), [](const CheckedPart& part) { return has_joins(part.schedule); });
  if (!has_any) return finding;
  const Messages messages(parts);
  finding.add(messages.faults());
  if (const auto cycle = OrderGraph(messages).find_cycle(); !cycle.empty()) {
    finding.add("joins wait for one another, for nodes send " + circle_in_words(cycle, messages));
  }
  const PairRules rules(messages, parts.front().request.join_vcs < 2);
  const std::vector<Item>& items = messages.items();
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (!items[i].is_join() && !items[i].branches()) continue;
    for (std::size_t j = i + 1; j < items.size(); ++j) {
      const std::string fault = rules.fault(items[i], items[j]);
      if (!fault.empty()) finding.add(fault);
    }
  }
  return finding;
}

/// The external channels of an item.
std::set<Channel> channels_of(const Item& item, const std::vector<NodeId>& group,
                              const Routing& routing) {
  std::set<Channel> taken;
  for (const NodeId node : group) {
    if (item.is_join() && node != item.root) {
      taken.insert({node, routing.route(node, item.root, 0)->port});
    }
    if (!item.branches()) continue;
    for (PortMask rest = tree_outputs(routing, node, item.root, item.free); rest != 0;
         rest &= rest - 1) {
      taken.insert({node, port_id(static_cast<std::size_t>(__builtin_ctzll(rest)))});
    }
  }
  return taken;
}

}  // namespace

Finding check_join_order(const std::vector<CheckedPart>& parts, bool has_barriers) {
  if (!has_barriers) return check_at_once(parts);
  Finding finding;
  for (const CheckedPart& part : parts) finding.add(check_at_once({part}));
  return finding;
}

namespace {

void add_contention(const std::vector<CheckedPart>& parts, std::size_t first, Finding& finding) {
  const Messages messages(parts);
  const Routing& routing = messages.routing();
  std::map<Channel, std::vector<Number>> users;
  const auto is_join = [&](Number item) { return messages.items()[item].is_join(); };
  std::set<std::pair<Number, Number>> pairs;
  const auto use = [&](Channel channel, Number item) {
    std::vector<Number>& others = users[channel];
    for (const Number other : others) {
      if (other == item || (!is_join(other) && !is_join(item))) continue;
      if (!pairs.insert(std::minmax(other, item)).second) continue;
      ++finding.violations;
      if (finding.pairs.size() >= 10) continue;
      finding.pairs.push_back({first + messages.items()[std::min(other, item)].first_line,
                               first + messages.items()[std::max(other, item)].first_line,
                               channel});
    }
    if (others.empty() || others.back() != item) others.push_back(item);
  };
  for (Number item = 0; item < messages.items().size(); ++item) {
    const Item& one = messages.items()[item];
    if (!one.is_join() && !one.branches()) continue;
    const auto group = group_nodes(routing.topology(), one.root, one.free);
    for (const Channel channel : channels_of(one, group, routing)) use(channel, item);
  }
  for (Number item = 0; item < messages.items().size(); ++item) {
    const Item& one = messages.items()[item];
    if (one.is_join() || one.branches()) continue;
    std::size_t begin = 0;
    for (const CheckedPart& part : parts) {
      const std::size_t end = begin + part.schedule.unicasts.size();
      if (one.first_line >= begin && one.first_line < end) {
        const Unicast& line = part.schedule.unicasts[one.first_line - begin];
        for (const Channel channel : channels(line, routing)) use(channel, item);
      }
      begin = end;
    }
  }
}

}  // namespace

Finding find_join_contention(const std::vector<CheckedPart>& parts, bool has_barriers) {
  Finding finding;
  std::size_t first = 0;
  const bool has_any = std::any_of(
      parts.begin(), parts.end(), [](const CheckedPart& part) { return has_joins(part.schedule); });
  if (!has_any) return finding;
  if (!has_barriers) {
    add_contention(parts, 0, finding);
    return finding;
  }
  for (const CheckedPart& part : parts) {
    add_contention({part}, first, finding);
    first += part.schedule.unicasts.size();
  }
  return finding;
}

}  // namespace allport
