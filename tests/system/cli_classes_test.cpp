// SPDX-License-Identifier: Apache-2.0
// Message classes on the command line.
#include <gmock/gmock.h>

#include <string>

#include "tests/support/cli_program.h"

namespace allport::test {
namespace {

using testing::HasSubstr;

class CliClasses : public Cli {
 protected:
  CliClasses() {
    write("two.jsonl",
          "{\"u\":0,\"v\":1,\"step\":1,\"order\":0,\"flits\":100}\n"
          "{\"u\":0,\"v\":1,\"step\":1,\"order\":1,\"flits\":2,\"class\":1}\n");
  }
  void expect_refused(const std::string& arguments, const std::string& sentence) const {
    const Outcome outcome = allport(arguments);
    EXPECT_EQ(outcome.status, 2) << arguments;
    EXPECT_EQ(outcome.out, "") << arguments;
    EXPECT_THAT(outcome.err, HasSubstr(sentence)) << arguments;
  }
};

TEST_F(CliClasses, AreToldInReportsAndConfigurations) {
  const std::string run = "run --topology hypercube:1 --schedule two.jsonl --classes 2 ";
  EXPECT_THAT(allport(run).out,
              HasSubstr("2 virtual channels, buffers of 4 flits, 2 message classes"));
  const nlohmann::json results = json(run + "--json -");
  EXPECT_EQ(results["config"]["classes"], 2);
  EXPECT_EQ(results["config"]["vcs"], 2);
  EXPECT_EQ(results["tasks"]["makespan"], 103);
  const std::string plain = "run --topology hypercube:3 --algorithm wsort --json - ";
  EXPECT_EQ(json(plain)["config"].count("classes"), 0U);
  EXPECT_EQ(json(plain + "--classes 2")["digest"], json(plain)["digest"]);
  EXPECT_EQ(json(plain + "--classes 2 --model auto")["model"], "worm");
}

TEST_F(CliClasses, AreRefusedWhereThereAreNone) {
  const std::string cube = "--topology hypercube:3 --classes 2 ";
  expect_refused("run --model worm --send blocking --algorithm wsort " + cube,
                 "--classes 2 and --send blocking");
  expect_refused("cosim --algorithm join-reduce " + cube, "joins have one message class");
  expect_refused("run --algorithm join-reduce " + cube, "joins have one message class");
  expect_refused("run --algorithm wsort --vcs 3 " + cube, "vcs must be a multiple of 2, up to 16");
  expect_refused("run --algorithm wsort --join-vcs 1 " + cube, "join VCs 1: with classes 2");
  expect_refused("run --algorithm wsort --topology hypercube:3 --classes 9",
                 "is not a whole number in 1..8");
  expect_refused(
      "run --topology hypercube:3 --schedule two.jsonl",
      "two.jsonl:2: class 1, but there is one message class, 0; give --classes 2 or more");
  expect_refused("check --topology hypercube:3 two.jsonl", "have flits, at or class");
}

// What waits for ever with one class does so with two, for it is all of one.
TEST_F(CliClasses, FindADeadlockAsOneClassDoes) {
  const std::string run = "run --topology hypercube:3 --algorithm tree --source 0,6 --json - ";
  const auto found = [&](const std::string& options) {
    const Outcome outcome = allport(run + options);
    EXPECT_EQ(outcome.status, 3) << outcome.err;
    const nlohmann::json results = nlohmann::json::parse(outcome.out);
    EXPECT_FALSE(results["deadlock"].is_null());
    return results["deadlock"].dump() + results["deadlock_cycle"].dump();
  };
  EXPECT_EQ(found("--classes 2"), found(""));
}

TEST_F(CliClasses, HaveVirtualChannelsOfInternalChannelsInWaves) {
  EXPECT_EQ(
      allport("run --topology hypercube:1 --schedule two.jsonl --classes 2 --wave w.vcd").status,
      0);
  const std::string wave = content("w.vcd");
  const std::string scope = "$scope module injection_0 $end";
  EXPECT_THAT(wave, HasSubstr(scope));
  const std::string inside = wave.substr(wave.find(scope), 2000);
  EXPECT_THAT(inside, HasSubstr("$scope module vc_1 $end"));
}

}  // namespace
}  // namespace allport::test
