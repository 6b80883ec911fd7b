// SPDX-License-Identifier: Apache-2.0
#include "testbench/studies/diff/result_diff.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <stdexcept>
#include <utility>

#include "testbench/studies/diff/changed_meanings.h"

namespace allport {

namespace {

// What a result has that no other kind has.
struct Kind {
  const char* name;
  std::vector<const char*> keys;
};

const std::vector<Kind>& kinds() {
  static const std::vector<Kind> list{{"run", {"config", "digest", "flit_hops"}},
                                      {"whatif", {"rows", "refused", "budget"}},
                                      {"check --faults or whatif --broken", {"faults"}},
                                      {"compare", {"sizes", "crossovers"}},
                                      {"check", {"exactly_once", "stepwise"}},
                                      {"fit", {"pair", "samples", "models"}},
                                      {"reproduce", {"figure", "claims"}},
                                      {"steps", {"config", "rows"}}};
  return list;
}

// Of lists of rows the key that all rows of one kind have.
const std::vector<Kind>& kinds_of_lists() {
  static const std::vector<Kind> list{{"compare", {"algorithm", "model"}},
                                      {"bench", {"case", "model"}}};
  return list;
}

bool has_all(const Json& json, const Kind& kind) {
  return json.is_object() && std::all_of(kind.keys.begin(), kind.keys.end(),
                                         [&json](const char* key) { return json.contains(key); });
}

std::string kind_of(const Json& json, const std::string& name) {
  const bool is_list = json.is_array() && !json.empty();
  for (const Kind& kind : is_list ? kinds_of_lists() : kinds()) {
    if (has_all(is_list ? json.front() : json, kind)) return kind.name;
  }
  throw std::invalid_argument(
      name +
      " is no result that the program writes with --json: run, replay, explain, cosim, "
      "compare, check, steps, fit, bench, whatif or reproduce");
}

using Leaves = std::vector<std::pair<std::string, Json>>;

// What is not compared as a number: times of this machine, what is compared by itself, and lists of
// single events and messages.
bool is_left_out(const std::string& key) {
  static const std::vector<std::string> keys{"version",
                                             "config",
                                             "wall_seconds",
                                             "static_wall_seconds",
                                             "explanation",
                                             "digest",
                                             "histogram",
                                             "list",
                                             "messages_list",
                                             "by_destination",
                                             "trials",
                                             "first",
                                             "took",
                                             "startup_seconds",
                                             "peak_bytes",
                                             "cycles_per_second",
                                             "messages_per_second",
                                             "ns_per_router_cycle",
                                             "ns_per_flit_hop",
                                             "command"};
  return std::find(keys.begin(), keys.end(), key) != keys.end() ||
         (key.size() > 10 && key.compare(key.size() - 10, 10, "_histogram") == 0);
}

// What a row of a list is known by; empty: its place.
std::string name_of(const Json& row) {
  std::string name;
  if (!row.is_object()) return name;
  for (const char* key :
       {"topology", "algorithm", "case", "model", "figure", "claim", "links", "bytes", "m"}) {
    const auto found = row.find(key);
    if (found == row.end() || found->is_object()) continue;
    const std::string text = found->is_string() ? found->get<std::string>() : found->dump();
    name += (name.empty() ? "" : " ") + text;
  }
  return name;
}

void add_leaves(const Json& json, const std::string& path, Leaves& leaves) {
  const auto below = [&path](const std::string& key) {
    return path.empty() ? key : path + "." + key;
  };
  if (json.is_object()) {
    for (const auto& [key, value] : json.items()) {
      if (!is_left_out(key)) add_leaves(value, below(key), leaves);
    }
  } else if (json.is_array()) {
    for (std::size_t i = 0; i < json.size(); ++i) {
      const std::string name = name_of(json[i]);
      add_leaves(json[i], below(name.empty() ? std::to_string(i) : name), leaves);
    }
  } else {
    leaves.emplace_back(path, json);
  }
}

std::map<std::string, Json> by_path(const Leaves& leaves) {
  std::map<std::string, Json> map;
  for (const auto& [path, value] : leaves) map.emplace(path, value);
  return map;
}

// The paths of both, those of `a` first.
std::vector<std::string> all_paths(const Leaves& a, const Leaves& b) {
  std::vector<std::string> paths;
  const auto known = by_path(a);
  for (const auto& leaf : a) paths.push_back(leaf.first);
  for (const auto& leaf : b) {
    if (known.count(leaf.first) == 0) paths.push_back(leaf.first);
  }
  return paths;
}

Json at(const std::map<std::string, Json>& map, const std::string& path) {
  const auto found = map.find(path);
  return found == map.end() ? Json(nullptr) : found->second;
}

constexpr std::string_view width_key = "half_width_95";

bool is_width(const std::string& path) {
  return path.size() >= width_key.size() &&
         path.compare(path.size() - width_key.size(), width_key.size(), width_key) == 0;
}

// Of the mean at `path`, half the width of the interval of its difference.
std::optional<double> width_of(const std::string& path, const std::map<std::string, Json>& a,
                               const std::map<std::string, Json>& b) {
  const std::string beside = path.substr(0, path.rfind('.') + 1) + std::string(width_key);
  const Json of_a = at(a, beside);
  const Json of_b = at(b, beside);
  if (!of_a.is_number() || !of_b.is_number()) return std::nullopt;
  return std::hypot(of_a.get<double>(), of_b.get<double>());
}

// Two numbers are equal whether or not they were written with a point.
bool is_equal(const Json& a, const Json& b) {
  if (a.is_number() && b.is_number()) return a.get<double>() == b.get<double>();
  return a == b;
}

std::vector<ResultDifference> differences(const Json& a, const Json& b, std::size_t& equal) {
  Leaves of_a, of_b;
  add_leaves(a, "", of_a);
  add_leaves(b, "", of_b);
  const auto map_a = by_path(of_a);
  const auto map_b = by_path(of_b);
  std::vector<ResultDifference> list;
  for (const std::string& path : all_paths(of_a, of_b)) {
    if (is_width(path)) continue;
    ResultDifference one{path, at(map_a, path), at(map_b, path)};
    if (is_equal(one.a, one.b)) {
      ++equal;
      continue;
    }
    one.half_width = width_of(path, map_a, map_b);
    list.push_back(std::move(one));
  }
  return list;
}

const Json& member(const Json& json, const char* key) {
  static const Json none;
  const auto found = json.is_object() ? json.find(key) : json.end();
  return json.is_object() && found != json.end() ? *found : none;
}

// What a configuration says by its keys, those of tables with a dot between; lists stay as they
// are.
void add_settings(const Json& config, const std::string& path, Leaves& leaves) {
  if (!config.is_object()) return;
  for (const auto& [key, value] : config.items()) {
    if (value.is_object()) {
      add_settings(value, path + key + ".", leaves);
    } else {
      leaves.emplace_back(path + key, value);
    }
  }
}

std::vector<ResultDifference> config_differences(const Json& a, const Json& b) {
  Leaves of_a, of_b;
  add_settings(a, "", of_a);
  add_settings(b, "", of_b);
  const auto map_a = by_path(of_a);
  const auto map_b = by_path(of_b);
  std::vector<ResultDifference> list;
  for (const std::string& key : all_paths(of_a, of_b)) {
    ResultDifference one{key, at(map_a, key), at(map_b, key)};
    if (!is_equal(one.a, one.b)) list.push_back(std::move(one));
  }
  return list;
}

// Cycles of a received message, by cause.
std::vector<ResultDifference> cause_differences(const Json& a, const Json& b) {
  const auto per_message = [](const Json& explanation) {
    std::map<std::string, double> causes;
    const Json& receipts = member(explanation, "receipts");
    if (!receipts.is_number() || receipts.get<double>() == 0) return causes;
    for (const auto& [cause, cycles] : member(explanation, "by_cause").items()) {
      causes[cause] = cycles.get<double>() / receipts.get<double>();
    }
    return causes;
  };
  auto of_a = per_message(a);
  auto of_b = per_message(b);
  std::vector<ResultDifference> list;
  if (of_a.empty() || of_b.empty()) return list;
  for (const auto& one : of_b) of_a.emplace(one.first, 0);
  for (const auto& [cause, cycles] : of_a) {
    const double other = of_b[cause];
    if (cycles != other) list.push_back({cause, cycles, other});
  }
  std::stable_sort(list.begin(), list.end(),
                   [](const ResultDifference& x, const ResultDifference& y) {
                     return std::abs(x.change().value_or(0)) > std::abs(y.change().value_or(0));
                   });
  return list;
}

// `channel 5.2`, `channel 5.2, VC 1`, `injection 5.0`
std::string place_in_words(const Json& place) {
  const std::string kind = place.value("kind", "");
  std::string words = (kind == "external" ? "channel" : kind);
  if (place.contains("node")) words += " " + place["node"].dump();
  if (place.contains("port")) words += "." + place["port"].dump();
  if (place.contains("vc")) words += ", VC " + place["vc"].dump();
  return words;
}

std::vector<ResultDifference> channel_differences(const Json& a, const Json& b) {
  const Json& list_a = member(a, "by_channel");
  const Json& list_b = member(b, "by_channel");
  if (!list_a.is_array() || !list_b.is_array()) return {};
  std::map<std::string, std::pair<std::int64_t, std::int64_t>> places;
  for (const Json& one : list_a)
    places[place_in_words(one["place"])].first += one["cycles"].get<std::int64_t>();
  for (const Json& one : list_b)
    places[place_in_words(one["place"])].second += one["cycles"].get<std::int64_t>();
  std::vector<ResultDifference> list;
  for (const auto& [place, cycles] : places) {
    if (cycles.first != cycles.second) list.push_back({place, cycles.first, cycles.second});
  }
  std::stable_sort(list.begin(), list.end(),
                   [](const ResultDifference& x, const ResultDifference& y) {
                     return std::abs(*x.change()) > std::abs(*y.change());
                   });
  return list;
}

bool has_value(const Json& config, const ChangedMeaning& meaning, std::string_view key) {
  const Json& value = member(config, std::string(key).c_str());
  if (value.is_null()) return false;
  return meaning.values.empty() ||
         std::any_of(meaning.values.begin(), meaning.values.end(), [&value](std::string_view word) {
           return value.is_string() && value.get<std::string>() == word;
         });
}

std::vector<MeaningOfBoth> meanings_between(const ResultDiff& diff, const Json& a, const Json& b) {
  const bool is_a_older = is_older(diff.version_a, diff.version_b);
  const std::string& older = is_a_older ? diff.version_a : diff.version_b;
  const std::string& newer = is_a_older ? diff.version_b : diff.version_a;
  std::vector<MeaningOfBoth> list;
  for (const ChangedMeaning& meaning : changed_meanings()) {
    if (!is_older(older, meaning.version) || is_older(newer, meaning.version)) continue;
    MeaningOfBoth one{std::string(meaning.version), {}, std::string(meaning.words)};
    for (const std::string_view key : meaning.keys) {
      if (has_value(a, meaning, key) || has_value(b, meaning, key)) one.keys.emplace_back(key);
    }
    if (!one.keys.empty()) list.push_back(std::move(one));
  }
  return list;
}

}  // namespace

std::optional<double> ResultDifference::change() const {
  if (!a.is_number() || !b.is_number()) return std::nullopt;
  return b.get<double>() - a.get<double>();
}

bool ResultDifference::is_within_intervals() const {
  return half_width && change() && std::abs(*change()) <= *half_width;
}

bool ResultDiff::is_empty() const {
  return config.empty() && numbers.empty() && causes.empty() && channels.empty() &&
         (has_same_receptions || kind != "run");
}

bool ResultDiff::is_of_two_seeds() const {
  return config.size() == 1 && config.front().path == "seed";
}

ResultDiff diff_of(const Json& a, const Json& b, const std::string& name_a,
                   const std::string& name_b) {
  ResultDiff diff;
  diff.kind = kind_of(a, name_a);
  const std::string other = kind_of(b, name_b);
  if (other != diff.kind) {
    throw std::invalid_argument(
        fmt::format("{} is a result of {}, and {} one of {}; two of one kind can be compared",
                    name_a, diff.kind, name_b, other));
  }
  const auto version = [](const Json& json) {
    const Json& text = member(json, "version");
    return text.is_string() ? text.get<std::string>() : std::string();
  };
  diff.version_a = version(a);
  diff.version_b = version(b);
  const Json& config_a = member(a, "config");
  const Json& config_b = member(b, "config");
  diff.config = config_differences(config_a, config_b);
  if (!diff.version_a.empty() && !diff.version_b.empty()) {
    diff.meanings = meanings_between(diff, config_a, config_b);
  }
  diff.numbers = differences(a, b, diff.equal);
  diff.has_same_receptions = member(a, "digest") == member(b, "digest");
  const Json& explained_a = member(a, "explanation");
  const Json& explained_b = member(b, "explanation");
  diff.causes = cause_differences(explained_a, explained_b);
  diff.channels = channel_differences(explained_a, explained_b);
  return diff;
}

}  // namespace allport
