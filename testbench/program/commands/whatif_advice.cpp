// SPDX-License-Identifier: Apache-2.0
#include "testbench/program/commands/whatif_advice.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <exception>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "testbench/plan/option_values.h"
#include "testbench/plan/plan_run.h"
#include "testbench/program/commands/whatif_changes.h"
#include "testbench/program/commands/whatif_line.h"
#include "testbench/program/commands/whatif_runs.h"
#include "testbench/results/cause.h"
#include "testbench/studies/whatif/account.h"

namespace allport {

namespace {

constexpr std::size_t most_changes = 10;
constexpr std::size_t most_values = 4;  // of an option
constexpr double least_share = .005;

double of_cause(const std::map<std::string, double>& amounts, const std::string& cause) {
  const auto found = amounts.find(cause);
  return found == amounts.end() ? 0 : found->second;
}

double cycles_in(const Account& account) {
  double all = 0;
  for (const auto& [cause, cycles] : account.cycles) all += cycles;
  return all;
}

double waiting_in(const Account& account) {
  double waiting = 0;
  for (const CauseRow& row : cause_rows) {
    if (row.is_waiting) waiting += of_cause(account.cycles, row.name);
  }
  return waiting;
}

// Which cycles the causes of an account are.
std::string of_what(const Json& run, Goal goal) {
  const Json& explanation = run.at("explanation");
  if (!run.value("deadlock", Json()).is_null()) {
    return "a branch of what can never be delivered, on the average";
  }
  const bool has_path = !explanation.value("path", Json::array()).empty();
  if (has_path && (goal == Goal::completion || goal == Goal::makespan)) return "the critical path";
  const Json slowest = explanation.value("slowest", Json());
  const bool has_slowest = slowest.is_object() && slowest.value("receipts", 0) > 0;
  return goal == Goal::p99 && has_slowest ? "a message of the slowest 1 %, on the average"
                                          : "a message, on the average";
}

// The cycles that a change is against, and what they are.
AdvisedChange against_causes(const std::vector<std::string>& aims, const Account& account) {
  AdvisedChange advised;
  double at_root = 0;
  std::vector<std::pair<double, std::string>> parts;
  for (const std::string& cause : aims) {
    const double own = of_cause(account.cycles, cause);
    advised.cycles += own;
    at_root += waiting_in(account) * of_cause(account.roots, cause);
    if (own > 0) parts.emplace_back(-own, fmt::format("{} {:.1f}", cause, own));
  }
  std::sort(parts.begin(), parts.end());
  std::vector<std::string> words;
  for (const auto& part : parts) words.push_back(part.second);
  // Who waits behind a wait is helped by what helps that one.
  if (at_root > advised.cycles) {
    advised.cycles = at_root;
    words.push_back(fmt::format("{} the root of {:.1f} of all waiting",
                                aims.size() == 1 ? "it is" : "one of these is", at_root));
  }
  advised.evidence = fmt::format("{}", fmt::join(words, ", "));
  return advised;
}

// A change that is for the whole run: no more than what is beyond the lower bound, or of two ranks
// that change their places the cycles in which they were in each other's way.
AdvisedChange for_all(const Suggestion& suggestion, const Account& account) {
  if (suggestion.change.key == "place") {
    return {"", suggestion.promise * cycles_in(account),
            "two ranks are in each other's way on the critical path", ""};
  }
  if (account.bound && account.value) {
    return {"", std::max(0., *account.value - *account.bound), "all that is beyond the lower bound",
            ""};
  }
  // In a deadlock other messages do not meet as these have met.
  if (!account.value) return {"", waiting_in(account), "all that waits", ""};
  return {"", 0, "not known: this run has no lower bound", ""};
}

// `--vcs 4 or 8`; of longer lists the first `most` values.
std::string in_words(const std::string& key, const std::vector<std::string>& values,
                     std::size_t most) {
  if (key == "place" && values.front().find(',') != std::string::npos) {
    return "--place with two ranks in each other's place";
  }
  const std::size_t shown = std::min(values.size(), most);
  std::string words = option_name(key) + " " + values.front();
  for (std::size_t i = 1; i < shown; ++i) {
    words += (i + 1 == values.size() ? " or " : ", ") + values[i];
  }
  if (values.size() > shown) words += fmt::format(" or {} more", values.size() - shown);
  return words;
}

std::vector<AdvisedChange> ranked(const std::vector<Suggestion>& suggestions,
                                  const Account& account) {
  struct Row {
    std::string key;
    bool is_list = false;  // of places
    std::vector<std::string> values;
    AdvisedChange advised;
  };
  // Of algorithms those that need other routers stand apart; of other options the cost grows with
  // the value, and the first one is told.
  const auto is_apart = [](const Row& row, const OptionChange& change) {
    return change.key == "algorithm" && row.advised.cost != change.cost;
  };
  std::vector<Row> rows;
  for (const Suggestion& one : suggestions) {
    const bool is_list = one.change.text.find(',') != std::string::npos;
    const auto same = std::find_if(rows.begin(), rows.end(), [&](const Row& row) {
      return row.key == one.change.key && row.is_list == is_list && !is_apart(row, one.change);
    });
    if (same != rows.end()) {
      same->values.push_back(one.change.text);
      continue;
    }
    Row row{one.change.key,
            is_list,
            {one.change.text},
            one.aims.empty() ? for_all(one, account) : against_causes(one.aims, account)};
    row.advised.cost = one.change.cost;
    rows.push_back(std::move(row));
  }
  std::stable_sort(rows.begin(), rows.end(),
                   [](const Row& a, const Row& b) { return a.advised.cycles > b.advised.cycles; });
  std::vector<AdvisedChange> list;
  for (Row& row : rows) {
    const bool is_little =
        row.advised.cycles > 0 && row.advised.cycles < least_share * cycles_in(account);
    if (list.size() == most_changes) break;
    if (is_little || row.advised.evidence.empty()) continue;
    row.advised.option = in_words(row.key, row.values, most_values);
    row.advised.whole = in_words(row.key, row.values, row.values.size());
    row.advised.key = row.key;
    row.advised.value = row.values.front();
    row.advised.values = row.values;
    list.push_back(std::move(row.advised));
  }
  return list;
}

// Which changes a run refuses: they are no advice.
class Refusals {
 public:
  Refusals(const Invocation& given, const Settings& scenario, const Options* options)
      : given_(given), scenario_(scenario), options_(options) {}

