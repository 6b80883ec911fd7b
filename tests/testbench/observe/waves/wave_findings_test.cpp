// SPDX-License-Identifier: Apache-2.0
// The save file of a whole simulation shows every wait of the monitors, the routers of a deadlock's
// circle open, and every router with contention open or marked.
#include "testbench/observe/waves/wave_findings.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "testbench/observe/waves/gtkw_file.h"
#include "testbench/observe/waves/wave_names.h"
#include "tests/properties/reference/random_cases.h"
#include "tests/support/draw.h"
#include "tests/support/forked.h"
#include "tests/testbench/observe/waves/gtkw_reader.h"
#include "tests/testbench/observe/waves/wave_bench.h"
#include "tests/testbench/simulation/experiment.h"

namespace allport::test {
namespace {

/// A run and its files.
struct Recorded {
  Results results;
  std::set<std::string> waits;  // as recorded
  GtkwFile save;
  std::vector<std::string> signals;  // of the wave
};

std::string printed_wait(std::size_t node, std::size_t port, Cycle first, Cycle cycles,
                         const MessageName& waiting, const MessageName& holding) {
  return std::to_string(node) + ":" + std::to_string(port) + " " + std::to_string(first) + "+" +
         std::to_string(cycles) + " " + wave_text(waiting) + " " + wave_text(holding);
}

/// The waits up to the cycle to which a deadlock is dated; the recording may go on.
std::set<std::string> waits_of(const WaveRecorder& recorder, const Results& results) {
  const Cycle end = results.deadlock ? results.deadlock->cycle : recorder.last();
  std::set<std::string> waits;
  for (const RouterActivity& router : recorder.activity()) {
    for (const WaveWait& wait : router.waits) {
      waits.insert(printed_wait(index(router.node), static_cast<std::size_t>(wait.output),
                                wait.first, std::min(wait.cycles, end + 1 - wait.first),
                                recorder.name()(wait.waiting), recorder.name()(wait.holding)));
    }
  }
  return waits;
}

Recorded record(const std::string& path, SimulationConfig config, const Routing& routing,
                double rate, const std::vector<std::size_t>& roots) {
  if (rate > 0) config.processors = processors_for<PatternWork>;
  Simulation simulation(config, routing);
  WaveOptions options;
  options.path = path;
  WaveRecorder recorder(
      simulation.fabric(), options, [&](MessageId id) { return simulation.message_name(id); },
      [&](const Loss& loss) { return simulation.is_contention(loss); });
  Recorded run;
  std::vector<PlannedCollective> trial;
  for (const std::size_t root : roots) {
    trial.push_back(collective("tree", routing, broadcast_from(root, routing)));
  }
  run.results = rate > 0 ? simulation.run(test::uniform(rate, 150)) : simulation.run({trial});
  finish_wave(recorder, run.results);
  run.waits = waits_of(recorder, run.results);
  run.save = GtkwReader(text_of(wave_companions(path).save)).file;
  const bool is_vcd = path.back() == 'd';
  if (is_vcd || VcdReader::can_read_fst()) {
    run.signals = (is_vcd ? VcdReader::from_file(path) : VcdReader::from_fst(path)).ranged_names();
  }
  return run;
}

std::string printed(const std::vector<std::string>& texts) {
  std::string list;
  for (const std::string& text : texts) list += text + "; ";
  return list;
}

std::string fault_of_waits(const Recorded& run) {
  std::set<std::string> found;
  for (const ContentionEvent& event : run.results.contention.list) {
    found.insert(printed_wait(index(event.channel.node), index(event.channel.port), event.cycle,
                              event.cycles, event.waiting, event.holding));
  }
  std::vector<std::string> difference;
  std::set_symmetric_difference(found.begin(), found.end(), run.waits.begin(), run.waits.end(),
                                std::back_inserter(difference));
  return difference.empty() ? "" : "not the monitors' waits: " + printed(difference) + "\n";
}

/// The place of the router's line among the lines, and whether it is open.
struct Line {
  std::size_t place;
  bool is_open;
  std::string label;
  std::string signal;
};

std::map<std::size_t, Line> lines_of(const GtkwFile& save) {
  std::map<std::size_t, Line> lines;
  for (std::size_t i = 0; i < save.labels.size(); ++i) {
    const std::string& label = save.labels[i];
    if (label.rfind("router_", 0) != 0) continue;
    const bool is_open = i + 1 < save.labels.size() && !save.is_hidden[i + 1] &&
                         save.labels[i + 1].rfind("router_", 0) != 0;
    lines[std::stoul(label.substr(7))] = {i, is_open, label, save.signals[i]};
  }
  return lines;
}

/// The first cycle of each router's contention.
std::map<std::size_t, Cycle> contended(const Results& results) {
  std::map<std::size_t, Cycle> first;
  for (const ContentionEvent& event : results.contention.list) {
    first.try_emplace(index(event.channel.node), event.cycle);
  }
  return first;
}

std::string fault_of_circle(const Recorded& run) {
  if (!run.results.deadlock) return "";
  const std::map<std::size_t, Line> lines = lines_of(run.save);
  std::map<std::size_t, Cycle> since;
  for (const DeadlockWait& wait : run.results.deadlock->waits) {
    const auto [router, is_new] = since.try_emplace(index(wait.channel.node), wait.since);
    if (!is_new) router->second = std::min(router->second, wait.since);
  }
  std::string faults;
  for (const auto& [node, cycle] : since) {
    const auto line = lines.find(node);
    const std::string name = "router " + std::to_string(node) + " of the circle ";
    if (line == lines.end() || !line->second.is_open) return name + "is not open\n";
    for (const auto& [other, its_line] : lines) {
      const bool is_later = since.count(other) == 0 || since[other] > cycle;
      if (is_later && its_line.place < line->second.place) faults += name + "is not in front\n";
    }
  }
  return faults;
}

std::string fault_of_contention(const Recorded& run) {
  const std::map<std::size_t, Line> lines = lines_of(run.save);
  std::string faults;
  for (const auto& [node, cycle] : contended(run.results)) {
    const auto line = lines.find(node);
    if (line == lines.end()) return "router " + std::to_string(node) + " is missing\n";
    if (line->second.is_open) continue;
    const std::string mark = ", contention from " + std::to_string(cycle);
    const std::string& label = line->second.label;
    const bool has_mark = label.size() > mark.size() &&
                          label.compare(label.size() - mark.size(), mark.size(), mark) == 0;
    const bool is_red =
        line->second.signal == "fabric.router_" + std::to_string(node) + ".contention[15:0]";
    if (!has_mark || !is_red) faults += label + ": no mark\n";
  }
  return faults;
}

/// Every wait has a line in sight or in the group, or is counted.
std::string fault_of_table(const Recorded& run) {
  std::size_t in_circle = 0;
  const auto is_in_circle = [&](const ContentionEvent& event) {
    const auto is_it = [&](const DeadlockWait& wait) {
      return wait.waits_for == "vc" && wait.channel.node == event.channel.node &&
             wait.channel.port == event.channel.port &&
             wave_text(wait.message) == wave_text(event.waiting) &&
             wave_text(wait.held_by) == wave_text(event.holding);
    };
    const auto& waits = run.results.deadlock->waits;
    return std::any_of(waits.begin(), waits.end(), is_it);
  };
  std::size_t expected = run.results.contention.events;
  if (run.results.deadlock) {
    const auto& list = run.results.contention.list;
    in_circle = static_cast<std::size_t>(std::count_if(list.begin(), list.end(), is_in_circle));
    expected += run.results.deadlock->waits.size() + 1 - in_circle;
  }
  std::size_t rows = run.save.folded.size();
  for (const std::string& comment : run.save.comments) {
    const bool is_row = comment.find("cycle ") != std::string::npos;
    if (is_row) ++rows;
    const std::size_t more = comment.find(" later ones");
    if (more != std::string::npos) rows += std::stoul(comment.substr(0, more));
  }
  if (rows == expected) return "";
  return std::to_string(rows) + " lines of " + std::to_string(expected) + "\n";
}

std::string fault_of_signals(const Recorded& run) {
  if (run.signals.empty()) return "";
  const std::multiset<std::string> known(run.signals.begin(), run.signals.end());
  for (const std::string& signal : run.save.signals) {
    if (known.count(signal) != 1) return signal + "\n";
  }
  return "";
}

std::string faults_of(const Recorded& run) {
  return fault_of_waits(run) + fault_of_circle(run) + fault_of_contention(run) +
         fault_of_table(run) + fault_of_signals(run);
}

/// Uniform traffic.
Recorded random_traffic(std::uint64_t seed, const TemporaryFolder& folder) {
  Draw draw(seed);
  Experiment experiment;
  experiment.length(1 + draw.below(12)).with_seed(seed);
  experiment.fabric = With().depth(1 + draw.below(4)).link_delay(draw.below(3));
  experiment.fabric.vcs = 2 + 2 * draw.below(2);
  if (draw.below(4) == 0) experiment.fabric.switching = Switching::circuit;
  const Routing routing =
      routing_on(draw.one_of<std::string>({"torus:4x4", "mesh:5x3", "hypercube:4", "torus:6x6"}));
  const double rate = 0.1 * (1 + draw.below(9));
  return record(folder / (draw.below(2) == 0 ? "w.vcd" : "w.fst"), experiment, routing, rate, {});
}

/// Broadcasts by tree worms, which may deadlock.
Recorded random_trees(std::uint64_t seed, const TemporaryFolder& folder) {
  Draw draw(seed);
  Experiment experiment;
  experiment.length(1 + draw.below(12)).with_seed(seed);
  experiment.fabric = With().depth(1 + draw.below(4)).link_delay(draw.below(3));
  const Routing routing = routing_on(draw.one_of<std::string>({"hypercube:3", "hypercube:4"}));
  const std::size_t nodes = routing.topology().node_count();
  return record(folder / (draw.below(2) == 0 ? "w.vcd" : "w.fst"), experiment, routing, 0,
                draw.subset(nodes, static_cast<std::size_t>(2 + draw.below(4))));
}

/// The number of random runs with `event`, each of them without a fault.
int sound_runs(Recorded (*random_run)(std::uint64_t, const TemporaryFolder&),
               const std::string& event) {
  const RandomCases seeds(6);
  int count = 0;
  for (std::uint64_t seed = seeds.first; seed < seeds.end; ++seed) {
    const std::string outcome = forked([&] {
      TemporaryFolder folder;
      const Recorded run = random_run(seed, folder);
      const std::string faults = faults_of(run);
      if (!faults.empty()) return faults;
      if (run.results.deadlock) return std::string("deadlock");
      return std::string(run.results.contention.events > 0 ? "contention" : "nothing");
    });
    const std::set<std::string> events{"deadlock", "contention", "nothing"};
    EXPECT_EQ(events.count(outcome), 1U) << "seed " << seed << ": " << outcome;
    if (outcome == event) ++count;
  }
  return count;
}

TEST(WaveFindingsProperty, EveryWaitIsToldOfAndItsRouterOpenOrMarked) {
  EXPECT_GE(sound_runs(random_traffic, "contention"), 3);
}

TEST(WaveFindingsProperty, EveryRouterOfACircleIsOpen) {
  EXPECT_GE(sound_runs(random_trees, "deadlock"), 1);
}

TEST(WaveFindings, OfTwoTreesOpenTheTwoRoutersOfTheCircle) {
  const std::string outcome = forked([] {
    TemporaryFolder folder;
    const Recorded run =
        record(folder / "w.fst", Experiment(), routing_on("hypercube:3"), 0, {0, 6});
    std::string text = faults_of(run);
    for (const std::string& comment : run.save.comments) text += comment + "\n";
    for (const auto& [node, line] : lines_of(run.save)) {
      if (line.is_open) text += line.label + "; ";
    }
    return text;
  });

  EXPECT_EQ(
      outcome,
      "A  cycle 1: 0>* #0 waits for channel 4 -> 5 (dimension 0, VC 0), held by 6>* #0: router_4 output_0 vc_0\n"
      "B  cycle 2: 6>* #0 waits for channel 0 -> 1 (dimension 0, VC 0), held by 0>* #0: router_0 output_0 vc_0\n"
      "C  deadlock in cycle 9: each message of the circle waits for the next\n"
      "A  cycle 1: 6>* #0 waits 9 cycles for channel 2 -> 3 (dimension 0, VC 0), held by 0>* #0: router_2 output_0 vc_0\n"
      "B  cycle 2: 0>* #0 waits 8 cycles for channel 6 -> 7 (dimension 0, VC 0), held by 6>* #0: router_6 output_0 vc_0\n"
      "router_0 000 source; router_2 010; router_4 100; ");
}

TEST(WaveFindings, OfALargeRunStayAFewLines) {
  const std::string outcome = forked([] {
    TemporaryFolder folder;
    const Recorded run = record(folder / "w.vcd", Experiment(), routing_on("torus:8x8"), 0.9, {});
    std::string text = faults_of(run);
    if (run.results.contention.events < 500) text += "too few to tell";
    if (run.save.comments.size() != 13) text += "lines in sight";
    if (run.save.markers.size() != 26) text += "markers";
    return text;
  });

  EXPECT_EQ(outcome, "");
}

}  // namespace
}  // namespace allport::test
