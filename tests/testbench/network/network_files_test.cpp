// SPDX-License-Identifier: Apache-2.0
// The files of a network: its waves are those of a run of the same messages as a schedule with
// times, whatever calls cut time, and what was asked for in the middle is their beginning; so is
// its timeline, on worms and on routers.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "testbench/network/flits/flit_network.h"
#include "testbench/network/network.h"
#include "testbench/observe/explain/explained_trial.h"
#include "testbench/observe/waves/gtkw_file.h"
#include "testbench/plan/plan_run.h"
#include "testbench/show/timeline/timeline.h"
#include "testbench/simulation/run_session.h"
#include "tests/properties/reference/random_cases.h"
#include "tests/support/forked.h"
#include "tests/testbench/network/network_cases.h"
#include "tests/testbench/observe/waves/wave_bench.h"
#include "traffic/tasks/schedule_tasks.h"

namespace allport::test {
namespace {

// Drawn messages in the order in which a run prepares them, whose numbers waves show.
std::vector<TimedMessage> draw_messages(Draw& draw, const std::string& options) {
  const std::size_t nodes = read_network_request(options).fabric.topology->node_count();
  std::vector<TimedMessage> messages =
      draw_unicasts(draw, nodes, classes_of(options), 1 + draw.below(24));
  std::stable_sort(messages.begin(), messages.end(),
                   [](const TimedMessage& a, const TimedMessage& b) {
                     return std::tuple(a.at, a.message.source) < std::tuple(b.at, b.message.source);
                   });
  return messages;
}

RunPlan plan_of_run(const std::string& options, const std::vector<TimedMessage>& messages,
                    Model model) {
  const NetworkRequest network = read_network_request(options);
  RunRequest request;
  request.fabric = network.fabric;
  request.router = network.router;
  request.traffic.ties = network.ties;
  request.model = model;
  request.explain.movement = true;
  const std::size_t nodes = network.fabric.topology->node_count();
  std::vector<int> orders(nodes);
  std::vector<TimedUnicast> schedule;
  for (const TimedMessage& one : messages) {
    TimedUnicast timed;
    timed.unicast.u = one.message.source;
    timed.unicast.v = one.message.destination;
    timed.unicast.order = orders[index(one.message.source)]++;
    timed.flits = static_cast<int>(one.message.flits);
    timed.at = one.at;
    timed.message_class = static_cast<std::uint8_t>(one.message.message_class);
    schedule.push_back(timed);
  }
  request.traffic.graph = std::make_shared<TaskGraph>(
      schedule_tasks(schedule, "schedule", 1, network.flit_bytes, nodes));
  return plan(request);
}

std::string timeline_of(const ShownTrial& trial, const Topology& topology) {
  std::string text;
  write_timeline(
      trial, topology, TimelineFormat::csv, [&](std::string_view more) { text += more; }, nullptr);
  return text;
}

// The timeline of a run on `model`; it writes waves into the file `wave`, if there is one.
std::string write_run(const std::string& options, const std::vector<TimedMessage>& messages,
                      Model model, const std::string& wave = "") {
  return forked([&] {
    const RunPlan plan = plan_of_run(options, messages, model);
    std::string timeline;
    SessionRequest session;
    if (!wave.empty()) session.wave.emplace().path = wave;
    session.show_trial = [&](const ShownTrial& trial, const Results&) {
      timeline = timeline_of(trial, plan.routing.topology());
    };
    run_session(plan, nullptr, session);
    return timeline;
  });
}

void send_all(Network& network, const std::vector<TimedMessage>& messages) {
  for (const TimedMessage& one : messages) network.send(one.message, one.at);
}

void advance_in_slices(Network& network, Draw& draw, Cycle end) {
  while (network.now() < end && !network.is_idle()) {
    const Cycle to = std::min(end - 1, network.now() + draw.one_of<int>({0, 1, 7, 40, 300}));
    if (draw.below(2) == 0) {
      network.advance(to);
    } else {
      network.advance_to_delivery(to);
    }
  }
}

Network recorded(const std::string& options, const std::string& wave) {
  NetworkRequest request = read_network_request(options + " model=systemc");
  request.wave.emplace().path = wave;
  return flit_network(request);
}

std::string timeline_of(const Network& network) {
  std::string timeline;
  network.show([&](const ShownTrial& trial) { timeline = timeline_of(trial, network.topology()); });
  return timeline;
}

// All signals but what flits carry: that is nothing in a network.
std::map<std::string, VcdReader::Changes> signals_of(const VcdReader& wave) {
  std::map<std::string, VcdReader::Changes> signals;
  for (const std::string& name : wave.names()) {
    if (name.substr(name.rfind('.')) != ".data") signals[name] = wave.changes(name);
  }
  return signals;
}

// Those up to cycle `last`.
std::map<std::string, VcdReader::Changes> beginning(
    std::map<std::string, VcdReader::Changes> signals, Cycle last) {
  for (auto& [name, changes] : signals) changes.erase(changes.upper_bound(last), changes.end());
  return signals;
}

class NetworkFiles : public testing::Test {
 protected:
  // The files of a run lie apart from those of a network, and have the same names.
  void SetUp() override {
    std::filesystem::create_directory(folder / "run");
    std::filesystem::create_directory(folder / "network");
  }
  std::string of_run(const std::string& name) const { return folder / ("run/" + name); }
  std::string of_network(const std::string& name) const { return folder / ("network/" + name); }

