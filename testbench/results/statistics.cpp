// SPDX-License-Identifier: Apache-2.0
#include "testbench/results/statistics.h"

#include <array>
#include <cinttypes>
#include <cstdio>
#include <functional>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>

namespace allport {

Json StatisticForm::schema() const {
  Json json = Json::object();
  if (*words != 0) json["description"] = words;
  if (!may_be_null) {
    json.update(type);
  } else if (type.contains("type")) {
    json["type"] = Json::array({type["type"], "null"});
  } else {
    json["anyOf"] = Json::array({{{"type", "null"}}, type});
  }
  return json;
}

template <class Found>
Statistic<Found> Statistic<Found>::says(const char* text) && {
  words = text;
  return std::move(*this);
}

template <class Found>
Statistic<Found> Statistic<Found>::nullable() && {
  may_be_null = true;
  return std::move(*this);
}

// A structure that is not known has nulls in it.
template <class Found>
Statistic<Found> Statistic<Found>::known_if(Test test) && {
  is_known = test;
  may_be_null = unknown.is_null();
  return std::move(*this);
}

template <class Found>
Statistic<Found> Statistic<Found>::there_if(Test test) && {
  is_there = test;
  presence = Presence::at_times;
  return std::move(*this);
}

namespace {

// One of the definitions of the schemas.
Json defined(const char* name) { return {{"$ref", std::string("#/$defs/") + name}}; }

template <class Found>
Json object_of() {
  Json json{{"type", "object"},
            {"additionalProperties", false},
            {"required", Json::array()},
            {"properties", Json::object()}};
  for (const Statistic<Found>& one : statistics_of<Found>()) {
    json["required"].push_back(one.name);
    json["properties"][one.name] = one.schema();
  }
  return json;
}

template <class Value>
constexpr bool is_structure =
    std::is_same_v<Value, LatencyDistribution> || std::is_same_v<Value, ChannelLoad>;

template <class Value>
Json type_of() {
  if constexpr (std::is_same_v<Value, bool>) return {{"type", "boolean"}};
  if constexpr (std::is_same_v<Value, double>) return defined("rate");
  if constexpr (std::is_same_v<Value, Channel>) return defined("channel");
  if constexpr (std::is_same_v<Value, std::vector<NodeId>>) return defined("counts");
  if constexpr (std::is_same_v<Value, LatencyDistribution>) return defined("distribution");
  if constexpr (std::is_same_v<Value, ChannelLoad>) return object_of<ChannelLoad>();
  return defined("count");
}

// Whether a value names nodes.
template <class Value>
constexpr bool is_of_nodes =
    has_nodes<Value> || std::is_same_v<Value, NodeId> || std::is_same_v<Value, Channel> ||
    std::is_same_v<Value, std::optional<NodeId>> || std::is_same_v<Value, std::vector<NodeId>>;

Json value_json(NodeId node, const Topology& topology) { return node_json(node, topology); }
Json value_json(const std::optional<NodeId>& node, const Topology& topology) {
  return node_json(*node, topology);
}
Json value_json(Channel channel, const Topology& topology) {
  return channel_json(channel, topology);
}
Json value_json(const std::vector<NodeId>& nodes, const Topology& topology) {
  return nodes_json(nodes, topology);
}

template <class Value>
Json value_of(const Value& value, const Topology* topology) {
  if constexpr (is_structure<Value> && is_of_nodes<Value>) {
    return json_of(value, *topology);
  } else if constexpr (is_structure<Value>) {
    return json_of(value);
  } else if constexpr (is_of_nodes<Value>) {
    return value_json(value, *topology);
  } else {
    return value;
  }
}

template <class Found>
Statistic<Found> row(const char* name, Json type, Json (*value)(const Found&, const Topology*)) {
  Statistic<Found> one;
  one.name = name;
  one.type = std::move(type);
  one.value = value;
  return one;
}

template <class Found, class Member>
Found owner(Member Found::*member);
template <auto member>
using Owner = decltype(owner(member));
template <auto member>
using ValueOf = std::decay_t<std::invoke_result_t<decltype(member), const Owner<member>&>>;

// A field of a structure, or what a function of it returns.
template <auto member>
auto of(const char* name, Json type = type_of<ValueOf<member>>()) {
  using Found = Owner<member>;
  static_assert(has_nodes<Found> || !is_of_nodes<ValueOf<member>>, "see has_nodes");
  auto one = row<Found>(name, std::move(type), [](const Found& found, const Topology* topology) {
    return value_of(std::invoke(member, found), topology);
  });
  if constexpr (is_structure<ValueOf<member>>) {
    for (const auto& part : statistics_of<ValueOf<member>>()) one.unknown[part.name] = part.unknown;
  }
  return one;
}

constexpr const char* saturated_words = "null: the window is too short to tell";
constexpr const char* telling_words = "--cycles of a run that would tell; 0: this one does";

template <class Found>
Json growing_count(const Found& found, const Topology* /*topology*/) {
  return found.growing_sources.size();
}

// 16 hex digits each.
Json checksums_json(const CombineResults& combine, const Topology* /*topology*/) {
  Json list = Json::array();
  for (const std::uint64_t checksum : combine.checksums) {
    std::array<char, 17> digits{};
    std::snprintf(digits.data(), digits.size(), "%016" PRIx64, checksum);
    list.push_back(digits.data());
  }
  return list;
}

template <class Found>
std::vector<StatisticForm> forms_of() {
  const Statistics<Found>& rows = statistics_of<Found>();
  return {rows.begin(), rows.end()};
}

}  // namespace

template <>
const Statistics<LatencySummary>& statistics_of<LatencySummary>() {
  static const Statistics<LatencySummary> rows{of<&LatencySummary::max>("max").nullable(),
                                               of<&LatencySummary::mean>("mean").nullable()};
  return rows;
}

template <>
const Statistics<LatencyDistribution>& statistics_of<LatencyDistribution>() {
  using Of = LatencyDistribution;
  static const Statistics<Of> rows{of<&Of::mean>("mean").nullable(), of<&Of::p50>("p50").nullable(),
                                   of<&Of::p95>("p95").nullable(), of<&Of::p99>("p99").nullable(),
                                   of<&Of::max>("max").nullable()};
  return rows;
}

template <>
const Statistics<ChannelLoad>& statistics_of<ChannelLoad>() {
  static const Statistics<ChannelLoad> rows{of<&ChannelLoad::mean>("mean", defined("share")),
                                            of<&ChannelLoad::max>("max", defined("share")),
                                            of<&ChannelLoad::busiest>("channel")};
  return rows;
}

template <>
const Statistics<TrafficResults>& statistics_of<TrafficResults>() {
  using Of = TrafficResults;
  static const Statistics<Of> rows{
      of<&Of::offered>("offered"),
      of<&Of::accepted>("accepted"),
      of<&Of::latency>("latency").known_if(&Of::has_latency),
      of<&Of::network_latency>("network_latency").known_if(&Of::has_latency),
      of<&Of::channel_load>("channel_load"),
      of<&Of::queue_growth>("queue_growth", {{"type", "number"}}),
      row<Of>("growing_sources", defined("count"), growing_count),
      of<&Of::growing_sources>("growing_nodes"),
      of<&Of::saturated>("saturated").known_if(&Of::is_telling).says(saturated_words),
      of<&Of::telling_cycles>("telling_cycles").says(telling_words),
      row<Of>("latency_histogram", defined("histogram"), [](const Of& one, const Topology*) {
        return histogram_json(one.latency_histogram, "messages");
      })};
  return rows;
}

template <>
const Statistics<ClosedLoopResults>& statistics_of<ClosedLoopResults>() {
  using Of = ClosedLoopResults;
  static const Statistics<Of> rows{
      of<&Of::requests>("requests"), of<&Of::unanswered>("unanswered"),
      of<&Of::throughput>("throughput"),
      of<&Of::round_trip>("round_trip").known_if(&Of::has_round_trip),
      row<Of>("round_trip_histogram", defined("histogram"), [](const Of& one, const Topology*) {
        return histogram_json(one.round_trip_histogram, "requests");
      })};
  return rows;
}

template <>
const Statistics<LoadResults>& statistics_of<LoadResults>() {
  using Of = LoadResults;
  static const Statistics<Of> rows{
      of<&Of::collectives>("collectives"),
      of<&Of::unfinished>("unfinished"),
      of<&Of::offered>("offered"),
      of<&Of::accepted>("accepted"),
      of<&Of::accepted_flits>("accepted_flits"),
      of<&Of::under_way>("under_way"),
      of<&Of::latency>("latency").known_if(&Of::has_latency),
      of<&Of::completion>("completion").known_if(&Of::has_completion),
      of<&Of::growth>("growth", {{"type", "number"}}),
      row<Of>("growing_sources", defined("count"), growing_count),
      of<&Of::growing_sources>("growing_nodes"),
      of<&Of::saturated>("saturated").known_if(&Of::is_telling).says(saturated_words),
      of<&Of::telling_cycles>("telling_cycles").says(telling_words),
      row<Of>("latency_histogram", defined("histogram"), [](const Of& one, const Topology*) {
        return histogram_json(one.latency_histogram, "destinations");
      })};
  return rows;
}

template <>
const Statistics<RankResults>& statistics_of<RankResults>() {
  using Of = RankResults;
  static const Statistics<Of> rows{of<&Of::node>("node"), of<&Of::compute>("compute"),
                                   of<&Of::communicate>("communicate"), of<&Of::wait>("wait"),
                                   of<&Of::end>("end")};
  return rows;
}

template <>
const Statistics<CallResults>& statistics_of<CallResults>() {
  using Of = CallResults;
  static const Statistics<Of> rows{
      of<&Of::calls>("calls"), of<&Of::mean>("mean").known_if(&Of::is_over).says("cycles"),
      of<&Of::max>("max").known_if(&Of::is_over).says("cycles"),
      of<&Of::measured>("measured").says("calls that have a bandwidth")};
  return rows;
}

template <>
const Statistics<HostResults>& statistics_of<HostResults>() {
  using Of = HostResults;
  static const Statistics<Of> rows{of<&Of::transfers>("transfers"), of<&Of::bytes>("bytes"),
                                   of<&Of::busy>("busy"), of<&Of::end>("end")};
  return rows;
}

template <>
const Statistics<TaskResults>& statistics_of<TaskResults>() {
  using Of = TaskResults;
  static const Statistics<Of> rows{of<&Of::makespan>("makespan"), of<&Of::tasks>("tasks"),
                                   of<&Of::unended>("unended")};
  return rows;
}

template <>
const Statistics<CombineResults>& statistics_of<CombineResults>() {
  using Of = CombineResults;
  static const Statistics<Of> rows{
      of<&Of::lanes>("lanes"),
      of<&Of::differing_lanes>("differing_lanes")
          .says("that are not what the order of ports yields"),
      of<&Of::largest_difference>("largest_difference").says("in units in the last place"),
      of<&Of::distinct_results>("distinct_results"),
      row<Of>("checksums", {{"type", "array"}, {"items", defined("digest")}}, checksums_json)
          .says("of the results of each trial")};
  return rows;
}

template <>
const Statistics<ChannelErrors>& statistics_of<ChannelErrors>() {
  using Of = ChannelErrors;
  static const Statistics<Of> rows{of<&Of::channel>("channel"), of<&Of::errors>("errors"),
                                   of<&Of::replays>("replays"), of<&Of::discarded>("discarded")};
  return rows;
}

template <>
const Statistics<CauseSum>& statistics_of<CauseSum>() {
  static const Statistics<CauseSum> rows{
      of<&CauseSum::total>("cycles"), of<&CauseSum::contended>("contended"),
      row<CauseSum>("by_cause", defined("by_cause"), [](const CauseSum& sum, const Topology*) {
        Json by_cause = Json::object();
        for (const Cause cause : causes()) {
          if (sum[cause] != 0) by_cause[to_string(cause)] = sum[cause];
        }
        return by_cause;
      })};
  return rows;
}

template <>
const Statistics<MessageAccount>& statistics_of<MessageAccount>() {
  using Of = MessageAccount;
  static const Statistics<Of> rows{of<&Of::trial>("trial"),
                                   of<&Of::source>("source"),
                                   of<&Of::contributor>("contributor")
                                       .there_if(&Of::has_contributor)
                                       .says("of a join: whose contribution was waited for"),
                                   of<&Of::destination>("destination"),
                                   of<&Of::order>("order"),
                                   of<&Of::collective>("collective"),
                                   of<&Of::flits>("flits"),
                                   of<&Of::hops>("hops"),
                                   of<&Of::created>("created"),
                                   of<&Of::prepared>("prepared"),
                                   of<&Of::injected>("injected"),
                                   of<&Of::head>("head"),
                                   of<&Of::tail>("tail"),
                                   of<&Of::has>("has")};
  return rows;
}

template <>
const Statistics<Results>& statistics_of<Results>() {
  using Of = Results;
  static const Statistics<Of> rows{
      of<&Of::steps>("steps"),
      of<&Of::cycles>("cycles"),
      of<&Of::flit_hops>("flit_hops"),
      of<&Of::messages>("messages"),
      of<&Of::repeated_deliveries>("repeated_deliveries").there_if(&Of::is_of_more_than_a_pattern),
      of<&Of::flit_errors>("flit_errors")
          .there_if(&Of::has_link_errors)
          .says("flits on external channels that were in error"),
      of<&Of::replays>("replays").there_if(&Of::has_link_errors),
      of<&Of::discarded_flits>("discarded_flits")
          .there_if(&Of::has_link_errors)
          .says("by receivers, until the flit in error came again"),
      of<&Of::lost_credits>("lost_credits").there_if(&Of::has_link_errors)};
  return rows;
}

const std::map<std::string_view, std::vector<StatisticForm>>& statistic_tables() {
  static const std::map<std::string_view, std::vector<StatisticForm>> tables{
      {"account", forms_of<MessageAccount>()},
      {"calls", forms_of<CallResults>()},
      {"channel_errors", forms_of<ChannelErrors>()},
      {"causes", forms_of<CauseSum>()},
      {"closed_loop", forms_of<ClosedLoopResults>()},
      {"combine", forms_of<CombineResults>()},
      {"distribution", forms_of<LatencyDistribution>()},
      {"host", forms_of<HostResults>()},
      {"load", forms_of<LoadResults>()},
      {"rank", forms_of<RankResults>()},
      {"run", forms_of<Results>()},
      {"summary", forms_of<LatencySummary>()},
      {"tasks", forms_of<TaskResults>()},
      {"traffic", forms_of<TrafficResults>()}};
  return tables;
}

Json histogram_json(const LatencyHistogram& histogram, const char* counted) {
  Json list = Json::array();
  for (std::size_t i = 0; i < histogram.size(); ++i) {
    const Cycle from = i == 0 ? 0 : Cycle{1} << i;
    list.push_back({{"from", from}, {"to", (Cycle{2} << i) - 1}, {counted, histogram[i]}});
  }
  return list;
}

}  // namespace allport
