// SPDX-License-Identifier: Apache-2.0
#include "testbench/observe/waves/gtkw_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdio>

#include "tests/rtl_model/systemc/fabric_bench.h"
#include "tests/testbench/observe/waves/gtkw_reader.h"
#include "tests/testbench/observe/waves/wave_bench.h"

namespace allport::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

/// A recorded run: the two heads that meet at an output of docs/router.md.
class GtkwFileTest : public testing::Test {
 protected:
  void record(const std::string& topology, const Results& results = {},
              const std::string& name = "run.vcd") {
    bench = std::make_unique<FabricBench>(topology);
    WaveOptions options;
    options.path = folder / name;
    recorder = std::make_unique<WaveRecorder>(bench->fabric, options, letter_name);
    bench->send(0, 7, 2, Worm{'A', 1, 3});
    bench->send(1, 3, 1, Worm{'B', 1, 3});
    bench->run();
    recorder->finish(std::max<Cycle>(bench->fabric.cycle(), results.deadlock ? 9 : 0));
    write_gtkw(*recorder, wave_findings(*recorder, results));
    save = GtkwReader(text_of(folder / "run.gtkw")).file;
  }

  TemporaryFolder folder;
  std::unique_ptr<FabricBench> bench;
  std::unique_ptr<WaveRecorder> recorder;
  GtkwFile save;
};

TEST_F(GtkwFileTest, NamesOnlySignalsThatTheWaveHas) {
  record("hypercube:3");

  const VcdReader wave = VcdReader::from_file(folder / "run.vcd");
  const std::vector<std::string> names = wave.ranged_names();
  for (const std::string& signal : save.signals) {
    EXPECT_EQ(std::count(names.begin(), names.end(), signal), 1) << signal;
  }
  EXPECT_GT(save.signals.size(), 50U);
}

TEST_F(GtkwFileTest, OpensOnTheRoutersAndPortsWithTraffic) {
  record("hypercube:3");

  std::vector<std::string> labels;  // of the router with contention, without what is in its ports
  for (std::size_t i = 0; i < save.labels.size() && save.labels[i] != "router_7 111 source"; ++i) {
    const std::string& label = save.labels[i];
    if (std::count(label.begin(), label.end(), ' ') == 0 && label.find("put_") == label.npos &&
        label.find("tion") == label.npos) {
      continue;
    }
    if (label.rfind("vc_", 0) != 0) labels.push_back(label);
  }
  EXPECT_THAT(labels, ElementsAre("router_3 011 source", "contention", "injection_1",
                                  "injection_1 vc_0 buffer", "input_2 7 -> 3 (dimension 2)",
                                  "output_1 3 -> 1 (dimension 1)", "output_1 contention"));
  EXPECT_LT(save.signals.size() - save.closed_signals, 40U) << "fits a screen";
}

TEST_F(GtkwFileTest, RefersToItsNeighboursByRelativePaths) {
  record("hypercube:3");

  EXPECT_EQ(save.dump_file, "\"run.vcd\"");
  EXPECT_EQ(save.save_file, "\"run.gtkw\"");
  EXPECT_THAT(save.translations, ElementsAre("run.flits.txt", "run.messages.txt"));
}

TEST_F(GtkwFileTest, DecodesKindsAndMessages) {
  record("hypercube:3");

  const std::string flits = text_of(folder / "run.flits.txt");
  EXPECT_THAT(flits, HasSubstr("\n1 ?DarkGreen?head\n"));
  EXPECT_THAT(flits, HasSubstr("?single\n"));
  EXPECT_THAT(text_of(folder / "run.messages.txt"),
              testing::EndsWith("00000000 ?blue4?0>0 #0\n00000001 ?DarkGreen?1>1 #0\n"));
}

TEST_F(GtkwFileTest, NamesATreeWormByItsSource) {
  EXPECT_EQ(wave_text({node_id(0), node_id(11), 2}), "0>11 #2");
  EXPECT_EQ(wave_text({node_id(5), std::nullopt, 0}), "5>* #0");
}

