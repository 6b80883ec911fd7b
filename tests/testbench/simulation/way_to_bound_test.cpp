// SPDX-License-Identifier: Apache-2.0
// What a run takes beyond its lower bound is split exactly: the sums hold on drawn collectives and
// fabrics, worms have the parts of flits, and hands work some out. ALLPORT_CASES and
// ALLPORT_NIGHTLY_SEED choose other cases (scripts/nightly).
#include "testbench/results/way_to_bound.h"

#include <gmock/gmock.h>

#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "testbench/plan/plan_theory.h"
#include "testbench/simulation/simulate.h"
#include "tests/properties/reference/random_cases.h"
#include "tests/support/draw.h"
#include "tests/support/forked.h"
#include "tests/support/test_file.h"
#include "tests/testbench/program/options/option_setting.h"

namespace allport::test {
namespace {

using Words = std::vector<std::pair<std::string, std::string>>;

std::string file_of(const std::string& name, const std::string& text) {
  const std::string path = test_file(name);
  std::ofstream(path) << text;
  return path;
}

// `ports 16: ports without work 15 (1:2/4 2:2/4), hops 11 = 42`, or why there is none.
std::string in_words(const Explanation& explanation) {
  if (!explanation.to_bound) return explanation.no_bound;
  const WayToBound& way = *explanation.to_bound;
  std::ostringstream text;
  text << way.by << " " << way.bound << ":";
  for (const ExcessPart& part : way.parts) {
    text << " " << to_string(part.part) << " " << part.cycles;
    for (const ExcessStep& one : part.steps) {
      text << " " << one.step << ":" << one.cycles << "/" << one.transfer;
    }
    text << ",";
  }
  text << " = " << way.cycles;
  return text.str();
}

// What is wrong with the way to the bound; empty: nothing.
std::string fault_of(const RunPlan& plan, const Results& results) {
  const Explanation& explanation = *results.explanation;
  const std::optional<LowerBound> bound = lower_bound_of(plan);
  if (!bound) return explanation.no_bound.empty() ? "no sentence" : "";
  if (!explanation.to_bound) return "there is none: " + explanation.no_bound;
  const WayToBound& way = *explanation.to_bound;
  if (way.bound != bound->cycles || way.by != bound->binds) return "another bound";
  if (way.cycles != results.latency.max) return "another latency";
  Cycle all = way.bound;
  Cycle last = way.cycles;
  std::vector<bool> is_there(excess_count);
  for (const ExcessPart& part : way.parts) {
    const auto number = static_cast<std::size_t>(part.part);
    if (part.cycles <= 0 || part.cycles > last || is_there[number]) return "the order of the parts";
    is_there[number] = true;
    last = part.cycles;
    all += part.cycles;
    Cycle of_steps = 0;
    StepIndex before = 0;
    for (const ExcessStep& one : part.steps) {
      if (one.cycles <= 0 || one.step <= before) return "the order of the steps";
      before = one.step;
      of_steps += one.cycles;
    }
    if (!part.steps.empty() && of_steps != part.cycles) return "the sum of the steps";
  }
  return all == way.cycles ? "" : "the sum of the parts";
}

// What a run has; `none: ..` where it is refused.
std::string way_of(Words words, const std::string& model) {
  words.emplace_back("model", model);
  words.emplace_back("explain", "slowest:1");
  return forked([&]() -> std::string {
    std::optional<RunPlan> plan;
    try {
      plan = allport::plan(options(words).run);
    } catch (const std::invalid_argument& error) {
      return std::string("none: ") + error.what();
    }
    const Results results = simulate_here(*plan);
    const std::string fault = fault_of(*plan, results);
    return (fault.empty() ? "" : "fault: " + fault + ": ") + in_words(*results.explanation);
  });
}

std::string described(const Words& words) {
  std::string text;
  for (const auto& [key, value] : words) text += "--" + key + " " + value + " ";
  return text;
}

class DrawnRun {
 public:
  explicit DrawnRun(Draw& draw) : draw_(draw) {
    add("topology",
        draw.one_of<std::string>({"hypercube:1", "hypercube:3", "hypercube:4", "torus:4x4",
                                  "torus:3x5", "torus:2x3x2", "mesh:3x4", "ring:5", "ring:8",
                                  "graph:" + star(), "graph:" + unlike()}));
    const auto topology = options(words_).run.fabric.topology;
    std::vector<const Algorithm*> list;
    for (const Algorithm& one : algorithms()) {
      if (one.is_for(*topology) && !one.takes_block) list.push_back(&one);
    }
    const Algorithm& algorithm = *draw.one_of(list);
    add("algorithm", std::string(algorithm.name));
    if (algorithm.operation == Operation::bcast && algorithm.destinations != Destinations::all) {
      add("destinations", algorithm.destinations == Destinations::one ? "1" : "random:1");
    }
    add("flits", std::to_string(1 + draw.below(draw.below(2) == 0 ? 6 : 70)));
    maybe(2, "ts", {"1", "9", "40"});
    maybe(3, "tr", {"1", "7"});
    maybe(3, "ports", {"1"});
    maybe(3, "link_delay", {"1", "3"});
    maybe(4, "buffer_depth", {"1", "2", "9"});
    maybe(5, "jitter", {"5"});
    maybe(6, "skew", {"12"});
    maybe(6, "trials", {"2"});
    maybe(6, "pieces", {"3"});
    add("seed", std::to_string(1 + draw.below(1000)));
  }

