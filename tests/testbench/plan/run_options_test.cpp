// SPDX-License-Identifier: Apache-2.0
// Options belong to the commands to which they say something.
#include "testbench/plan/run_options.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <string>
#include <vector>

#include "testbench/plan/coherence.h"

namespace allport {
namespace {

// A trace is tasks that somebody else recorded.
TEST(RunOptions, OfFabricsRoutersAndNodesAreThoseOfReplayWhereTasksHaveThem) {
  const auto is_of_tasks = [](const RunOption& option) {
    return std::none_of(exclusions().begin(), exclusions().end(), [&](const KeyPair& pair) {
      return (pair.first == "tasks" && pair.second == option.key) ||
             (pair.first == option.key && pair.second == "tasks");
    });
  };
  std::vector<std::string> lacking;
  for (const RunOption& option : run_options()) {
    const bool is_of_machine =
        option.table == "fabric" || option.table == "router" || option.table == "node";
    if (!is_of_machine || (option.uses & use::run) == 0 || !is_of_tasks(option)) continue;
    if ((option.uses & use::replay) == 0) lacking.emplace_back(option.key);
  }
  EXPECT_THAT(lacking, testing::IsEmpty());
}

}  // namespace
}  // namespace allport
