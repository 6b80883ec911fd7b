// SPDX-License-Identifier: Apache-2.0
#include "testbench/studies/diff/changed_meanings.h"

#include <charconv>

namespace allport {

namespace {

// The next number of `version`, which loses it and the dot behind it; 0: there is none.
int next_number(std::string_view& version) {
  int number = 0;
  const char* const end = version.data() + version.size();
  const auto [stop, error] = std::from_chars(version.data(), end, number);
  version.remove_prefix(static_cast<std::size_t>(stop - version.data()));
  if (!version.empty()) version.remove_prefix(1);
  return error == std::errc{} ? number : 0;
}

}  // namespace

const std::vector<ChangedMeaning>& changed_meanings() {
  static const std::vector<ChangedMeaning> table{
      {"1.1.0",
       {"tasks", "replay"},
       {},
       "messages of one sender and tag do not overtake one another, and collectives of tasks are planned with the times and the seed of the run"},
      {"1.1.0",
       {"startup"},
       {"per-port"},
       "sends of a rank do not wait for one another across ports, in collectives of tasks, timed schedules and traces"},
      {"1.1.0",
       {"place", "group", "groups", "ranks"},
       {},
       "plans of ranks that are placed or grouped obey --routing ascending, --ties and --vc-use"},
      {"1.1.0", {"schedule"}, {}, "messages of timed schedules are called by their order"},
      {"1.1.0",
       {"bandwidth"},
       {"shared"},
       "a message that begins in a cycle takes part in whose turn that cycle is"},
      {"1.2.0",
       {"algorithm"},
       {"edn", "edn-positive"},
       "edn is another plan, a reading of its paper"},
      {"1.3.0",
       {"pattern", "flows", "collective_rate"},
       {},
       "starts at random are drawn as the silence before each, where every cycle was drawn"}};
  return table;
}

bool is_older(std::string_view a, std::string_view b) {
  for (int i = 0; i < 3; ++i) {
    const int of_a = next_number(a);
    const int of_b = next_number(b);
    if (of_a != of_b) return of_a < of_b;
  }
  return false;
}

}  // namespace allport