  // What only routers do.
  void add_modes() {
    if (draw_.below(2) == 0) return;
    drop("buffer_depth");
    add("buffer_depth", "80");
    add("switching", draw_.one_of<std::string>({"cut-through", "store-and-forward", "circuit"}));
  }
  void add_widths() {
    if (draw_.below(3) == 0) add("link_width", draw_.one_of<std::string>({"1", "2"}));
  }
  const Words& words() const { return words_; }

 private:
  void add(const char* key, std::string value) { words_.emplace_back(key, std::move(value)); }
  void drop(const std::string& key) {
    for (std::size_t i = words_.size(); i-- > 0;) {
      if (words_[i].first == key) words_.erase(words_.begin() + static_cast<std::ptrdiff_t>(i));
    }
  }
  void maybe(int chance, const char* key, std::vector<std::string> values) {
    if (draw_.below(chance) == 0) add(key, draw_.one_of(std::move(values)));
  }
  static std::string star() {
    return file_of("star.dot", "graph { hub [processor=false]; a--hub; b--hub; c--hub; d--hub }\n");
  }
  static std::string unlike() {
    return file_of("unlike.dot",
                   "graph { a--b; b--c; c--a; c--d [delay=3]; d--e; e--f; f--d; f--g }\n");
  }

  Draw& draw_;
  Words words_;
};

// Counts the runs that have a bound, so that a test does not pass by refusals.
class Tally {
 public:
  explicit Tally(const RandomCases& cases) : cases_(cases.end - cases.first) {}
  ~Tally() { EXPECT_GT(3 * split_, cases_) << split_ << " of " << cases_ << " runs have parts"; }
  Tally(const Tally&) = delete;
  Tally& operator=(const Tally&) = delete;
  void add(const std::string& way) { split_ += way.find(" = ") != std::string::npos ? 1 : 0; }

