// SPDX-License-Identifier: Apache-2.0
// Changes of a run are carried out by this program, on all cores, and each has the command line
// that does it again.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "rtl_model/base/stop_flag.h"
#include "testbench/program/options/settings.h"
#include "testbench/results/results.h"
#include "testbench/studies/whatif/change_search.h"

namespace allport {

/// A run, or the replay of a trace, as somebody gave it.
struct WhatifTarget {
  std::string command;             ///< `run` or `replay`
  std::vector<std::string> files;  ///< a scenario, or what is replayed
  Settings scenario;               ///< what the scenario has
  Settings given;                  ///< what the command line has
};

class WhatifRuns {
 public:
  /// `jobs`: how many at a time; 0: as many as there are cores. `explains`: whether their accounts
  /// have causes and options, or the number alone.
  WhatifRuns(const WhatifTarget& target, unsigned jobs, StopFlag stop, bool explains = true);

  /// Runs `change` of the target alone, and returns its JSON. Throws std::invalid_argument with its
  /// sentence if it is refused, Stopped at an interrupt.
  Json start();
  /// Runs all of `changes`; fewer outcomes, the first ones, after an interrupt.
  std::vector<TriedChange> run(const std::vector<Change>& changes, Goal goal);
  /// For each seed of `seeds` the number of `change`, without an account; none where it has none.
  /// Fewer of them after an interrupt.
  std::vector<std::optional<double>> values(const Change& change,
                                            const std::vector<std::uint64_t>& seeds, Goal goal);

  /// The command line of the run with `change`, as a shell reads it.
  std::string command_line(const Change& change) const;
  std::size_t runs() const { return runs_; }

 private:
  std::vector<std::string> arguments(const Change& change, bool is_explained) const;
  std::vector<std::string> words(const Change& change) const;
  bool has(std::string_view key) const;
  /// Whether nothing that is given excludes the option.
  bool is_accepted(std::string_view key) const;

  const WhatifTarget& target_;
  const unsigned jobs_;
  const StopFlag stop_;
  const bool has_accounts_;
  bool explains_;  // whether such runs can be explained
  std::size_t runs_ = 0;
};

/// What a change saves with the first seed, and over more of them.
struct SeedJudgement {
  Change change;
  double saved = 0;
  MeanEstimate over_seeds{};
  std::vector<std::uint64_t> failed_seeds{};  ///< those in which it has no number
};

/// How many changes are judged over several seeds, the best or the worst.
constexpr std::size_t most_judged = 8;

/// Judges `changes`, which have their first two fields, over `count` seeds from `seed` on, each
/// beside the run as it is with the same seed. Fewer of them, the first ones, after an interrupt.
std::vector<SeedJudgement> judge_over_seeds(WhatifRuns& runs, std::vector<SeedJudgement> changes,
                                            std::uint64_t seed, std::size_t count, Goal goal);

/// Whether another seed may give another number.
bool is_random(const Settings& settings);
/// The seed that `settings` have.
std::uint64_t seed_of(const Settings& settings);
/// All settings of the target; the command line wins.
Settings all_settings(const WhatifTarget& target);

/// Throws std::invalid_argument, one sentence, if a file of the target can be read only once: each
/// change reads it again.
void require_read_again(const WhatifTarget& target);

}  // namespace allport
