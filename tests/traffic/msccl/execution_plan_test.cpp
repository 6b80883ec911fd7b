// SPDX-License-Identifier: Apache-2.0
// These tests check what execution plans of MSCCL++ mean: small ones, written here operation by
// operation, and each of them again with an operation left out, which must be noticed.
#include "traffic/msccl/execution_plan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <limits>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "tests/traffic/algorithms/planning.h"
#include "traffic/msccl/from_msccl.h"

namespace allport {
namespace {

using Json = nlohmann::json;
using Operations = std::vector<Json>;
using ThreadBlocks = std::vector<Operations>;
using testing::HasSubstr;

Json local(const std::string& place, std::size_t size = 1) {  // `o3`
  return {{"type", place.substr(0, 1)}, {"index", std::stoi(place.substr(1))}, {"size", size}};
}
Json remote(std::size_t buffer, int index, std::size_t size = 1) {
  return {{"buffer_id", buffer}, {"index", index}, {"size", size}};
}
Json move(const std::string& name, const std::vector<Json>& sources,
          const std::vector<Json>& destinations, const std::string& type = "memory") {
  return {{"name", name},
          {"src_buff", sources},
          {"dst_buff", destinations},
          {"channel_ids", Json::array()},
          {"channel_type", type}};
}
Json on(const std::string& name, std::size_t channel = 0, const std::string& type = "memory") {
  return {{"name", name}, {"channel_ids", {channel}}, {"channel_type", type}};
}

// A GPU with a memory channel, and a port channel, to each other one in the order of their numbers,
// and the buffers `remote` of each other one by channel; each thread block has all of them.
Json gpu_of(std::size_t id, std::size_t gpus, std::pair<int, int> chunks, int scratch,
            const std::string& remote, const ThreadBlocks& blocks, int semaphores = 0) {
  Json peers = Json::array();
  Json ids = Json::array();
  Json buffers = Json::array();
  for (std::size_t peer = 0; peer < gpus; ++peer) {
    if (peer == id) continue;
    ids.push_back(peers.size());
    peers.push_back(peer);
    buffers.push_back(
        {{"rank", peer}, {"type", remote}, {"access_channel_types", {"memory", "port"}}});
  }
  Json gpu{{"id", id},
           {"input_chunks", chunks.first},
           {"output_chunks", chunks.second},
           {"scratch_chunks", scratch},
           {"threadblocks", Json::array()},
           {"channels",
            {{{"channel_type", "memory"}, {"connected_to", peers}},
             {{"channel_type", "port"}, {"connected_to", peers}}}},
           {"remote_buffers", buffers},
           {"semaphores", Json::array()}};
  for (int i = 0; i < semaphores; ++i) gpu["semaphores"].push_back({{"init_value", 0}});
  for (const Operations& operations : blocks) {
    gpu["threadblocks"].push_back(
        {{"id", gpu["threadblocks"].size()},
         {"ops", operations},
         {"channels",
          {{{"channel_type", "memory"}, {"channel_ids", ids}},
           {{"channel_type", "port"}, {"channel_ids", ids}}}},
         {"remote_buffer_refs",
          {{{"access_channel_type", "memory"}, {"remote_buffer_ids", ids}},
           {{"access_channel_type", "port"}, {"remote_buffer_ids", ids}}}}});
  }
  return gpu;
}

Json plan_of(const std::string& collective, const std::vector<Json>& gpus, bool in_place = true) {
  return {{"name", "test"},       {"collective", collective},
          {"protocol", "Simple"}, {"inplace", in_place},
          {"gpus", gpus},         {"num_threads_per_block", 1024}};
}

struct Outcome {
  std::multiset<std::string> messages;  // `0>1 b2`, with `+` where it adds
  std::string fault;                    // the first one; empty: it is sound
};

MscclProgram program_in(const std::string& text) {
  std::istringstream in(text);
  return read_execution_plan(in, "p.json");
}

Outcome outcome(const Json& plan) {
  const MscclProgram program = program_in(plan.dump());
  Finding faults;
  const Schedule schedule = from_msccl(program, msccl_collective(program, NodeId{}), faults);
  Outcome outcome;
  for (const Unicast& one : schedule.unicasts) {
    std::string words = std::to_string(index(one.u)) + ">" + std::to_string(index(one.v)) + " b";
    for (const BlockId block : one.blocks) words += std::to_string(block);
    outcome.messages.insert(words + (one.adds ? "+" : ""));
  }
  if (!faults.ok()) outcome.fault = faults.first.front();
  return outcome;
}

using Messages = std::multiset<std::string>;

// Two GPUs give each other their block.
Json gather(const std::function<ThreadBlocks(std::size_t gpu)>& blocks, int scratch = 0,
            const std::string& remote = "o", int semaphores = 0) {
  std::vector<Json> gpus;
  for (std::size_t gpu = 0; gpu < 2; ++gpu) {
    gpus.push_back(gpu_of(gpu, 2, {1, 2}, scratch, remote, blocks(gpu), semaphores));
  }
  return plan_of("allgather", gpus);
}

std::string own(std::size_t gpu, char buffer = 'o') { return buffer + std::to_string(gpu); }
std::string other(std::size_t gpu, char buffer = 'o') { return own(1 - gpu, buffer); }

TEST(ExecutionPlan, PutsAndSignals) {
  const auto blocks = [](std::size_t gpu) {
    return ThreadBlocks{{move("put", {local(own(gpu))}, {remote(0, static_cast<int>(gpu))}),
                         {{"name", "nop"}},
                         on("signal"),
                         on("wait")}};
  };
  EXPECT_EQ(outcome(gather(blocks)).messages, (Messages{"0>1 b0", "1>0 b1"}));
  Json lazy = gather(blocks);
  lazy["gpus"][1]["threadblocks"][0]["ops"].erase(2);
  EXPECT_EQ(
      outcome(lazy).fault,
      "gpu 0, tb 0, op 3: it waits for signal number 1 of gpu 1 on this channel, which signals 0 times");
}

// What comes is used only behind the wait for it.
TEST(ExecutionPlan, AReadWaitsForTheSignalBehindThePut) {
  const auto blocks = [](std::size_t gpu) {
    return ThreadBlocks{{move("put", {local(own(gpu))}, {remote(0, 0)}), on("signal"), on("wait"),
                         move("copy", {local("s0")}, {local(other(gpu))})}};
  };
  EXPECT_EQ(outcome(gather(blocks, 1, "s")).messages, (Messages{"0>1 b0", "1>0 b1"}));
  for (const std::size_t left_out : {1U, 2U}) {
    Json hasty = gather(blocks, 1, "s");
    hasty["gpus"][0]["threadblocks"][0]["ops"].erase(left_out);
    EXPECT_NE(outcome(hasty).fault, "") << left_out;
  }
  Json early = gather(blocks, 1, "s");
  Json& operations = early["gpus"][0]["threadblocks"][0]["ops"];
  std::swap(operations[0], operations[1]);  // signals before it puts
  EXPECT_EQ(outcome(early).fault, "gpu 1, tb 0, op 3: it reads s[0], which holds nothing yet");
}

TEST(ExecutionPlan, Gets) {
  const auto blocks = [](std::size_t gpu) {
    const int at = 1 - static_cast<int>(gpu);
    return ThreadBlocks{{move("get", {remote(0, at)}, {local(other(gpu))})}};
  };
  EXPECT_EQ(outcome(gather(blocks)).messages, (Messages{"0>1 b0", "1>0 b1"}));
}

TEST(ExecutionPlan, PacketsAreReadWhenTheyAreThere) {
  const auto blocks = [](std::size_t gpu) {
    return ThreadBlocks{{move("ppkt", {local(own(gpu))}, {remote(0, 3)})},
                        {move("upkt", {local("s3")}, {local(other(gpu))})}};
  };
  EXPECT_EQ(outcome(gather(blocks, 4, "s")).messages, (Messages{"0>1 b0", "1>0 b1"}));
  Json twice = gather(blocks, 4, "s");
  Json& operations = twice["gpus"][0]["threadblocks"][0]["ops"];
  operations.push_back(operations[0]);
  EXPECT_EQ(
      outcome(twice).fault,
      "gpu 1, tb 1, op 0: it reads packets at s[3], where several are put, so that it is open which it reads");
  Json never = gather(blocks, 4, "s");
  never["gpus"][1]["threadblocks"][0]["ops"].clear();
  EXPECT_EQ(outcome(never).fault,
            "gpu 0, tb 1, op 0: it reads packets at s[3], which nothing puts there");
}

// Round a ring of three: each passes on the packets that have come, to others and itself.
TEST(ExecutionPlan, PacketsArePassedOn) {
  std::vector<Json> gpus;
  for (std::size_t gpu = 0; gpu < 3; ++gpu) {
    const std::size_t next = (gpu + 1) % 3;
    const std::size_t channel = next < gpu ? next : next - 1;
    const auto at = [&](std::size_t back) { return static_cast<int>((gpu + 3 - back) % 3); };
    const auto words = [](char buffer, int place) { return buffer + std::to_string(place); };
    gpus.push_back(
        gpu_of(gpu, 3, {1, 3}, 3, "s",
               {{move("cpkt", {local(words('o', at(0)))}, {local(words('s', at(0)))}),
                 move("rppkt", {local(words('s', at(0)))}, {remote(channel, at(0))}),
                 move("rppkt", {local(words('s', at(1)))}, {remote(channel, at(1))}),
                 move("upkt", {local(words('s', at(1)))}, {local(words('o', at(1)))}),
                 move("upkt", {local(words('s', at(2)))}, {local(words('o', at(2)))})}}));
  }
  EXPECT_EQ(outcome(plan_of("allgather", gpus)).messages,
            (Messages{"0>1 b0", "0>1 b2", "1>2 b0", "1>2 b1", "2>0 b1", "2>0 b2"}));
}

// A port channel goes on behind the thread block, so what is put from s[1] may be overwritten only
// after a flush. A memory channel's put is over when the next operation begins.
TEST(ExecutionPlan, APortIsFlushed) {
  const auto plan = [](const std::string& name, const std::string& type, bool flushes) {
    const auto blocks = [&](std::size_t gpu) {
      Json put = move(name, {local("s1")}, {remote(0, 0)}, type);
      put["channel_ids"] = {0};
      Operations operations{move("copy", {local(own(gpu))}, {local("s1")}), put};
      if (name == "put") operations.push_back(on("signal", 0, type));
      if (flushes) operations.push_back(on("flush", 0, type));
      operations.push_back(on("wait", 0, type));
      operations.push_back(move("copy", {local("s0")}, {local(other(gpu))}));
      operations.push_back(move("copy", {local(other(gpu))}, {local("s1")}));  // overwrites it
      return ThreadBlocks{operations};
    };
    return outcome(gather(blocks, 2, "s"));
  };
  const Messages expected{"0>1 b0", "1>0 b1"};
  for (const char* name : {"put", "pws"}) {
    EXPECT_THAT(plan(name, "port", false).fault, HasSubstr("it overwrites s[1]")) << name;
    EXPECT_EQ(plan(name, "port", true).messages, expected) << name;
  }
  EXPECT_EQ(plan("pwsf", "port", false).messages, expected);
  EXPECT_EQ(plan("put", "memory", false).messages, expected);
}

// Reduce-scatter of two: how the other's part comes, and how it is added.
Json scatter(const Operations& operations, int scratch, const std::string& remote,
             const std::function<void(std::size_t, Operations&)>& place) {
  std::vector<Json> gpus;
  for (std::size_t gpu = 0; gpu < 2; ++gpu) {
    Operations own_operations = operations;
    place(gpu, own_operations);
    gpus.push_back(gpu_of(gpu, 2, {2, 1}, scratch, remote, {own_operations}));
  }
  return plan_of("reducescatter", gpus);
}

TEST(ExecutionPlan, SumsOfEveryKind) {
  const Messages expected{"0>1 b1+", "1>0 b0+"};
  const auto at = [](std::size_t gpu) { return static_cast<int>(gpu); };
  // Read from the other GPU and added.
  EXPECT_EQ(
      outcome(
          scatter(Operations(1), 0, "i",
                  [&](std::size_t gpu, Operations& all) {
                    all[0] = move("rre", {local(own(gpu, 'i')), remote(0, at(gpu))}, {local("o0")});
                  }))
          .messages,
      expected);
  // Put into scratch, behind which comes a signal.
  EXPECT_EQ(
      outcome(scatter({Json{}, on("signal"), on("wait"), Json{}}, 1, "s",
                      [&](std::size_t gpu, Operations& all) {
                        all[0] = move("put", {local(other(gpu, 'i'))}, {remote(0, 0)});
                        all[3] = move("re", {local(own(gpu, 'i')), local("s0")}, {local("o0")});
                      }))
          .messages,
      expected);
  // Put in packets.
  EXPECT_EQ(
      outcome(scatter({Json{}, Json{}}, 1, "s",
                      [&](std::size_t gpu, Operations& all) {
                        all[0] = move("ppkt", {local(other(gpu, 'i'))}, {remote(0, 0)});
                        all[1] = move("repkt", {local(own(gpu, 'i')), local("s0")}, {local("o0")});
                      }))
          .messages,
      expected);
}

// All-reduce of two, of a vector of two blocks: each GPU sums its block up and gives it back.
Json sum_up(const std::function<Operations(std::size_t gpu)>& operations, int scratch,
            const std::string& remote) {
  std::vector<Json> gpus;
  for (std::size_t gpu = 0; gpu < 2; ++gpu) {
    gpus.push_back(gpu_of(gpu, 2, {2, 2}, scratch, remote, {operations(gpu)}));
  }
  return plan_of("allreduce", gpus);
}

TEST(ExecutionPlan, SumsThatAreSentOn) {
  const Messages expected{"0>1 b0", "0>1 b1+", "1>0 b0+", "1>0 b1"};
  const auto at = [](std::size_t gpu) { return static_cast<int>(gpu); };
  const Json reading = sum_up(
      [&](std::size_t gpu) {
        return Operations{on("signal"), on("wait"),
                          move("rres", {local(own(gpu, 'i')), remote(0, at(gpu))},
                               {local(own(gpu, 'i')), remote(0, at(gpu))})};
      },
      0, "i");
  EXPECT_EQ(outcome(reading).messages, expected);
  const Json packets = sum_up(
      [&](std::size_t gpu) {
        return Operations{move("ppkt", {local(other(gpu, 'i'))}, {remote(0, 0)}),
                          move("respkt", {local(own(gpu, 'i')), local("s0")},
                               {local(own(gpu, 'i')), remote(0, 1)}),
                          move("upkt", {local("s1")}, {local(other(gpu, 'i'))})};
      },
      2, "s");
  EXPECT_EQ(outcome(packets).messages, expected);
  const Json copied = sum_up(
      [&](std::size_t gpu) {
        return Operations{move("ppkt", {local(other(gpu, 'i'))}, {remote(0, 0)}),
                          move("recspkt", {local(own(gpu, 'i')), local("s0")},
                               {local(own(gpu, 'i')), local("s2"), remote(0, 1)}),
                          move("upkt", {local("s1")}, {local(other(gpu, 'i'))})};
      },
      3, "s");
  EXPECT_EQ(outcome(copied).messages, expected);
  const Json stored = sum_up(
      [&](std::size_t gpu) {
        return Json{
            move("put", {local(other(gpu, 'i'))}, {remote(0, 0)}),
            on("signal"),
            on("wait"),
            move("res", {local(own(gpu, 'i')), local("s0")}, {local(own(gpu, 'i')), remote(0, 1)}),
            on("signal"),
            on("wait"),
            move("copy", {local("s1")}, {local(other(gpu, 'i'))})};
      },
      2, "s");
  EXPECT_EQ(outcome(stored).messages, expected);
  const Json passed_on = sum_up(
      [&](std::size_t gpu) {
        return Operations{move("ppkt", {local(other(gpu, 'i'))}, {remote(0, 0)}),
                          move("recpkt", {local(own(gpu, 'i')), local("s0")},
                               {local(own(gpu, 'i')), local("s2")}),
                          move("rppkt", {local("s2")}, {remote(0, 1)}),
                          move("upkt", {local("s1")}, {local(other(gpu, 'i'))})};
      },
      3, "s");
  EXPECT_EQ(outcome(passed_on).messages, expected);
}

Json semaphore(const char* name, int id = 0) { return {{"name", name}, {"semaphore_ids", {id}}}; }
Json barrier(int blocks) {
  return {{"name", "barrier"}, {"barrier_id", 0}, {"num_threadblocks", blocks}};
}

// One thread block copies, the other one puts what was copied.
TEST(ExecutionPlan, ThreadBlocksWaitForEachOther) {
  using Pair = std::pair<Json, Json>;  // what the first does behind, and the second before
  for (const Pair& one :
       {Pair{semaphore("sem_release"), semaphore("sem_acquire")}, Pair{barrier(2), barrier(2)}}) {
    const auto blocks = [&](std::size_t gpu) {
      return ThreadBlocks{
          {move("copy", {local(own(gpu))}, {local("s0")}), one.first},
          {one.second, move("put", {local("s0")}, {remote(0, static_cast<int>(gpu))}), on("signal"),
           on("wait")}};
    };
    const Json plan = gather(blocks, 1, "o", 1);
    EXPECT_EQ(outcome(plan).messages, (Messages{"0>1 b0", "1>0 b1"}));
    Json hasty = plan;
    hasty["gpus"][0]["threadblocks"][1]["ops"].erase(0);
    EXPECT_NE(outcome(hasty).fault, "");
    Json alone = plan;
    alone["gpus"][0]["threadblocks"][0]["ops"].erase(1);
    EXPECT_NE(outcome(alone).fault, "");
  }
}

TEST(ExecutionPlan, FaultsOfWaits) {
  const auto blocks = [](std::size_t gpu) {
    return ThreadBlocks{{move("copy", {local(own(gpu))}, {local("s0")}), semaphore("sem_release")},
                        {semaphore("sem_acquire"), semaphore("sem_acquire")}};
  };
  EXPECT_EQ(outcome(gather(blocks, 1, "o", 1)).fault,
            "gpu 0, tb 1, op 1: it acquires a semaphore that is not released so often");
  Json free = gather(blocks, 1, "o", 1);
  for (Json& gpu : free["gpus"]) gpu["semaphores"][0]["init_value"] = 2;
  EXPECT_THAT(outcome(free).fault, HasSubstr("no step writes o[1]"));
  const auto uneven = [](std::size_t) {
    return ThreadBlocks{{barrier(2), barrier(2)}, {barrier(2)}};
  };
  EXPECT_EQ(
      outcome(gather(uneven)).fault,
      "gpu 0, tb 0, op 0: barrier 0 is for 2 thread blocks, and 2 come to it, or not equally often");
  const auto both = [](std::size_t gpu) {
    return ThreadBlocks{
        {move("put", {local(own(gpu))}, {remote(0, static_cast<int>(gpu))}), on("signal")},
        {on("signal"), on("wait"), on("wait")}};
  };
  EXPECT_THAT(outcome(gather(both)).fault,
              HasSubstr("several thread blocks signal or wait on one channel"));
  const auto hasty = [](std::size_t gpu) {
    return ThreadBlocks{{move("copy", {local(own(gpu))}, {local("s0")}),
                         move("put", {local(own(gpu))}, {remote(0, static_cast<int>(gpu))}),
                         on("signal")}};
  };
  EXPECT_THAT(
      outcome(gather(hasty)).fault,
      HasSubstr(
          "gpu 0, tb 0, op 2: nobody waits for this signal: gpu 1 waits 0 times on its end of the channel"));
  const auto circle = [](std::size_t) { return ThreadBlocks{{on("wait"), on("signal")}}; };
  EXPECT_THAT(outcome(gather(circle)).fault, HasSubstr("it waits in a circle"));
}

// The parts of a group do one operation together; the passes of a pipeline too.
TEST(ExecutionPlan, GroupsAndPipelinesMoveTheWhole) {
  const auto grouped = [](std::size_t gpu) {
    ThreadBlocks blocks;
    for (int i = 0; i < 2; ++i) {
      Json put = move("put", {local(own(gpu))}, {remote(0, static_cast<int>(gpu))});
      put["tbg_info"] = {{"tb_id", i}, {"tbg_size", 2}};
      blocks.push_back({put, barrier(2)});
    }
    blocks[0].push_back(on("signal"));
    blocks[0].push_back(on("wait"));
    return blocks;
  };
  EXPECT_EQ(outcome(gather(grouped)).messages, (Messages{"0>1 b0", "1>0 b1"}));
  const auto piped = [](std::size_t gpu) {
    const Json put = move("put", {local(own(gpu))}, {remote(0, static_cast<int>(gpu))});
    return ThreadBlocks{{{{"name", "pipeline"},
                          {"iter_context", {{"unit_size", 1024}, {"num_chunks", 1}}},
                          {"ops", {put, on("signal"), on("wait")}}}}};
  };
  EXPECT_EQ(outcome(gather(piped)).messages, (Messages{"0>1 b0", "1>0 b1"}));
}

std::string complaint_about(const std::function<void(Json&)>& change) {
  const auto blocks = [](std::size_t gpu) {
    return ThreadBlocks{{move("put", {local(own(gpu))}, {remote(0, static_cast<int>(gpu))}),
                         on("signal"), on("wait")}};
  };
  Json plan = gather(blocks, 0, "o", 1);
  change(plan);
  return complaint_of([&] { outcome(plan); });
}

TEST(ExecutionPlan, WhatIsWrongIsNamed) {
  const auto in_operation = [](const std::function<void(Json&)>& change) {
    return complaint_about(
        [&](Json& plan) { change(plan["gpus"][1]["threadblocks"][0]["ops"][0]); });
  };
  const std::string op = "p.json: gpu 1, tb 0, op 0";
  EXPECT_EQ(
      in_operation([](Json& one) { one["name"] = "gstore"; }),
      op +
          ": gstore loads or stores in several gpus at once through a switch, which is no message of a schedule");
  EXPECT_THAT(in_operation([](Json& one) { one["name"] = "putt"; }),
              HasSubstr(op + ": unknown operation 'putt'"));
  EXPECT_EQ(in_operation([](Json& one) { one.erase("src_buff"); }), op + ": 'src_buff' is missing");
  EXPECT_EQ(
      in_operation([](Json& one) { one["dst_buff"][0]["buffer_id"] = 7; }),
      op +
          ", dst_buff 0: buffer_id 7: its thread block has 1 remote buffers for this type of channel");
  EXPECT_EQ(in_operation([](Json& one) { one["dst_buff"][0]["size"] = 2; }),
            op + ": its sources and destinations differ in size");
  EXPECT_EQ(in_operation([](Json& one) { one["src_buff"][0]["index"] = -1; }),
            op + ", src_buff 0: index must be an integer in 0..2147483647, not -1");
  EXPECT_EQ(in_operation([](Json& one) { one["channel_ids"] = {9}; }),
            op + ": channel_ids has 9, but its thread block has 1 channels of this type");
  for (const Json& far : {Json(std::numeric_limits<std::int64_t>::min()),
                          Json(std::numeric_limits<std::uint64_t>::max()), Json(1LL << 31)}) {
    EXPECT_EQ(in_operation([&](Json& one) { one["displacement"] = Json::array({far}); }),
              op + ": displacement: too far");
  }
  EXPECT_EQ(in_operation([](Json& one) { one["src_buff"] = Json::array(); }),
            op + ": src_buff and dst_buff must not be empty");
  EXPECT_THAT(complaint_about([](Json& plan) { plan["collective"] = "sendrecv"; }),
              testing::StartsWith("p.json: unknown collective 'sendrecv': "));
  EXPECT_EQ(complaint_about([](Json& plan) { plan["gpus"].erase(0); }),
            "p.json: gpus must be 2..65536 objects, not 1");
  EXPECT_EQ(complaint_about([](Json& plan) { plan["gpus"][1]["id"] = 0; }),
            "p.json: gpu 1: id must be 1, its place in the list");
  EXPECT_EQ(
      complaint_about([](Json& plan) { plan["gpus"][0]["output_chunks"] = 3; }),
      "p.json: gpu 0: input_chunks 1 and output_chunks 3 are not those of allgather among 2 gpus");
  EXPECT_EQ(complaint_about([](Json& plan) { plan["inplace"] = 1; }),
            "p.json: inplace must be true or false");
  EXPECT_EQ(complaint_of([] { program_in("{\n\"gpus\":\n[1,}"); }),
            "p.json: torn or malformed JSON in line 3");
  const std::string deep =
      "{\"gpus\":" + std::string(100'000, '[') + std::string(100'000, ']') + "}";
  EXPECT_EQ(complaint_of([&] { program_in(deep); }),
            "p.json: its objects and lists are more than 64 deep");
  EXPECT_EQ(complaint_of([] { program_in(R"({"gpus":1e999})"); }), "p.json: a number is too large");
  EXPECT_THAT(
      complaint_about([](Json& plan) { plan["gpus"][1]["id"] = Json::array({Json::array()}); }),
      HasSubstr("id must be an integer in 0..1, not [[]]"));
}

}  // namespace
}  // namespace allport
