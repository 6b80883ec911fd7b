// SPDX-License-Identifier: Apache-2.0
// These tests check the account of runs that do not end well: messages that a deadlock holds, what
// channels do there, interrupts; and tables that are too large.
#include <gmock/gmock.h>

#include <algorithm>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "tests/support/cli_program.h"
#include "tests/support/csv_cells.h"
#include "tests/support/page_data.h"

namespace allport::test {
namespace {

using testing::HasSubstr;
using testing::Not;
using Json = nlohmann::json;

constexpr const char* deadlock =
    "run --topology hypercube:3 --algorithm tree --source 0,6 --flits 16 ";

using Row = std::map<std::string, std::string>;

class CliUnfinished : public Cli {
 protected:
  std::vector<Row> rows_of(const std::string& file) const {
    std::istringstream lines(content(file));
    std::string line;
    std::getline(lines, line);
    const std::vector<std::string> heads = cells_of(line);
    std::vector<Row> rows;
    while (std::getline(lines, line)) {
      const std::vector<std::string> cells = cells_of(line);
      for (std::size_t i = 0; i < heads.size(); ++i) {
        if (i == 0) rows.emplace_back();
        rows.back()[heads[i]] = cells[i];
      }
    }
    return rows;
  }
};

Row row_of(const std::vector<Row>& rows, const std::string& channel, const std::string& node,
           const std::string& port) {
  for (const Row& row : rows) {
    if (row.at("channel") == channel && row.at("node") == node && row.at("port") == port)
      return row;
  }
  ADD_FAILURE() << "no row of " << channel << " " << node << " " << port;
  return {};
}

// Each blames the other in all cycles but those in which it moved.
TEST_F(CliUnfinished, MessagesOfADeadlockHaveTheirCauses) {
  const Outcome outcome = allport(std::string(deadlock) + "--explain all --json d.json");
  EXPECT_EQ(outcome.status, 3);
  const Json run = Json::parse(content("d.json"));
  const Json& list = run["explanation"]["unfinished"];
  ASSERT_FALSE(list.empty());
  for (const Json& one : list) {
    EXPECT_EQ(one["cycles"], run["cycles"]);
    EXPECT_EQ(one["until"], run["deadlock_cycle"]);
    const int source = one["message"]["u"];
    for (const Json& blame : one["blames"]) EXPECT_EQ(blame["blamed"]["u"], 6 - source);
    EXPECT_GE(one["contended"].get<int>(), 5);
  }
  const std::string text = allport(std::string("explain") + (deadlock + 3)).out;
  EXPECT_THAT(text, HasSubstr("messages that were under way at the end"));
  EXPECT_THAT(text, HasSubstr("because of 6>all#0"));
}

// A worm that waits at several routers at once has an account for each channel that it lacks.
TEST_F(CliUnfinished, EveryWaitOfADeadlockHasAnAccountAtItsChannel) {
  for (const char* const run :
       {"--topology hypercube:4 --algorithm tree --source 0,3,5,9 --flits 40",
        "--topology hypercube:4 --algorithm hamiltonian --source 0,3,5,9 --flits 40"}) {
    allport(std::string("run --explain all --json d.json ") + run);
    const Json found = Json::parse(content("d.json"));
    std::size_t waits = 0;
    for (const Json& flit : found["wait_for"]["flits"]) {
      for (const Json& wait : flit["all_of"]) {
        if (wait["waits_for"] != "vc" || wait["held_by"] == flit["message"]) continue;
        ++waits;
        const Json& list = found["explanation"]["unfinished"];
        const bool is_told = std::any_of(list.begin(), list.end(), [&](const Json& one) {
          const Json& place = one["place"];
          const bool is_there = place["kind"] == "external" &&
                                place["node"] == wait["channel"]["node"] &&
                                place["port"] == wait["channel"]["port"];
          return is_there && one["message"]["u"] == flit["message"]["u"] &&
                 one["blames"][0]["blamed"]["u"] == wait["held_by"]["u"] &&
                 one["by_cause"]["channel"] ==
                     found["deadlock_cycle"].get<int>() - wait["since"].get<int>();
        });
        EXPECT_TRUE(is_told) << run << ": " << flit["message"] << " for " << wait;
      }
    }
    EXPECT_GT(waits, 1U);
  }
}

TEST_F(CliUnfinished, ThePageOfADeadlockShowsWhoWaits) {
  EXPECT_EQ(allport(std::string(deadlock) + "--report d.html").status, 3);
  const std::string page = content("d.html");
  const Json trial = data_of(page)["trial"];
  EXPECT_GT(columns_of(trial["stretches"]).at("waiting").back(), 0);
  const auto receivers = columns_of(trial["messages"]).at("receiver");
  EXPECT_FALSE(receivers.empty());
  for (const auto receiver : receivers) EXPECT_EQ(receiver, -1);
  EXPECT_THAT(page, HasSubstr("id=\"messages\""));
  EXPECT_THAT(page, HasSubstr("Messages that were under way at the end"));
}

// Node 0 has filled the buffer of node 4 with 4 flits, none of which leaves; both heads wait for
// ever for the channels that close the circle.
TEST_F(CliUnfinished, ChannelsOfADeadlockHaveNoCredit) {
  allport(std::string(deadlock) + "--channel-load d.csv --json d.json");
  const int cycles = Json::parse(content("d.json"))["cycles"];
  const std::vector<Row> rows = rows_of("d.csv");
  for (const Row& row : rows) EXPECT_EQ(row.at("cycles"), std::to_string(cycles));
  const Row full = row_of(rows, "external", "0", "2");
  EXPECT_EQ(full.at("used"), "4");
  EXPECT_EQ(full.at("no_credit"), std::to_string(cycles - 4));
  EXPECT_EQ(full.at("lost"), "0");
  EXPECT_EQ(row_of(rows, "external", "4", "0").at("most_waiting"), "1");
  EXPECT_EQ(row_of(rows, "external", "0", "0").at("most_waiting"), "1");
}

// Messages of 5 flits follow one another on the port at 0, 5 and 10.
TEST_F(CliUnfinished, AWaitThatEndsAtAStretchIsNotInTheNext) {
  allport(
      "run --topology hypercube:3 --ports 1 --algorithm sbt --flits 5 --channel-load c.csv --every 5");
  std::string waiting;
  for (const Row& row : rows_of("c.csv")) {
    if (row.at("channel") == "injection" && row.at("node") == "0") {
      waiting += row.at("most_waiting") + " ";
    }
  }
  EXPECT_EQ(waiting, "2 1 0 0 ");
}

TEST_F(CliUnfinished, ChannelLoadTellsOfEveryTrial) {
  const Json run = json(
      "run --topology hypercube:4 --flits 3 --algorithm wsort --destinations random:3 --trials 3 --channel-load c.csv --json -");
  std::int64_t hops = 0;
  std::set<std::string> trials;
  for (const Row& row : rows_of("c.csv")) {
    trials.insert(row.at("trial"));
    if (row.at("channel") == "external") hops += std::stoll(row.at("flits"));
  }
  EXPECT_EQ(hops, run["flit_hops"]);
  EXPECT_EQ(trials.size(), 3U);
}

#if !defined(__SANITIZE_ADDRESS__)  // which needs more memory than a limit allows
TEST_F(CliUnfinished, ATableThatIsTooLargeIsNotWritten) {
  const Outcome outcome = shell(
      "ulimit -v 8000000; allport run --topology hypercube:12 --model worm --algorithm sbt --ts 50 --channel-load c.csv --every 1");
  EXPECT_EQ(outcome.status, 2);
  EXPECT_THAT(outcome.err, HasSubstr("--channel-load: a trial has "));
  EXPECT_THAT(outcome.err, HasSubstr("a larger --every has fewer"));
  EXPECT_THAT(outcome.out, HasSubstr("digest"));
  EXPECT_FALSE(exists("c.csv"));
}
#endif

// A message of a deadlock exists, although nobody has received it.
TEST_F(CliUnfinished, AMessageThatADeadlockHoldsIsNoMistake) {
  const Outcome held = allport(std::string(deadlock) + "--explain 'message:0>all#0'");
  EXPECT_EQ(held.status, 3);
  EXPECT_THAT(held.err, Not(HasSubstr("no message")));
  EXPECT_EQ(allport(std::string(deadlock) + "--explain 'message:0>7#0'").status, 3);
}

// Of an interrupted run some messages are explained, within a second or so; with plenty of them the
// others are counted.
TEST_F(CliUnfinished, AnInterruptEndsAnExplanation) {
  const Outcome outcome = shell(
      "\"$program\" run --topology torus:8x8 --pattern uniform --rate 0.9 --cycles 100000000 --explain slowest:5 --json i.json --report i.html & p=$!; sleep 2; kill -INT $p; for i in $(seq 200); do kill -0 $p 2>/dev/null || break; sleep 0.1; done; kill -KILL $p 2>/dev/null && echo killed; wait $p; echo $?");
  EXPECT_EQ(outcome.out.substr(outcome.out.size() - 2), "3\n") << outcome.out;
  EXPECT_THAT(outcome.out, Not(HasSubstr("killed")));
  const Json run = Json::parse(content("i.json"));
  EXPECT_GT(run["explanation"]["receipts"], 0);
  EXPECT_TRUE(exists("i.html"));
}

TEST_F(CliUnfinished, ExplainTakesTheVerdictsOptionsOfRun) {
  EXPECT_EQ(
      allport("explain --topology torus:4x4 --pattern uniform --rate 0.5 --cycles 200 --strict")
          .status,
      1);
  EXPECT_EQ(allport("explain --topology hypercube:3 --algorithm ucube --no-static").status, 0);
}

}  // namespace
}  // namespace allport::test
