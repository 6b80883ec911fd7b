// SPDX-License-Identifier: Apache-2.0
// --threads: several threads decide the routers of a cycle together, and nothing that a run says
// changes but who simulated.
#include <gmock/gmock.h>

#include <cstdint>
#include <string>
#include <vector>

#include "rtl_model/base/cores.h"
#include "tests/support/cli_program.h"
#include "tests/support/draw.h"

namespace allport::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

class CliThreads : public Cli {
 protected:
  // The results without the time that they took.
  nlohmann::json timeless(const std::string& arguments) const {
    nlohmann::json results =
        nlohmann::json::parse(allport(arguments + " --json -").out, nullptr, false);
    EXPECT_TRUE(results.is_object()) << arguments;
    if (!results.is_object()) return {};
    results.erase("wall_seconds");
    results.erase("static_wall_seconds");
    return results;
  }

  // What the report says of the threads.
  std::string took(const std::string& arguments) const {
    const std::string out = allport(arguments).out;
    const std::size_t line = out.find("took ");
    return line == std::string::npos ? out : out.substr(line);
  }

  // The run is the same with any number of threads, and twice with the same; in some cycles several
  // decide, if there are cores for it. More parts than cores are for simulations in C++
  // (tests/testbench/simulation/threads_test.cpp).
  void expect_same(const std::string& run) const {
    const nlohmann::json one = timeless(run);
    for (const char* const threads : {" --threads 2", " --threads 2", " --threads 7"}) {
      EXPECT_EQ(timeless(run + threads), one) << run << threads;
    }
    if (cores < 2) return;
    EXPECT_THAT(took(run + " --threads 2"),
                AllOf(HasSubstr(" by 2 threads"), HasSubstr("together")))
        << run;
  }

  const int cores = usable_cores();
};

// Terminals that take turns decide when all else of a cycle has happened.
TEST_F(CliThreads, GiveTheSameRunWherePortsOrClassesTakeTurns) {
  const std::string load = "run --pattern uniform --cycles 60 --flits 6 --topology ";
  expect_same(load + "hypercube:8 --classes 2 --vcs 2 --rate 0.5");
  expect_same(load + "torus:16x16 --classes 2 --vcs 4 --outstanding 4");
  expect_same(load + "hypercube:8 --ports 2 --duplex half --rate 0.5");
  expect_same(load + "hypercube:8 --ports 2 --bandwidth shared --rate 0.5");
  expect_same(load + "mesh:16x16 --bandwidth shared --duplex half --rate 0.9");
}

// Each line is of one kind of run; the fabric, its routers and the seed are drawn.
TEST_F(CliThreads, GiveTheSameRun) {
  constexpr std::uint64_t seed = 20261128;
  RecordProperty("seed", std::to_string(seed));
  Draw draw(seed);
  const std::vector<std::string> fabrics{"torus:16x16", "hypercube:8", "mesh:16x16", "torus:8x6x6",
                                         "mesh:20x12"};
  const std::vector<std::string> buffers{"", " --vcs 4", " --buffer-depth 2",
                                         " --vcs 2 --buffer-depth 8"};
  const std::vector<std::string> delays{"",
                                        " --link-delay 2",
                                        " --route-delay 1",
                                        " --vc-delay 1 --crossbar-delay 1",
                                        " --crossbar-delay 2",
                                        " --link-width 2"};
  const auto on_drawn_fabric = [&] {
    return " --topology " + draw.one_of(fabrics) + draw.one_of(buffers) + draw.one_of(delays) +
           " --seed " + std::to_string(draw.below(1000));
  };
  for (int i = 0; i < 2; ++i) {
    expect_same("run --pattern uniform --rate 0.4 --flits 8 --cycles 100 --warmup 50" +
                on_drawn_fabric());
    expect_same("run --pattern hotspot --hotspot 3 --rate 0.9 --flits 3 --cycles 20" +
                on_drawn_fabric());
    expect_same("run --pattern uniform --outstanding 4 --flits 6 --cycles 60 --reception-limit 16" +
                on_drawn_fabric());
    expect_same("run --algorithm direct-alltoall --flits 1" + on_drawn_fabric());
  }
}

