// SPDX-License-Identifier: Apache-2.0
#include "testbench/program/report/page_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "traffic/algorithms/algorithms.h"

namespace allport {

std::vector<std::pair<std::string, std::string>> algorithms_in_words(
    const std::vector<std::string>& names) {
  std::vector<std::pair<std::string, std::string>> words;
  std::set<std::string> known;
  for (const std::string& name : names) {
    const auto& list = algorithms();
    const auto found = std::find_if(list.begin(), list.end(),
                                    [&](const Algorithm& one) { return one.name == name; });
    if (found == list.end() || !known.insert(name).second) continue;
    words.emplace_back(fmt::format("{} (algorithm)", name),
                       fmt::format("{}: {}", to_string(found->operation), found->summary));
  }
  return words;
}

}  // namespace allport
