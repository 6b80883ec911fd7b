// SPDX-License-Identifier: Apache-2.0
// A run ends by cycle 10^18: what takes longer is refused by a sentence, or cut short by one, and
// nothing goes on for ever, whatever the times are.
#include <gmock/gmock.h>

#include <cmath>
#include <cstdint>
#include <string>

#include "rtl_model/base/split_mix.h"
#include "tests/support/cli_program.h"

namespace allport::test {
namespace {

using testing::AllOf;
using testing::AnyOf;
using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;

class CliTimeLimit : public Cli {
 protected:
  Outcome bounded(const std::string& command) const {
#if defined(__SANITIZE_ADDRESS__)
    const std::string seconds = "800";  // a program takes about twenty times as long
#else
    const std::string seconds = "40";
#endif
    return shell("timeout -s KILL " + seconds + " \"$program\" " + command);
  }
};

constexpr const char* limit = "a run ends by cycle 10^18";

TEST_F(CliTimeLimit, IsBeyondTheKernelsTimeOfOldPeriods) {
  const Outcome outcome = bounded(
      "run --topology hypercube:1 --algorithm separate --flits 1000000000 --ts-per-flit 18450000 --model worm");

  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("max 18450001000000001 cycles"));
}

TEST_F(CliTimeLimit, IsSaidBeforeTheRunWhereItIsKnown) {
  write("long.jsonl", "{\"u\":0,\"v\":1,\"step\":1,\"order\":0}\n");
  write("tasks.jsonl",
        "{\"node\":0,\"send\":true,\"to\":1,\"flits\":1000000000}\n"
        "{\"node\":1,\"receive\":true,\"from\":0}\n");
  const std::string longest = " --flits 1000000000 --model worm ";
  for (
      const std::string& command : std::initializer_list<std::string>{
          "run --topology hypercube:1 --algorithm separate --ts-per-flit 1000000000" + longest,
          "run --topology hypercube:1 --algorithm separate --tr-per-flit 1000000000" + longest,
          "run --topology hypercube:4 --algorithm separate --ts-per-flit 100000000" + longest,
          "run --topology hypercube:1 --algorithm separate --trials 3 --ts-per-flit 400000000" +
              longest,
          "run --topology hypercube:1 --schedule long.jsonl --ts-per-flit 1000000000" + longest,
          "run --topology hypercube:1 --pattern uniform --rate 0.5 --cycles 10 --ts-per-flit 1000000000" +
              longest,
          "run --topology hypercube:1 --tasks tasks.jsonl --ts-per-flit 1000000000 --model worm",
          "compare --topology hypercube:2 --algorithms separate,sbt --ts-per-flit 1000000000" +
              longest,
          "fit --topology hypercube:1 --sizes 1,1000000000 --ts-per-flit 1000000000 --model worm"}) {
    const Outcome outcome = bounded(command);

    EXPECT_EQ(outcome.status, 2) << command;
    EXPECT_EQ(outcome.out, "") << command;
    EXPECT_THAT(outcome.err, HasSubstr(limit)) << command;
  }
}

// Every relay has the message 3 * 10^17 cycles after its tail at the earliest.
TEST_F(CliTimeLimit, CutsARunShortWhereTimesAddUp) {
  const Outcome outcome = bounded(
      "run --topology hypercube:4 --algorithm ucube --json out.json --model worm --flits 1000000000 --tr-per-flit 300000000");

  EXPECT_EQ(outcome.status, 3);
  EXPECT_THAT(outcome.err,
              AllOf(HasSubstr("allport: what comes next is due in cycle"), HasSubstr(limit)));
  EXPECT_THAT(outcome.out, HasSubstr("too long"));
  const nlohmann::json results = nlohmann::json::parse(content("out.json"));
  EXPECT_THAT(std::string(results["error"]), HasSubstr(limit));
  EXPECT_GT(results["latency"]["max"], 600'000'000'000'000'000);
}

// Trials of 10^15 cycles each.
TEST_F(CliTimeLimit, CountsAllTrials) {
  const Outcome outcome = bounded(
      "run --topology hypercube:1 --algorithm separate --model worm --flits 1000000 --tr-per-flit 1000000000 --trials 1001");

  EXPECT_EQ(outcome.status, 3);
  EXPECT_THAT(outcome.err, HasSubstr("all its trials counted"));
}

// 1, or 10^0.5 .. 10^most, all magnitudes alike.
std::int64_t drawn(SplitMix64& generator, double most) {
  const double exponent = static_cast<double>(generator.next() % 1000) / 1000 * most;
  return static_cast<std::int64_t>(std::pow(10, exponent));
}

// Options that are times, each given or not.
std::string times(SplitMix64& generator, std::int64_t& longest) {
  std::string options;
  for (const char* option : {"ts", "tr", "ts-per-flit", "tr-per-flit", "jitter", "skew"}) {
    if (generator.next() % 2 == 0) continue;
    const std::int64_t value = drawn(generator, 9);
    longest = std::max(longest, value);
    options += std::string(" --") + option + " " + std::to_string(value);
  }
  for (const char* option : {"link-delay", "replication-delay"}) {
    if (generator.next() % 4 > 0) continue;
    options += std::string(" --") + option + " " + std::to_string(drawn(generator, 3));
  }
  if (generator.next() % 4 == 0) options += " --startup per-port";
  return options;
}

TEST_F(CliTimeLimit, LetsNothingGoOnForEver) {
  const std::uint64_t seed = 20261125;
  for (int i = 0; i < 60; ++i) {
    SplitMix64 generator(seed + static_cast<std::uint64_t>(i));
    std::int64_t longest = 0;
    std::string options = times(generator, longest);
    const bool is_worm = generator.next() % 3 > 0;
    const std::int64_t flits = is_worm ? drawn(generator, 9) : drawn(generator, 2);
    options += " --flits " + std::to_string(flits) + " --model " + (is_worm ? "worm" : "systemc");
    const char* kinds[] = {
        "run --topology hypercube:4 --algorithm ucube --json out.json",
        "run --topology torus:4x4 --algorithm ring-allreduce --json out.json",
        "run --topology hypercube:3 --algorithm sbt --source 0,5 --barrier 1000000000 --json out.json",
        "run --topology hypercube:3 --algorithm hk --trials 20 --json out.json",
        "compare --topology hypercube:3 --algorithms sbt,separate,ucube"};
    const std::string command = kinds[generator.next() % std::size(kinds)] + options;
    SCOPED_TRACE(command);
    const Outcome outcome = bounded(command);

    ASSERT_THAT(outcome.status, AnyOf(0, 2, 3)) << outcome.err;
    if (outcome.status == 0) {
      EXPECT_THAT(outcome.out, Not(ContainsRegex(" -[0-9]")));  // no time is negative
    } else if (outcome.status == 3) {
      EXPECT_THAT(outcome.err, AnyOf(HasSubstr(limit), HasSubstr("SystemC's kernel")));
    }
  }
}

}  // namespace
}  // namespace allport::test