TEST_F(GtkwFileTest, TellsOfContentionAboveTheTraces) {
  record("hypercube:3");

  EXPECT_THAT(save.markers, ElementsAre(1));
  EXPECT_THAT(
      save.comments,
      ElementsAre(
          "A  cycle 1: 1>1 #0 waits 3 cycles for channel 3 -> 1 (dimension 1, VC 0), held by 0>0 #0: router_3 output_1 vc_0"));
}

MessageName tree_of(std::size_t node) { return {node_id(node), std::nullopt, 0}; }

TEST_F(GtkwFileTest, MarksEachWaitOfADeadlocksCircle) {
  const MessageName a = tree_of(0);
  const MessageName b = tree_of(6);
  Results results;
  Deadlock& deadlock = results.deadlock.emplace();
  deadlock.cycle = 8;
  deadlock.waits = {{b, "credit", a, {node_id(0), port_id(1)}, 0, 1, 6},
                    {a, "vc", b, {node_id(4), port_id(0)}, 0, 0, 3}};
  deadlock.flits = {{a, {node_id(4), port_id(2)}, 0, {}, {}},
                    {b, {node_id(0), port_id(1)}, 0, {}, {}}};

  record("hypercube:3", results);

  EXPECT_THAT(save.markers, ElementsAre(1, 3, 6, 8));
  EXPECT_THAT(
      save.comments,
      ElementsAre(
          "B  cycle 3: 0>* #0 waits for channel 4 -> 5 (dimension 0, VC 0), held by 6>* #0: router_4 output_0 vc_0",
          "C  cycle 6: 6>* #0 waits for a credit of channel 0 -> 2 (dimension 1, VC 0), held by 0>* #0: router_0 output_1 vc_0",
          "D  deadlock in cycle 8: each message of the circle waits for the next",
          "A  cycle 1: 1>1 #0 waits 3 cycles for channel 3 -> 1 (dimension 1, VC 0), held by 0>0 #0: router_3 output_1 vc_0"));
}

TEST_F(GtkwFileTest, OpensTheRoutersOfTheCircleFirst) {
  const MessageName a = tree_of(0);
  Results results;
  Deadlock& deadlock = results.deadlock.emplace();
  deadlock.cycle = 8;
  deadlock.waits = {{a, "buffer", a, {node_id(6), port_id(1)}, 0, 1, 6},
                    {a, "vc", a, {node_id(4), port_id(0)}, 0, 0, 3}};
  deadlock.flits = {{a, {node_id(4), port_id(2)}, 0, {}, {}},
                    {a, {node_id(6), port_id(1)}, 0, {}, {}}};

  record("hypercube:3", results);

  EXPECT_EQ(
      save.comments[1],
      "C  cycle 6: 0>* #0 waits for channel 4 -> 6 (dimension 1, VC 0), held by 0>* #0: router_6 input_1 vc_0");
  std::vector<std::string> labels;  // of lines in sight
  for (std::size_t i = 0; i < save.labels.size(); ++i) {
    if (!save.is_hidden[i] && labels.size() < 7) labels.push_back(save.labels[i]);
  }
  EXPECT_THAT(labels,
              ElementsAre("router_4 100", "input_2 0 -> 4 (dimension 2)", "input_2 vc_0 buffer",
                          "output_0 4 -> 5 (dimension 0)", "router_6 110",
                          "input_1 4 -> 6 (dimension 1)", "input_1 vc_0 buffer"))
      << "though no flit passed there";
}

TEST_F(GtkwFileTest, NamesTheInjectionChannelOfAMessageThatStandsAtItsProcessor) {
  const MessageName a = tree_of(2);
  Results results;
  Deadlock& deadlock = results.deadlock.emplace();
  deadlock.cycle = 8;
  deadlock.waits = {{a, "credit", a, {node_id(2), port_id(4)}, 0, 0, 3}};
  deadlock.flits = {{a, {node_id(2), port_id(4)}, 0, {}, {}, true}};

  record("hypercube:3", results);

  EXPECT_EQ(
      save.comments[0],
      "B  cycle 3: 2>* #0 waits for a credit of injection channel 1 of node 2, VC 0, held by 2>* #0: router_2 injection_1 vc_0");
}

