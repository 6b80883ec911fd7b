// SPDX-License-Identifier: Apache-2.0
#include "testbench/plan/coherence.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <set>
#include <stdexcept>
#include <utility>

#include "rtl_model/base/words.h"
#include "testbench/plan/missing_links.h"
#include "testbench/plan/run_options.h"
#include "traffic/patterns/pattern.h"

namespace allport {

namespace {

// Options that a pattern excludes, but not beside collectives that start at random.
constexpr std::array<std::string_view, 10> load_keys = {
    "algorithm", "source", "destinations", "pieces", "parts",
    "embed",     "steps",  "place",        "ranks",  "address_flits"};

// Options that a pattern excludes, but not beside ranks.
constexpr std::array<std::string_view, 4> rank_keys = {"tasks", "place", "ranks", "group"};

bool is_of_pattern(std::string_view key) {
  const std::vector<std::string_view>& keys = pattern_keys();
  return key == "pattern" || key == "flows" ||
         std::find(keys.begin(), keys.end(), key) != keys.end();
}

// Options that a pattern shares with `keys`.
template <class Keys>
bool is_pair_of_pattern(const KeyPair& pair, const Keys& keys) {
  const auto is_there = [&](std::string_view key) {
    return std::find(std::begin(keys), std::end(keys), key) != std::end(keys);
  };
  return (is_of_pattern(pair.first) && is_there(pair.second)) ||
         (is_of_pattern(pair.second) && is_there(pair.first));
}

// What goes around missing links that no plan knows of.
std::string unless_table() {
  return fmt::format(" unless routes go around missing links: give --routing {}",
                     tables_around_missing_links);
}

// Whether the first of a pair belongs to a load of collectives as well as to a pattern.
bool is_of_loads_too(const KeyPair& pair) {
  return pair.first == "cycles" || pair.first == "warmup";
}

}  // namespace

bool RunContents::lifts(const KeyPair& pair) const {
  if (has_table && pair.second == "missing_links") return true;
  if (is_load && !has_flows && is_pair_of_pattern(pair, load_keys)) return true;
  if (!has_ranks || !has_pattern) return false;
  const bool is_length = pair.second == "flits" || pair.second == "bytes";
  return is_pair_of_pattern(pair, rank_keys) || (pair.first == "tasks" && is_length);
}

bool RunContents::lifts_need(const KeyPair& pair) const {
  return (is_closed_loop && pair.first == "pattern" && pair.second == "rate") ||
         ((is_load || has_flows) && is_of_loads_too(pair)) ||
         (has_ranks && pair.second == "cycles");  // it ends with them
}

RunContents contents_of(const NameOf& name_of, bool has_ranks, bool has_table) {
  const auto has = [&name_of](std::string_view key) { return !name_of(key).empty(); };
  return {has("collective_rate"), has_ranks || has("tasks"), has("pattern") || has("flows"),
          has("flows"),           has("outstanding"),        has_table};
}

const std::vector<std::string_view>& pattern_keys() {
  static const std::vector<std::string_view> keys{
      "rate", "cycles", "warmup", "hotspot", "hotspot_fraction", "flits_long", "long_fraction"};
  return keys;
}

const std::vector<KeyPair>& exclusions() {
  static const std::vector<KeyPair> table = [] {
    std::vector<KeyPair> pairs{
        {"algorithm", "schedule"},    {"algorithm", "pattern"},
        {"schedule", "pattern"},      {"flits", "bytes"},
        {"flits_long", "bytes"},      {"pattern", "source"},
        {"pattern", "destinations"},  {"pattern", "trials"},
        {"pattern", "no_static"},     {"pattern", "max_violations"},
        {"pattern", "barrier"},       {"schedule", "barrier"},
        {"pattern", "pieces"},        {"schedule", "pieces"},
        {"pattern", "parts"},         {"pattern", "blocks"},
        {"algorithm", "blocks"},      {"parts", "pieces"},
        {"pattern", "embed"},         {"schedule", "embed"},
        {"pattern", "collective"},    {"algorithm", "collective"},
        {"steps", "schedule"},        {"steps", "pattern"},
        {"steps", "embed"},           {"no_static", "max_violations"},
        {"embed", "place"},           {"embed", "ranks"},
        {"steps", "place"},           {"steps", "ranks"},
        {"pattern", "place"},         {"pattern", "ranks"},
        {"pattern", "group"},         {"pattern", "skew"},
        {"pattern", "missing_links"}, {"pattern", "groups"},
        {"group", "groups"},          {"groups", "barrier"},
        {"wave_on", "wave_nodes"},    {"wave_on", "wave_from"},
        {"wave_on", "wave_to"},       {"flits", "counts"},
        {"bytes", "counts"},          {"pattern", "counts"},
        {"pieces", "counts"},         {"pattern", "address_flits"},
    };
    pairs.push_back({"flit_error_rate", "bit_error_rate"});
    // A chain names the source and the destinations, and is split where the nodes are.
    for (const std::string_view key :
         {"source", "destinations", "schedule", "tasks", "pattern", "embed", "place", "ranks",
          "group", "groups", "barrier", "collective_rate"}) {
      pairs.push_back({"chain", key});
    }
    for (const std::string_view key : {"chain", "schedule", "tasks", "pattern", "counts"}) {
      pairs.push_back({"block", key});
    }
    for (const std::string_view key :
         {"schedule", "tasks", "trials", "barrier", "group", "groups", "flits_long",
          "long_fraction", "no_static", "max_violations", "skew"}) {
      pairs.push_back({"collective_rate", key});
    }
    for (const std::string_view key :
         {"algorithm",     "schedule",  "pattern",        "source",       "destinations",
          "trials",        "no_static", "max_violations", "barrier",      "pieces",
          "parts",         "blocks",    "embed",          "collective",   "steps",
          "flits",         "bytes",     "payload",        "jitter",       "skew",
          "missing_links", "groups",    "counts",         "address_flits"}) {
      pairs.push_back({"tasks", key});
    }
    // What excludes a pattern excludes flows, which have rates and lengths of their own.
    for (std::size_t i = 0, count = pairs.size(); i < count; ++i) {
      if (pairs[i].first == "pattern") pairs.push_back({"flows", pairs[i].second});
      if (pairs[i].second == "pattern") pairs.push_back({pairs[i].first, "flows"});
    }
    for (const std::string_view key : {"pattern", "rate", "hotspot", "hotspot_fraction", "flits",
                                       "bytes", "flits_long", "long_fraction", "collective_rate"}) {
      pairs.push_back({"flows", key});
    }
    // A loop has its own rate and lengths, and is a run by itself.
    for (const std::string_view key : {"rate", "flits_long", "long_fraction", "flows", "tasks",
                                       "algorithm", "schedule", "collective_rate"}) {
      pairs.push_back({"outstanding", key});
    }
    for (const std::string_view key : pattern_keys()) {
      pairs.push_back({key, "algorithm"});
      pairs.push_back({key, "schedule"});
      pairs.push_back({key, "tasks"});
    }
    return pairs;
  }();
  return table;
}

const std::vector<KeyPair>& needs() {
  static const std::vector<KeyPair> table = [] {
    std::vector<KeyPair> pairs{
        {"pattern", "rate"},
        {"pattern", "cycles"},
        {"flows", "cycles"},
        {"flits_long", "long_fraction"},
        {"long_fraction", "flits_long"},
        {"wave_nodes", "wave"},
        {"wave_from", "wave"},
        {"wave_to", "wave"},
        {"wave_on", "wave"},
        {"wave_margin", "wave_on"},
        {"every", "channel_load"},
        {"collective_rate", "cycles"},
        {"outstanding", "pattern"},
        {"reply_flits", "outstanding"},
        {"service", "outstanding"},
        {"reception_limit", "outstanding"},
    };
    for (const std::string_view key : pattern_keys()) pairs.push_back({key, "pattern"});
    return pairs;
  }();
  return table;
}

void require_coherent(const RunContents& contents, const NameOf& name_of) {
  for (const KeyPair& pair : exclusions()) {
    if (contents.lifts(pair)) continue;
    const std::string first = name_of(pair.first);
    const std::string second = first.empty() ? first : name_of(pair.second);
    if (second.empty()) continue;
    const bool is_lifted = pair.second == "missing_links";
    throw std::invalid_argument(fmt::format("{} and {} exclude each other{}", first, second,
                                            is_lifted ? unless_table() : ""));
  }
  for (const KeyPair& pair : needs()) {
    const std::string first = name_of(pair.first);
    if (first.empty() || !name_of(pair.second).empty() || contents.lifts_need(pair)) continue;
    throw std::invalid_argument(
        fmt::format("{} needs {}{}", first, option_name(pair.second),
                    is_of_loads_too(pair) ? ", --flows or --collective-rate" : ""));
  }
}

void require_hotspots(const std::string& pattern, const NameOf& name_of) {
  if (pattern.empty() || find_pattern(pattern).has_hotspots) return;
  for (const char* key : {"hotspot", "hotspot_fraction"}) {
    const std::string name = name_of(key);
    if (name.empty()) continue;
    throw std::invalid_argument(
        fmt::format("{} is for --pattern hotspot, not for {}", option_name(key), pattern));
  }
}

void require_coherent(const RunRequest& request, bool has_programs) {
  const TrafficTable& traffic = request.traffic;
  const std::set<std::string_view> given = given_keys(request);
  const NameOf name_of = [&](std::string_view key) {
    if (has_programs && key == "tasks") return std::string("the programs");
    if (given.count(key) == 0) return std::string();
    const bool is_option = key != "tasks" || !traffic.tasks.empty();  // or of a trace or program
    return is_option ? option_name(key) : "the ranks";
  };
  const bool goes_around = request.fabric.has_table() || !has_missing_links(request) ||
                           (!has_programs && may_go_around(request));
  require_coherent(contents_of(name_of, traffic.has_tasks(), goes_around), name_of);
  // The ranks of a trace or a program, which no option names.
  if (traffic.has_tasks() && !goes_around) {
    throw std::invalid_argument("the ranks and --missing-links exclude each other" +
                                unless_table());
  }
  require_hotspots(traffic.pattern, name_of);
  if (traffic.destinations.random && !traffic.destinations.listed.empty()) {
    throw std::invalid_argument("--destinations: they are random or listed, not both");
  }
}

}  // namespace allport