TEST_F(CliThreads, GiveTheSameJoinsTreesModesAndFaults) {
  expect_same("run --topology hypercube:9 --algorithm join-allreduce --flits 64");
  expect_same("run --topology hypercube:8 --algorithm sbt --flits 64 --source 0,1,2,3,100,130,200");
  expect_same(
      "run --topology torus:16x16 --switching cut-through --flits 4 --pattern uniform --rate 0.3 "
      "--cycles 200");
  expect_same(
      "run --topology torus:16x16 --switching store-and-forward --flits 4 --pattern uniform "
      "--rate 0.4 --cycles 200");
  expect_same(
      "run --topology torus:24x24 --pattern uniform --rate 0.5 --flits 5 --cycles 100 "
      "--missing-nodes random:4 --missing-links random:6");
  expect_same(
      "run --topology hypercube:8 --collective-rate 0.01 --algorithm sbt --flits 8 --cycles 30");
}

TEST_F(CliThreads, StopInTheSameDeadlock) {
  expect_same(
      "run --topology hypercube:9 --algorithm tree --source 0,1,2,3,7,9,100,200,255,300,301,411,500 "
      "--flits 40");
}

TEST_F(CliThreads, AreOneWhereARunCannotBeSplitAndTheReportSaysWhy) {
  const std::string pattern =
      "run --topology torus:16x16 --pattern uniform --rate 0.4 --cycles 100 --threads 2 ";
  if (cores < 2) GTEST_SKIP() << "one core";
  EXPECT_THAT(took(pattern), HasSubstr(" by 2 threads"));
  EXPECT_THAT(took(pattern + "--model worm"),
              HasSubstr(" by one thread: worms are moved in order"));
  EXPECT_THAT(took(pattern + "--flit-error-rate 0.001"), HasSubstr(" by one thread: channels err"));
  const std::string in_order = " by one thread: what is observed is told in order";
  EXPECT_THAT(took(pattern + "--explain all --json x.json"), HasSubstr(in_order));
  EXPECT_THAT(took(pattern + "--wave x.fst --wave-nodes 0"), HasSubstr(in_order));
  EXPECT_THAT(took("run --topology hypercube:8 --routing adaptive --pattern uniform --rate 0.4 "
                   "--cycles 100 --threads 2"),
              HasSubstr(in_order));
  EXPECT_THAT(
      took("run --topology torus:4x4 --pattern uniform --rate 0.4 --cycles 100 --threads 2"),
      HasSubstr(
          " by one thread: 16 routers and 64 channels have too little to do at once for more"));
  EXPECT_THAT(
      took("run --topology torus:16x16 --pattern uniform --rate 0.01 --cycles 100 --threads 2"),
      HasSubstr(" by one thread: too few routers had something to do at once"));
  EXPECT_THAT(took("run --topology torus:16x16 --pattern uniform --rate 0.4 --cycles 100"),
              Not(HasSubstr("thread")));
}

// Before it starts, a run says how many threads take part.
TEST_F(CliThreads, AreAnnounced) {
  if (cores < 2) GTEST_SKIP() << "one core";
  const std::string torus = "run --topology torus:16x16 --pattern uniform --rate 0.1 --cycles 50 ";
  const auto said = [&](const std::string& run) { return allport(run).err; };
  EXPECT_EQ(said(torus), "");
  EXPECT_EQ(said(torus + "--threads 1"), "");
  EXPECT_EQ(said(torus + "--threads 2"),
            "allport: --threads 2: 2 threads take part at most, in cycles in which enough routers "
            "are busy\n");
  EXPECT_EQ(said(torus + "--threads 2 --model worm"),
            "allport: --threads 2: one thread does all of it: worms are moved in order\n");
  EXPECT_EQ(said(torus + "--threads 3 --explain slowest:1 --json x.json"),
            "allport: --threads 3: one thread does all of it: what is observed is told in order\n");
  EXPECT_EQ(said(torus + "--threads 3 --wave x.vcd"),
            "allport: --threads 3: one thread does all of it: what is observed is told in order\n");
  EXPECT_EQ(said("run --topology torus:8x8 --pattern uniform --rate 0.2 --cycles 50 --threads 2"),
            "allport: --threads 2: one thread does all of it: 64 routers and 256 channels have too "
            "little to do at once for more\n");
}

