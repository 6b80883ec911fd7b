// SPDX-License-Identifier: Apache-2.0
// No file of results is also an input or another result, even through links, and none is left half
// written or hidden by a run that was killed.
#include <gmock/gmock.h>

#include "tests/support/cli_program.h"

namespace allport::test {
namespace {

using testing::HasSubstr;
using testing::MatchesRegex;

class CliOutputs : public Cli {
 protected:
  /// Hidden files that the program left in the folder.
  std::string hidden() const {
    return shell("ls -A | grep '^\\.' | grep -vx '\\.in\\|\\.out\\|\\.err' ; true").out;
  }
};

constexpr const char* fabric = "[fabric]\ntopology=\"hypercube:3\"\n";
constexpr const char* scenario =
    "[fabric]\ntopology=\"hypercube:3\"\n[traffic]\nalgorithm=\"ucube\"\n";
constexpr const char* schedule = "{\"u\":0,\"v\":1,\"step\":1,\"order\":0}\n";
constexpr const char* uniform = "run --topology ring:4 --pattern uniform --rate 0.1 --cycles 50 ";

// Whatever file a run reads, no picture and no page is written over it.
TEST_F(CliOutputs, NoFileOfAFabricIsOverwritten) {
  struct Input {
    const char* option;
    const char* text;
    const char* others;
  };
  for (const Input& input :
       {Input{"--topology graph:", "a,b\nb,c\n", ""},
        Input{"--missing-nodes ", "3\n", "--topology mesh:3x3 "},
        Input{"--missing-links ", "1-2\n", "--topology mesh:3x3 "},
        Input{"--link-attributes ", "u,v,delay\n0,1,2\n", "--topology mesh:3x3 "},
        Input{"--place ", "2,1,0\n", "--topology ring:3 "},
        Input{"--group ", "0,1\n", "--topology ring:3 "},
        Input{"--routing table:", "", "--topology ring:3 "}}) {
    const std::string with = std::string(" --flits 16 ") + input.others + input.option;
    const std::vector<std::pair<std::string, std::string>> commands{
        {"sweep --algorithm separate --plot-x flits --plot ", "in.svg"},
        {"sweep --algorithm separate --report ", "in.html"},
        {"compare --algorithms separate --sizes 16,64 --plot ", "in.svg"},
        {"compare --algorithms separate --report ", "in.html"},
        {"run --algorithm separate --json ", "in.json"}};
    for (const auto& [command, file] : commands) {
      write(file, input.text);
      const std::string flits =
          command.find("--sizes") == std::string::npos ? with : with.substr(11);
      const Outcome outcome = allport(command + file + flits + file);
      EXPECT_EQ(outcome.status, 2) << command << flits;
      EXPECT_THAT(outcome.err, HasSubstr(", which this command reads\n")) << command << flits;
      EXPECT_EQ(content(file), input.text) << command << flits;
    }
  }
}

TEST_F(CliOutputs, NoInputIsOverwritten) {
  const std::string on = " --topology hypercube:3 --destinations 1 ";
  const std::vector<std::pair<std::string, std::string>> cases{
      {"run in --json in", "the scenario"},
      {"run in --json link", "the scenario"},
      {"compare fabric --json ./fabric", "the scenario"},
      {"cosim in --json in", "the scenario"},
      {"run --schedule plan --json plan" + on, "the schedule"},
      {"check --schedule plan --json plan" + on, "the schedule"},
      {"check plan --json plan" + on, "the schedule"},
      {"check - --json plan <plan" + on, "the schedule"},
      {"cosim --rtl plan --top x --json plan --topology hypercube:3", "a file of --rtl"},
      {"sweep in.svg --plot in.svg --rate 0.1,0.2", "the grid"},
      {"sweep out/results.csv --output out", "the grid"},
      {"sweep --schedule plan,out/results.csv --output out" + on, "a schedule"}};
  write("in", scenario);
  write("in.svg", scenario);
  write("fabric", fabric);
  write("plan", schedule);
  shell("ln -s in link; mkdir out; cp in out/results.csv");

  for (const auto& [command, role] : cases) {
    const Outcome outcome = shell("allport " + command);
    EXPECT_EQ(outcome.status, 2) << command;
    EXPECT_EQ(outcome.out, "") << command;
    EXPECT_THAT(outcome.err, HasSubstr(": that file is " + role + ", which this command reads\n"))
        << command;
    EXPECT_EQ(content("in"), scenario) << command;
    EXPECT_EQ(content("in.svg"), scenario) << command;
    EXPECT_EQ(content("fabric"), fabric) << command;
    EXPECT_EQ(content("plan"), schedule) << command;
    EXPECT_EQ(content("out/results.csv"), scenario) << command;
  }
}

// What a command may write, each output by itself, and the files that it reads.
struct CommandFiles {
  std::string command;  // without any output
  std::vector<std::string> outputs;
  std::vector<std::string> inputs;
};

class CliEveryOutput : public CliOutputs {
 protected:
  // Makes the inputs, too.
  std::vector<CommandFiles> all_commands() const {
    write("e.csv", "u,v\na,b\nb,c\n");
    write("e.nodes.csv", "node,level\na,0\nb,0\nc,0\n");
    write("r0.ti", "0 init\n0 compute 100\n0 finalize\n");
    write("r1.ti", "1 init\n1 compute 100\n1 finalize\n");
    write("list.txt", "r0.ti\nr1.ti\n");
    write("k.jsonl", "{\"node\":0,\"task\":\"a\",\"compute\":5}\n");
    write("a.sv", "module a; endmodule\n");
    write("more.sv", "module more; endmodule\n");
    write("inner.f", "a.sv\n");
    write("outer.f", "-f inner.f\nmore.sv\n");
    write("a.json", "{}\n");
    write("b.json", "{}\n");
    write("image.pgm", "P2 2 2 1 0 1 1 0\n");
    write("places", "2,1,0\n");
    shell("mkdir folder; cp r0.ti r1.ti folder");
    using Names = std::vector<std::string>;
    const std::string graph = " --topology graph:e.csv";
    const Names of_graph{"e.csv", "e.nodes.csv"};
    const Names of_runs{"--json x",         "--messages x",    "--channel-load x",
                        "--timeline x.csv", "--report x.html", "--deadlock x.svg",
                        "--wave x.vcd"};
    const std::string lists = "--rtl a.sv,more.sv --file-list outer.f --top a --topology ring:4";
    const Names of_lists{"a.sv", "more.sv", "inner.f", "outer.f"};
    const Names of_traces{"list.txt", "r0.ti", "r1.ti"};
    const Names in_folder{"folder/r0.ti", "folder/r1.ti"};
    const Names json{"--json x"};
    const Names both{"--json x", "--report x.html"};
    return {
        {"run --algorithm separate" + graph, of_runs, of_graph},
        {"explain --algorithm separate" + graph, of_runs, of_graph},
        {"compare --algorithms separate" + graph, both, of_graph},
        {"compare --algorithms separate --sizes 16,64" + graph, {"--plot x.svg"}, of_graph},
        {"compare --algorithms separate --topology 'ring:4;graph:e.csv'", json, of_graph},
        {"sweep --algorithm separate --flits 1,2" + graph,
         {"--plot-x flits --plot x.svg", "--report x.html"},
         of_graph},
        {"sweep --flits 1,2 --algorithm sbt " + lists, {"--report x.html"}, of_lists},
        {"whatif --algorithm separate --budget 1" + graph, both, of_graph},
        {"whatif --algorithm separate --broken 1" + graph, both, of_graph},
        {"whatif --algorithm ring-allgather --topology ring:3 --place places", both, {"places"}},
        {"whatif list.txt --topology ring:4", both, of_traces},
        {"whatif list.txt --topology ring:4 --broken 1", json, of_traces},
        {"whatif folder --topology ring:4", json, in_folder},
        {"whatif --job list.txt@0,1 --job k.jsonl@4,5 --topology ring:8",
         both,
         {"list.txt", "r1.ti", "k.jsonl"}},
        {"replay list.txt --topology ring:4", of_runs, of_traces},
        {"replay folder --topology ring:4", json, in_folder},
        {"steps --sizes 2 --trials 2" + graph, json, of_graph},
        {"fit --sizes 1,2" + graph, {"--json x", "--csv x", "--plot x.svg"}, of_graph},
        {"check --algorithm separate" + graph, json, of_graph},
        {"check --faults 1" + graph, json, of_graph},
        {"cosim " + lists, json, of_lists},
        {"cosim --algorithm separate" + graph, {"--difference-wave x.vcd"}, of_graph},
        {"show bounds" + graph, json, of_graph},
        {"show fabric" + graph, {"--json x", "--dot x"}, of_graph},
        {"show routes --routing table:shortest" + graph, {"--json x", "--csv x"}, of_graph},
        {"diff a.json b.json", both, {"a.json", "b.json"}},
        {"network --model systemc" + graph, {"--timeline x.csv", "--wave x.vcd"}, of_graph},
        {"program template --template image.pgm",
         {"--json x", "--output x", "--messages x"},
         {"image.pgm"}}};
  }
};

TEST_F(CliEveryOutput, IsNoFileThatTheCommandReads) {
  for (const CommandFiles& one : all_commands()) {
    for (const std::string& output : one.outputs) {
      const std::string file = output.substr(output.rfind(' ') + 1);
      for (const std::string& input : one.inputs) {
        const std::string before = content(input);
        shell("ln -f " + input + " " + file);
        const std::string arguments = one.command + " " + output;
        const Outcome outcome = allport(arguments);
        EXPECT_EQ(outcome.status, 2) << arguments << " over " << input;
        EXPECT_EQ(outcome.out, "") << arguments << " over " << input;
        EXPECT_THAT(outcome.err, MatchesRegex(".*: that file is [^:]*, which this command reads\n"))
            << arguments << " over " << input;
        EXPECT_EQ(content(input), before) << arguments << " over " << input;
        shell("rm -f " + file);
      }
    }
  }
}

// One that cannot be written is told before anything is computed.
TEST_F(CliEveryOutput, IsFoundBeforeAnythingIsSimulated) {
  for (const CommandFiles& one : all_commands()) {
    for (const std::string& output : one.outputs) {
      const std::size_t name = output.rfind(' ') + 1;
      const std::string arguments =
          one.command + " " + output.substr(0, name) + "no/" + output.substr(name);
      const Outcome outcome = allport(arguments);
      EXPECT_EQ(outcome.status, 2) << arguments;
      EXPECT_EQ(outcome.out, "") << arguments;
      EXPECT_THAT(
          outcome.err,
          MatchesRegex("allport: no/x[.a-z]* cannot be written: No such file or directory\n"))
          << arguments;
      EXPECT_FALSE(exists("allport.sweep")) << arguments;
    }
  }
}

// A command that gains an output needs a row above.
TEST_F(CliEveryOutput, IsInTheListAbove) {
  const Outcome listed = shell(R"(
    for command in $(allport --help | sed -nE 's/^  ([a-z]+)  .*/\1/p'); do
      allport $command --help |
        sed -nE "s/^ +(-., )?--([a-z-]+) FILE[^ ]* .*(write|draw).*/$command \2/p"
    done | sort | awk '{ of[$1] = of[$1] " " $2 } END { for (c in of) print c ":" of[c] }' | sort)");
  EXPECT_EQ(listed.out,
            "bench: json\n"
            "check: json\n"
            "compare: json plot report\n"
            "cosim: channel-load deadlock json messages report timeline wave\n"
            "diff: json report\n"
            "explain: channel-load deadlock json messages report timeline wave\n"
            "fit: csv json plot\n"
            "network: timeline wave\n"
            "program: json messages output report timeline\n"
            "replay: channel-load deadlock json messages report timeline wave\n"
            "run: channel-load deadlock json messages report timeline wave\n"
            "show: csv dot json\n"
            "steps: json\n"
            "sweep: report\n"
            "whatif: json report\n");
}

TEST_F(CliOutputs, TwoResultsAreNotOneFile) {
  write("b", "old");
  shell("ln -s b a; ln -s absent c");
  for (const char* files : {"--json a --channel-load b", "--json b --channel-load ./a",
                            "--json c --channel-load absent"}) {
    const Outcome outcome = allport(uniform + std::string(files));
    EXPECT_EQ(outcome.status, 2) << files;
    EXPECT_THAT(outcome.err, HasSubstr(": --json is written into that file\n")) << files;
  }
  EXPECT_EQ(
      allport("run --topology hypercube:3 --algorithm tree --json d.dot --deadlock d.svg").err,
      "allport: the graph of --deadlock d.dot: --json is written into that file\n");
  EXPECT_EQ(allport("fit --topology hypercube:2 --csv f.gnuplot --plot f.svg").err,
            "allport: the script of --plot f.gnuplot: --csv is written into that file\n");
  EXPECT_EQ(content("b"), "old");
}

TEST_F(CliOutputs, ALinkThatLeadsNowhereStaysAndItsFileIsMade) {
  const Outcome outcome =
      shell("ln -s newfile l; allport run --topology hypercube:3 --algorithm ucube --json l");

  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_EQ(shell("readlink l").out, "newfile\n");
  EXPECT_TRUE(nlohmann::json::parse(content("newfile"), nullptr, false).is_object());
}

TEST_F(CliOutputs, ARunThatIsKilledLeavesNoHiddenFile) {
  const std::string run =
      "\"$program\" run --topology torus:8x8 --pattern uniform --rate 0.1 --cycles 100000000 ";
  const Outcome killed =
      shell(run + "--json r.json --channel-load l.csv & p=$!; sleep 1; kill -KILL $p; wait $p");

  EXPECT_EQ(killed.status, 137);
  EXPECT_EQ(hidden(), "");
  EXPECT_FALSE(exists("r.json"));
}

TEST_F(CliOutputs, AFileThatWouldBecomeTooLargeIsSaidAndLeavesNothing) {
  const Outcome outcome = shell(
      "(ulimit -f 1; allport run --topology hypercube:6 --algorithm ucube --json r.json >/dev/null)");

  EXPECT_EQ(outcome.status, 2);
  EXPECT_EQ(outcome.err, "allport: r.json cannot be written: File too large\n");
  EXPECT_EQ(hidden(), "");
  EXPECT_FALSE(exists("r.json"));
}

// Whoever reads a table asks for a column by its name.
TEST_F(CliOutputs, NoTwoColumnsOfATableHaveOneName) {
  const std::string run = "run --topology hypercube:3 --algorithm sbt ";
  for (const auto& [arguments, table] : std::vector<std::pair<std::string, std::string>>{
           {run + "--messages table", "table"},
           {run + "--channel-load table", "table"},
           {"explain --topology ring:6 --pattern uniform --rate 0.3 --cycles 90 --messages table",
            "table"},
           {"run --topology ring:6 --algorithm join-barrier --messages table", "table"},
           {"fit --topology ring:4 --sizes 1,8 --csv table", "table"},
           {"steps --topology hypercube:3 --algorithms ucube,wsort --trials 2 >table", "table"},
           {"sweep --topology ring:4 --pattern uniform --rate 0.1 --cycles 50,90 --output a",
            "a/results.csv"},
           {"sweep --topology hypercube:3 --algorithm ucube,wsort --steps naive,aware --output b",
            "b/results.csv"},
           {"reproduce hou-2 jeon-2 --output c", "c/*.csv"}}) {
    EXPECT_EQ(allport(arguments).status, 0) << arguments;
    const Outcome twice = shell("for file in " + table + R"(; do
        head -n 1 "$file" | tr , '\n' | sort | uniq -d; done)");
    EXPECT_EQ(twice.out + twice.err, "") << arguments;
  }
}

}  // namespace
}  // namespace allport::test
