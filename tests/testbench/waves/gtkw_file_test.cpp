// SPDX-License-Identifier: Apache-2.0
#include "testbench/waves/gtkw_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdio>

#include "tests/rtl_model/systemc/fabric_bench.h"
#include "tests/testbench/waves/gtkw_reader.h"
#include "tests/testbench/waves/wave_bench.h"

namespace allport::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

/// A recorded run, by default the two heads that meet at an output of docs/router.md.
class GtkwFileTest : public testing::Test {
 protected:
  void record(const std::string& topology, const std::vector<WaveFinding>& findings,
              const std::string& name = "run.vcd", const FabricConfig& config = {}) {
    bench = std::make_unique<FabricBench>(topology, config);
    WaveOptions options;
    options.path = folder / name;
    recorder = std::make_unique<WaveRecorder>(bench->fabric, options, letter_name);
    bench->send(0, 7, 2, Worm{'A', 1, 3});
    bench->send(1, 3, 1, Worm{'B', 1, 3});
    bench->run();
    recorder->finish(bench->fabric.cycle());
    write_gtkw(*recorder, findings);
    save = GtkwReader(text_of(folder / "run.gtkw")).file;
  }

  TemporaryFolder folder;
  std::unique_ptr<FabricBench> bench;
  std::unique_ptr<WaveRecorder> recorder;
  GtkwFile save;
};

TEST_F(GtkwFileTest, NamesOnlySignalsThatTheWaveHas) {
  record("hypercube:3", {});

  const VcdReader wave = VcdReader::from_file(folder / "run.vcd");
  const std::vector<std::string> names = wave.ranged_names();
  for (const std::string& signal : save.signals) {
    EXPECT_EQ(std::count(names.begin(), names.end(), signal), 1) << signal;
  }
  EXPECT_GT(save.signals.size(), 50U);
}

TEST_F(GtkwFileTest, OpensOnTheRoutersAndPortsWithTraffic) {
  record("hypercube:3", {});

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
                                  "injection_1 vc_0 buffer", "input_2 from 7", "output_1 to 1",
                                  "output_1 contention"));
  EXPECT_LT(save.signals.size() - save.closed_signals, 40U) << "fits a screen";
}

TEST_F(GtkwFileTest, RefersToItsNeighboursByRelativePaths) {
  record("hypercube:3", {});

  EXPECT_EQ(save.dump_file, "\"run.vcd\"");
  EXPECT_EQ(save.save_file, "\"run.gtkw\"");
  EXPECT_THAT(save.translations, ElementsAre("run.flits.txt", "run.messages.txt"));
}

