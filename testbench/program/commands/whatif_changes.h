// SPDX-License-Identifier: Apache-2.0
// Which changes of a run its causes suggest: a table of rules, one for each option that can help.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "testbench/program/options/options.h"
#include "testbench/program/options/settings.h"
#include "testbench/results/cause.h"
#include "testbench/studies/whatif/change_search.h"

namespace allport {

class WhatifChanges {
 public:
  /// `given`: the settings of the run. `options`: the same, read; null: of a replay, whose
  /// algorithms are those of its trace.
  WhatifChanges(const Settings& given, const Options* options) : given_(given), options_(options) {}

  /// The changes that the cycles of `account` suggest, for a run that has `change` already.
  std::vector<Suggestion> suggest(const Change& change, const Account& account) const;

 private:
  std::string now(const Change& change, const Account& account, std::string_view key) const;
  bool is_given(std::string_view key) const;
  bool is_for(std::string_view key) const;
  void add_algorithms(const Change& change, const Account& account,
                      std::vector<Suggestion>& list) const;
  void add_barrier(const Change& change, const Account& account,
                   std::vector<Suggestion>& list) const;
  void add_swaps(const Change& change, const Account& account, std::vector<Suggestion>& list) const;
  void add_parts(const Change& change, const Account& account, std::vector<Suggestion>& list) const;

  const Settings& given_;
  const Options* options_;
};

/// The causes that a change of each option may help against, by its key.
std::map<std::string, std::vector<Cause>> causes_by_option();

}  // namespace allport
