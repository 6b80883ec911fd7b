// SPDX-License-Identifier: Apache-2.0
// These tests check what each command prints and with which status it ends.
#include <gmock/gmock.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>

#include "tests/support/cli_program.h"

namespace allport::test {
namespace {

using testing::EndsWith;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::StartsWith;

using CliCommands = Cli;

TEST_F(CliCommands, TheVersionIsPrinted) {
  const Outcome outcome = allport("--version");

  EXPECT_EQ(outcome.status, 0);
  EXPECT_THAT(outcome.out, StartsWith("allport "));
  EXPECT_THAT(outcome.err, IsEmpty());
}

// The commands that the program's help lists.
std::vector<std::string> command_names(const std::string& help) {
  std::vector<std::string> names;
  std::istringstream lines(help.substr(0, help.find("\nExamples:")));
  for (std::string line; std::getline(lines, line);) {
    if (line.substr(0, 2) == "  " && line.size() > 2 && line[2] >= 'a' && line[2] <= 'z') {
      names.push_back(line.substr(2, line.find(' ', 2) - 2));
    }
  }
  return names;
}

// Columns of the longest line but examples, which a shell must be able to read.
std::size_t width_of(const std::string& help) {
  std::size_t width = 0;
  std::istringstream lines(help);
  for (std::string line; std::getline(lines, line);) {
    if (line.find("allport ") == std::string::npos) width = std::max(width, line.size());
  }
  return width;
}

TEST_F(CliCommands, EveryCommandHasHelpInTheWidthOfTheTerminal) {
  std::vector<std::string> names = command_names(allport("--help").out);
  EXPECT_EQ(names.size(), 21U);
  names.emplace_back("");
  for (const std::string& name : names) {
    const Outcome outcome = allport(name + " --help");
    EXPECT_EQ(outcome.status, 0) << name;
    EXPECT_THAT(outcome.out, HasSubstr("Usage: allport")) << name;
    EXPECT_THAT(outcome.err, IsEmpty()) << name;
    EXPECT_LE(width_of(outcome.out), 90U) << name;  // what is told in columns stays as it is
    EXPECT_LE(width_of(shell("COLUMNS=100 allport " + name + " --help").out), 100U) << name;
  }
  for (const std::string& name : names) {
    // Command lines, too, which a shell reads as they are broken.
    std::istringstream narrow(shell("COLUMNS=60 allport " + name + " --help").out);
    for (std::string line; std::getline(narrow, line);) EXPECT_LE(line.size(), 60U) << line;
  }
  const std::string narrow = shell("COLUMNS=60 allport run --help").out;
  EXPECT_GT(std::count(narrow.begin(), narrow.end(), '\n'), 250);
  EXPECT_LE(width_of(allport("run --help").out), 80U);
}

// A copy of an example from a narrow terminal is the same command.
TEST_F(CliCommands, AShellReadsExamplesThatAreBroken) {
  const std::string help = shell("COLUMNS=60 allport show --help").out;
  const std::size_t at = help.find("  allport show tree --topology");
  ASSERT_NE(at, std::string::npos);
  const std::string example = help.substr(at, help.find("\n\n", at) - at);
  EXPECT_THAT(example, HasSubstr(" \\\n"));
  EXPECT_EQ(
      shell(example).out,
      allport("show tree --topology hypercube:4 --algorithm wsort --destinations 1,3,5,7,14").out);
}

TEST_F(CliCommands, HelpEndsWithExamplesAndAPageThatIsThere) {
  for (const std::string& name : command_names(allport("--help").out)) {
    const std::string help = allport(name + " --help").out;
    EXPECT_THAT(help, HasSubstr(name == "completion" ? "eval" : "\nExample")) << name;
    const std::size_t at = help.find("\nMore in docs/");
    ASSERT_NE(at, std::string::npos) << name;
    const std::string page = help.substr(at + 14, help.find(';', at) - at - 14);
    EXPECT_TRUE(std::filesystem::exists(std::string(ALLPORT_DOCS_DIR) + "/" + page)) << page;
  }
  EXPECT_THAT(allport("--help").out, HasSubstr("\nStart here:\n  list "));
}

// The landing page gives the number of algorithms, and `allport list` has all of them.
TEST_F(CliCommands, TheLandingPageCountsTheAlgorithmsOfTheList) {
  std::istringstream list(allport("list").out);
  int algorithms = 0;
  bool is_among_them = false;
  for (std::string line; std::getline(list, line);) {
    if (!line.empty() && line[0] != ' ') is_among_them = line.find("algorithms (") == 0;
    if (is_among_them && line.find("  ") == 0 && line.find("   ") != 0) ++algorithms;
  }
  std::ifstream file(std::string(ALLPORT_DOCS_DIR) + "/README.md");
  const std::string page{std::istreambuf_iterator<char>(file), {}};
  EXPECT_THAT(page, HasSubstr("**Algorithms**: " + std::to_string(algorithms) + ", "));
}

// The page about errors says of every command what an interrupt leaves.
TEST_F(CliCommands, EveryCommandHasItsInterruptsOnThePageOfErrors) {
  std::ifstream file(std::string(ALLPORT_DOCS_DIR) + "/guide/errors.md");
  const std::string page{std::istreambuf_iterator<char>(file), {}};
  const std::size_t at = page.find("\n## Interrupts\n");
  ASSERT_NE(at, std::string::npos);
  for (const std::string& name : command_names(allport("--help").out)) {
    const bool is_there = page.find("`" + name + "`", at) != std::string::npos ||
                          page.find("`" + name + " --", at) != std::string::npos;
    EXPECT_TRUE(is_there) << name;
  }
}

TEST_F(CliCommands, HelpIsACommandToo) {
  EXPECT_EQ(allport("help").out, allport("--help").out);
  EXPECT_EQ(allport("help run").out, allport("run --help").out);
  EXPECT_EQ(allport("help run").status, 0);
  EXPECT_EQ(allport("help help").out, allport("--help").out);
  EXPECT_THAT(allport("--help").out, HasSubstr("`allport help COMMAND`"));
}

TEST_F(CliCommands, HelpNamesUnitsAndDefaults) {
  EXPECT_THAT(allport("run --help").out, HasSubstr("--buffer-depth FLITS [4]"));
}

TEST_F(CliCommands, ListNamesEverythingThereIsToChoose) {
  const Outcome outcome = allport("list");

  EXPECT_EQ(outcome.status, 0);
  for (const char* word : {"hypercube:N",  "torus:",      "mesh:",       "ring:K",
                           "ucube",        "maxport",     "combine",     "wsort",
                           "separate",     "sbt",         "dcf",         "tree",
                           "hk",           "zblock",      "edn-reading", "far-then-near",
                           "tseng",        "binary-tree", "relay",       "relay-routers",
                           "uniform",      "wormhole",    "cut-through", "store-and-forward",
                           "circuit",      "  systemc ",  "  rtl ",      "  worm ",
                           "ncube2",       "t3e",         "ncube10",     "graph:FILE",
                           "table:updown", "table:FILE",  "adaptive",    "safety-bcast"}) {
    EXPECT_THAT(outcome.out, HasSubstr(word));
  }
}

// [Robinson93] fig. 8
TEST_F(CliCommands, SchedulePrintsJsonLines) {
  const Outcome outcome = allport(
      "schedule --topology hypercube:4 --algorithm wsort --destinations 1,3,5,7,11,12,14,15");

  EXPECT_EQ(outcome.status, 0);
  EXPECT_EQ(outcome.out,
            R"({"u":0,"v":14,"step":1,"order":0}
{"u":0,"v":5,"step":1,"order":1}
{"u":0,"v":3,"step":1,"order":2}
{"u":0,"v":1,"step":1,"order":3}
{"u":5,"v":7,"step":2,"order":0}
{"u":14,"v":11,"step":2,"order":0}
{"u":14,"v":12,"step":2,"order":1}
{"u":14,"v":15,"step":2,"order":2}
)");
}

TEST_F(CliCommands, CheckProvesAnAlgorithm) {
  const nlohmann::json report = json("check --topology hypercube:5 --algorithm combine --json -");

  for (const char* name : {"exactly_once", "causality", "port_rule", "routes_valid", "stepwise",
                           "stepwise_vc", "definition4", "theorem1"}) {
    EXPECT_EQ(report[name]["ok"], true) << name;
  }
}

TEST_F(CliCommands, CheckReadsWhatSchedulePrints) {
  const std::string fabric = " --topology torus:8x8 --source 9 ";
  const Outcome outcome =
      shell("allport schedule" + fabric + "--algorithm dcf | allport check" + fabric + "-");

  EXPECT_EQ(outcome.status, 0) << outcome.err;
}

// A schedule for some nodes fails for all others, which is easily forgotten.
TEST_F(CliCommands, CheckHintsAtDestinationsThatAreNotGiven) {
  const std::string fabric = " --topology hypercube:3 ";
  shell("allport schedule" + fabric + "--algorithm wsort --destinations 1,3,5 >plan");
  const Outcome forgotten = allport("check" + fabric + "plan");

  EXPECT_EQ(forgotten.status, 1);
  EXPECT_THAT(
      forgotten.out,
      HasSubstr("\nhint          --destinations is not given, so all other nodes are to receive"));
  EXPECT_THAT(forgotten.out, HasSubstr("              node 2, a destination, never receives\n"));
  const Outcome given = allport("check" + fabric + "plan --destinations 1,3,5");
  EXPECT_EQ(given.status, 0);
  EXPECT_THAT(given.out, Not(HasSubstr("hint")));
  EXPECT_THAT(given.out, EndsWith("\nverdict       all of them hold\n"));
}

TEST_F(CliCommands, CheckRefutesWithStatusOne) {
  const std::string check =
      "check --topology hypercube:4 --algorithm ucube --destinations 4,10,11,12,13";

  const Outcome refuted = allport(check);
  EXPECT_EQ(refuted.status, 1);
  EXPECT_THAT(refuted.out, StartsWith("schedule      ucube on hypercube:4: 5 messages in 3 steps\n"
                                      "exactly_once  holds  every destination receives once"));
  EXPECT_THAT(
      refuted.out,
      HasSubstr(
          "\ntheorem1      fails  no two messages can meet, however late any is [Hou98]: 1 violation\n"
          "              unicast 0 -> 11 (step 1) and unicast 4 -> 10 (step 2) may meet on channel 8 -> 10 (dimension 1)\n"));
  EXPECT_THAT(refuted.out, EndsWith("\nverdict       fails: theorem1\n"));
  EXPECT_EQ(allport(check + " --json -").out,
            shell("allport " + check + " --json f >t; cat f").out);
  EXPECT_EQ(shell("cat t").out, refuted.out);
  EXPECT_EQ(allport(check + " --require definition4,stepwise").status, 0);
  EXPECT_EQ(allport(check + " --require definition4,theorem1").status, 1);
}

// Two messages of a step share the channel 6 -> 7, by one class of its virtual channels or not.
TEST_F(CliCommands, CheckTellsVirtualChannelsFromChannels) {
  write("apart",
        "{\"u\":6,\"v\":1,\"step\":1,\"order\":0}\n{\"u\":4,\"v\":7,\"step\":1,\"order\":0}\n");
  write("same",
        "{\"u\":6,\"v\":1,\"step\":1,\"order\":0}\n{\"u\":5,\"v\":0,\"step\":1,\"order\":0}\n");
  const std::string check = "check --topology ring:8 --require stepwise_vc ";

  EXPECT_EQ(allport(check + "apart").status, 0);
  EXPECT_EQ(allport(check + "same").status, 1);
  EXPECT_EQ(allport("check --topology ring:8 --require stepwise apart").status, 1);
}

TEST_F(CliCommands, ABrokenScheduleIsAFindingOfCheckAndAnErrorOfRun) {
  write("cyclic", R"({"u":2,"v":3,"step":1,"order":0})"
                  "\n"
                  R"({"u":3,"v":2,"step":1,"order":0})"
                  "\n");
  write("nothing", R"({"u":0,"v":1,"step":1,"order":0})"
                   "\n"
                   R"({"u":2,"v":3,"step":2,"order":0})"
                   "\n");
  for (const char* name : {"cyclic", "nothing"}) {
    EXPECT_EQ(allport("check --topology hypercube:2 " + std::string(name)).status, 1) << name;
    const Outcome run = allport("run --topology hypercube:2 --schedule " + std::string(name));
    EXPECT_EQ(run.status, 2) << name;
    EXPECT_THAT(run.err, StartsWith("allport: unicast 2 -> 3")) << name;
  }
}

TEST_F(CliCommands, StepsPrintsTheExactTable) {
  const Outcome outcome = allport(
      "steps --topology hypercube:4 --algorithms ucube,wsort --trials exhaustive --sizes 2,8");

  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_EQ(outcome.out, "m,ucube,wsort\n2,2.000000,1.333333\n8,4.000000,2.657032\n");
}

// As planned by ports, 4 -> 10 shares step 2 and a channel with 0 -> 11.
TEST_F(CliCommands, AwareStepsKeepTheMessagesOfAStepApart) {
  const std::string request =
      " --topology hypercube:5 --algorithm ucube --destinations 4,10,11,12,13,15,19,20,29,30,31 ";

  EXPECT_THAT(allport("schedule" + request).out, HasSubstr(R"("u":4,"v":10,"step":2,)"));
  EXPECT_THAT(allport("schedule" + request + "--steps aware").out,
              HasSubstr(R"("u":4,"v":10,"step":3,)"));
  EXPECT_EQ(allport("check --require stepwise" + request).status, 1);
  EXPECT_EQ(allport("check --require stepwise --steps aware" + request).status, 0);
  EXPECT_EQ(json("run --steps aware --json -" + request)["config"]["steps"], "aware");
}

TEST_F(CliCommands, CompareAndStepsLeaveOutWhatHasNoStepRule) {
  const std::string aware = " --topology hypercube:3 --steps aware";

  EXPECT_THAT(allport("compare" + aware).out, Not(HasSubstr("hk")));
  EXPECT_THAT(allport("compare" + aware).out, HasSubstr("ucube"));
  EXPECT_EQ(allport("steps --sizes 7" + aware).out,
            "m,ucube,maxport,combine,wsort,sbt,relay,relay-routers,separate\n"
            "7,3.000000,3.000000,3.000000,3.000000,3.000000,3.000000,3.000000,4.000000\n");
}

TEST_F(CliCommands, CompletionKnowsEveryOption) {
  const Outcome script = allport("completion bash");
  EXPECT_EQ(script.status, 0);

  const Outcome completed = shell(
      "allport completion bash >completion && bash -c 'source ./completion; COMP_WORDS=(allport run --buf); COMP_CWORD=2; _allport; echo \"${COMPREPLY[@]}\"; COMP_WORDS=(allport run --algorithm uc); COMP_CWORD=3; _allport; echo \"${COMPREPLY[@]}\"; COMP_WORDS=(allport st); COMP_CWORD=1; _allport; echo \"${COMPREPLY[@]}\"; "
      "COMP_WORDS=(allport sweep --executor s); COMP_CWORD=3; _allport; echo \"${COMPREPLY[@]}\"; COMP_WORDS=(allport run --model \"\"); COMP_CWORD=3; _allport; echo \"${COMPREPLY[@]}\"; COMP_WORDS=(allport reproduce --model \"\"); COMP_CWORD=3; _allport; echo \"${COMPREPLY[@]}\"'");
  EXPECT_EQ(completed.out,
            "--buffer-depth\nucube\nsteps\nslurm\nsystemc rtl worm auto\nauto systemc worm both\n")
      << completed.err;
}

TEST_F(CliCommands, CompletionOffersWhatAValueOrAnArgumentMayBe) {
  write("some.toml", "");
  const auto completed = [&](const std::string& words) {
    const Outcome outcome = shell(
        "allport completion bash >completion && bash -c 'source ./completion; COMP_WORDS=(" +
        words +
        "); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _allport 2>/dev/null; echo \"${COMPREPLY[@]}\"'");
    return outcome.out;
  };

  EXPECT_EQ(completed("allport completion \"\""), "bash zsh\n");
  EXPECT_EQ(completed("allport schema sch"), "schedule\n");
  EXPECT_THAT(completed("allport help \"\""),
              StartsWith("list run compare explain whatif diff show "));
  EXPECT_THAT(completed("allport reproduce \"\""), StartsWith("all robinson-3 "));
  EXPECT_EQ(completed("allport reproduce robinson-9 jeon-2"), "jeon-2\n");
  EXPECT_EQ(completed("allport reproduce --output so"), "some.toml\n");
  EXPECT_EQ(completed("allport run so"), "some.toml\n");
  EXPECT_EQ(completed("allport h"), "help\n");
  // a list
  EXPECT_EQ(completed("allport compare --algorithms uc"), "ucube\n");
  EXPECT_EQ(completed("allport compare --algorithms ucube,wso"),
            "ucube,wsort ucube,wsort-reduce ucube,wsort-allreduce\n");
  EXPECT_EQ(completed("allport run --algorithm ucube,wso"), "\n");
  // a value behind =, of which Readline makes a word
  EXPECT_EQ(completed("allport run --switching = c"), "cut-through circuit\n");
  EXPECT_EQ(completed("allport run --switching ="),
            "wormhole cut-through store-and-forward circuit\n");
  EXPECT_EQ(completed("allport run --switching=c"),
            "--switching=cut-through --switching=circuit\n");
  EXPECT_EQ(completed("allport compare --algorithms = ucube,com"), "ucube,combine\n");
  EXPECT_EQ(completed("allport compare --algorithms=ucube,com"), "--algorithms=ucube,combine\n");
  EXPECT_EQ(completed("allport run --json = so"), "some.toml\n");
}

}  // namespace
}  // namespace allport::test
