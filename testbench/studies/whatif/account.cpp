// SPDX-License-Identifier: Apache-2.0
#include "testbench/studies/whatif/account.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <stdexcept>
#include <utility>

namespace allport {

namespace {

struct GoalRow {
  Goal goal;
  std::string_view name;
  std::string_view words;
};

constexpr std::array goal_rows{
    GoalRow{Goal::completion, "completion", "completion, cycles"},
    GoalRow{Goal::makespan, "makespan", "makespan, cycles"},
    GoalRow{Goal::p99, "p99", "p99 latency, cycles"},
    GoalRow{Goal::mean, "mean", "mean latency, cycles"},
    GoalRow{Goal::max, "max", "longest latency, cycles"},
    GoalRow{Goal::accepted, "accepted", "accepted load, flits per node and cycle"}};

constexpr const GoalRow& row_of(Goal goal) { return goal_rows.at(static_cast<std::size_t>(goal)); }

// The value at `keys` in `json`; null: there is none.
Json at(const Json& json, std::initializer_list<const char*> keys) {
  const Json* place = &json;
  for (const char* key : keys) {
    if (!place->is_object() || !place->contains(key)) return nullptr;
    place = &(*place)[key];
  }
  return *place;
}

std::optional<double> number(const Json& json) {
  return json.is_number() ? std::make_optional(json.get<double>()) : std::nullopt;
}

// Where the distribution of latencies is: of a closed loop that of its round trips.
Json distribution(const Json& run) {
  for (const Json& found : {at(run, {"closed_loop", "round_trip"}), at(run, {"load", "latency"}),
                            at(run, {"traffic", "latency"})}) {
    if (!found.is_null()) return found;
  }
  return nullptr;
}

std::optional<double> accepted(const Json& run) {
  const auto of_load = number(at(run, {"load", "accepted_flits"}));
  return of_load ? of_load : number(at(run, {"traffic", "accepted"}));
}

std::optional<double> value_of(const Json& run, Goal goal) {
  if (!at(run, {"deadlock"}).is_null()) return std::nullopt;
  switch (goal) {
    case Goal::completion: {
      const auto mean = number(at(run, {"latency", "completion", "mean"}));
      return mean ? mean : number(at(run, {"latency", "max"}));
    }
    case Goal::makespan:
      return number(at(run, {"tasks", "unended"})).value_or(0) > 0
                 ? std::nullopt
                 : number(at(run, {"tasks", "makespan"}));
    case Goal::accepted:
      return accepted(run);
    default:
      return number(at(distribution(run), {std::string(to_string(goal)).c_str()}));
  }
}

bool has_goal(const Json& run, Goal goal) {
  const bool has_distribution = !distribution(run).is_null();
  if (goal == Goal::completion) return !has_distribution && !run.contains("tasks");
  if (goal == Goal::makespan) return run.contains("tasks");
  return has_distribution;
}

void add_causes(const Json& by_cause, double share, std::map<std::string, double>& cycles) {
  for (const auto& [cause, count] : by_cause.items()) {
    cycles[cause] += share * count.get<double>();
  }
}

std::map<std::string, double> cycles_of(const Json& explanation, Goal goal, bool is_deadlocked) {
  std::map<std::string, double> cycles;
  // In a deadlock what is to be taken away is what the messages wait for that are left.
  const Json left = is_deadlocked ? at(explanation, {"unfinished"}) : Json();
  for (const Json& message : left) {
    add_causes(message["by_cause"], 1 / static_cast<double>(left.size()), cycles);
  }
  if (!cycles.empty()) return cycles;
  if (goal == Goal::completion || goal == Goal::makespan) {
    for (const Json& message : at(explanation, {"path"}))
      add_causes(message["by_cause"], 1, cycles);
    if (!cycles.empty()) return cycles;
  }
  const Json slowest = at(explanation, {"slowest"});
  const bool is_of_slowest =
      (goal == Goal::p99 || goal == Goal::max) && number(at(slowest, {"receipts"})).value_or(0) > 0;
  const Json& group = is_of_slowest ? slowest : explanation;
  const double receipts = number(at(group, {"receipts"})).value_or(0);
  if (receipts > 0) add_causes(group["by_cause"], 1 / receipts, cycles);
  return cycles;
}

std::map<std::string, double> roots_of(const Json& explanation) {
  std::map<std::string, double> roots;
  double all = 0;
  for (const Json& root : at(explanation, {"roots"})) all += root["cycles"].get<double>();
  for (const Json& root : at(explanation, {"roots"})) {
    roots[root["cause"].get<std::string>()] += root["cycles"].get<double>() / all;
  }
  return roots;
}

std::vector<Rivals> rivals_of(const Json& explanation) {
  std::map<std::pair<std::uint64_t, std::uint64_t>, double> cycles;
  const auto add = [&cycles](const Json& a, const Json& b, double count) {
    if (!a.is_number_unsigned() || !b.is_number_unsigned() || a == b) return;
    const auto [low, high] = std::minmax({a.get<std::uint64_t>(), b.get<std::uint64_t>()});
    cycles[{low, high}] += count;
  };
  for (const Json& message : at(explanation, {"path"})) {
    for (const Json& stretch : at(message, {"stretches"})) {
      const Json blamed = at(stretch, {"blamed"});
      if (blamed.is_null()) continue;
      const auto count = stretch["cycles"].get<double>();
      add(at(message, {"destination"}), at(blamed, {"v"}), count);
      add(at(message, {"source"}), at(blamed, {"u"}), count);
    }
  }
  std::vector<Rivals> rivals;
  for (const auto& [pair, count] : cycles) rivals.push_back({pair.first, pair.second, count});
  std::stable_sort(rivals.begin(), rivals.end(),
                   [](const Rivals& a, const Rivals& b) { return a.cycles > b.cycles; });
  return rivals;
}

}  // namespace

std::string_view to_string(Goal goal) { return row_of(goal).name; }

std::vector<std::string_view> goal_names() {
  std::vector<std::string_view> names;
  for (const GoalRow& row : goal_rows) names.push_back(row.name);
  return names;
}

std::string_view in_words(Goal goal) { return row_of(goal).words; }

Goal usual_goal(const Json& run) {
  if (run.contains("tasks")) return Goal::makespan;
  return distribution(run).is_null() ? Goal::completion : Goal::p99;
}

Account account_of(const Json& run, Goal goal) {
  if (!has_goal(run, goal)) {
    std::vector<std::string_view> names;
    for (const GoalRow& row : goal_rows) {
      if (has_goal(run, row.goal)) names.push_back(row.name);
    }
    throw std::invalid_argument(
        fmt::format("this run has no {}; it has {}", to_string(goal), fmt::join(names, ", ")));
  }
  Account account;
  account.value = value_of(run, goal);
  account.config = at(run, {"config"});
  account.digest = run.value("digest", "");
  const Json explanation = at(run, {"explanation"});
  if (explanation.is_null()) return account;
  account.cycles = cycles_of(explanation, goal, !at(run, {"deadlock"}).is_null());
  account.roots = roots_of(explanation);
  account.rivals = rivals_of(explanation);
  account.bound = number(at(explanation, {"to_bound", "bound"}));
  for (const Json& part : at(explanation, {"to_bound", "parts"})) {
    account.beyond_bound[part["part"].get<std::string>()] += part["cycles"].get<double>();
  }
  return account;
}

std::optional<double> gain(const Account& before, const Account& after, Goal goal) {
  if (!before.value || !after.value) return std::nullopt;
  return is_more_better(goal) ? *after.value - *before.value : *before.value - *after.value;
}

std::optional<std::pair<std::string, double>> gone(const Account& before, const Account& after) {
  std::optional<std::pair<std::string, double>> most;
  for (const auto& [cause, cycles] : before.cycles) {
    const auto left = after.cycles.find(cause);
    const double fewer = cycles - (left == after.cycles.end() ? 0 : left->second);
    if (fewer > 0 && (!most || fewer > most->second)) most = {cause, fewer};
  }
  return most;
}

}  // namespace allport
