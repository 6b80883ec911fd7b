// SPDX-License-Identifier: Apache-2.0
// A reader that knows the format and not the writer accepts timelines of transactions, and what is
// in them is what Perfetto's timeline of the same run has.
#include <gmock/gmock.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "tests/support/cli_program.h"
#include "tests/support/timeline_reader.h"

namespace allport::test {
namespace {

using testing::HasSubstr;
using Json = nlohmann::json;
using Slice = TimelineReading::Slice;
using Lines = std::vector<std::string>;

constexpr const char* collective =
    "run --topology hypercube:4 --ports 1 --algorithm sbt --flits 6 --ts 3 --tr 2 ";
constexpr const char* traffic =
    "run --topology torus:4x4 --pattern uniform --rate 0.7 --cycles 400 --flits 5 --ts 2 ";

class CliFtr : public Cli {
 protected:
  Json transactions_of(const std::string& command, int status = 0) const {
    const Outcome outcome = allport(command + " --timeline t.ftr --json r.json");
    EXPECT_EQ(outcome.status, status) << outcome.err;
    return read();
  }
  Json read() const {
    const Outcome outcome = shell(std::string(TRANSACTION_READER) + " t.ftr");
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    Json transactions = Json::parse(outcome.out, nullptr, false);
    EXPECT_FALSE(transactions.is_discarded()) << outcome.err;
    return transactions;
  }
  TimelineReading timeline_of(const std::string& command, int status = 0) const {
    EXPECT_EQ(allport(command + " --timeline t.pftrace").status, status);
    return read_timeline(content("t.pftrace"));
  }
};

std::string line(const std::string& place, const std::string& category, std::int64_t first,
                 std::int64_t end, const std::string& name,
                 const std::map<std::string, std::string>& notes) {
  std::string text = place + " " + category + " " + std::to_string(first) + ".." +
                     std::to_string(end) + " " + name;
  for (const auto& [key, value] : notes) text.append(", ").append(key).append(" ").append(value);
  return text;
}

std::string line(const Json& transaction) {
  return line(
      transaction["process"].get<std::string>() + " " + transaction["track"].get<std::string>(),
      transaction["category"], transaction["first"], transaction["end"], transaction["name"],
      transaction["notes"]);
}

std::string line(const TimelineReading& timeline, const Slice& slice) {
  const TimelineReading::Track& track = timeline.tracks.at(slice.track);
  return line(track.process + " " + track.name, slice.category, slice.first, slice.end, slice.name,
              slice.notes);
}

Lines slices(const Json& file) {
  Lines lines;
  for (const Json& one : file["transactions"]) lines.push_back(line(one));
  std::sort(lines.begin(), lines.end());
  return lines;
}

Lines slices(const TimelineReading& timeline) {
  Lines lines;
  for (const Slice& slice : timeline.slices) lines.push_back(line(timeline, slice));
  std::sort(lines.begin(), lines.end());
  return lines;
}

Lines arrows(const Json& file) {
  Lines lines;
  for (const Json& one : file["relations"]) {
    lines.push_back(one[0].get<std::string>() + ": " + line(one[1]) + " -> " + line(one[2]));
  }
  std::sort(lines.begin(), lines.end());
  return lines;
}

// The kind of an arrow is in the first byte of its number.
Lines arrows(const TimelineReading& timeline) {
  constexpr std::array<const char*, 5> kinds{"", "injection", "hop", "reception", "dependency"};
  std::map<std::uint64_t, std::string> begins;
  for (const Slice& slice : timeline.slices) {
    for (const std::uint64_t flow : slice.flows) begins[flow] = line(timeline, slice);
  }
  Lines lines;
  for (const Slice& slice : timeline.slices) {
    for (const std::uint64_t flow : slice.ended_flows) {
      lines.push_back(std::string(kinds.at(flow >> 56)) + ": " + begins.at(flow) + " -> " +
                      line(timeline, slice));
    }
  }
  std::sort(lines.begin(), lines.end());
  return lines;
}

// Cycles of the waits by cause, and of preparing and taking over messages.
std::map<std::string, std::int64_t> cycles_of(const Json& file) {
  std::map<std::string, std::int64_t> cycles;
  for (const Json& one : file["transactions"]) {
    const std::string category = one["category"];
    if (category == "message") continue;
    const std::string cause = category == "wait" ? one["notes"]["cause"] : one["category"];
    cycles[cause] += one["end"].get<std::int64_t>() - one["first"].get<std::int64_t>();
  }
  return cycles;
}

TEST_F(CliFtr, HasWhatPerfettosTimelineHas) {
  for (
      const std::string& command :
      {std::string(collective), traffic + std::string("--buffer-depth 2"),
       traffic + std::string("--buffer-depth 5 --switching store-and-forward"),
       traffic + std::string("--switching circuit"), traffic + std::string("--model worm"),
       collective + std::string("--model rtl"),
       std::string(
           "run --topology hypercube:3 --algorithm tree --source 0 --flits 4 --replication-delay 2 --buffer-depth 4 --tr 1"),
       std::string("run --topology hypercube:8 --algorithm wsort --model worm --jitter 20"),
       std::string("explain --topology hypercube:3 --algorithm sbt --ports 1")}) {
    SCOPED_TRACE(command);
    const Json file = transactions_of(command);
    const TimelineReading timeline = timeline_of(command);
    EXPECT_EQ(slices(file), slices(timeline));
    EXPECT_EQ(arrows(file), arrows(timeline));
    EXPECT_GT(file["relations"].size(), 10U);
  }
}

TEST_F(CliFtr, OfTwoRoutersInLockstepHasTheSame) {
  const std::string command =
      "cosim --topology hypercube:2 --pattern uniform --rate 1 --cycles 50 --flits 2";
  EXPECT_EQ(slices(transactions_of(command)),
            slices(timeline_of("run" + command.substr(command.find(' ')))));
}

TEST_F(CliFtr, OfADeadlockHasTheMessagesThatAreStuck) {
  const std::string command = "run --topology hypercube:3 --algorithm tree --source 0,6";
  const Json file = transactions_of(command, 3);
  EXPECT_EQ(slices(file), slices(timeline_of(command, 3)));
  EXPECT_THAT(file.dump(), HasSubstr("flits not sent"));
}

TEST_F(CliFtr, HasTheWaitsOfTheExplanation) {
  for (const std::string command : {collective, traffic}) {
    const Json file = transactions_of(command + "--explain all");
    const Json run = Json::parse(content("r.json"));
    std::map<std::string, std::int64_t> expected;
    for (const auto& [cause, count] : run["explanation"]["by_cause"].items()) {
      if (cause != "hop" && cause != "length") expected[cause] = count;
    }
    EXPECT_EQ(cycles_of(file), expected) << command;
    for (const Json& one : file["transactions"]) EXPECT_LE(one["end"], run["cycles"]);
  }
}

TEST_F(CliFtr, HasEveryMessageOnEveryChannelOfItsWay) {
  for (const std::string command : {collective, traffic}) {
    const Json file = transactions_of(command + "--explain all");
    std::map<std::string, int> channels;
    for (const Json& one : file["transactions"]) {
      if (one["category"] == "message") ++channels[one["name"]];
    }
    const Json run = Json::parse(content("r.json"));
    std::map<std::string, int> expected;
    for (const Json& message : run["explanation"]["messages"]) {
      expected[std::to_string(message["source"].get<int>()) + ">" +
               std::to_string(message["destination"].get<int>()) + "#" +
               std::to_string(message["order"].get<int>())] = message["hops"].get<int>() + 2;
    }
    EXPECT_EQ(channels, expected) << command;
  }
}

// The queue of its source is 1023 messages long.
TEST_F(CliFtr, OfALargeCubeHasManyChunks) {
  const Json file =
      transactions_of("run --topology hypercube:10 --ports 1 --algorithm separate --model worm");
  EXPECT_GT(file["generators"], 1023);
  EXPECT_GT(file["chunks of relations"], 1);
  EXPECT_GT(file["most chunks of a stream"], 1);
}

TEST_F(CliFtr, IsTheSameFileForTheSameRun) {
  transactions_of(traffic);
  const std::string first = content("t.ftr");
  transactions_of(traffic);
  EXPECT_EQ(content("t.ftr"), first);
}

TEST_F(CliFtr, OfARunWithoutMessagesIsAFile) {
  const Json file =
      transactions_of("run --topology ring:4 --pattern uniform --rate 1e-9 --cycles 10");
  EXPECT_EQ(file["transactions"].size(), 0U);
}

// So that the tests above can fail.
TEST_F(CliFtr, TheReaderRefusesWhatIsAgainstTheFormat) {
  transactions_of(collective);
  const std::string whole = content("t.ftr");
  for (const std::size_t size :
       {std::size_t{0}, std::size_t{3}, whole.size() / 2, whole.size() - 1}) {
    write("t.ftr", whole.substr(0, size));
    EXPECT_EQ(shell(std::string(TRANSACTION_READER) + " t.ftr").status, 1) << size;
  }
}

}  // namespace
}  // namespace allport::test
