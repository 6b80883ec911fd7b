// SPDX-License-Identifier: Apache-2.0
// These names of files and values are meant to do harm: no part of them is executed, and what is
// printed of them is readable.
#include <gmock/gmock.h>

#include <algorithm>

#include "tests/support/cli_program.h"

namespace allport::test {
namespace {

using testing::HasSubstr;
using testing::Not;

class CliNames : public Cli {
 protected:
  bool has(const std::string& program) const { return shell("command -v " + program).status == 0; }
};

constexpr const char* pattern =
    " --topology ring:4 --pattern uniform --rate 0.1,0.2 --cycles 50 --jobs 1 ";

TEST_F(CliNames, GnuplotCarriesOutNoNameOfASweep) {
  if (!has("gnuplot")) GTEST_SKIP() << "gnuplot is not installed";
  write("<id>PWN;.toml",
        "[fabric]\ntopology=\"ring:4\"\n[traffic]\npattern=\"uniform\"\nrate=[0.1,0.2]\n"
        "cycles=50\n");

  const Outcome grid = shell("allport sweep '<id>PWN;.toml'");
  EXPECT_EQ(grid.status, 0) << grid.err;
  EXPECT_TRUE(exists("<id>PWN;.sweep/curve.svg"));
  for (const char* folder : {"<touch PWN;", "-e", "-", "50%u"}) {
    const Outcome outcome =
        shell("allport sweep" + std::string(pattern) + "--output='" + folder + "'");
    EXPECT_EQ(outcome.status, 0) << folder << outcome.err;
    EXPECT_TRUE(exists(std::string(folder) + "/curve.svg")) << folder;
  }
  EXPECT_FALSE(exists("PWN"));
}

TEST_F(CliNames, GnuplotCarriesOutNoNameOfAFitOrAReproduction) {
  if (!has("gnuplot")) GTEST_SKIP() << "gnuplot is not installed";
  for (const char* name : {"<touch PWN;.svg", "-x.svg"}) {
    const Outcome fit = shell("allport fit --topology hypercube:2 --sizes 1,2,4 --plot='" +
                              std::string(name) + "'");
    EXPECT_EQ(fit.status, 0) << name << fit.err;
    EXPECT_THAT(content(name), HasSubstr("</svg>")) << name;
  }
  const Outcome figure =
      shell("allport reproduce robinson-9 --trials 1 --model worm --output '<touch PWN;'");
  EXPECT_EQ(figure.status, 0) << figure.err;
  EXPECT_TRUE(exists("<touch PWN;/robinson-9.svg"));
  EXPECT_FALSE(exists("PWN"));
}

TEST_F(CliNames, DotTakesNoNameForAnOption) {
  if (!has("dot")) GTEST_SKIP() << "Graphviz is not installed";
  for (const char* name : {"-x.svg", "-v.png", "<touch PWN;.svg"}) {
    const Outcome outcome =
        shell("allport run --topology hypercube:3 --algorithm tree --source 0,6 --deadlock='" +
              std::string(name) + "'");
    EXPECT_EQ(outcome.status, 3) << outcome.err;
    EXPECT_TRUE(exists(name)) << outcome.err;
  }
  EXPECT_FALSE(exists("PWN"));
}

// Expects one line of printable letters that can be read.
void expect_readable(const Outcome& outcome, const std::string& command) {
  constexpr std::size_t longest = 1200;
  EXPECT_EQ(outcome.status, 2) << command;
  EXPECT_EQ(outcome.out, "") << command;
  EXPECT_LE(outcome.err.size(), longest) << command;
  EXPECT_THAT(outcome.err, testing::EndsWith("\n")) << command;
  const std::string line = outcome.err.substr(0, outcome.err.size() - 1);
  const auto is_control = [](unsigned char c) { return c < 0x20 || c == 0x7F; };
  EXPECT_TRUE(std::none_of(line.begin(), line.end(), is_control)) << command << "\n" << line;
}

TEST_F(CliNames, ValuesArePrintedCutAndWithoutControlCharacters) {
  EXPECT_EQ(allport("run --topology hypercube:4 --algorithm 'uc\nube'").err,
            "allport: --algorithm: unknown algorithm 'uc\\nube': did you mean 'ucube'?\n");

  const std::string zeros(5000, '0');
  write("value", "x\n\x1b[31m" + zeros);
  write("key.toml", "[fabric]\n\"\\u001b\\n" + zeros + "\" = 1\n");
  write("s.jsonl", R"({"u":0,"v":"\u001b\n)" + zeros + R"(","step":1,"order":0})");
  for (const char* option :
       {"topology",     "routing",  "ports",   "vcs",    "buffer-depth", "switching", "flits",
        "bytes",        "ts",       "barrier", "preset", "algorithm",    "embed",     "collective",
        "steps",        "schedule", "pattern", "rate",   "cycles",       "hotspot",   "source",
        "destinations", "trials",   "seed",    "json",   "deadlock",     "wave",      "wave-nodes",
        "model",        "place",    "ranks",   "group",  "groups",       "nonsense"}) {
    const std::string command = std::string("run --") + option + " \"$(cat value)\"";
    std::string rest;
    for (const std::string other : {"topology hypercube:3", "algorithm separate"}) {
      if (other.rfind(option, 0) != 0) rest += " --" + other;
    }
    expect_readable(shell("allport " + command + rest), command);
  }
  for (const char* command :
       {"\"$(cat value)\"",
        "run \"$(cat value)\"",
        "run --\"$(cat value)\"",
        "run --topology ring:4 --algorithm separate extra \"$(cat value)\"",
        "sweep \"$(cat value)\"",
        "sweep --topology \"$(cat value)\" --algorithm separate",
        "sweep --topology ring:4 --flits 1.\"$(cat value)\"",
        "sweep --topology ring:4 --algorithm separate --plot \"$(cat value)\"",
        "sweep --topology ring:4 --algorithm separate --zip \"$(cat value)\"",
        "sweep --topology ring:4 --algorithm separate --output none/\"$(cat value)\"/x",
        "check --topology hypercube:3 \"$(cat value)\"",
        "check --topology hypercube:3 s.jsonl",
        "run key.toml",
        "run --topology ring:4 --schedule \"$(cat value)\"",
        "sweep key.toml",
        "cosim --topology hypercube:3 --rtl \"$(cat value)\" --top x",
        "fit --topology hypercube:3 --plot \"$(cat value)\"",
        "reproduce \"$(cat value)\"",
        "bench --cases \"$(cat value)\"",
        "bench --models \"$(cat value)\"",
        "completion \"$(cat value)\""}) {
    expect_readable(shell("allport " + std::string(command)), command);
  }
}

// A file name may hold any byte but a slash and a zero. What is printed of one is on its line.
TEST_F(CliNames, LineFeedsInNamesOfFilesAndFoldersAreNotPrinted) {
  const bool draws = has("gnuplot");
  write("name", "li\nfe");
  write("s.jsonl", "{\"u\":0,\"v\":1,\"step\":1,\"order\":0}\n");
  write("t.jsonl",
        "{\"u\":0,\"v\":1,\"step\":1,\"order\":0}\n"
        "{\"u\":2,\"v\":3,\"step\":1,\"order\":0}\n");
  ASSERT_EQ(
      shell(
          "n=\"$(cat name)\"; cp s.jsonl \"$n.jsonl\"; cp t.jsonl \"$n.two\"; mkdir \"$n.d\"; : >\"$n.sv\"; : >\"$n.toml\"")
          .status,
      0);
  for (
      const std::string& command : std::vector<std::string>{
          "run --topology ring:4 --schedule \"$n.jsonl\"",
          "run --topology ring:4 --schedule \"$n.two\"",
          "run --topology ring:4 --schedule \"$n.toml\"",
          "run --topology ring:4 --schedule \"$n.d\"",
          "run --topology ring:4 --algorithm separate --wave \"$n/a.fst\"",
          "run --topology ring:4 --algorithm separate --wave \"$n/a.vcd\"",
          "run --topology ring:4 --algorithm separate --wave \"$n.fst\"",
          "run --topology ring:4 --algorithm separate --json \"$n/a\"",
          "run \"$n.d\"",
          "check --topology ring:4 \"$n.jsonl\"",
          "check --topology ring:4 \"$n.two\"",
          "sweep --topology ring:4 --algorithm separate --output \"$n\"",
          "sweep --topology ring:4 --algorithm separate --output \"$n.toml\"",
          "sweep --topology ring:4 --schedule \"s.jsonl,$n.jsonl,$n.none\" --output o",
          draws
              ? "sweep --topology ring:4 --pattern uniform --rate 0.1,0.2 --cycles 50 --output \"$n\" --plot \"$n.svg\""
              : "list",
          draws
              ? "sweep --topology ring:4 --schedule \"s.jsonl,$n.jsonl,$n.none\" --ts 1,2 --plot-x ts --output o"
              : "list",
          draws ? "reproduce robinson-9 --trials 1 --model worm --output \"$n\"" : "list",
          "fit --topology hypercube:2 --sizes 1,2 --csv \"$n/a\"",
          "cosim --rtl \"$n.d\" --top x",
          "cosim --rtl \"$n.none\" --top x"}) {
    const Outcome outcome = shell("n=\"$(cat name)\"; allport " + command);
    for (const std::string& text : {outcome.out, outcome.err}) {
      EXPECT_THAT(text, Not(HasSubstr("li\nfe"))) << command;
    }
    EXPECT_NE(outcome.status, -1) << command;
  }
  const Outcome cache = shell(
      "n=\"$(cat name)\"; ALLPORT_CACHE=\"$n.toml\" allport run --model rtl --topology ring:4 --algorithm separate");
  EXPECT_THAT(cache.err, Not(HasSubstr("li\nfe")));
}

}  // namespace
}  // namespace allport::test
