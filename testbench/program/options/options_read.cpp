// SPDX-License-Identifier: Apache-2.0
#include "testbench/program/options/options_read.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "testbench/plan/missing_links.h"

namespace allport {

namespace {

bool has(const std::vector<std::string_view>& keys, std::string_view key) {
  return std::find(keys.begin(), keys.end(), key) != keys.end();
}

std::string readers_in_words(std::string_view key, const std::vector<WayOfUse>& ways) {
  std::vector<std::string> names;
  for (const WayOfUse& one : ways) {
    if (has(one.keys, key)) names.push_back(fmt::format("`{}`", one.name));
  }
  std::string words;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (i > 0) words += i + 1 == names.size() ? " and " : ", ";
    words += names[i];
  }
  return words + (names.size() == 1 ? " does" : " do");
}

}  // namespace

std::vector<std::string_view> keys_without(const OptionList& list,
                                           const std::vector<std::string_view>& without) {
  std::vector<std::string_view> keys;
  for (const OptionSpec* spec : list) {
    if (!has(without, spec->key)) keys.push_back(spec->key);
  }
  return keys;
}

void require_read(const Options& options, std::string_view way, const std::vector<WayOfUse>& ways) {
  const auto used = std::find_if(ways.begin(), ways.end(),
                                 [way](const WayOfUse& one) { return one.name == way; });
  for (const std::string_view key : options.given) {
    if (has(used->keys, key)) continue;
    throw std::invalid_argument(fmt::format("{}: `{}` does not read it; {}", option_name(key), way,
                                            readers_in_words(key, ways)));
  }
}

void require_seed_is_read(const Options& options, std::string_view way) {
  if (!options.is_given("seed") || draws_missing_by_seed(options.run)) return;
  throw std::invalid_argument(
      fmt::format("--seed: `{}` draws nothing by it unless what is missing is random:N", way));
}

}  // namespace allport