 private:
  std::uint64_t cases_;
  std::uint64_t split_ = 0;
};

TEST(WayToBound, SumsToTheRunOnFlitsAndOnWorms) {
  const RandomCases cases(40);
  Tally tally(cases);
  for (std::uint64_t seed = cases.first; seed < cases.end; ++seed) {
    Draw draw(seed);
    const DrawnRun drawn(draw);
    const std::string on_flits = way_of(drawn.words(), "systemc");
    tally.add(on_flits);
    EXPECT_THAT(on_flits, testing::Not(testing::StartsWith("fault"))) << described(drawn.words());
    EXPECT_THAT(on_flits, testing::Not(testing::StartsWith("exception")))
        << described(drawn.words());
    const std::string on_worms = way_of(drawn.words(), "worm");
    if (on_worms.rfind("none: ", 0) == 0) continue;
    EXPECT_EQ(on_worms, on_flits) << described(drawn.words());
  }
}

TEST(WayToBound, SumsInEverySwitchingModeAndOverNarrowChannels) {
  const RandomCases cases(30);
  Tally tally(cases);
  for (std::uint64_t seed = cases.first; seed < cases.end; ++seed) {
    Draw draw(seed + 5000);
    DrawnRun drawn(draw);
    drawn.add_modes();
    drawn.add_widths();
    const std::string way = way_of(drawn.words(), "systemc");
    tally.add(way);
    EXPECT_THAT(way, testing::Not(testing::StartsWith("fault"))) << described(drawn.words());
    EXPECT_THAT(way, testing::Not(testing::StartsWith("exception"))) << described(drawn.words());
  }
}

struct Known {
  const char* what;
  Words words;
  std::string way;
};

// The numbers are worked out by hand.
TEST(WayToBound, IsWhatHandsWorkOut) {
  for (const Known& one : {
           // docs/timing.md has the sum. Steps of 4 flits fill 2 of 4 cycles, those of 1 flit 0.5.
           Known{"two of four chains",
                 {{"topology", "torus:4x4"}, {"algorithm", "bucket-allreduce"}, {"flits", "32"}},
                 "ports 16: ports without work 15 1:2/4 2:2/4 3:2/4 5:1/1 7:1/1 9:1/1 10:2/4 "
                 "11:2/4 12:2/4, hops 11, = 42"},
           // 24 flits in each of 3 steps by one of 3 ports; 8 of the 24 filled cycles of all steps
           // would do for 2 * 7 * 24 flits by 24 ports, 14.
           Known{
               "whole vectors",
               {{"topology", "hypercube:3"}, {"algorithm", "exchange-allreduce"}, {"flits", "24"}},
               "ports 15: ports without work 48 1:16/24 2:16/24 3:16/24, unneeded flits 10, hops "
               "2, = 75"},
           // Blocks of 2, 2, 1, 1, 1 flits: a long one goes round in 8 steps of 2 cycles, of which
           // 1.4 are filled, and 1.4 would do.
           Known{"a rest of two flits",
                 {{"topology", "ring:5"},
                  {"algorithm", "ring-allreduce"},
                  {"parts", "1"},
                  {"ports", "1"},
                  {"flits", "7"}},
                 "ports 13: hops 7, flits not filled 4 2:1/2 4:1/2 5:1/2 7:1/2, = 24"},
           // Three hops and 5 flits are the bound; each of 4 routers has 4 more flits come first.
           Known{"whole in every router",
                 {{"topology", "ring:8"},
                  {"algorithm", "separate"},
                  {"destinations", "3"},
                  {"ports", "1"},
                  {"flits", "5"},
                  {"buffer_depth", "8"},
                  {"switching", "store-and-forward"}},
                 "distance 8: pipeline 16 1:16/5, = 24"},
           // 9 cycles to start up, a hop, and 8 flits by the only port.
           Known{"nothing is faster",
                 {{"topology", "ring:4"},
                  {"algorithm", "separate"},
                  {"destinations", "1"},
                  {"ports", "1"},
                  {"ts", "9"},
                  {"flits", "8"}},
                 "ports 18: = 18"},
       }) {
    for (const char* model : {"systemc", "worm"}) {
      const std::string way = way_of(one.words, model);
      if (way.rfind("none: --model worm", 0) == 0) continue;
      EXPECT_EQ(way, one.way) << one.what << " on " << model;
    }
  }
}

TEST(WayToBound, IsAbsentWithASentence) {
  const auto sentence = [](const Words& words) { return way_of(words, "systemc"); };
  EXPECT_EQ(
      sentence({{"topology", "ring:4"}, {"pattern", "uniform"}, {"rate", "0.1"}, {"cycles", "50"}}),
      "A pattern has no lower bound: its messages start when they are drawn.");
  EXPECT_EQ(sentence({{"topology", "hypercube:2"}, {"algorithm", "join-allreduce"}}),
            "Joins have no lower bound: routers add, and the bounds count what nodes send.");
  EXPECT_EQ(sentence({{"topology", "hypercube:2"}, {"algorithm", "sbt"}, {"ts_per_flit", "1"}}),
            "A run under a node model of its own has no lower bound: the bounds know ts and tr "
            "only.");
}

}  // namespace
}  // namespace allport::test