  TemporaryFolder folder;
};

TEST_F(NetworkFiles, HaveTheWavesOfARunOfTheSameSchedule) {
  const RandomCases cases(12);
  for (std::uint64_t seed = cases.first; seed < cases.end; ++seed) {
    Draw draw(seed + 2100000);
    const std::string options = draw_options(draw);
    const std::vector<TimedMessage> messages = draw_messages(draw, options);
    SCOPED_TRACE("seed " + std::to_string(seed) + ": " + options);
    write_run(options, messages, Model::systemc, of_run("w.vcd"));
    {
      Network network = recorded(options, of_network("w.vcd"));
      send_all(network, messages);
      advance_in_slices(network, draw, end_of_case);
      network.advance(network.now() + 100);  // the credits come home
      network.finish_wave();
    }
    const VcdReader run = VcdReader::from_file(of_run("w.vcd"));
    const VcdReader wave = VcdReader::from_file(of_network("w.vcd"));
    ASSERT_EQ(signals_of(wave), signals_of(run));
    ASSERT_EQ(wave.last(), run.last());
    for (const char* name : {"w.messages.txt", "w.flits.txt", "w.gtkw"}) {
      ASSERT_EQ(text_of(of_network(name)), text_of(of_run(name)));
    }
  }
}

TEST_F(NetworkFiles, HaveTheWavesOfTheCyclesBeforeNow) {
  const RandomCases cases(12);
  for (std::uint64_t seed = cases.first; seed < cases.end; ++seed) {
    Draw draw(seed + 2200000);
    const std::string options = draw_options(draw);
    const std::vector<TimedMessage> messages = draw_messages(draw, options);
    SCOPED_TRACE("seed " + std::to_string(seed) + ": " + options);
    Cycle now = 0;
    {
      Network whole = recorded(options, of_network("whole.vcd"));
      Network part = recorded(options, of_network("part.vcd"));
      send_all(whole, messages);
      send_all(part, messages);
      whole.advance(end_of_case);
      advance_in_slices(part, draw, 1 + draw.below(200));
      now = part.now();
      const bool is_idle = part.is_idle();
      const bool is_finished = draw.below(2) == 0;
      if (is_finished) part.finish_wave();
      part.advance(end_of_case);  // nothing of it is in the wave, unless that was not finished
      if (is_idle && !is_finished) now = end_of_case;
    }
    const VcdReader whole = VcdReader::from_file(of_network("whole.vcd"));
    const VcdReader part = VcdReader::from_file(of_network("part.vcd"));
    if (part.last() == whole.last()) {
      ASSERT_EQ(signals_of(part), signals_of(whole));
      continue;
    }
    ASSERT_LE(part.last(), now);
    ASSERT_EQ(signals_of(part), beginning(signals_of(whole), part.last() - 1));
  }
}

TEST_F(NetworkFiles, HaveTheTimelineOfARunOfTheSameSchedule) {
  const RandomCases cases(20);
  for (std::uint64_t seed = cases.first; seed < cases.end; ++seed) {
    Draw draw(seed + 2300000);
    const std::string options = draw_options(draw);
    const std::vector<TimedMessage> messages = draw_messages(draw, options);
    SCOPED_TRACE("seed " + std::to_string(seed) + ": " + options);
    for (const Model model : {Model::worm, Model::systemc}) {
      NetworkRequest request = read_network_request(options + " explain=true");
      request.model = model;
      Network network = model == Model::worm ? Network(request) : flit_network(request);
      send_all(network, messages);
      advance_in_slices(network, draw, 1 + draw.below(200));
      timeline_of(network);  // it changes nothing
      advance_in_slices(network, draw, end_of_case);
      ASSERT_EQ(timeline_of(network), write_run(options, messages, model)) << to_string(model);
    }
  }
}

// A message is there as far as it has come.
TEST_F(NetworkFiles, ShowsWhatIsUnderWay) {
  Network network = network_of("topology=mesh:4 explain=true");
  EXPECT_EQ(timeline_of(network),
            "node,place,what,message,cause,from,to,flits,flits_not_sent,next_node,blamed\n");
  network.send(unicast(0, 3, 8), 0);
  network.send(unicast(1, 3, 8), 100);
  network.advance(5);
  const std::string early = timeline_of(network);
  EXPECT_THAT(early, testing::HasSubstr(",message,0>3#0,,0,6,8,2,"));
  EXPECT_THAT(early, testing::Not(testing::HasSubstr("1>3")));
  network.advance(50);
  EXPECT_THAT(timeline_of(network), testing::HasSubstr(",message,0>3#0,,0,8,8,,"));
}

// Without a call the waves are finished with the network.
TEST_F(NetworkFiles, AreFinishedAtTheLatestWithTheNetwork) {
  const auto wave = [&](const std::string& name) { return of_network(name); };
  {
    Network network = recorded("topology=mesh:4", wave("w.vcd"));
    EXPECT_EQ(network.results().messages, 0U);  // it records
    network.send(unicast(0, 3, 8), 2);
    network.advance(20);
  }
  const WaveCompanions files = wave_companions(wave("w.vcd"));
  for (const std::string& file : {files.flits, files.messages, files.save}) {
    EXPECT_TRUE(std::filesystem::exists(file)) << file;
  }
  EXPECT_THAT(text_of(files.messages), testing::HasSubstr("0>3 #0"));
  EXPECT_EQ(VcdReader::from_file(wave("w.vcd")).at("fabric.router_0.injection_0.message", 2), 0U);
}

TEST_F(NetworkFiles, HoldWhatWasAskedFor) {
  NetworkRequest request = read_network_request("topology=mesh:4 model=systemc");
  request.wave = NetworkWave{of_network("w.vcd"), {node_id(1)}, 3, 5};
  {
    Network network = flit_network(request);
    network.send(unicast(0, 3, 8), 0);
    network.advance(50);
    network.finish_wave();
    network.finish_wave();  // it is finished
  }
  const VcdReader wave = VcdReader::from_file(of_network("w.vcd"));
  EXPECT_EQ(wave.first(), 3);
  EXPECT_EQ(wave.last(), 6);
  for (const std::string& name : wave.names()) {
    EXPECT_EQ(name.rfind("fabric.router_1.", 0), 0U) << name;
  }
}

TEST_F(NetworkFiles, AreRefusedInSentences) {
  NetworkRequest request = read_network_request("topology=mesh:4");
  request.wave.emplace().path = of_network("w.vcd");
  EXPECT_EQ(
      sentence_of_call([&] { const Network network(request); }),
      "wave: worms have no signals to show; routers in SystemC have: `allport network --model systemc` and, in C++, flit_network()");
  EXPECT_FALSE(std::filesystem::exists(of_network("w.vcd")));
  request.model = Model::systemc;
  request.wave->nodes = {node_id(4)};
  EXPECT_EQ(sentence_of_call([&] { flit_network(request); }), "wave of node 4: must be 0..3");
  request.wave = NetworkWave{of_network("w.vcd"), {}, 5, 4};
  EXPECT_EQ(sentence_of_call([&] { flit_network(request); }),
            "wave from cycle 5 to cycle 4: must be 0 or later, in ascending order");
  request.wave = NetworkWave{of_network("w.txt"), {}, 0, 4};
  EXPECT_THAT(sentence_of_call([&] { flit_network(request); }),
              testing::HasSubstr("the name must end in .vcd or .fst"));
  request.wave.reset();
  EXPECT_EQ(sentence_of_call([&] { flit_network(request).finish_wave(); }),
            "finish wave: the network was asked for no wave");
  EXPECT_EQ(sentence_of_call([&] { timeline_of(network_of("topology=mesh:4 record=true")); }),
            "show: the network keeps no movement of its flits; it does where explain is true");
  EXPECT_EQ(
      sentence_of_call([&] { network_of("topology=mesh:4 wave-nodes=2"); }),
      "wave_nodes: a network that is opened by text writes no waves; `allport network --model systemc` does and, in C++, flit_network()");
  EXPECT_EQ(
      sentence_of_call([&] { network_of("topology=mesh:4 timeline=t.csv"); }),
      "timeline: a network that is opened by text writes no timeline; `allport network` does and, in C++, write_timeline()");
}

// A call-back may send and take only.
TEST_F(NetworkFiles, AreNotFinishedWithinACallBack) {
  Network network = recorded("topology=mesh:4 queue_limit=8", of_network("w.vcd"));
  std::string sentence;
  network.on_space(
      [&](NodeId, int) { sentence = sentence_of_call([&] { network.finish_wave(); }); });
  network.send(unicast(0, 3, 8), 0);
  ASSERT_FALSE(network.try_send(unicast(0, 3, 8), 0));
  network.advance(50);
  EXPECT_EQ(sentence, "a call-back that is told of room may send, but finishes no wave");
}

}  // namespace
}  // namespace allport::test
