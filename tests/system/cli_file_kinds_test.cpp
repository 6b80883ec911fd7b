// SPDX-License-Identifier: Apache-2.0
// A file that is given to the wrong option is named for what it is, with who reads it.
#include <gmock/gmock.h>

#include <string>
#include <vector>

#include "tests/support/cli_program.h"

namespace allport::test {
namespace {

struct Kind {
  std::string file;
  std::string content;
  std::string words;
};

const std::vector<Kind>& kinds() {
  static const std::vector<Kind> all{
      {"a.goal", "// two ranks\nnum_ranks 2\nrank 0 {\n}\nrank 1 {\n}\n",
       "a GOAL file, which `allport replay` reads"},
      {"a.txt", "0 init 1\n0 send 1 4 10\n", "a trace of SimGrid, which `allport replay` reads"},
      {"a.et",
       std::string("\x07\n\x05"
                   "0.0.4\x04\b\x02\x18\x01",
                   13),
       "a trace of Chakra, which `allport replay` reads"},
      {"a.et.json", "{\"schema\": \"1\",\n\"nodes\": [{\"id\": 1, \"ctrl_deps\": 0}]}\n",
       "a trace of Chakra, which `allport replay` reads"},
      {"a.xml", "\xef\xbb\xbf<algo/>\n",
       "XML, as of MSCCL, which `allport run --schedule` and `allport check` read"},
      {"a.json", "{\"name\": \"x\",\n\"protocol\": \"Simple\",\n\"gpus\": []}\n",
       "an execution plan of MSCCL++, which `allport run --schedule` and `allport check` read"},
      {"a.jsonl", "{\"u\":0,\"v\":1,\"step\":1,\"order\":0}\n",
       "a schedule, which `allport run --schedule` and `allport check` read"},
      {"a.tasks", "{\"node\":0,\"compute\":3}\n",
       "a file of tasks, which `allport replay` and `run --tasks` read"},
      {"a.csv", "# a flow\nsource,destination,rate,flits\n0,1,0.1,4\n",
       "a table (CSV), as `run --flows` and `run --counts` read"},
      {"b.csv", "0,16\n16,0\n", "a table (CSV), as `run --flows` and `run --counts` read"},
      {"a.toml", "# it\n[fabric]\ntopology = 'ring:4'\n",
       "a scenario or a grid (TOML), which `allport run FILE` and `sweep FILE` read"},
      {"a.utf16", std::string("\xff\xfe[\0f\0", 6), "text in UTF-16 or UTF-32; save it as UTF-8"}};
  return all;
}

class CliFileKinds : public Cli {
 protected:
  void SetUp() override {
    Cli::SetUp();
    for (const Kind& kind : kinds()) write(kind.file, kind.content);
  }
  // `command` reads files of the kinds `its` and calls others no `what`; `{}` is the place of the
  // file.
  void expect_others_named(const std::string& command, const std::string& what,
                           const std::vector<std::string>& its, bool says_line = false) const {
    for (const Kind& kind : kinds()) {
      if (std::find(its.begin(), its.end(), kind.file) != its.end()) continue;
      std::string words = command;
      words.replace(words.find("{}"), 2, kind.file);
      const Outcome outcome = allport(words);
      EXPECT_EQ(outcome.status, 2) << words;
      EXPECT_EQ(outcome.out, "") << words;
      const std::string line = ":" + std::to_string(line_of(kind));
      EXPECT_EQ(outcome.err, "allport: " + kind.file + (says_line ? line : "") + ": this is no " +
                                 what + " but " + kind.words + "\n")
          << words;
    }
  }
  void expect_others_named_on_stdin(const std::string& command, const std::string& what,
                                    const std::vector<std::string>& its) const {
    for (const Kind& kind : kinds()) {
      if (std::find(its.begin(), its.end(), kind.file) != its.end()) continue;
      EXPECT_EQ(shell("allport " + command + " - < " + kind.file).err,
                "allport: stdin: this is no " + what + " but " + kind.words + "\n");
    }
  }

 private:
  // Comments come first in some.
  static int line_of(const Kind& kind) {
    return kind.content.front() == '#' || kind.content.front() == '/' ? 2 : 1;
  }
};

TEST_F(CliFileKinds, OfSchedules) {
  const std::vector<std::string> its{"a.jsonl", "a.json", "a.xml"};
  expect_others_named("run --topology ring:4 --schedule {}", "schedule", its);
  expect_others_named("check --topology ring:4 {}", "schedule", its);
  expect_others_named_on_stdin("run --topology ring:4 --schedule", "schedule", its);
}

TEST_F(CliFileKinds, OfTasks) {
  expect_others_named("run --topology ring:4 --tasks {}", "file of tasks", {"a.tasks"});
  expect_others_named_on_stdin("run --topology ring:4 --tasks", "file of tasks", {"a.tasks"});
}

TEST_F(CliFileKinds, OfTables) {
  const std::vector<std::string> its{"a.csv", "b.csv"};
  const std::string flows = "run --topology ring:4 --cycles 10 --flows";
  expect_others_named(flows + " {}", "table of flows", its);
  expect_others_named_on_stdin(flows, "table of flows", its);
  const std::string counts = "run --topology ring:2 --algorithm direct-alltoall --counts";
  expect_others_named(counts + " {}", "table of counts", its);
  expect_others_named_on_stdin(counts, "table of counts", its);
}

TEST_F(CliFileKinds, OfScenarios) {
  expect_others_named("run {}", "scenario or grid", {"a.toml"});
  expect_others_named("sweep {}", "scenario or grid", {"a.toml"});
}

TEST_F(CliFileKinds, OfTraces) {
  expect_others_named("replay {} --topology ring:4", "trace",
                      {"a.goal", "a.txt", "a.tasks", "a.et", "a.et.json"}, true);
}

}  // namespace
}  // namespace allport::test