TEST_F(GtkwFileTest, DecodesKindsAndMessages) {
  record("hypercube:3", {});

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

TEST_F(GtkwFileTest, MarksFindings) {
  record("hypercube:3", {{1, "1>1 #0 waits", false}, {6, "deadlock", true}});

  EXPECT_THAT(save.markers, ElementsAre(1, 6));
  EXPECT_THAT(save.marker_names, ElementsAre("A1>1 #0 waits", "Bdeadlock"));
}

TEST_F(GtkwFileTest, LeavesOutTextsThatWouldRunIntoEachOther) {
  record("hypercube:3", {{1, "one", false}, {2, "two", false}, {3, "three", false}});
  EXPECT_THAT(save.markers, ElementsAre(1, 2, 3));

  const Cycle end = recorder->last();
  write_gtkw(*recorder, {{end - 1, "end", false}, {end, "deadlock", true}});
  EXPECT_THAT(GtkwReader(text_of(folder / "run.gtkw")).file.markers, ElementsAre(end - 1, end));
}

TEST_F(GtkwFileTest, SpreadsItsMarkersOverARunWithTooManyFindings) {
  std::vector<WaveFinding> findings;
  for (Cycle cycle = 10; cycle < 1000; ++cycle) findings.push_back({cycle, "", false});
  findings.push_back({1000, "deadlock", true});
  bench = std::make_unique<FabricBench>("hypercube:1");
  WaveOptions options;
  options.path = folder / "run.vcd";
  recorder = std::make_unique<WaveRecorder>(bench->fabric, options, letter_name);
  recorder->finish(1039);

  write_gtkw(*recorder, findings);

  save = GtkwReader(text_of(folder / "run.gtkw")).file;
  EXPECT_EQ(save.markers.size(), 26U);
  EXPECT_EQ(save.markers.front(), 10);
  EXPECT_EQ(save.markers.back(), 1000) << "the deadlock";
  EXPECT_EQ(save.markers[12], 500);
}

TEST_F(GtkwFileTest, FindsAMarkerForEachCycleInWhichMessagesBeganToWait) {
  Results results;
  const MessageName a{node_id(0), node_id(5), 1};
  results.contention.list = {{0, 4, 2, {}, a, {}}, {0, 9, 1, {}, a, {}}, {0, 9, 3, {}, a, {}}};
  results.deadlock.emplace().cycle = 30;

  std::vector<std::string> found;
  for (const WaveFinding& finding : wave_findings(results, RouterConfig{})) {
    found.push_back(std::to_string(finding.cycle) + " " + finding.text);
  }
  EXPECT_THAT(found, ElementsAre("30 deadlock", "4 0>5 #1 waits", "9 2 messages wait"));
}

TEST_F(GtkwFileTest, MarksEachWaitOfADeadlocksCircle) {
  Results results;
  const MessageName a{node_id(0), std::nullopt, 0};
  const MessageName b{node_id(6), std::nullopt, 0};
  results.contention.list = {{0, 3, 9, {}, a, b}, {0, 4, 1, {}, b, a}};
  Deadlock& deadlock = results.deadlock.emplace();
  deadlock.cycle = 8;
  deadlock.waits = {{a, "vc", b, {node_id(4), port_id(0)}, 0, 0, 3},
                    {b, "credit", a, {node_id(0), port_id(1)}, 0, 1, 6}};
  RouterConfig config;
  config.external_ports = 3;

  record("hypercube:3", wave_findings(results, config));

  EXPECT_THAT(save.markers, ElementsAre(3, 4, 6, 8));
  EXPECT_THAT(
      save.comments,
      ElementsAre("A  cycle 3: 0>* #0 waits for output_0 vc_0 of router_4, held by 6>* #0",
                  "C  cycle 6: 6>* #0 waits for a credit of output_1 vc_0 of router_0, held by 0>* "
                  "#0",
                  "D  deadlock in cycle 8: each message of the circle waits for the next"));
}

TEST_F(GtkwFileTest, MarksTheWaitOfAMessageForItself) {
  Results results;
  const MessageName worm{node_id(1), node_id(3), 0};
  Deadlock& deadlock = results.deadlock.emplace();
  deadlock.cycle = 8;
  deadlock.waits = {{worm, "vc", worm, {node_id(1), port_id(0)}, 0, 0, 4}};
  RouterConfig config;
  config.external_ports = 3;

  record("hypercube:3", wave_findings(results, config));

  EXPECT_THAT(save.markers, ElementsAre(4, 8));
  EXPECT_THAT(save.comments,
              ElementsAre("A  cycle 4: 1>3 #0 waits for output_0 vc_0 of router_1, held by 1>3 #0",
                          "B  deadlock in cycle 8: the message waits for itself"));
}

TEST_F(GtkwFileTest, SaysWhichFileCannotBeWritten) {
  record("hypercube:3", {});
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
                                " timeout 20 xvfb-run -a gtkwave -S " + folder / "show.tcl" + " " +
                                folder / "run.gtkw" + " 2>&1";
    const std::string text = output_of(command);
    const std::size_t at = text.find("SHOWN ");
    EXPECT_NE(at, std::string::npos) << text;
    std::vector<std::string> signals;
    if (at == std::string::npos) return signals;
    std::istringstream words(text.substr(at + 6, text.find('\n', at) - at - 6));
    for (std::string word; words >> word;) signals.push_back(word);
    return signals;
  }
};

TEST_F(GtkwaveTest, AcceptsEveryTraceOfAVcdFile) {
  record("hypercube:3", {{1, "waits", false}});
  EXPECT_EQ(shown_by_gtkwave(), save.signals);
}

TEST_F(GtkwaveTest, AcceptsEveryTraceOfAnFstFile) {
  record("torus:4x2", {{1, "waits", false}}, "run.fst");
  EXPECT_EQ(shown_by_gtkwave(), save.signals);
}

}  // namespace
}  // namespace allport::test
