// SPDX-License-Identifier: Apache-2.0
#include "testbench/program/commands/whatif_runs.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <set>
#include <stdexcept>
#include <utility>

#include "rtl_model/base/child_pool.h"
#include "rtl_model/base/cores.h"
#include "rtl_model/base/quote.h"
#include "testbench/files/read_once.h"
#include "testbench/plan/coherence.h"
#include "testbench/plan/option_values.h"
#include "testbench/program/terminal/exit_status.h"
#include "testbench/program/terminal/progress.h"
#include "testbench/results/mean_estimate.h"
#include "testbench/studies/sweep/judge_point.h"

namespace allport {

namespace {

// The JSON of a run; null: it printed none.
Json results_of(const ChildEnd& end) {
  Json json = Json::parse(end.out, nullptr, false);
  return json.is_object() ? json : Json(nullptr);
}

bool is_flag(const Setting& setting) { return setting.spec->value.empty(); }

TriedChange outcome(const Change& change, const ChildEnd& end, Goal goal) {
  TriedChange tried;
  tried.change = change;
  const PointResult judged = judge_point(end);
  if (end.exit == exit_wrong_use) {
    tried.refused = judged.error;
    return tried;
  }
  const Json json = results_of(end);
  if (!json.is_null()) {
    try {
      tried.account = account_of(json, goal);
    } catch (const std::invalid_argument& error) {
      tried.problem = error.what();
      return tried;
    }
  }
  if (!judged.error.empty()) {
    tried.problem = judged.error;
    tried.account.value.reset();
  } else if (!tried.account.value) {
    tried.problem = "nothing was received that counts";
  }
  return tried;
}

}  // namespace

WhatifRuns::WhatifRuns(const WhatifTarget& target, unsigned jobs, StopFlag stop, bool explains)
    : target_(target),
      jobs_(jobs > 0 ? jobs : static_cast<unsigned>(usable_cores())),
      stop_(stop),
      has_accounts_(explains),
      explains_(explains) {}

bool WhatifRuns::has(std::string_view key) const {
  const auto is_it = [key](const Setting& one) { return one.spec->key == key; };
  return std::any_of(target_.given.begin(), target_.given.end(), is_it) ||
         std::any_of(target_.scenario.begin(), target_.scenario.end(), is_it);
}

bool WhatifRuns::is_accepted(std::string_view key) const {
  const auto excludes = [this, key](const KeyPair& pair) {
    return (pair.second == key && has(pair.first)) || (pair.first == key && has(pair.second));
  };
  return std::none_of(exclusions().begin(), exclusions().end(), excludes);
}

// What has changed stands in the place of what was given.
std::vector<std::string> WhatifRuns::words(const Change& change) const {
  std::vector<std::string> list{target_.command};
  list.insert(list.end(), target_.files.begin(), target_.files.end());
  for (const Setting& one : target_.given) {
    const auto changed =
        std::find_if(change.begin(), change.end(),
                     [&one](const OptionChange& other) { return other.key == one.spec->key; });
    if (changed != change.end()) continue;
    list.push_back(option_name(one.spec->key));
    if (is_flag(one)) {
      if (one.text != "true") list.back() += "=" + one.text;
    } else {
      list.push_back(one.text);
    }
  }
  for (const OptionChange& one : change) {
    list.push_back(option_name(one.key));
    list.push_back(one.text);
  }
  // What is too large for routers in SystemC is not for worms; the model changes no result.
  if (target_.command != "whatif" && !has("model")) {
    list.insert(list.end(), {"--model", "auto"});
  }
  return list;
}

std::string WhatifRuns::command_line(const Change& change) const {
  std::string line = "allport";
  for (const std::string& word : words(change)) line += " " + shell_word(word);
  return line;
}

std::vector<std::string> WhatifRuns::arguments(const Change& change, bool is_explained) const {
  std::vector<std::string> list = words(change);
  list.emplace_back("--json=-");
  if (is_explained) list.emplace_back("--explain=slowest:1");
  if (target_.command != "run") return list;
  if (!has("no_static") && is_accepted("no_static")) list.emplace_back("--no-static");
  return list;
}

Json WhatifRuns::start() {
  ++runs_;
  for (;;) {
    const ChildEnd end = run_and_wait(this_program, arguments({}, explains_), stop_);
    if (end.exit == exit_wrong_use && explains_) {
      explains_ = false;  // it may be one that is not explained
      continue;
    }
    Json json = results_of(end);
    if (json.is_null()) throw std::invalid_argument(judge_point(end).error);
    return json;
  }
}

std::vector<TriedChange> WhatifRuns::run(const std::vector<Change>& changes, Goal goal) {
  ChildPool pool;
  ProgressBar bar("trying");
  std::vector<std::optional<TriedChange>> outcomes(changes.size());
  std::set<std::uint64_t> is_unexplained;
  std::size_t next = 0, done = 0;
  while (done < changes.size() && !stop_->load()) {
    for (; next < changes.size() && pool.running() < jobs_; ++next) {
      pool.start(next, this_program, arguments(changes[next], explains_));
    }
    for (const ChildEnd& end : pool.wait(std::chrono::milliseconds(200))) {
      if (stop_->load()) break;  // it may have ended by the signal
      if (end.exit == exit_wrong_use && explains_ && is_unexplained.insert(end.tag).second) {
        pool.start(end.tag, this_program, arguments(changes[end.tag], false));  // it may be one
        continue;  // that is not explained
      }
      outcomes[end.tag] = outcome(changes[end.tag], end, goal);
      if (!has_accounts_) outcomes[end.tag]->account.config = nullptr;  // there may be thousands
      ++done;
      if (outcomes[end.tag]->refused.empty()) ++runs_;
    }
    bar.update(static_cast<double>(done) / static_cast<double>(changes.size()),
               fmt::format("{} of {} changes", done, changes.size()));
  }
  bar.erase();
  std::vector<TriedChange> first;
  for (auto& one : outcomes) {
    if (!one) break;
    first.push_back(std::move(*one));
  }
  return first;
}

std::vector<std::optional<double>> WhatifRuns::values(const Change& change,
                                                      const std::vector<std::uint64_t>& seeds,
                                                      Goal goal) {
  ChildPool pool;
  std::vector<std::optional<std::optional<double>>> found(seeds.size());
  std::size_t next = 0, done = 0;
  while (done < seeds.size() && !stop_->load()) {
    for (; next < seeds.size() && pool.running() < jobs_; ++next) {
      const Change seeded = combined(change, {"seed", std::to_string(seeds[next]), "", ""});
      pool.start(next, this_program, arguments(seeded, false));
    }
    for (const ChildEnd& end : pool.wait(std::chrono::milliseconds(200))) {
      if (stop_->load()) break;
      found[end.tag] = outcome(change, end, goal).account.value;
      ++done;
      ++runs_;
    }
  }
  std::vector<std::optional<double>> first;
  for (const auto& one : found) {
    if (!one) break;
    first.push_back(*one);
  }
  return first;
}

std::vector<SeedJudgement> judge_over_seeds(WhatifRuns& runs, std::vector<SeedJudgement> changes,
                                            std::uint64_t seed, std::size_t count, Goal goal) {
  std::vector<std::uint64_t> seeds(count - 1);
  std::iota(seeds.begin(), seeds.end(), seed + 1);
  ProgressBar bar("judging");
  const auto before = runs.values({}, seeds, goal);
  std::size_t done = 0;
  for (SeedJudgement& one : changes) {
    bar.update(static_cast<double>(done + 1) / static_cast<double>(changes.size()),
               fmt::format("{} of {} over {} seeds", done + 1, changes.size(), count));
    const auto after = runs.values(one.change, seeds, goal);
    if (after.size() < seeds.size() || before.size() < seeds.size()) break;  // interrupted
    std::vector<double> saved{one.saved};
    for (std::size_t i = 0; i < seeds.size(); ++i) {
      if (!after[i]) one.failed_seeds.push_back(seeds[i]);
      if (!before[i] || !after[i]) continue;
      saved.push_back(is_more_better(goal) ? *after[i] - *before[i] : *before[i] - *after[i]);
    }
    one.over_seeds = estimate_mean(saved);
    ++done;
  }
  changes.resize(done);
  return changes;
}

bool is_random(const Settings& settings) {
  return std::any_of(settings.begin(), settings.end(), [](const Setting& one) {
    for (const char* key : {"pattern", "flows", "collective_rate", "jitter", "skew",
                            "flit_error_rate", "bit_error_rate"}) {
      if (one.spec->key == key) return one.text != "0";
    }
    return one.text.rfind("random", 0) == 0;
  });
}

std::uint64_t seed_of(const Settings& settings) {
  std::uint64_t seed = 1;
  for (const Setting& one : settings) {
    if (one.spec->key == "seed") seed = parse_seed(one.text);
  }
  return seed;
}

Settings all_settings(const WhatifTarget& target) {
  Settings list = remaining(target.scenario, target.given);
  list.insert(list.end(), target.given.begin(), target.given.end());
  return list;
}

void require_read_again(const WhatifTarget& target) {
  const auto require = [](const std::string& file, const std::string& name) {
    const std::string stream = read_once(file);
    if (stream.empty()) return;
    throw std::invalid_argument(fmt::format(
        "{}{} is {}, which can be read only once, and each change reads it; give a file",
        name.empty() ? "" : name + ": ", shown_path(file), stream));
  };
  if (target.command == "replay" || !target.scenario.empty()) {
    for (const std::string& file : target.files) require(file, "");
  }
  for (const Settings* settings : {&target.scenario, &target.given}) {
    for (const Setting& one : *settings) {
      for (const std::string& file : files_read(*one.spec, one.text)) require(file, one.name());
    }
  }
}

}  // namespace allport