  // Whether that is told: plans of large runs take long, and some files can be read only once.
  bool are_known(const Json& run) const {
    constexpr std::size_t most_nodes = 1024;
    constexpr std::size_t most_messages = 5000;  // of a plan
    if (options_ == nullptr) return false;
    const bool is_planned = options_->run.traffic.pattern.empty();
    if (options_->run.fabric.topology->node_count() > most_nodes) return false;
    if (is_planned && run.value("messages", std::size_t{0}) > most_messages) return false;
    try {
      require_read_again(WhatifTarget{"run", given_.arguments, scenario_, given_.settings});
    } catch (const std::invalid_argument&) {
      return false;
    }
    return true;
  }

  bool refuses(const OptionChange& change) const {
    Settings settings;
    for (const Setting& one : given_.settings) {
      if (one.spec->key != change.key) settings.push_back(one);
    }
    settings.push_back({&option_named(change.key), change.text, ""});
    try {
      plan(merge(scenario_, settings).run);
    } catch (const std::exception&) {  // it is too large, or a file of it cannot be read again
      return true;
    }
    return false;
  }

 private:
  const Invocation& given_;
  const Settings& scenario_;
  const Options* options_;
};

// What an account is read from: without the lists of thousands of messages.
Json without_lists(const Json& run) {
  Json few = Json::object();
  for (const char* key : {"config", "digest", "deadlock", "latency", "traffic", "load",
                          "closed_loop", "tasks", "messages"}) {
    if (run.contains(key)) few[key] = run[key];
  }
  for (const char* key :
       {"path", "slowest", "by_cause", "receipts", "roots", "to_bound", "unfinished"}) {
    if (run["explanation"].contains(key)) few["explanation"][key] = run["explanation"][key];
  }
  return few;
}

}  // namespace

Adviser adviser_of(const Invocation& given, const Settings& scenario, const Options* options) {
  return [&given, &scenario, options](const Json& whole) {
    const Json run = without_lists(whole);
    PageAdvice advice;
    advice.command = whatif_line(given);
    Settings all = scenario;
    all.insert(all.end(), given.settings.begin(), given.settings.end());
    const Goal goal = usual_goal(run);
    const Account account = account_of(run, goal);
    advice.of = of_what(run, goal);
    advice.all = cycles_in(account);
    if (advice.all <= 0) return advice;
    std::vector<Suggestion> suggestions = WhatifChanges(all, options).suggest({}, account);
    const Refusals refusals(given, scenario, options);
    advice.is_checked = refusals.are_known(run);
    if (advice.is_checked) {
      suggestions.erase(
          std::remove_if(suggestions.begin(), suggestions.end(),
                         [&](const Suggestion& one) { return refusals.refuses(one.change); }),
          suggestions.end());
    }
    advice.changes = ranked(suggestions, account);
    return advice;
  };
}

}  // namespace allport
