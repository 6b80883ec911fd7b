// SPDX-License-Identifier: Apache-2.0
// A Statistic is a value that JSON has of a structure of results, under a name. Each structure has
// one table of them (statistics.cpp); its JSON, its schema, what a sweep can draw of it and its
// columns in CSV follow from there.
#pragma once

#include <map>
#include <string_view>
#include <type_traits>
#include <vector>

#include "testbench/results/explanation.h"
#include "testbench/results/json.h"
#include "testbench/results/results.h"

namespace allport {

/// Whether a structure always has a statistic.
enum class Presence { always, at_times };

/// What a statistic is called, and what it may be.
struct StatisticForm {
  const char* name = "";   ///< its key
  Json type;               ///< the schema of a value that is known
  const char* words = "";  ///< what its schema says of it; empty: the name says all
  bool may_be_null = false;
  Presence presence = Presence::always;

  Json schema() const;
};

template <class Found>
struct Statistic : StatisticForm {
  using Test = bool (Found::*)() const;

  /// `topology`: null where the structure names no nodes.
  Json (*value)(const Found& found, const Topology* topology) = nullptr;
  Json unknown;             ///< what JSON has where the value is not known
  Test is_known = nullptr;  ///< null: always
  Test is_there = nullptr;  ///< null: always

  Statistic says(const char* text) &&;
  Statistic nullable() &&;
  Statistic known_if(Test test) &&;
  Statistic there_if(Test test) &&;
};

template <class Found>
using Statistics = std::vector<Statistic<Found>>;

/// The table of a structure, in the order of its schema.
template <class Found>
const Statistics<Found>& statistics_of();
template <>
const Statistics<LatencySummary>& statistics_of<LatencySummary>();
template <>
const Statistics<LatencyDistribution>& statistics_of<LatencyDistribution>();
template <>
const Statistics<ChannelLoad>& statistics_of<ChannelLoad>();
template <>
const Statistics<TrafficResults>& statistics_of<TrafficResults>();
template <>
const Statistics<LoadResults>& statistics_of<LoadResults>();
template <>
const Statistics<ClosedLoopResults>& statistics_of<ClosedLoopResults>();
template <>
const Statistics<RankResults>& statistics_of<RankResults>();
template <>
const Statistics<CallResults>& statistics_of<CallResults>();
template <>
const Statistics<HostResults>& statistics_of<HostResults>();
template <>
const Statistics<TaskResults>& statistics_of<TaskResults>();
template <>
const Statistics<ChannelErrors>& statistics_of<ChannelErrors>();
template <>
const Statistics<CombineResults>& statistics_of<CombineResults>();
template <>
const Statistics<CauseSum>& statistics_of<CauseSum>();
template <>
const Statistics<MessageAccount>& statistics_of<MessageAccount>();
/// What a run has in all.
template <>
const Statistics<Results>& statistics_of<Results>();

/// All tables by the names that the schemas have for them.
const std::map<std::string_view, std::vector<StatisticForm>>& statistic_tables();

/// Where values are known: where the results say so, nowhere, or everywhere, which is an example of
/// what there may be.
enum class Known { as_found, nowhere, everywhere };

/// Whether a structure names nodes, whose numbers in JSON the fabric knows.
template <class Found>
inline constexpr bool has_nodes =
    std::is_same_v<Found, ChannelLoad> || std::is_same_v<Found, TrafficResults> ||
    std::is_same_v<Found, LoadResults> || std::is_same_v<Found, RankResults> ||
    std::is_same_v<Found, ChannelErrors> || std::is_same_v<Found, MessageAccount>;

/// As add_statistics(). `topology`: the fabric of its nodes; null: it names none.
template <class Found>
void put_statistics(Json& json, const Found& found, Presence presence, Known known,
                    const Topology* topology) {
  for (const Statistic<Found>& one : statistics_of<Found>()) {
    if (one.presence != presence) continue;
    if (one.is_there != nullptr && !(found.*one.is_there)()) continue;
    const bool is_found = one.is_known == nullptr || (found.*one.is_known)();
    const bool is_known = known == Known::as_found ? is_found : known == Known::everywhere;
    json[one.name] = is_known ? one.value(found, topology) : one.unknown;
  }
}

/// Adds those statistics of `found` that it always has, or the others that are there.
template <class Found>
void add_statistics(Json& json, const Found& found, Presence presence,
                    Known known = Known::as_found) {
  static_assert(!has_nodes<Found>, "json_of() takes the fabric as well");
  put_statistics(json, found, presence, known, nullptr);
}

/// The statistics of `found`; those that it does not always have are the last.
template <class Found>
Json json_of(const Found& found, Known known = Known::as_found) {
  static_assert(!has_nodes<Found>, "give the fabric as well");
  Json json = Json::object();
  add_statistics(json, found, Presence::always, known);
  add_statistics(json, found, Presence::at_times, known);
  return json;
}

/// The same of a structure that names nodes of `topology`.
template <class Found>
Json json_of(const Found& found, const Topology& topology, Known known = Known::as_found) {
  Json json = Json::object();
  put_statistics(json, found, Presence::always, known, &topology);
  put_statistics(json, found, Presence::at_times, known, &topology);
  return json;
}

/// Counts by latency; `counted`: what they count.
Json histogram_json(const LatencyHistogram& histogram, const char* counted);

}  // namespace allport