TEST_F(CliThreads, AreNoMoreThanThereAreCores) {
  if (cores > 8) GTEST_SKIP() << "so many threads would have too few routers";
  const std::string run =
      "run --topology torus:32x32 --pattern uniform --rate 0.6 --cycles 60 --threads 256";
  const std::string have = "the run has " + std::to_string(cores) + " core";
  EXPECT_THAT(allport(run).err, HasSubstr(have));
  const std::string by =
      cores == 1 ? " by one thread: " : " by " + std::to_string(cores) + " threads of 256 (";
  EXPECT_THAT(took(run), AllOf(HasSubstr(by), HasSubstr(have)));
  EXPECT_THAT(shell("taskset -c 0 $program " + run).err,
              HasSubstr("one thread does all of it: the run has 1 core\n"));
  if (cores >= 2) {
    EXPECT_THAT(
        took("run --topology torus:16x16 --pattern uniform --rate 0.6 --cycles 200 --threads 2"),
        HasSubstr(" by 2 threads, "));
  }
}

// Where the machine has no room for the stack of a second thread, the first one decides all.
TEST_F(CliThreads, AreOneWhereTheMachineGivesNoMore) {
  if (cores < 2) GTEST_SKIP() << "one core";
  const std::string run =
      "run --topology torus:16x16 --pattern uniform --rate 0.4 --cycles 100 --threads 2";
  const Outcome limited = shell("ulimit -s 4000000; ulimit -v 3000000; allport " + run);
  EXPECT_EQ(limited.status, 0) << limited.err;
  EXPECT_THAT(limited.out, HasSubstr(" by one thread: the machine gives no more than 1 thread, and "
                                     "2 were asked for"));
  const auto digest = [](const std::string& out) { return out.substr(out.find("digest"), 30); };
  EXPECT_EQ(digest(limited.out), digest(allport(run).out));
}

// Beyond 2048 nodes what flits and nodes need is fetched ahead, which no result shows.
TEST_F(CliThreads, GiveTheSameRunOnThousandsOfNodes) {
  for (const std::string more :
       {"--pattern uniform --rate 0.2 --flits 4 --cycles 60",
        "--pattern uniform --rate 0.1 --flits 20 --flit-bytes 32 --cycles 60",
        "--pattern uniform --rate 0.1 --flits 4 --cycles 60 --switching circuit",
        "--algorithm utorus --flits 3 --source 5,77"}) {
    const std::string run = "run --topology torus:48x48 " + more;
    const auto digest = [&](const std::string& options) {
      const Outcome outcome = allport(run + options);
      EXPECT_EQ(outcome.status, 0) << more << outcome.err;
      return outcome.out.substr(outcome.out.find("digest"), 30);
    };
    const std::string of_worms = digest(" --model worm");
    EXPECT_EQ(digest(" --model systemc --threads 1"), of_worms) << more;
    EXPECT_EQ(digest(" --model systemc --threads 2"), of_worms) << more;
  }
}

TEST_F(CliThreads, MayBeMoreThanThereAreRouters) {
  const std::string run = "run --topology torus:3x3 --pattern uniform --rate 0.5 --cycles 300";
  EXPECT_EQ(timeless(run + " --threads 256"), timeless(run));
}

TEST_F(CliThreads, WrongUseIsOneSentence) {
  const std::string run = "run --topology torus:4x4 --pattern uniform --rate 0.4 --cycles 100 ";
  for (const std::string threads : {"0", "257", "-1", "two", "1.5", ""}) {
    const Outcome outcome = allport(run + "--threads '" + threads + "'");
    EXPECT_EQ(outcome.status, 2) << threads;
    EXPECT_THAT(outcome.err, AllOf(HasSubstr("--threads"), HasSubstr("1..256"))) << threads;
  }
  const Outcome rtl = allport(run + "--model rtl --threads 2");
  EXPECT_EQ(rtl.status, 2);
  EXPECT_EQ(rtl.err,
            "allport: --threads 2: routers in RTL are simulated by one thread; the model systemc "
            "takes several\n");
  const Outcome cosim = allport("cosim --topology mesh:2x2 --threads 2");
  EXPECT_EQ(cosim.status, 2);
  EXPECT_THAT(cosim.err, HasSubstr("--threads"));
}

}  // namespace
}  // namespace allport::test
