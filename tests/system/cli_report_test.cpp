// SPDX-License-Identifier: Apache-2.0
// What is in pages for a browser is what the JSON and the tables of the same run say.
#include <gmock/gmock.h>

#include <algorithm>
#include <iomanip>
#include <map>
#include <numeric>
#include <set>
#include <sstream>
#include <string>
#include <tuple>
#include <vector>

#include "tests/support/cli_program.h"
#include "tests/support/csv_cells.h"
#include "tests/support/page_data.h"

namespace allport::test {
namespace {

using testing::HasSubstr;
using testing::Not;
using Json = nlohmann::json;
using Cycles = std::int64_t;
using Columns = std::map<std::string, std::vector<Cycles>>;

constexpr const char* collective =
    "run --topology hypercube:4 --ports 1 --algorithm sbt --flits 3 --ts 1 --tr 1 ";
constexpr const char* traffic =
    "run --topology torus:4x4 --pattern uniform --rate 0.7 --cycles 30 --flits 3 --vcs 4 ";

class CliReport : public Cli {
 protected:
  // The data of the page of a run, of which `run_` tells.
  Json page_of(const std::string& command) {
    const Outcome outcome = allport(command + " --report r.html --explain all --json r.json");
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    run_ = Json::parse(content("r.json"));
    return data_of(content("r.html"));
  }