TEST_F(GtkwFileTest, ListsAContentionOfTheCircleOnce) {
  Results results;
  Deadlock& deadlock = results.deadlock.emplace();
  deadlock.cycle = 8;
  const MessageName b = letter_name(static_cast<MessageId>(1));
  deadlock.waits = {
      {b, "vc", letter_name(static_cast<MessageId>(0)), {node_id(3), port_id(1)}, 0, 0, 1}};
  deadlock.flits = {{b, {node_id(3), port_id(4)}, 0, {}, {}}};

  record("hypercube:3", results);

  EXPECT_THAT(save.markers, ElementsAre(1, 8));
  EXPECT_THAT(
      save.comments,
      ElementsAre(
          "A  cycle 1: 1>1 #0 waits for channel 3 -> 1 (dimension 1, VC 0), held by 0>0 #0: router_3 output_1 vc_0",
          "B  deadlock in cycle 8: the message waits for itself"));
}

TEST_F(GtkwFileTest, SaysWhichFileCannotBeWritten) {
  record("hypercube:3");
  std::filesystem::remove(folder / "run.messages.txt");
  std::filesystem::create_directory(folder / "run.messages.txt");

  try {
    write_gtkw(*recorder, {});
    ADD_FAILURE() << "no error";
  } catch (const std::runtime_error& error) {
    EXPECT_EQ(std::string(error.what()),
              folder / "run.messages.txt" + " cannot be written: Is a directory");
  }
}

// ---- GTKWave itself ----

std::string output_of(const std::string& command) {
  FILE* pipe = popen(command.c_str(), "r");
  std::string text;
  std::array<char, 4096> block{};
  while (const std::size_t got = fread(block.data(), 1, block.size(), pipe)) {
    text.append(block.data(), got);
  }
  pclose(pipe);
  return text;
}

class GtkwaveTest : public GtkwFileTest {
 protected:
  void SetUp() override {
    const char* tools = "command -v gtkwave >/dev/null && command -v xvfb-run >/dev/null";
    if (std::system(tools) != 0) GTEST_SKIP() << "gtkwave or xvfb-run is not installed";
  }
  /// What GTKWave shows when it opens the save file by its name alone, from another folder.
  std::vector<std::string> shown_by_gtkwave() {
    std::ofstream(folder / "show.tcl") << "puts \"SHOWN [gtkwave::getDisplayedSignals]\"\nexit\n";
    const std::string command = "cd / && HOME=" + folder / "" +
                                " timeout 120 xvfb-run -a gtkwave -S " + folder / "show.tcl" + " " +
                                folder / "run.gtkw" + " 2>&1";
    const std::string text = output_of(command);
    const std::size_t at = text.find("SHOWN ");
    EXPECT_NE(at, std::string::npos) << text;
    for (const char* complaint : {"rror", "ERROR", "arning", "WARN", "nable to", "not found"}) {
      EXPECT_EQ(text.find(complaint), std::string::npos) << text;
    }
    std::vector<std::string> signals;
    if (at == std::string::npos) return signals;
    std::istringstream words(text.substr(at + 6, text.find('\n', at) - at - 6));
    for (std::string word; words >> word;) signals.push_back(word);
    return signals;
  }
};

TEST_F(GtkwaveTest, AcceptsEveryTraceOfAVcdFile) {
  record("hypercube:3");
  EXPECT_EQ(shown_by_gtkwave(), save.signals);
}

TEST_F(GtkwaveTest, AcceptsEveryTraceOfAnFstFile) {
  record("torus:4x2", {}, "run.fst");
  EXPECT_EQ(shown_by_gtkwave(), save.signals);
}

TEST_F(GtkwaveTest, AcceptsATableThatIsLongerThanTheScreen) {
  record("hypercube:3");
  WaveFindings findings;
  for (Cycle cycle = 0; cycle < 8; ++cycle) {
    for (int wait = 0; wait < 3; ++wait) {
      findings.list.push_back({cycle, "where", false, false, "cycle " + std::to_string(cycle)});
    }
  }
  findings.later = 7;
  write_gtkw(*recorder, findings);
  EXPECT_THAT(GtkwReader(text_of(folder / "run.gtkw")).file.folded, testing::SizeIs(13));
  EXPECT_EQ(shown_by_gtkwave(), save.signals);
}

}  // namespace
}  // namespace allport::test
