// SPDX-License-Identifier: Apache-2.0
// Figures are made from given results: right ones, and wrong ones, which claims must find.
#include "testbench/studies/reproduce/figure.h"
#include "testbench/studies/reproduce/papers/papers.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <fstream>
#include <functional>
#include <map>
#include <set>

namespace allport::test {
namespace {

using testing::HasSubstr;

const Figure& figure(const std::string& name) { return *find_figures({name}).front(); }

// The value after option `--NAME` of a point.
std::string option(const Point& point, const std::string& name) {
  const auto at = std::find(point.arguments.begin(), point.arguments.end(), name);
  return at == point.arguments.end() ? "" : *(at + 1);
}

const Claim& claim(const FigureResult& result, const std::string& beginning) {
  for (const Claim& one : result.claims) {
    if (one.text.find(beginning) == 0) return one;
  }
  throw std::out_of_range(beginning);
}

// Results in which every algorithm takes ceil(log2(m + 1)) steps, minus `lead` for wsort.
Runs steps(const FigureRequest& request, double lead) {
  Runs runs;
  for (const Point& point : figure("robinson-9").points(request)) {
    const int size = std::stoi(option(point, "--sizes"));
    int height = 0;
    while ((1 << height) < size + 1) ++height;
    runs.add(point, {{"rows", Json::array({{{"m", size},
                                            {"ucube", height},
                                            {"maxport", height - 0.01 * size / 63},
                                            {"combine", height - 0.01 * size / 63},
                                            {"wsort", height - lead}}})}});
  }
  return runs;
}

TEST(Figures, HaveNamesOfTheirOwn) {
  std::set<std::string_view> names;
  for (const Figure& one : figures()) EXPECT_TRUE(names.insert(one.name).second) << one.name;
  EXPECT_EQ(find_figures({"all"}).size(), figures().size());
  EXPECT_EQ(find_figures({"hou-9", "robinson-3", "hou-9"}).size(), 2U);
}

// So that what is counted on the page is what the program makes.
TEST(Figures, AreThoseOfTheListInDocs) {
  std::ifstream page(ALLPORT_DOCS_DIR "/reproduction.md");
  std::size_t rows = 0;
  for (std::string line; std::getline(page, line);) {
    if (line.find("| [") != 0 || line.find("** |") != std::string::npos) continue;
    ASSERT_LT(rows, figures().size()) << line;
    const Figure& one = figures()[rows++];
    EXPECT_THAT(line, testing::StartsWith("| [" + std::string(one.name) + "]("));
    EXPECT_THAT(
        line, HasSubstr(") | " + std::string(one.title) + " [" + std::string(one.source) + "] | "));
  }
  EXPECT_EQ(rows, figures().size());
}

TEST(Figures, AnUnknownNameOffersTheNearest) {
  try {
    find_figures({"robinson-33"});
    FAIL();
  } catch (const std::invalid_argument& error) {
    EXPECT_STREQ(error.what(), "unknown figure 'robinson-33': did you mean 'robinson-3'?");
  }
}

TEST(Figures, AverageAndMaximumComeFromTheSameRuns) {
  const auto average = figure("robinson-13").points({});
  const auto maximum = figure("robinson-14").points({});

  ASSERT_EQ(average.size(), maximum.size());
  for (std::size_t i = 0; i < average.size(); ++i) EXPECT_EQ(average[i].name, maximum[i].name);
  const auto large = std::count_if(average.begin(), average.end(), [](const Point& one) {
    return option(one, "--topology") == "hypercube:10" && option(one, "--trials") == "100";
  });
  EXPECT_EQ(large, 80);
}

TEST(Figures, WhatDeterminesAPointIsInItsName) {
  FigureRequest request;
  const std::string name = figure("robinson-11").points(request).front().name;
  for (const auto& change : std::vector<void (*)(FigureRequest&)>{
           [](FigureRequest& one) { one.seed = 2; }, [](FigureRequest& one) { one.trials = 3; },
           [](FigureRequest& one) { one.version = "other"; },
           [](FigureRequest& one) { one.models = {"worm"}; }}) {
    FigureRequest other;
    change(other);
    EXPECT_NE(figure("robinson-11").points(other).front().name, name);
  }
}

TEST(Figures, StepClaimsHoldForWhatThePaperSays) {
  const FigureResult result = figure("robinson-9").make({}, steps({}, 0.5));

  EXPECT_EQ(result.table.rows(), 63U);
  EXPECT_EQ(claim(result, "W-sort needs").outcome, Outcome::holds);
  EXPECT_EQ(claim(result, "U-cube's curve").outcome, Outcome::holds);
}

TEST(Figures, AFalseClaimIsSaidToBeFalse) {
  const FigureResult result = figure("robinson-9").make({}, steps({}, -0.5));

  EXPECT_EQ(claim(result, "W-sort needs").outcome, Outcome::fails);
  EXPECT_THAT(claim(result, "W-sort needs").measured, HasSubstr("more at 63 of 63 sizes"));
}

// Others take 100 cycles; W-sort takes 95 on the 10-cube, on the 5-cube 60 at every second size.
TEST(Figures, AnAdvantageAtMoreSizesIsNoLargerOne) {
  Runs runs;
  for (const Point& point : figure("robinson-14").points({})) {
    const int size = std::stoi(option(point, "--destinations").substr(7));
    const bool is_large = option(point, "--topology") == "hypercube:10";
    const int ahead = is_large ? 95 : size % 2 == 0 ? 60 : 100;
    const int latency = option(point, "--algorithm") == "wsort" ? ahead : 100;
    runs.add(point, {{"latency", {{"mean", latency}, {"max", latency}}}, {"digest", "d"}});
  }

  const FigureResult result = figure("robinson-14").make({}, runs);

  const Claim& advantage = claim(result, "W-sort's advantage over Maxport");
  EXPECT_THAT(advantage.measured, HasSubstr("at 100 % of the sizes"));
  EXPECT_THAT(advantage.measured, HasSubstr("ahead of Combine by 5 cycles and 5.0 %, against "));
  EXPECT_EQ(advantage.outcome, Outcome::not_reproduced);
}

// Results of a broadcast in pieces on the ring of 16, ts = 40, with or without overlapped
// start-ups.
Runs pipelined_runs(bool is_overlapped) {
  Runs runs;
  for (const Point& point : figure("casanova-pipelined").points({})) {
    const int r = std::stoi(option(point, "--pieces"));
    const int piece = std::stoi(option(point, "--flits")) / r;
    const int apart = is_overlapped ? std::max(40, piece) : 41 + piece;
    runs.add(point, {{"latency", {{"max", 15 * (41 + piece) + (r - 1) * apart}}}, {"digest", "d"}});
  }
  return runs;
}

TEST(Figures, TheBestPiecesAreJudgedByFormulaAndBySimulationApart) {
  const FigureResult bound = figure("casanova-pipelined").make({}, pipelined_runs(false));
  const FigureResult overlapped = figure("casanova-pipelined").make({}, pipelined_runs(true));

  EXPECT_EQ(claim(bound, "the best number of pieces by").outcome, Outcome::holds);
  EXPECT_EQ(claim(overlapped, "the best number of pieces by").outcome, Outcome::fails);
  for (const FigureResult& result : {bound, overlapped}) {
    EXPECT_EQ(claim(result, "the number of pieces that is best").outcome, Outcome::holds);
  }
}

// The latencies of the analysis, with `late` more cycles for the algorithm `whose`.
Runs torus_runs(const FigureRequest& request, const std::string& whose, int late) {
  Runs runs;
  for (const Point& point : figure("hou-timing").points(request)) {
    const std::string algorithm = option(point, "--algorithm");
    const std::string torus = option(point, "--topology");
    const int side = std::stoi(torus.substr(torus.find('x') + 1));
    const int ts = std::stoi(option(point, "--ts"));
    int k = 0;
    int power = 1;
    for (int rest = side; rest >= 4; rest /= 4) ++k, power *= 4;
    const bool is_odd = power != side;
    const int starts = (algorithm == "dcf" ? 5 : 6) * k + (is_odd ? 3 : 0);
    const int hops = is_odd ? 2 * (4 * power - 1) / 3 : 4 * (power - 1) / 3;
    const int latency = starts * ts + hops + (2 * k + (is_odd ? 1 : 0)) * (64 + ts);
    runs.add(point, {{"latency", {{"max", latency + (algorithm == whose ? late : 0)}}},
                     {"contention", {{"events", 0}}},
                     {"digest", algorithm + option(point, "--model")}});
  }
  return runs;
}

TEST(Figures, TheAnalysisOfTheTorusIsHeldToTheCycle) {
  const FigureResult right = figure("hou-timing").make({}, torus_runs({}, "", 0));
  const FigureResult late = figure("hou-timing").make({}, torus_runs({}, "dcf", 1));

  EXPECT_EQ(claim(right, "DCF takes").outcome, Outcome::holds);
  EXPECT_EQ(claim(right, "EDN takes 6k ts").outcome, Outcome::not_tested);
  EXPECT_EQ(claim(late, "DCF takes").outcome, Outcome::fails);
}

TEST(Figures, DifferentDigestsOfTwoModelsAreAFalseClaim) {
  FigureRequest request;
  request.models = {"systemc", "worm"};
  Runs same;
  for (const Point& one : figure("hou-timing").points(request)) {
    same.add(one, {{"latency", {{"max", 1}}}, {"contention", {{"events", 0}}}, {"digest", "d"}});
  }

  const FigureResult equal = figure("hou-timing").make(request, same);
  const FigureResult other = figure("hou-timing").make(request, torus_runs(request, "", 0));

  EXPECT_EQ(claim(equal, "all models").outcome, Outcome::holds);
  EXPECT_EQ(equal.digests.at("systemc"), equal.digests.at("worm"));
  EXPECT_EQ(claim(other, "all models").outcome, Outcome::fails);
}

// That is the difference of two formulas, whatever is simulated.
TEST(Figures, EdnSpendsMoreSendsByTheFormulasOfTheText) {
  const FigureResult result = figure("hou-timing").make({}, torus_runs({}, "edn", 7));
  const Claim& more = claim(result, "by the text's own formulas");

  EXPECT_EQ(more.outcome, Outcome::holds);
  EXPECT_THAT(more.measured, HasSubstr("0, 200, 200, 400, 400, 600 cycles"));
}

FigureRequest request_of_readings(std::size_t number) {
  FigureRequest request;
  request.trials = number;
  return request;
}

// Results in which DCF takes 5000 cycles and reading `number` of EDN as many more as `lead` says.
FigureResult with_leads(const std::string& name, const FigureRequest& request,
                        const std::function<int(int number, int flits)>& lead) {
  Runs runs;
  for (const Point& point : figure(name).points(request)) {
    const std::string number = option(point, "--seed");
    const int late =
        number.empty() ? 0 : lead(std::stoi(number), std::stoi(option(point, "--flits")));
    runs.add(point, {{"latency", {{"max", 5000 + late}}},
                     {"contention", {{"events", late > 0 ? 3 : 0}}},
                     {"digest", "d"}});
  }
  return figure(name).make(request, runs);
}

std::vector<Outcome> outcomes_on_edn(const FigureResult& result) {
  std::vector<Outcome> outcomes;
  for (const Claim& one : result.claims) {
    if (one.text.find("EDN") != std::string::npos) outcomes.push_back(one.outcome);
  }
  return outcomes;
}

TEST(Figures, WhatAllReadingsOfEdnSayHoldsAndWhatNoneSaysDoesNot) {
  const FigureRequest request = request_of_readings(5);
  const auto a_message = [](int, int flits) { return flits; };
  const auto nothing = [](int, int) { return 0; };

  EXPECT_THAT(outcomes_on_edn(with_leads("hou-8", request, a_message)),
              testing::AllOf(testing::SizeIs(5), testing::Each(Outcome::holds)));
  EXPECT_THAT(outcomes_on_edn(with_leads("hou-8", request, nothing)),
              testing::Each(Outcome::not_reproduced));
}

TEST(Figures, WhatSomeReadingsOfEdnSayIsToldWithTheirShare) {
  const FigureRequest request = request_of_readings(1232);
  const FigureResult result = with_leads(
      "hou-8", request, [](int number, int flits) { return number % 4 == 0 ? flits : 0; });

  EXPECT_THAT(outcomes_on_edn(result), testing::Each(Outcome::not_tested));
  EXPECT_THAT(claim(result, "EDN takes about one").measured,
              HasSubstr("308 of 1232 readings of EDN (25.0 %)"));
  EXPECT_THAT(claim(result, "EDN takes about one").measured, HasSubstr("924 by 0, 308 by 1"));
  EXPECT_THAT(result.notes.back(), HasSubstr("308 of the 1232 readings (25.0 %) say all"));
}

// Half a message time, and two, are not about one; the lead must grow at each length.
TEST(Figures, ReadingsOfEdnAreHeldAgainstEachSentence) {
  const FigureRequest request = request_of_readings(3);
  const auto lead = [&](const std::function<int(int, int)>& leads, const char* beginning) {
    return claim(with_leads("hou-8", request, leads), beginning).outcome;
  };
  const auto two = [](int, int flits) { return 2 * flits; };
  const auto few = [](int, int flits) { return flits / 2 - 1; };
  const auto constant = [](int, int) { return 64; };

  EXPECT_EQ(lead(two, "EDN takes about one"), Outcome::not_reproduced);
  EXPECT_EQ(lead(few, "EDN takes about one"), Outcome::not_reproduced);
  EXPECT_EQ(lead(two, "the difference"), Outcome::holds);
  EXPECT_EQ(lead(constant, "the difference"), Outcome::not_reproduced);
  EXPECT_EQ(lead(constant, "the performance"), Outcome::holds);
}

TEST(Figures, TwoHundredCyclesAreNotFourHundred) {
  const FigureRequest request = request_of_readings(3);
  const FigureResult four = with_leads("hou-9", request, [](int, int) { return 400; });
  const FigureResult two = with_leads("hou-9", request, [](int, int) { return 200; });

  EXPECT_EQ(claim(four, "the performance").outcome, Outcome::holds);
  EXPECT_EQ(claim(four, "DCF's latency is about 200").outcome, Outcome::not_reproduced);
  EXPECT_THAT(claim(four, "DCF's latency is about 200").why, HasSubstr("contradicts itself"));
  EXPECT_EQ(claim(two, "DCF's latency is about 200").outcome, Outcome::holds);
}

TEST(Figures, TheSearchForEdnCountsItsReadings) {
  const FigureResult result = figure("hou-edn").make({}, {});

  EXPECT_THAT(result.table.csv(), HasSubstr("2,2,12,1216,16\n3,1,1,16,16\n1,3,0,0,0\n"));
  EXPECT_EQ(claim(result, "EDN requires d steps").outcome, Outcome::not_tested);
  EXPECT_EQ(claim(result, "EDN is stepwise").outcome, Outcome::holds);
}

// Heuristic 1 takes 64 messages and 100 cycles. Heuristic 2 takes `messages`, and less time from a
// load on that depends on the start-up.
Runs balance_runs(int messages, const std::map<int, int>& first_load) {
  Runs runs;
  for (const Point& one : figure("ranka-13").points({})) {
    const bool is_second = option(one, "--variant") == "2";
    const int from = first_load.at(std::stoi(option(one, "--ts")));
    const bool is_less = std::stoi(option(one, "--load")) >= from;
    runs.add(one, {{"tasks",
                    {{"makespan", !is_second ? 100
                                  : is_less  ? 90
                                             : 110},
                     {"messages", is_second ? messages : 64}}},
                   {"digest", "d"}});
  }
  return runs;
}

// Its code is lost.
TEST(Figures, HowManyMessagesTheSecondHeuristicSendsIsNotTested) {
  const std::map<int, int> always{{0, 0}, {177, 16}, {1770, 256}};
  const FigureResult half_more = figure("ranka-13").make({}, balance_runs(96, always));
  const Claim& twice = claim(half_more, "heuristic 2 requires twice");
  EXPECT_EQ(twice.outcome, Outcome::not_tested);
  EXPECT_THAT(twice.measured, HasSubstr("1.50 to 1.50 times as many"));
}

// Whatever the host costs, a run without it cannot take longer.
TEST(Figures, ATimeWithoutTheHostAboveOneWithItRefutesTheSimulation) {
  for (const auto& [cycles, outcome] :
       {std::pair{1e4, Outcome::not_tested}, std::pair{5e6, Outcome::not_reproduced}}) {
    Runs runs;
    for (const Point& one : figure("ranka-12").points({})) {
      runs.add(one,
               {{"tasks", {{"makespan", cycles}, {"sequential", 7}, {"host", {{"bytes", 1000}}}}},
                {"digest", "d"}});
    }
    const FigureResult result = figure("ranka-12").make({}, runs);
    EXPECT_EQ(claim(result, "the 12 run times").outcome, outcome) << cycles;
  }
}

// Whether an image that is replicated saves time hangs on the host, of which the text says nothing.
TEST(Figures, WhatHangsOnTheHostIsNotTestedUnlessItIsSoWithEach) {
  for (const auto& [with_host, outcome] :
       {std::pair{900, Outcome::holds}, std::pair{1100, Outcome::not_tested}}) {
    Runs runs;
    for (const Point& one : figure("ranka-12").points({})) {
      const bool is_11 = option(one, "--variant") == "fig-11";
      const bool has_host = option(one, "--host") == "data";
      const int cycles = !is_11 ? 1000 : has_host ? with_host : 990;
      runs.add(one, {{"tasks",
                      {{"makespan", cycles + (has_host ? 50 : 0)},
                       {"sequential", is_11 ? 99 : 100},
                       {"host", {{"bytes", is_11 ? 2000 : 1000}}}}},
                     {"digest", "d"}});
    }
    const FigureResult result = figure("ranka-12").make({}, runs);
    EXPECT_EQ(claim(result, "when this image distribution is used").outcome, Outcome::holds);
    EXPECT_EQ(claim(result, "the program with a replicated image").outcome, outcome);
    EXPECT_THAT(claim(result, "when this image distribution is used").measured,
                HasSubstr("takes 1.00 to 1.00 % less in 6 of 6"));
    EXPECT_EQ(claim(result, "because these times include").outcome, Outcome::not_tested);
  }
}

// The program takes longer with more processors than the best, and with fewer.
TEST(Figures, TheHostsTransfersAreMoreWithMoreProcessors) {
  for (const int per_processor : {0, 10}) {
    Runs runs;
    for (const Point& one : figure("ranka-host").points({})) {
      const int processors = std::stoi(option(one, "--processors"));
      const bool has_host = option(one, "--host") == "data";
      Json tasks{{"makespan", 1000 / processors + per_processor * processors},
                 {"ranks", {{{"communicate", processors}}}}};
      if (has_host) {
        tasks["host"] = {{"busy", 100 + per_processor * processors}, {"transfers", processors}};
      }
      runs.add(one, {{"tasks", tasks}, {"digest", "d"}});
    }
    const FigureResult result = figure("ranka-host").make({}, runs);
    for (const char* one : {"the host to node data", "for any given instance"}) {
      EXPECT_EQ(claim(result, one).outcome, Outcome::not_tested);
      EXPECT_EQ(claim(result, one).why.find("So it is") == 0, per_processor > 0) << one;
    }
    EXPECT_EQ(claim(result, "total inter processor").outcome, Outcome::holds);
  }
}

// Its code is lost, so that none is tested; what was tried is told.
TEST(Figures, EachHalfOfTheExpectationOfTheHeuristicsIsJudged) {
  const auto are_so = [](const std::map<int, int>& first_load) {
    const FigureResult result = figure("ranka-13").make({}, balance_runs(96, first_load));
    const auto is_so = [&](const char* beginning) {
      const Claim& one = claim(result, beginning);
      EXPECT_EQ(one.outcome, Outcome::not_tested);
      return one.why.find("So it is with the reconstruction") == 0;
    };
    return std::pair{is_so("heuristic 1 is faster where loads are small"),
                     is_so("otherwise heuristic 2")};
  };

  EXPECT_EQ(are_so({{0, 0}, {177, 16}, {1770, 256}}), (std::pair{true, true}));
  EXPECT_EQ(are_so({{0, 64}, {177, 64}, {1770, 256}}), (std::pair{true, false}));
  EXPECT_EQ(are_so({{0, 64}, {177, 16}, {1770, 256}}), (std::pair{false, false}));
}

// The bytes of a load count, not its items.
TEST(Figures, TheBytesOfALoadDecideBetweenTheHeuristics) {
  for (const bool counts_bytes : {true, false}) {
    Runs runs;
    for (const Point& one : figure("ranka-13").points({})) {
      const std::string item = option(one, "--item-bytes");
      const int bytes = counts_bytes && !item.empty() ? std::stoi(item) : 4;
      const bool is_less = std::stoi(option(one, "--load")) * bytes >= 256;
      const int second = is_less ? 90 : 110;
      runs.add(one,
               {{"tasks",
                 {{"makespan", option(one, "--variant") == "2" ? second : 100}, {"messages", 64}}},
                {"digest", "d"}});
    }
    const FigureResult result = figure("ranka-13").make({}, runs);
    const Claim& bytes = claim(result, "heuristic 1 is faster where loads have few bytes");
    EXPECT_EQ(bytes.outcome, Outcome::not_tested);
    EXPECT_EQ(bytes.why.find("So it is with the reconstruction") == 0, counts_bytes);
  }
}

// The times of figure 10 as the text has them, as the table of the figure tells.
Runs template_runs(double off, int mask) {
  Runs runs;
  for (const Point& one : figure("ranka-10").points({})) {
    runs.add(one, {{"tasks", {{"makespan", 1}, {"bytes", 7}}}, {"digest", "d"}});
  }
  const NumberTable told = figure("ranka-10").make({}, runs).table;
  for (const Point& one : figure("ranka-10").points({})) {
    for (const auto& row : told.cells()) {
      if (row[0] != option(one, "--processors") || row[1] != option(one, "--side")) continue;
      if (row[2] != option(one, "--mask")) continue;
      const double factor = mask == std::stoi(row[2]) ? off : 1;
      const double cycles = factor * std::stod(row[3]) * 1e6 / 1.217;
      runs.add(one, {{"tasks", {{"makespan", cycles}, {"bytes", 7}}}, {"digest", "d"}});
    }
  }
  return runs;
}

TEST(Figures, ACellToWhichAConstantIsFittedIsNoPrediction) {
  const FigureResult exact = figure("ranka-10").make({}, template_runs(1, 0));
  const FigureResult off = figure("ranka-10").make({}, template_runs(0.9, 4));

  EXPECT_EQ(claim(exact, "20 of the 30 run times").outcome, Outcome::holds);
  EXPECT_THAT(claim(exact, "20 of the 30 run times").measured, HasSubstr("19 of 19 within 5 %"));
  EXPECT_THAT(claim(off, "20 of the 30 run times").measured,
              HasSubstr("11 of 19 within 5 %, the largest difference 10.0 %"));
  const Claim& whole = claim(exact, "10 of the 30 run times");
  EXPECT_EQ(whole.outcome, Outcome::holds);
  EXPECT_EQ(claim(exact, "if image values have as many bytes").outcome, Outcome::holds);
  EXPECT_EQ(exact.page_table.rows(), 30U);
  EXPECT_THAT(exact.notes,
              testing::Contains(HasSubstr("p = 1, n = 32, m = 4; and 2 bytes a value")));
}

TEST(Figures, WhatOperationsAloneTakeIsSaidOfTheTemplatesOfWhichItIsTrue) {
  const FigureResult off = figure("ranka-10").make({}, template_runs(1.2, 16));

  EXPECT_THAT(
      claim(off, "10 of the 30 run times").why,
      testing::AllOf(HasSubstr("With m = 16 and 32 the counted operations alone take longer"),
                     HasSubstr("; with m = 4 and 8 they do not"),
                     HasSubstr("of the column m = 32 the bytes of a value are fitted")));
}

TEST(Figures, TheTableOfRatesIsOnThePageAsTheTextHasIt) {
  Runs runs;
  for (const Point& one : figure("ranka-5").points({})) {
    runs.add(one, {{"tasks", {{"makespan", 1000}}}, {"digest", "d"}});
  }
  const FigureResult result = figure("ranka-5").make({}, runs);

  ASSERT_EQ(result.page_table.rows(), 9U);
  ASSERT_EQ(result.page_table.columns().size(), 13U);
  EXPECT_EQ(result.page_table.cells()[0][1], "17.2");
  EXPECT_EQ(result.page_table.cells()[0][2], "6.6");  // 8 bytes in 1217 microseconds
  EXPECT_EQ(result.page_table.cells()[8][11], "107.6");
  EXPECT_EQ(claim(result, "a message takes longer over four").outcome, Outcome::fails);
}

TEST(Figures, UcubeIsWorseForTheLargestMulticastsNotForAnyOne) {
  for (const auto& [from, outcome] :
       {std::pair{20, Outcome::holds}, std::pair{31, Outcome::fails}}) {
    Runs runs;
    for (const Point& one : figure("robinson-11").points({})) {
      const int size = std::stoi(option(one, "--destinations").substr(7));
      const int mean = size >= from && size < 31 ? 110 : size == 3 ? 120 : 100;
      runs.add(one, {{"latency", {{"mean", mean}, {"max", mean}}}, {"digest", "d"}});
    }
    const FigureResult result = figure("robinson-11").make({}, runs);
    EXPECT_EQ(claim(result, "U-cube's average delay is worse").outcome, outcome) << from;
  }
}

TEST(Figures, AProtocolHidesTheDistanceOnlyIfAllThatCutThroughDo) {
  for (const bool is_hidden : {true, false}) {
    Runs runs;
    for (const Point& one : figure("casanova-switching").points({})) {
      const bool is_relayed = option(one, "--algorithm") == "ring";
      const bool grows = is_relayed || (!is_hidden && option(one, "--switching") == "circuit");
      const std::string topology = option(one, "--topology");
      const int nodes = std::stoi(is_relayed ? topology.substr(5) : option(one, "--destinations"));
      const int flits = std::stoi(option(one, "--flits"));
      runs.add(one, {{"latency", {{"max", grows ? flits * nodes : flits}}}, {"digest", "d"}});
    }
    const FigureResult result = figure("casanova-switching").make({}, runs);
    const Claim& hidden = claim(result, "cut-through protocols hide");
    EXPECT_EQ(hidden.outcome, Outcome::not_tested);
    EXPECT_EQ(hidden.why == "The slides do not give L / delta", is_hidden);
  }
}

// The message of node 23 takes `around` cycles while two worms are in its way, else 11 by adaptive
// routing.
FigureResult routing_with(int around) {
  Runs runs;
  for (const Point& one : figure("casanova-routing").points({})) {
    const bool is_adaptive = option(one, "--routing") == "adaptive";
    const bool is_blocked = one.input.find("\"u\":87") != std::string::npos;
    const int cycles = !is_blocked ? 11 : is_adaptive ? around : 122;
    runs.add(one, {{"explanation", {{"messages", {{{"source", 23}, {"cycles", cycles}}}}}}});
  }
  return figure("casanova-routing").make({}, runs);
}

TEST(Figures, AWayRoundIsOneOnlyIfNothingIsWaitedFor) {
  EXPECT_EQ(claim(routing_with(11), "if link 1 of A is busy").outcome, Outcome::holds);
  EXPECT_EQ(claim(routing_with(12), "if link 1 of A is busy").outcome, Outcome::fails);
  EXPECT_EQ(claim(routing_with(122), "if link 1 of A is busy").outcome, Outcome::fails);
  const FigureResult result = routing_with(11);
  EXPECT_EQ(claim(result, "if A and B differ in k bits").outcome, Outcome::fails);
  EXPECT_EQ(claim(result, "in that route").outcome, Outcome::fails);
  EXPECT_EQ(claim(result, "the bits to be flipped").outcome, Outcome::fails);
}

// Where from on a start-up latency turns the order round.
TEST(Figures, TheStartUpFromWhichOnTheOrderIsAnotherIsFound) {
  Runs runs;
  for (const Point& one : figure("robinson-startup").points({})) {
    const int ts = std::stoi(option(one, "--ts"));
    const bool is_new = option(one, "--algorithm") != "ucube";
    const bool is_broadcast = option(one, "--destinations") == "random:31";
    const int mean = is_new ? (ts < 1500 ? 90 : 101) : is_broadcast ? 100 : ts < 250 ? 101 : 100;
    runs.add(one, {{"latency", {{"mean", mean}}}, {"digest", "d"}});
  }
  const FigureResult result = figure("robinson-startup").make({}, runs);
  EXPECT_THAT(claim(result, "with a long start-up latency the new").measured,
              HasSubstr("from ts = 1500 on"));
  EXPECT_THAT(claim(result, "with a long start-up latency U-cube's").measured,
              HasSubstr("from ts = 250 on"));
}

TEST(Figures, ComputedClaimsOfTextsAreJudgedByAllOfTheirWords) {
  const auto outcome = [](const char* name, const char* beginning) {
    return claim(figure(name).make({}, {}), beginning).outcome;
  };
  EXPECT_EQ(outcome("robinson-3", "(d) 1011"), Outcome::holds);
  EXPECT_EQ(outcome("robinson-5", "ceil(log2"), Outcome::holds);
  EXPECT_EQ(outcome("robinson-5", "the chain"), Outcome::fails);
  EXPECT_EQ(outcome("jeon-1", "an n-cube"), Outcome::holds);
  EXPECT_EQ(outcome("jeon-2", "1000, 0100, 0010 and 0001"), Outcome::holds);
}

}  // namespace
}  // namespace allport::test