  Json run_;
};

TEST_F(CliReport, HasTheRunOfTheJson) {
  for (const char* command : {collective, traffic}) {
    const Json data = page_of(command);
    for (const char* key : {"config", "latency", "cycles", "messages", "digest", "flit_hops"}) {
      EXPECT_EQ(data["run"][key], run_[key]) << key;
    }
    for (const char* key : {"receipts", "by_cause", "contended", "by_hops", "path"}) {
      EXPECT_EQ(data["run"]["explanation"][key], run_["explanation"][key]) << key;
    }
    EXPECT_EQ(data["run"]["contention"]["events"], run_["contention"]["events"]);
  }
}

TEST_F(CliReport, HasOneMessageInTheSingular) {
  const std::string line = "run --topology hypercube:3 --report r.html --algorithm ";
  EXPECT_EQ(allport(line + "join-allreduce").status, 0);
  EXPECT_THAT(content("r.html"), HasSubstr("<strong>1</strong> message<"));
}

TEST_F(CliReport, HasTheNumbersOfTheJsonInItsTables) {
  page_of(traffic);
  const std::string page = content("r.html");
  for (const auto& [cause, cycles] : run_["explanation"]["by_cause"].items()) {
    EXPECT_THAT(page, HasSubstr("<td>" + cause + "</td><td class=\"n\">" +
                                std::to_string(cycles.get<Cycles>()) + "</td>"));
  }
  for (const Json& source : run_["explanation"]["by_source"]) {
    EXPECT_THAT(page, HasSubstr("<tr data-node=\"" + source["source"].dump() +
                                "\"><td class=\"n\">" + source["source"].dump() +
                                "</td><td class=\"n\">" + source["receipts"].dump() +
                                "</td><td class=\"n\">" + source["cycles"].dump() + "</td>"));
  }
}

TEST_F(CliReport, HasEveryMessageWithAllItsCycles) {
  for (const char* command : {collective, traffic}) {
    const Json data = page_of(command);
    const Json& trial = data["trial"];
    std::map<std::string, std::map<std::string, Cycles>> seen;
    const Columns messages = columns_of(trial["messages"]);
    const Columns parts = columns_of(trial["message_stretches"]);
    std::size_t part = 0;
    for (std::size_t i = 0; i < messages.at("name").size(); ++i) {
      auto& causes = seen[trial["names"][static_cast<std::size_t>(messages.at("name")[i])]];
      for (Cycles left = messages.at("stretches")[i]; left > 0; --left, ++part) {
        causes[trial["causes"][static_cast<std::size_t>(parts.at("cause")[part])]] +=
            parts.at("cycles")[part];
      }
    }
    ASSERT_EQ(messages.at("name").size(), run_["explanation"]["messages"].size());
    for (const Json& message : run_["explanation"]["messages"]) {
      const std::string name = message["source"].dump() + ">" + message["destination"].dump() +
                               "#" + message["order"].dump();
      const auto wanted = message["by_cause"].get<std::map<std::string, Cycles>>();
      EXPECT_EQ(seen[name], wanted) << name;
    }
  }
}

// Messages of a collective name the one whose reception their sender needed.
TEST_F(CliReport, HasTheDependenciesOfACollective) {
  const Columns messages = columns_of(page_of(collective)["trial"]["messages"]);
  for (std::size_t i = 0; i < messages.at("after").size(); ++i) {
    const Cycles before = messages.at("after")[i];
    EXPECT_EQ(before < 0, messages.at("source")[i] == 0);
    if (before < 0) continue;
    EXPECT_EQ(messages.at("receiver")[static_cast<std::size_t>(before)], messages.at("source")[i]);
  }
}

// The cycles of all messages by cause, also of those that are not drawn one by one.
TEST_F(CliReport, HasTheCyclesOfAllMessagesByTheirEnds) {
  for (const char* command : {collective, traffic}) {
    const Json trial = page_of(command)["trial"];
    for (const char* table : {"sent", "received"}) {
      const Columns work = columns_of(trial[table]);
      std::map<std::string, Cycles> seen;
      for (std::size_t i = 0; i < work.at("cause").size(); ++i) {
        seen[trial["causes"][static_cast<std::size_t>(work.at("cause")[i])]] +=
            work.at("cycles")[i];
      }
      const auto wanted = run_["explanation"]["by_cause"].get<std::map<std::string, Cycles>>();
      EXPECT_EQ(seen, wanted) << table;
    }
  }
}

// On routers that copy and combine, flits of trees and joins have their share of the channels.
TEST_F(CliReport, HasTheShareOfTreesAndJoins) {
  for (const auto& [algorithm, has_shares] :
       {std::pair("join-allreduce", true), std::pair("sbt", false)}) {
    const Json trial =
        page_of(std::string("run --topology hypercube:4 --algorithm ") + algorithm)["trial"];
    const Columns stretches = columns_of(trial["stretches"]);
    for (std::size_t i = 0; i < stretches.at("used").size(); ++i) {
      EXPECT_EQ(stretches.at("shared")[i], has_shares ? stretches.at("used")[i] : 0) << i;
    }
  }
}

// By line of the page: used, lost, no credit, empty, flits over the run.
std::map<std::size_t, std::vector<Cycles>> uses_of(const Json& trial) {
  std::map<std::size_t, std::vector<Cycles>> uses;
  const Columns table = columns_of(trial["uses"]);
  for (std::size_t row = 0; row < table.at("line").size(); ++row) {
    auto& sum = uses[static_cast<std::size_t>(table.at("line")[row])];
    sum.resize(5);
    std::size_t i = 0;
    for (const char* column : {"used", "lost", "no_credit", "empty", "flits"}) {
      sum[i++] += table.at(column)[row];
    }
  }
  return uses;
}

TEST_F(CliReport, HasWhatChannelLoadSays) {
  const Json trial =
      page_of(std::string(traffic) + " --channel-load load.csv --every 1000000")["trial"];
  std::map<std::size_t, std::vector<Cycles>> wanted;
  std::istringstream lines(content("load.csv"));
  std::string line;
  std::getline(lines, line);
  const std::size_t external = trial["fabric"]["lines"].size();
  for (std::size_t number = 0; std::getline(lines, line);) {
    const std::vector<std::string> cells = cells_of(line);
    const std::size_t node = std::stoul(cells[4]);
    const std::size_t at = cells[3] == "external"    ? number++
                           : cells[3] == "injection" ? external + node
                                                     : external + 16 + node;
    auto& sum = wanted[at];
    sum.resize(5);
    for (std::size_t i = 0; i < 4; ++i) sum[i] += std::stoll(cells[8 + i]);
    sum[4] += std::stoll(cells[6]);
  }
  const auto uses = uses_of(trial);
  for (const auto& [number, sum] : wanted) {
    const auto known = uses.find(number);
    EXPECT_EQ(sum, known == uses.end() ? std::vector<Cycles>(5) : known->second) << number;
  }
  EXPECT_EQ(external, 64U);
}

// Injection channels of all nodes, by port, are used for as many cycles as those of the nodes; only
// they are waited for by port.
TEST_F(CliReport, HasThePortsOfInjection) {
  for (const char* command : {collective, traffic}) {
    const Json trial = page_of(command)["trial"];
    const Json& fabric = trial["fabric"];
    const std::size_t ports = fabric["injections"].size();
    EXPECT_EQ(ports, run_["config"]["ports"].get<std::size_t>());
    const auto injections = fabric["injections"].get<std::vector<Cycles>>();
    EXPECT_EQ(std::accumulate(injections.begin(), injections.end(), Cycles{0}),
              static_cast<Cycles>(ports) * 16);
    const std::size_t first = fabric["lines"].size();
    const auto is_injection = [&](Cycles line) {
      const auto at = static_cast<std::size_t>(line);
      return first <= at && at < first + 16;
    };
    Cycles wanted = 0;
    const Columns uses = columns_of(trial["uses"]);
    for (std::size_t row = 0; row < uses.at("line").size(); ++row) {
      if (is_injection(uses.at("line")[row])) wanted += uses.at("used")[row];
    }
    const std::vector<Cycles> used = columns_of(trial["port_uses"]).at("used");
    EXPECT_EQ(used.size(), ports * columns_of(trial["stretches"]).at("from").size());
    EXPECT_EQ(std::accumulate(used.begin(), used.end(), Cycles{0}), wanted);
    EXPECT_GT(wanted, 0);
    for (const char* table : {"waits", "branches", "message_stretches"}) {
      const Columns columns = columns_of(trial[table]);
      for (std::size_t row = 0; row < columns.at("line").size(); ++row) {
        const Cycles port = columns.at("port")[row];
        EXPECT_EQ(port >= 0, is_injection(columns.at("line")[row])) << table;
        EXPECT_LT(port, static_cast<Cycles>(ports));
      }
    }
  }
}

// In a run that is short enough each cycle has its own congestion tree: its roots, summed, are
// those of the explanation.
TEST_F(CliReport, HasTreesWhoseRootsAreThoseOfTheExplanation) {
  const Json data = page_of(std::string(traffic) + "--seed 4");
  const Json& trial = data["trial"];
  const Columns stretches = columns_of(trial["stretches"]);
  const Columns waits = columns_of(trial["waits"]);
  const Columns branches = columns_of(trial["branches"]);
  ASSERT_EQ(stretches.at("from").size(), trial["cycles"].get<std::size_t>());
  std::map<std::string, Cycles> seen;
  Cycles waiting = 0;
  std::size_t wait = 0;
  std::size_t branch = 0;
  for (std::size_t i = 0; i < stretches.at("from").size(); ++i) {
    Cycles blamed = 0;
    for (; wait < static_cast<std::size_t>(stretches.at("waits")[i]); ++wait) {
      blamed += waits.at("blamed")[wait];
    }
    EXPECT_EQ(stretches.at("waiting")[i], blamed);
    waiting += blamed;
    for (; branch < static_cast<std::size_t>(stretches.at("branches")[i]); ++branch) {
      if (branches.at("parent")[branch] != -1) continue;
      seen[trial["causes"][static_cast<std::size_t>(branches.at("cause")[branch])]] +=
          branches.at("messages")[branch];
    }
  }
  std::map<std::string, Cycles> wanted;
  for (const Json& root : run_["explanation"]["roots"]) {
    wanted[root["cause"]] += root["cycles"].get<Cycles>();
  }
  EXPECT_EQ(seen, wanted);
  EXPECT_EQ(waiting, run_["explanation"]["contended"]);
  EXPECT_GT(wanted.size(), 1U);
}

TEST_F(CliReport, IsTheSameOnAllModels) {
  for (const char* command : {collective, traffic}) {
    const Json flits = page_of(command)["trial"];
    const Json worms = page_of(command + std::string("--model worm"))["trial"];
    for (const char* table : {"messages", "message_stretches", "stretches", "uses", "waits",
                              "branches", "sent", "received", "port_uses"}) {
      EXPECT_EQ(worms[table], flits[table]) << table;
    }
  }
}

// A page begins with what ran and why, and ends with what the terminal shows.
TEST_F(CliReport, BeginsWithWhatMattersMost) {
  page_of(collective);
  const std::string page = content("r.html");
  std::size_t at = 0;
  for (const char* part :
       {"<dl class=\"ran\">", "<ul class=\"numbers\">", "<ul class=\"verdicts\">",
        "<p class=\"why\">", "<nav", "id=\"time\"", "id=\"fabric\"", "id=\"sums\"",
        "id=\"messages\"", "id=\"tree\"", "id=\"digest\"", "<pre"}) {
    const std::size_t next = page.find(part, at);
    EXPECT_NE(next, std::string::npos) << part;
    at = next;
  }
}

// Without what keeps names on one line.
std::string without_names(std::string page) {
  for (const std::string& mark : {std::string("<span class=\"name\">"), std::string("</span>")}) {
    for (std::size_t at = page.find(mark); at != std::string::npos; at = page.find(mark, at)) {
      page.erase(at, mark.size());
    }
  }
  return page;
}

// What would help is tried by a command line with all that determines the run, and nothing that
// shows it.
TEST_F(CliReport, LeadsToWhatWouldHelp) {
  page_of(traffic);
  const std::string options =
      " --topology torus:4x4 --vcs 4 --flits 3 --pattern uniform --rate 0.7 --cycles 30";
  EXPECT_THAT(without_names(content("r.html")),
              HasSubstr("<code id=\"whatif\">allport whatif" + options + "</code>"));
  EXPECT_EQ(allport("whatif" + options + " --budget 1").status, 0);
  write(
      "two.goal",
      "num_ranks 2\nrank 0 { l1: send 64b to 1 tag 1\n }\nrank 1 { l1: recv 64b from 0 tag 1\n }\n");
  ASSERT_EQ(allport("replay two.goal --topology hypercube:1 --report r.html").status, 0);
  EXPECT_THAT(
      without_names(content("r.html")),
      HasSubstr("<code id=\"whatif\">allport whatif two.goal --topology hypercube:1</code>"));
}

TEST_F(CliReport, AsksTheNetworkForNothing) {
  page_of(collective);
  const std::string page = content("r.html");
  for (const char* word : {" src=", "@import", "url(http", "href=\"http"}) {
    EXPECT_THAT(page, Not(HasSubstr(word)));
  }
}

// Words of the user cannot end a script, nor become part of the page.
TEST_F(CliReport, ShowsWordsOfTheUserAsText) {
  const std::string name = "'</script><b>&.html'";
  const Outcome outcome = allport(std::string(collective) + "--report " + name);
  EXPECT_EQ(outcome.status, 2) << "a folder `<` does not exist";
  shell("mkdir '<'");
  ASSERT_EQ(allport(std::string(collective) + "--report " + name).status, 0);
  const std::string page = content("</script><b>&.html");
  EXPECT_THAT(page, HasSubstr("&lt;/script&gt;&lt;b&gt;&amp;.html"));
  EXPECT_THAT(page, Not(HasSubstr("</script><b>")));
  EXPECT_EQ(data_of(page)["kind"], "run");
}

TEST_F(CliReport, IsRefusedWhereItCannotBeWritten) {
  for (const char* command :
       {"run --topology hypercube:3 --algorithm ucube", "compare --topology hypercube:3",
        "sweep --topology hypercube:3 --algorithm ucube --ts 1,2",
        "explain --topology hypercube:3 --algorithm ucube"}) {
    const Outcome folder = allport(std::string(command) + " --report nowhere/r.html");
    EXPECT_EQ(folder.status, 2);
    EXPECT_THAT(folder.err, HasSubstr("nowhere/r.html"));
    EXPECT_EQ(folder.out, "");
    const Outcome ending = allport(std::string(command) + " --report r.txt");
    EXPECT_EQ(ending.status, 2);
    EXPECT_THAT(ending.err, HasSubstr("r.txt: the name must end in .html"));
  }
  const Outcome sheet =
      allport("cosim --rtl x.sv --top x --topology hypercube:3 --algorithm ucube --report r.html");
  EXPECT_EQ(sheet.status, 2);
  EXPECT_THAT(sheet.err, HasSubstr("--report cannot be combined with --rtl"));
}

TEST_F(CliReport, OfADeadlockHasItsAccountUpToThere) {
  const Outcome outcome =
      allport("run --topology hypercube:3 --algorithm tree --source 0,6 --report r.html");
  EXPECT_EQ(outcome.status, 3);
  const std::string page = content("r.html");
  EXPECT_THAT(page, HasSubstr("deadlock"));
  EXPECT_GT(data_of(page)["trial"]["stretches"]["rows"], 0);
  EXPECT_THAT(page, HasSubstr("A circle of waits holds it, of 2 messages: "));
}

TEST_F(CliReport, OfAComparisonHasTheCausesOfEachCriticalPath) {
  const Outcome outcome = allport(
      "compare --topology hypercube:5 --destinations random:9 --trials 3 --ts 9 --explain all --json c.json --report c.html");
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  const Json rows = Json::parse(content("c.json"));
  const Json data = data_of(content("c.html"));
  ASSERT_EQ(rows.size(), data["rows"].size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    Cycles sum = 0;
    for (const auto& [cause, cycles] : data["rows"][i]["by_cause"].items()) {
      sum += cycles.get<Cycles>();
    }
    EXPECT_EQ(sum, rows[i]["max"]);
    EXPECT_EQ(data["rows"][i]["theory"], rows[i]["theory"]);
    Cycles path = 0;
    for (const Json& message : rows[i]["explanation"]["path"])
      path += message["cycles"].get<Cycles>();
    EXPECT_EQ(path, rows[i]["max"]);
  }
}

std::string hundredths(double value) {
  std::ostringstream text;
  text << std::fixed << std::setprecision(2) << value;
  return text.str();
}

// The winner is the row of the least mean completion, and its margin that of the JSON's means. The
// cycles of use of all channels are the flit-hops of a run, over the trials.
TEST_F(CliReport, OfAComparisonNamesTheWinnerAndHasTheLoadOfChannels) {
  const std::string traffic = " --topology torus:4x4 --destinations random:9 --trials 4 --ts 9 ";
  const Outcome outcome = allport("compare --algorithms separate,utorus,synthesized-bcast" +
                                  traffic + "--json c.json --report c.html");
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  std::vector<std::pair<double, std::string>> order;
  for (const Json& row : Json::parse(content("c.json"))) {
    order.emplace_back(row["completion"]["mean"], row["algorithm"]);
  }
  std::sort(order.begin(), order.end());
  const std::string page = content("c.html");
  EXPECT_THAT(page, HasSubstr("<p class=\"answer\" id=\"winner\">" + order[0].second +
                              " has the least mean completion, " + hundredths(order[0].first) +
                              " cycles. The next is " + order[1].second + " with " +
                              hundredths(order[1].first) + ": a margin of " +
                              hundredths(order[1].first - order[0].first) + " cycles"));
  const Json data = data_of(page);
  EXPECT_EQ(data["best"], order[0].second);
  EXPECT_EQ(data["fabric"]["lines"].size(), 64U);
  for (const Json& row : data["rows"]) {
    const Json run = Json::parse(
        allport("run --algorithm " + row["algorithm"].get<std::string>() + traffic + "--json -")
            .out);
    double uses = 0;
    for (const Json& use : row["uses"]) uses += use.get<double>();
    EXPECT_NEAR(uses * 4, run["flit_hops"].get<double>(), 1e-6) << row["algorithm"];
  }
}

TEST_F(CliReport, OfSizesAndOfFabricsIsOfPoints) {
  const std::string command =
      "compare --collective allreduce --algorithms dims-allreduce,bucket-allreduce ";
  const Outcome sizes = allport(
      command + "--topology torus:4x4 --ts 200 --sizes 64,3KiB,1MiB --json c.json --report c.html");
  ASSERT_EQ(sizes.status, 0) << sizes.err;
  const Json rows = Json::parse(content("c.json"));
  const Json data = data_of(content("c.html"));
  EXPECT_EQ(data["crossovers"], rows["crossovers"]);
  EXPECT_EQ(data["view"]["x"], "bytes");
  ASSERT_EQ(data["rows"].size(), 6U);
  const auto column = std::find(data["columns"].begin(), data["columns"].end(), "max");
  const auto at = static_cast<std::size_t>(column - data["columns"].begin()) + 2;
  for (std::size_t i = 0; i < 6; ++i) {
    const Json& entry = rows["sizes"][i / 2]["algorithms"][i % 2];
    EXPECT_EQ(data["rows"][i][1], entry["algorithm"]);
    EXPECT_EQ(data["rows"][i][at], entry["max"]);
  }
  const Outcome fabrics = allport(command + "--topology 'torus:4x4;ring:16' --report f.html");
  ASSERT_EQ(fabrics.status, 0) << fabrics.err;
  EXPECT_EQ(data_of(content("f.html"))["keys"], Json::parse(R"(["fabric","algorithm"])"));
  EXPECT_THAT(content("f.html"), HasSubstr("allreduce on "));
}

TEST_F(CliReport, OfASweepHasTheNumbersOfItsTable) {
  const Outcome outcome = allport(
      "sweep --topology hypercube:3 --algorithm ucube,wsort --ts 1,5 --output s --report s.html");
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  const Json data = data_of(content("s.html"));
  std::vector<Json> wanted;
  std::istringstream lines(content("s/results.jsonl"));
  for (std::string line; std::getline(lines, line);) wanted.push_back(Json::parse(line));
  ASSERT_EQ(data["rows"].size(), wanted.size());
  const auto column = std::find(data["columns"].begin(), data["columns"].end(), "latency.max");
  ASSERT_NE(column, data["columns"].end());
  const auto at = static_cast<std::size_t>(column - data["columns"].begin()) + data["keys"].size();
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    EXPECT_EQ(data["rows"][i][at], wanted[i]["result"]["latency"]["max"]);
  }
}

TEST_F(CliReport, OfAComparisonNamesNoSingleMessage) {
  const Outcome outcome = allport("compare --topology hypercube:3 --explain 'message:0>1#0'");
  EXPECT_EQ(outcome.status, 2);
  EXPECT_THAT(outcome.err, HasSubstr("--explain message: algorithms send different messages"));
}

// Options that a comparison would ignore are unknown to it.
TEST_F(CliReport, HasNoTablesOfAComparison) {
  for (const char* option :
       {"--messages m.csv", "--channel-load l.csv", "--timeline t.pftrace", "--every 10"}) {
    EXPECT_EQ(allport(std::string("compare --topology hypercube:3 ") + option).status, 2) << option;
  }
}

}  // namespace
}  // namespace allport::test
