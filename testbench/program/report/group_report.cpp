// SPDX-License-Identifier: Apache-2.0
#include "testbench/program/report/group_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <utility>

#include "rtl_model/base/quote.h"
#include "rtl_model/base/run_end.h"
#include "rtl_model/base/words.h"
#include "testbench/results/statistics.h"
#include "testbench/results/text_table.h"

namespace allport {

namespace {

constexpr std::size_t no_group = ~std::size_t{0};
constexpr std::size_t shown_groups = 32;

void count(GroupContention::Count& count, const ContentionEvent& event) {
  ++count.events;
  count.blocked_cycles = sum_of_times(count.blocked_cycles, event.cycles);
}

Json count_json(const GroupContention::Count& count) {
  return {{"events", count.events}, {"blocked_cycles", count.blocked_cycles}};
}

std::string dilation_in_words(const Placement& placement, const Routing& routing, bool is_tour) {
  const Dilation dilation = dilation_of(placement, routing);
  if (dilation.longest <= 1) return "neighbouring ranks are neighbours";
  const auto rank = [&](std::size_t one) {
    return fmt::format("rank {} on node {}", one,
                       routing.topology().node_name(placement.nodes[one]));
  };
  return fmt::format(
      "neighbouring ranks are {:.2f} hops apart on average, at most {}, as {} and {}{}",
      dilation.mean, dilation.longest, rank(dilation.from), rank(dilation.to),
      is_tour ? "; no cycle leads through all nodes, so this way back is long" : "");
}

}  // namespace

GroupMap::GroupMap(const RunPlan& plan) {
  if (!plan.has_partition()) return;
  groups_.assign(plan.routing.topology().node_count(), no_group);
  for (std::size_t i = 0; i < plan.groups.size(); ++i) {
    for (const NodeId node : plan.groups[i]->nodes) groups_[index(node)] = i;
  }
}

std::optional<std::size_t> GroupMap::group_of(const MessageName& message) const {
  if (groups_.empty() || groups_[index(message.u)] == no_group) return std::nullopt;
  return groups_[index(message.u)];
}

std::optional<std::array<std::size_t, 2>> GroupMap::groups_of(const ContentionEvent& event) const {
  const std::optional<std::size_t> waiting = group_of(event.waiting);
  const std::optional<std::size_t> holding = group_of(event.holding);
  if (!waiting || !holding) return std::nullopt;
  return std::array<std::size_t, 2>{*waiting, *holding};
}

bool GroupMap::is_between(const ContentionEvent& event) const {
  return group_of(event.waiting) != group_of(event.holding);
}

GroupContention contention_of_groups(const RunPlan& plan, const Results& results) {
  const GroupMap map(plan);
  GroupContention all;
  all.by_group.resize(plan.groups.size());
  all.with_others.resize(plan.groups.size());
  for (const ContentionEvent& event : results.contention.list) {
    const std::optional<std::size_t> group = map.group_of(event.waiting);
    if (group) count(all.by_group[*group], event);
    if (!map.is_between(event)) continue;
    count(all.between, event);
    if (group) count(all.with_others[*group], event);
  }
  return all;
}

std::string placement_in_words(const RunPlan& plan) {
  const TrafficTable& traffic = plan.request.traffic;
  const bool is_program = !traffic.schedule.empty() && (traffic.place || traffic.ranks != nullptr);
  if ((traffic.algorithm == nullptr && !is_program) || traffic.embed != nullptr) return {};
  const NodeGroup* group = plan.groups.empty() ? nullptr : plan.groups.front().get();
  const auto& topology = plan.routing.shared_topology();
  const auto placement = is_program
                             ? placement_of_ranks(plan.request, topology, group)
                             : placement_of(*traffic.algorithm, plan.request, topology, group);
  if (!placement) return {};
  const std::string how = traffic.place ? traffic.place->in_words() : "identity";
  const bool is_tour = traffic.place && traffic.place->kind == PlaceRequest::Kind::snake;
  if (placement->gone() > 0) {
    return fmt::format("{} without {} of its ranks: {}", placement->ranks->name(),
                       placement->gone(), dilation_in_words(*placement, plan.routing, is_tour));
  }
  return fmt::format("{} by {}{}: {}", placement->ranks->name(), shown_path(how),
                     plan.has_partition() ? " in each group, as in group 0" : "",
                     dilation_in_words(*placement, plan.routing, is_tour));
}

std::string groups_in_words(const RunPlan& plan) {
  if (!plan.request.traffic.group) return {};
  const std::string text = shown_path(plan.request.traffic.group->text);
  const auto size = [](const auto& group) { return group->nodes.size(); };
  if (!plan.has_partition()) {
    const NodeGroup& group = *plan.groups.front();
    return fmt::format("{}: {}{}", text, counted(group.nodes.size(), "node"),
                       group.shape == nullptr ? "" : ", a " + group.shape->name());
  }
  std::size_t least = size(plan.groups.front());
  std::size_t most = least;
  for (const auto& group : plan.groups) {
    least = std::min(least, size(group));
    most = std::max(most, size(group));
  }
  return fmt::format(
      "{}: {} of {}", text, counted(plan.groups.size(), "group"),
      least == most ? counted(most, "node") : fmt::format("{}..{} nodes", least, most));
}

std::vector<std::string> group_lines(const RunPlan& plan, const Results& results) {
  const GroupContention contention = contention_of_groups(plan, results);
  std::vector<TableColumn<std::size_t>> columns;
  const auto add = [&](const char* title, std::size_t width,
                       std::function<std::string(std::size_t)> cell) {
    columns.push_back({{title, TextTable::Side::right, "", width}, std::move(cell)});
  };
  const auto of_latency = [&](std::size_t group, const std::string& words) {
    return results.by_collective[group].is_known() ? words : "-";
  };
  add("group", 6, [](std::size_t i) { return std::to_string(i); });
  add("from", 8, [&](std::size_t i) { return plan.routing.topology().node_name(plan.sources[i]); });
  add("nodes", 8, [&](std::size_t i) { return std::to_string(plan.groups[i]->nodes.size()); });
  add("max", 12, [&](std::size_t i) {
    return of_latency(i, std::to_string(results.by_collective[i].latency.max));
  });
  add("mean", 14, [&](std::size_t i) {
    return of_latency(i, fmt::format("{:.2f}", results.by_collective[i].latency.mean));
  });
  add("events", 8, [&](std::size_t i) { return std::to_string(contention.by_group[i].events); });
  add("with others", 12,
      [&](std::size_t i) { return std::to_string(contention.with_others[i].events); });
  const std::size_t count = std::min(plan.groups.size(), results.by_collective.size());
  std::vector<std::string> lines =
      text_table(columns, row_numbers(std::min(count, shown_groups)), 1).lines();
  if (count > shown_groups) lines.push_back(fmt::format(".. ({} in all)", plan.groups.size()));
  return lines;
}

Json groups_json(const RunPlan& plan, const Results& results) {
  const GroupContention contention = contention_of_groups(plan, results);
  const Topology& topology = plan.routing.topology();
  Json list = Json::array();
  for (std::size_t i = 0; i < plan.groups.size() && i < results.by_collective.size(); ++i) {
    const CollectiveLatency& one = results.by_collective[i];
    Json of_events = count_json(contention.by_group[i]);
    of_events["with_others"] = count_json(contention.with_others[i]);
    list.push_back(
        {{"nodes", nodes_json(plan.groups[i]->nodes, topology)},
         {"source", node_json(plan.sources[i], topology)},
         {"latency", json_of(one.latency, one.is_known() ? Known::as_found : Known::nowhere)},
         {"missing", one.missing},
         {"contention", std::move(of_events)}});
  }
  return list;
}

}  // namespace allport
