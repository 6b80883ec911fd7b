// SPDX-License-Identifier: Apache-2.0
// What is in the timeline of a run is what the explanation of the same run says.
#include <gmock/gmock.h>

#include <algorithm>
#include <map>
#include <sstream>
#include <string>
#include <tuple>
#include <vector>

#include "tests/support/cli_program.h"
#include "tests/support/timeline_reader.h"

namespace allport::test {
namespace {

using testing::HasSubstr;
using testing::Not;
using Json = nlohmann::json;
using Slice = TimelineReading::Slice;

constexpr const char* collective =
    "run --topology hypercube:4 --ports 1 --algorithm sbt --flits 6 --ts 3 --tr 2 ";
constexpr const char* traffic =
    "run --topology torus:4x4 --pattern uniform --rate 0.7 --cycles 400 --flits 5 --ts 2 ";

class CliTimeline : public Cli {
 protected:
  // The timeline of the run, of which `run_` tells.
  TimelineReading timeline_of(const std::string& command) {
    const Outcome outcome = allport(command + " --timeline t.pftrace --explain all --json r.json");
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    run_ = Json::parse(content("r.json"));
    return read_timeline(content("t.pftrace"));
  }

  Json run_;
};

// Cycles of the waits by cause, and of preparing and taking over messages.
std::map<std::string, std::int64_t> cycles_of(const TimelineReading& timeline) {
  std::map<std::string, std::int64_t> cycles;
  for (const Slice& slice : timeline.slices) {
    if (slice.category == "message") continue;
    const bool is_wait = slice.category == "wait";
    cycles[is_wait ? slice.notes.at("cause") : slice.category] += slice.end - slice.first;
  }
  return cycles;
}

// The same of the explanation: what moves, and what follows what moves, are no slices.
std::map<std::string, std::int64_t> cycles_of(const Json& run) {
  std::map<std::string, std::int64_t> cycles;
  for (const auto& [cause, count] : run["explanation"]["by_cause"].items()) {
    if (cause != "hop" && cause != "length") cycles[cause] = count;
  }
  return cycles;
}

// The first arrow that has not one beginning and one end, in this order.
std::string faulty_arrow(const TimelineReading& timeline) {
  std::map<std::uint64_t, std::vector<std::int64_t>> begins;
  std::map<std::uint64_t, std::vector<std::int64_t>> ends;
  for (const Slice& slice : timeline.slices) {
    for (const std::uint64_t flow : slice.flows) begins[flow].push_back(slice.first);
    for (const std::uint64_t flow : slice.ended_flows) ends[flow].push_back(slice.first);
  }
  for (const auto& [flow, first] : begins) {
    const auto end = ends.find(flow);
    if (end == ends.end()) return "an arrow has no end";
    if (first.size() != 1 || end->second.size() != 1) return "an arrow is drawn twice";
    if (first.front() > end->second.front()) return "an arrow goes back";
  }
  return begins.size() == ends.size() ? "" : "an arrow has no beginning";
}

// The first buffer that is never used, holds more than `depth` flits, or is not empty at the end.
std::string faulty_fill(const TimelineReading& timeline, std::int64_t depth) {
  for (const auto& [number, track] : timeline.tracks) {
    if (!track.is_counter) continue;
    const auto counts = timeline.counts.find(number);
    if (counts == timeline.counts.end()) return track.name + " is never used";
    if (counts->second.back().second != 0) return track.name + " is not empty at the end";
    for (const auto& [cycle, fill] : counts->second) {
      if (fill < 0 || fill > depth) return track.name + " has " + std::to_string(fill);
    }
  }
  return "";
}

std::string name_of(const Json& message) {
  return std::to_string(message["source"].get<int>()) + ">" +
         std::to_string(message["destination"].get<int>()) + "#" +
         std::to_string(message["order"].get<int>());
}

struct Seen {
  int channels = 0;
  std::int64_t injected = -1;
  std::int64_t ejected = -1;  // the cycle after its tail was sent
};

std::map<std::string, Seen> messages_of(const TimelineReading& timeline) {
  std::map<std::string, Seen> messages;
  for (const Slice& slice : timeline.slices) {
    if (slice.category != "message") continue;
    Seen& seen = messages[slice.name];
    ++seen.channels;
    const TimelineReading::Track& track = timeline.tracks.at(slice.track);
    if (track.name.rfind("injection", 0) == 0) seen.injected = slice.first;
    if (track.name.rfind("ejection", 0) == 0) seen.ejected = slice.end;
  }
  return messages;
}

// What a user sees, without the numbers of arrows, which follow the order in which a model works.
std::vector<std::string> shown(const TimelineReading& timeline) {
  std::vector<std::string> lines;
  for (const Slice& slice : timeline.slices) {
    const TimelineReading::Track& track = timeline.tracks.at(slice.track);
    std::string line = track.process + " " + track.name + " " + std::to_string(slice.first) + " " +
                       std::to_string(slice.end) + " " + slice.name + " " +
                       std::to_string(slice.depth);
    for (const auto& [name, value] : slice.notes) line += " " + name + "=" + value;
    lines.push_back(line);
  }
  for (const auto& [number, counts] : timeline.counts) {
    const TimelineReading::Track& track = timeline.tracks.at(number);
    for (const auto& [cycle, fill] : counts) {
      lines.push_back(track.process + " " + track.name + " " + std::to_string(cycle) + " " +
                      std::to_string(fill));
    }
  }
  std::sort(lines.begin(), lines.end());
  return lines;
}

TEST_F(CliTimeline, HasTheCausesOfTheExplanation) {
  for (
      const std::string& command :
      {collective + std::string("--buffer-depth 2"), traffic + std::string("--buffer-depth 2"),
       traffic + std::string("--buffer-depth 5 --switching store-and-forward"),
       traffic + std::string("--buffer-depth 5 --switching cut-through"),
       traffic + std::string("--switching circuit"), traffic + std::string("--model worm"),
       std::string("run --topology hypercube:4 --algorithm wsort --jitter 20 --flits 9"),
       std::string(
           "run --topology hypercube:3 --algorithm tree --source 0 --flits 4 --replication-delay 2 --buffer-depth 4 --tr 1"),
       std::string(
           "run --topology mesh:3x3 --algorithm join-allreduce --source 4 --flits 6 --tr 2 --skew 30 --combine-delay 2 --replication-delay 1 --buffer-depth 2"),
       std::string(
           "cosim --topology hypercube:2 --pattern uniform --rate 1 --cycles 50 --flits 2")}) {
    SCOPED_TRACE(command);
    const TimelineReading timeline = timeline_of(command);
    EXPECT_EQ(timeline.fault, "");
    EXPECT_GT(cycles_of(timeline).size(), 0U);
    std::map<std::string, std::int64_t> expected = cycles_of(run_);
    EXPECT_EQ(cycles_of(timeline), expected);
    EXPECT_EQ(faulty_arrow(timeline), "");
    EXPECT_EQ(faulty_fill(timeline, run_["config"]["buffer_depth"]), "");
  }
}

TEST_F(CliTimeline, HasEveryMessageOnEveryChannelOfItsWay) {
  for (const char* command : {collective, traffic}) {
    SCOPED_TRACE(command);
    const TimelineReading timeline = timeline_of(command);
    const std::map<std::string, Seen> seen = messages_of(timeline);
    EXPECT_EQ(seen.size(), run_["explanation"]["messages"].size());
    for (const Json& message : run_["explanation"]["messages"]) {
      ASSERT_EQ(seen.count(name_of(message)), 1U) << name_of(message);
      const Seen& one = seen.at(name_of(message));
      EXPECT_EQ(one.channels, message["hops"].get<int>() + 2) << name_of(message);
      EXPECT_EQ(one.injected, message["injected"].get<std::int64_t>()) << name_of(message);
      EXPECT_EQ(one.ejected, message["tail"].get<std::int64_t>()) << name_of(message);
    }
  }
}

// Every contribution leads to what goes on from where they meet, and from its node's processor.
TEST_F(CliTimeline, ShowsTheContributionsToAJoin) {
  const TimelineReading timeline =
      timeline_of("run --topology ring:5 --algorithm join-reduce --flits 6 --ts 3 --tr 2");
  EXPECT_EQ(faulty_arrow(timeline), "");
  std::map<std::string, int> slices;
  std::size_t arrows = 0;
  for (const Slice& slice : timeline.slices) {
    ++slices[slice.category];
    arrows += slice.flows.size();
  }
  EXPECT_EQ(slices["ts"], 5);
  EXPECT_EQ(slices["message"], 5 + 4 + 1) << "injected, on their way, and received";
  EXPECT_EQ(arrows, 5U + 5U + 4U + 1U) << "to the ports, into the routers, onwards, to the node";
}

// Node 0 sends first; every other message waits for what its sender receives.
TEST_F(CliTimeline, LeadsFromAReceptionToTheMessagesThatDependOnIt) {
  for (const char* times : {"--ts 3 --tr 2", "--ts 0 --tr 2", "--ts 3 --tr 0", "--ts 0 --tr 0"}) {
    SCOPED_TRACE(times);
    const TimelineReading timeline =
        timeline_of("run --topology hypercube:3 --algorithm sbt --flits 4 " + std::string(times));
    EXPECT_EQ(faulty_arrow(timeline), "");
    std::map<std::uint64_t, const Slice*> origins;
    for (const Slice& slice : timeline.slices) {
      for (const std::uint64_t flow : slice.flows) origins[flow] = &slice;
    }
    int dependent = 0;
    for (const Slice& slice : timeline.slices) {
      for (const std::uint64_t flow : slice.ended_flows) {
        const Slice& origin = *origins.at(flow);
        const auto message = [](const Slice& one) {
          return one.name.substr(one.name.rfind(' ') + 1);
        };
        if (message(origin) == message(slice)) continue;
        ++dependent;
        EXPECT_EQ(timeline.tracks.at(origin.track).process,
                  timeline.tracks.at(slice.track).process);
        EXPECT_LE(origin.end, slice.first) << message(origin) << " before " << message(slice);
      }
    }
    EXPECT_EQ(dependent, 4) << "of seven messages node 0 sends three";
  }
}

TEST_F(CliTimeline, NamesWhoIsInTheWay) {
  const TimelineReading timeline =
      timeline_of("run --topology hypercube:3 --ports 1 --algorithm sbt --flits 5");
  std::vector<std::string> queue;
  for (const Slice& slice : timeline.slices) {
    const TimelineReading::Track& track = timeline.tracks.at(slice.track);
    if (track.process != "node 0" || slice.category != "wait") continue;
    queue.push_back(
        track.name + ": " + slice.notes.at("message") + " " + std::to_string(slice.first) + ".." +
        std::to_string(slice.end) + " " + slice.name + " " + slice.notes.at("blamed") +
        (slice.notes.count("last blamed") != 0 ? " to " + slice.notes.at("last blamed") : ""));
  }
  EXPECT_EQ(queue,
            (std::vector<std::string>{
                "waiting for injection channel 0 of node 0: 0>2#1 0..5 port 0>4#0",
                "waiting for injection channel 0 of node 0: 0>1#2 0..10 port 0>4#0 to 0>2#1"}));
}

TEST_F(CliTimeline, IsTheSameForFlitsWormsAndRtl) {
  for (const std::string command : {collective, traffic}) {
    const std::vector<std::string> flits = shown(timeline_of(command));
    EXPECT_EQ(flits, shown(timeline_of(command + "--model worm"))) << command;
    EXPECT_EQ(flits, shown(timeline_of(command + "--model rtl"))) << command;
    EXPECT_GT(flits.size(), 100U);
  }
}

TEST_F(CliTimeline, OfADeadlockShowsTheMessagesThatAreStuck) {
  const Outcome outcome =
      allport("run --topology hypercube:3 --algorithm tree --source 0,6 --timeline t.pftrace");
  EXPECT_EQ(outcome.status, 3);
  const TimelineReading timeline = read_timeline(content("t.pftrace"));
  EXPECT_EQ(timeline.fault, "");
  int stuck = 0;
  for (const Slice& slice : timeline.slices) stuck += slice.notes.count("flits not sent") != 0;
  EXPECT_GT(stuck, 0);
}

// Row by row, whatever the order.
TEST_F(CliTimeline, TheTableHasTheSlicesOfTheOther) {
  for (const std::string command : {collective, traffic}) {
    const TimelineReading timeline = timeline_of(command);
    ASSERT_EQ(timeline.fault, "");
    std::vector<std::string> expected;
    for (const Slice& slice : timeline.slices) {
      const TimelineReading::Track& track = timeline.tracks.at(slice.track);
      const auto note = [&](const char* name) {
        const auto found = slice.notes.find(name);
        return found == slice.notes.end() ? std::string() : found->second;
      };
      const std::string message = note("message").empty() ? slice.name : note("message");
      expected.push_back(track.process.substr(std::string("node ").size()) + ",\"" + track.name +
                         "\"," + slice.category + "," + message + "," + note("cause") + "," +
                         std::to_string(slice.first) + "," + std::to_string(slice.end) + "," +
                         note("flits") + "," + note("flits not sent") + "," + note("next node") +
                         "," + note("blamed"));
    }
    EXPECT_EQ(allport(command + std::string("--timeline t.csv")).status, 0);
    std::istringstream table(content("t.csv"));
    std::string line;
    std::getline(table, line);
    EXPECT_EQ(line, "node,place,what,message,cause,from,to,flits,flits_not_sent,next_node,blamed");
    std::vector<std::string> rows;
    while (std::getline(table, line)) rows.push_back(line);
    std::sort(rows.begin(), rows.end());
    std::sort(expected.begin(), expected.end());
    EXPECT_EQ(rows, expected) << command;
  }
}

TEST_F(CliTimeline, OfALargeCubeIsWritten) {
  const TimelineReading timeline =
      timeline_of("run --topology hypercube:10 --algorithm wsort --model worm");
  EXPECT_EQ(timeline.fault, "");
  EXPECT_EQ(messages_of(timeline).size(), 1023U);
}

TEST_F(CliTimeline, WhatCannotBeWrittenIsRefusedBeforeTheSimulation) {
  const std::vector<std::tuple<std::string, std::string>> wrong{
      {"t.txt", "--timeline: t.txt: the name must end in .pftrace, .ftr or .csv"},
      {".pftrace", "--timeline: .pftrace: the name must end in .pftrace, .ftr or .csv"},
      {".csv", "--timeline: .csv: the name must end in .pftrace, .ftr or .csv"},
      {".ftr", "--timeline: .ftr: the name must end in .pftrace, .ftr or .csv"},
      {"t.FTR", "--timeline: t.FTR: the name must end in .pftrace, .ftr or .csv"},
      {"-", "--timeline: -: the name must end in .pftrace, .ftr or .csv"},
      {"absent/t.pftrace", "absent/t.pftrace cannot be written: No such file or directory"},
      {"absent/t.ftr", "absent/t.ftr cannot be written: No such file or directory"},
      {"folder.ftr", "folder.ftr cannot be written: it is a folder"},
      {"t.pftrace --trials 3",
       "--timeline shows a single run from reset and cannot be combined with --trials 3"},
      {"t.ftr --trials 3",
       "--timeline shows a single run from reset and cannot be combined with --trials 3"},
      {"t.ftr --messages t.ftr", "--timeline t.ftr: --messages is written into that file"},
      {"t.pftrace --json ./t.pftrace", "--timeline t.pftrace: --json is written into that file"}};
  shell("mkdir folder.ftr");
  for (const auto& [file, sentence] : wrong) {
    const Outcome outcome = allport(collective + ("--timeline " + file));
    EXPECT_EQ(outcome.status, 2) << file;
    EXPECT_EQ(outcome.out, "") << file;
    EXPECT_EQ(outcome.err, "allport: " + sentence + "\n");
    EXPECT_EQ(shell("ls -A | grep -v '^[.]'").out, "folder.ftr\n") << file;
  }
  const Outcome sheet = allport("cosim --rtl x.sv --top x --timeline t.pftrace");
  EXPECT_EQ(sheet.status, 2);
  EXPECT_THAT(sheet.err, HasSubstr("--timeline cannot be combined with --rtl"));
  write("g.toml", "[observe]\ntimeline = 't.pftrace'\n");
  EXPECT_EQ(allport("sweep g.toml").status, 2);
}

TEST_F(CliTimeline, AFullDiskLeavesWhatWasThere) {
  for (const std::string file : {"t.pftrace", "t.ftr", "t.csv"}) {
    write(file, "old");
    const Outcome outcome =
        shell("(ulimit -f 8; allport " + (traffic + ("--timeline " + file)) + ")");
    EXPECT_EQ(outcome.status, 2);
    EXPECT_THAT(outcome.out, HasSubstr("digest"));
    EXPECT_EQ(outcome.err, "allport: " + file + " cannot be written: File too large\n");
    EXPECT_EQ(content(file), "old");
    EXPECT_THAT(shell("ls -A").out, Not(HasSubstr(".allport.")));
  }
}

TEST_F(CliTimeline, ChangesNothingElse) {
  const Json without = json(collective + std::string("--json -"));
  const Json with = json(collective + std::string("--timeline t.pftrace --json -"));
  EXPECT_EQ(without["digest"], with["digest"]);
  for (const char* key : {"config", "cycles", "latency", "messages", "flit_hops", "contention"}) {
    EXPECT_EQ(without[key], with[key]) << key;
  }
  EXPECT_FALSE(with.contains("explanation"));
}

}  // namespace
}  // namespace allport::test
