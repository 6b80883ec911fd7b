// SPDX-License-Identifier: Apache-2.0
// The same work takes the same cycles in whatever form it is given, message by message: as an
// algorithm, a task of each rank, a recorded application, a schedule whose messages have lengths,
// or programs in C++; under every model of a node in which receptions keep no processor busy.
// ALLPORT_CASES and ALLPORT_NIGHTLY_SEED choose other cases (scripts/nightly).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <sstream>
#include <string>

#include "testbench/plan/plan_run.h"
#include "testbench/plan/rank_collectives.h"
#include "testbench/plan/resolve.h"
#include "testbench/simulation/run_programs.h"
#include "testbench/simulation/simulate.h"
#include "tests/properties/reference/random_cases.h"
#include "tests/support/draw.h"
#include "tests/support/forked.h"
#include "traffic/schedule/schedule_file.h"
#include "traffic/tasks/expand.h"
#include "traffic/tasks/schedule_tasks.h"
#include "traffic/tasks/task_file.h"
#include "traffic/tasks/workload_format.h"

namespace allport::test {
namespace {

using testing::StartsWith;

struct Work {
  const char* shape;
  const char* algorithm;
  int unit = 1;  // of its length, so that all blocks are equal
};

RunRequest request_of(const Work& one, int flits) {
  RunRequest request;
  request.fabric.topology = parse_topology(one.shape);
  request.traffic.algorithm = &find_algorithm(one.algorithm);
  request.message.flits = flits;
  return request;
}

std::string outcome(Cycle cycles, const Results& results) {
  return std::to_string(cycles) + " cycles, " + std::to_string(results.messages) + " messages, " +
         std::to_string(results.flit_hops) + " flit hops" + results.broken_invariant + "; digest " +
         results.digest;
}

std::string of_algorithm(const RunRequest& request) {
  const Results results = simulate(plan(request));
  return outcome(results.latency.max, results);
}

// The same machine, without work.
RunRequest idle(RunRequest request) {
  TrafficTable traffic;
  traffic.place = request.traffic.place;
  traffic.seed = request.traffic.seed;  // of what is drawn for a plan
  request.traffic = traffic;
  request.message = {};
  return request;
}

std::string of_graph(const RunRequest& given, TaskGraph graph) {
  RunRequest request = idle(given);
  request.traffic.graph = std::make_shared<TaskGraph>(std::move(graph));
  const Results results = simulate(plan(request));
  return outcome(results.tasks->makespan, results);
}

std::size_t source_of(const RunRequest& request) {
  return request.traffic.sources.empty() ? 0 : request.traffic.sources.front().id;
}

TaskGraph expanded(ApplicationTrace trace, const RunRequest& request) {
  const Routing routing = make_routing(request);
  const Algorithm* const algorithm = request.traffic.algorithm;
  const std::uint32_t ranks = trace.graph.ranks;
  CollectivePlanner planner =
      collective_planner(request, routing, nullptr, ranks, {{algorithm->operation, algorithm}});
  return expand(std::move(trace), planner);
}

// A task of each rank.
std::string of_tasks(const RunRequest& request) {
  const Operation operation = request.traffic.algorithm->operation;
  std::ostringstream text;
  for (std::size_t rank = 0; rank < request.fabric.topology->node_count(); ++rank) {
    text << "{\"node\":" << rank << ",\"collective\":\"" << to_string(operation) << "\"";
    if (operation != Operation::barrier) text << ",\"flits\":" << request.message.flits;
    if (has_root(operation)) text << ",\"root\":" << source_of(request);
    text << "}\n";
  }
  std::istringstream in(text.str());
  ApplicationTrace trace = read_tasks(in, "f.jsonl", request.message.flit_bytes);
  return of_graph(request, expanded(std::move(trace), request));
}

// A trace of SimGrid; empty: it has no such action.
std::string of_trace(const RunRequest& request) {
  const Operation operation = request.traffic.algorithm->operation;
  const std::string bytes = std::to_string(request.message.flits * request.message.flit_bytes);
  const std::string root = std::to_string(source_of(request));
  std::string action;
  if (operation == Operation::bcast) action = "bcast " + bytes + " " + root;
  if (operation == Operation::reduce) action = "reduce " + bytes + " 0 " + root;
  if (operation == Operation::allreduce) action = "allreduce " + bytes + " 0";
  if (operation == Operation::barrier) action = "barrier";
  if (action.empty()) return {};
  std::ostringstream text;
  for (std::size_t rank = 0; rank < request.fabric.topology->node_count(); ++rank) {
    text << rank << " init\n" << rank << " " << action << "\n" << rank << " finalize\n";
  }
  return of_graph(request, expanded(simgrid_format().read({{"t", text.str()}}, {}, 4), request));
}

// The plan as a schedule whose messages have lengths; empty: it has no such form.
std::string of_timed_schedule(const RunRequest& request) {
  const PlannedCollective planned = plan(request).trials().front().front();
  std::vector<TimedUnicast> messages;
  for (const Unicast& unicast : planned.schedule.unicasts) {
    if (!unicast.blocks.empty() || !unicast.displacement.empty()) return {};
    messages.push_back({unicast, request.message.flits, 0, true, messages.size() + 1});
  }
  if (request.traffic.seed % 2 == 0) std::reverse(messages.begin(), messages.end());
  return of_graph(request, schedule_tasks(messages, "s.jsonl", 1, request.message.flit_bytes,
                                          request.fabric.topology->node_count()));
}

class CollectiveCaller final : public Program {
 public:
  explicit CollectiveCaller(const RunRequest& request) : request_(request) {}
  void run(Processor& self) override {
    const auto root = static_cast<std::uint32_t>(source_of(request_));
    const std::string name(request_.traffic.algorithm->name);
    const auto bytes =
        static_cast<std::size_t>(request_.message.flits * request_.message.flit_bytes);
    Processor::Bytes data(bytes);
    const Processor::Bytes blocks(bytes * self.size());
    std::vector<std::int64_t> values(bytes / 8);
    switch (request_.traffic.algorithm->operation) {
      case Operation::bcast:
        return self.broadcast(root, data, name);
      case Operation::scatter:
        return void(self.scatter(root, blocks, bytes, name));
      case Operation::gather:
        return void(self.gather(root, data, name));
      case Operation::allgather:
        return void(self.allgather(data, name));
      case Operation::alltoall:
        return void(self.alltoall(blocks, name));
      case Operation::reduce:
        return self.reduce(root, values, name);
      case Operation::allreduce:
        return self.allreduce(values, name);
      case Operation::reduce_scatter:
        values.resize(values.size() * self.size());
        return void(self.reduce_scatter(values, name));
      default:
        return self.barrier(name);
    }
  }

 private:
  const RunRequest& request_;
};

bool adds_values(Operation operation) {
  return operation == Operation::reduce || operation == Operation::allreduce ||
         operation == Operation::reduce_scatter;
}

std::string of_called(const RunRequest& request) {
  return forked([&] {
    const Results results = run_programs(
        idle(request), [&](std::uint32_t) { return std::make_unique<CollectiveCaller>(request); });
    return outcome(results.tasks->makespan, results);
  });
}

// Programs that call it; empty: they cannot, or cut a sum elsewhere, for they add values of two
// flits.
std::string of_programs(const Work& one, const RunRequest& request) {
  const Algorithm& algorithm = *request.traffic.algorithm;
  const Schedule schedule = plan(request).trials().front().front().schedule;
  const bool is_broadcast = algorithm.operation == Operation::bcast;
  for (const Unicast& unicast : schedule.unicasts) {
    const bool is_whole =
        unicast.blocks.empty() || unicast.blocks.values() == std::vector<BlockId>{0};
    if (is_broadcast && !is_whole) return {};
  }
  if (is_broadcast && algorithm.is_synthesized) return {};  // it is planned without a length
  if (adds_values(algorithm.operation) && request.message.flits / one.unit % 2 == 1) return {};
  return of_called(request);
}

std::string work_in_words(const Work& one, const RunRequest& request, std::uint64_t seed) {
  const NodeModel& model = request.node.model;
  std::ostringstream text;
  text << "seed " << seed << ": " << one.algorithm << " on " << one.shape << " from "
       << source_of(request) << ", flits " << request.message.flits << " ts " << request.node.ts
       << " tr " << request.node.tr << " per flit " << model.ts_per_flit << " " << model.tr_per_flit
       << " blocks " << model.send_blocks << " per port " << model.startup_per_port << " k "
       << request.fabric.ports.value_or(0) << (request.model == Model::worm ? " worms" : "");
  return text.str();
}

// ---- Worked cases ----

// Four messages leave by one port and three by the other: 4 * 50 + 4 + 8.
TEST(SameWork, PortsOfARingPrepareTheirMessagesBesideEachOther) {
  RunRequest request = request_of({"ring:8", "separate"}, 8);
  request.node.ts = 50;
  request.node.model.startup_per_port = true;
  for (const Model model : {Model::systemc, Model::worm}) {
    request.model = model;
    const std::string expected = "212 cycles, 7 messages, 128 flit hops; digest";
    EXPECT_THAT(of_algorithm(request), StartsWith(expected));
    EXPECT_THAT(of_tasks(request), StartsWith(expected));
    EXPECT_THAT(of_trace(request), StartsWith(expected));
    EXPECT_THAT(of_timed_schedule(request), StartsWith(expected));
    EXPECT_THAT(of_programs({"ring:8", "separate"}, request), StartsWith(expected));
  }
}

// By ports 0, 0, 1: the first message waits for cycle 100, and the second one behind it, prepared
// from 150 on; the third one is there in 50 + 1 + 8. With one processor it comes after both.
TEST(SameWork, AMessageWaitsForItsCycleAtItsPortOnly) {
  std::istringstream in(
      "{\"u\":0,\"v\":1,\"step\":1,\"order\":0,\"flits\":8,\"at\":100}\n"
      "{\"u\":0,\"v\":2,\"step\":1,\"order\":1}\n"
      "{\"u\":0,\"v\":7,\"step\":1,\"order\":2}\n");
  const TaskGraph graph =
      schedule_tasks(read_messages(in, "s.jsonl", *parse_topology("ring:8")), "s.jsonl", 8, 4, 8);
  for (const Model model : {Model::systemc, Model::worm}) {
    for (const bool per_port : {true, false}) {
      RunRequest request = idle(request_of({"ring:8", "separate"}, 8));
      request.traffic.graph = std::make_shared<TaskGraph>(graph);
      request.node.ts = 50;
      request.node.model.startup_per_port = per_port;
      request.model = model;
      const Results results = simulate(plan(request));
      EXPECT_EQ(results.tasks->ranks[1].end, 159);
      EXPECT_EQ(results.tasks->ranks[2].end, 210);
      EXPECT_EQ(results.tasks->ranks[7].end, per_port ? 59 : 259);
    }
  }
}

// Actions that send do as a program does: seven sends to the nodes of a ring.
TEST(SameWork, SendsOfATraceLeaveToThePortsWhatTheyPrepare) {
  for (const char* action : {"send", "isend"}) {
    std::ostringstream text;
    for (int rank = 0; rank < 8; ++rank) {
      text << rank << " init\n";
      if (rank > 0) text << rank << " recv 0 0 32\n";
      for (int to = 1; to < 8 && rank == 0; ++to) text << "0 " << action << " " << to << " 0 32\n";
      if (rank == 0) text << "0 waitall\n";
      text << rank << " finalize\n";
    }
    RunRequest request = request_of({"ring:8", "separate"}, 8);
    request.node.ts = 50;
    request.node.model.startup_per_port = true;
    request.model = Model::worm;
    EXPECT_THAT(of_graph(request, simgrid_format().read({{"t", text.str()}}, {}, 4).graph),
                StartsWith("212 cycles, 7 messages, 128 flit hops; digest"));
  }
}

// Ranks on drawn nodes call what they do on a fabric of ranks, a ring or a cube.
TEST(SameWork, CallsOfProgramsAreThoseOfTasksOnOtherNodesToo) {
  for (const Work& one :
       {Work{"torus:3x4", "ring-allgather"}, Work{"torus:4x2", "bucket-allreduce", 16},
        Work{"hypercube:3", "exchange-alltoall"}, Work{"mesh:2x3", "dims-gather"},
        Work{"torus:4x4", "xor-alltoall"}, Work{"hypercube:3", "rabenseifner", 8}}) {
    for (std::uint64_t seed = 1; seed <= 3; ++seed) {
      RunRequest request = request_of(one, 6 * one.unit);
      request.traffic.place = PlaceRequest{PlaceRequest::Kind::random, seed};
      request.model = Model::worm;
      request.node.ts = 20;
      request.node.tr = 3;
      EXPECT_EQ(of_called(request), of_tasks(request)) << one.algorithm << " on " << one.shape;
    }
  }
}

// ---- Random cases ----

Work drawn_work(Draw& draw) {
  return draw.one_of<Work>({{"ring:8", "separate"},
                            {"ring:6", "ring"},
                            {"hypercube:3", "separate"},
                            {"hypercube:4", "wsort"},
                            {"hypercube:4", "ucube"},
                            {"hypercube:4", "hk"},
                            {"hypercube:3", "sbt"},
                            {"hypercube:3", "esbt", 3},
                            {"hypercube:3", "exchange-scatter"},
                            {"hypercube:3", "exchange-gather"},
                            {"hypercube:4", "doubling-allgather"},
                            {"hypercube:3", "xor-alltoall"},
                            {"hypercube:3", "sbt-reduce"},
                            {"hypercube:4", "exchange-allreduce", 2},
                            {"hypercube:3", "rabenseifner", 8},
                            {"hypercube:4", "exchange-barrier"},
                            {"torus:4x4", "dcf"},
                            {"torus:4x4", "edn"},
                            {"torus:4x4", "separate"},
                            {"torus:3x4", "dims-bcast"},
                            {"torus:3x4", "dims-reduce"},
                            {"torus:3x4", "dims-barrier"},
                            {"torus:4x4", "bucket-allreduce", 64},
                            {"torus:3x3", "dims-allgather"},
                            {"torus:4x4", "direct-alltoall"},
                            {"torus:3x4", "synthesized-bcast"},
                            {"mesh:3x4", "umesh"},
                            {"mesh:3x3", "direct-alltoall"},
                            {"mesh:3x4", "dims-allreduce", 12},
                            {"ring:6", "ring-alltoall"},
                            {"ring:5", "ring-scatter"},
                            {"ring:5", "ring-gather"},
                            {"ring:6", "ring-allgather"},
                            {"ring:4", "ring-reduce-scatter", 2},
                            {"ring:4", "ring-allreduce", 8},
                            {"hypercube:3", "exchange-reduce-scatter"},
                            {"hypercube:3", "exchange-alltoall"},
                            {"hypercube:3", "rotated-allgather", 3},
                            {"hypercube:2", "rotated-reduce-scatter", 2},
                            {"hypercube:2", "rotated-alltoall", 2},
                            {"torus:3x4", "dims-scatter"},
                            {"torus:3x4", "dims-gather"},
                            {"torus:3x4", "dims-reduce-scatter"},
                            {"mesh:2x4", "dims-alltoall"},
                            {"torus:4x4", "bucket-allgather", 4},
                            {"torus:4x3", "bucket-reduce-scatter", 4},
                            {"torus:4x4", "swing-allgather", 4},
                            {"torus:2x4", "swing-reduce-scatter", 4},
                            {"mesh:3x3", "synthesized-gather", 6},
                            {"mesh:2x3", "synthesized-alltoall", 10},
                            {"ring:8", "swing-allreduce", 16}});
}

void draw_node_of(Draw& draw, RunRequest& request) {
  NodeRequest& node = request.node;
  node.ts = draw.one_of<Cycle>({0, 1, 7, 30});
  node.tr = draw.one_of<Cycle>({0, 1, 5});
  node.model.ts_per_flit = draw.one_of<Cycle>({0, 0, 1});
  node.model.tr_per_flit = draw.one_of<Cycle>({0, 0, 2});
  node.model.send_blocks = draw.below(3) == 0;
  node.model.startup_per_port = draw.below(2) == 0;
  if (draw.below(4) == 0) request.fabric.ports = 1;
  if (draw.below(4) == 0) request.router.link_delay = 1;
  if (draw.below(3) == 0) request.model = Model::systemc;
}

TEST(SameWork, TakesTheSameCyclesInWhateverFormItIsGiven) {
  const RandomCases cases(120);
  for (std::uint64_t seed = cases.first; seed < cases.end; ++seed) {
    Draw draw(seed);
    const Work one = drawn_work(draw);
    RunRequest request = request_of(one, one.unit * (1 + draw.below(6)));
    const Operation operation = request.traffic.algorithm->operation;
    if (has_root(operation) && draw.below(2) == 0) {
      const auto nodes = static_cast<int>(request.fabric.topology->node_count());
      request.traffic.sources = {{static_cast<std::size_t>(draw.below(nodes))}};
    }
    if (operation == Operation::barrier) request.message.flits = 1;
    request.traffic.seed = 1 + seed;
    request.model = Model::worm;
    draw_node_of(draw, request);
    const std::string expected = of_algorithm(request);
    const auto agrees = [&](const std::string& one_more) {
      return one_more.empty() || one_more == expected;
    };
    const std::string words = work_in_words(one, request, seed) + ": " + expected;
    std::string other;
    ASSERT_TRUE(agrees(other = of_tasks(request))) << words << ", as tasks " << other;
    ASSERT_TRUE(agrees(other = of_trace(request))) << words << ", as a trace " << other;
    ASSERT_TRUE(agrees(other = of_timed_schedule(request))) << words << ", as a schedule " << other;
    ASSERT_TRUE(agrees(other = of_programs(one, request))) << words << ", as programs " << other;
  }
}

// Programs cut the blocks that they move into parts where tasks do, and a message that another one
// of its pair overtakes keeps none of them.
TEST(SameWork, PartsOfProgramsAreThoseOfTasks) {
  const RandomCases cases(100);
  for (std::uint64_t seed = cases.first; seed < cases.end; ++seed) {
    Draw draw(seed);
    const Work one = draw.one_of<Work>({{"torus:2x3", "bucket-allgather"},
                                        {"torus:2x4", "swing-allgather"},
                                        {"torus:2x2x3", "bucket-allgather"},
                                        {"torus:2x3", "synthesized-allgather"},
                                        {"torus:2x4", "synthesized-alltoall"},
                                        {"torus:2x3", "synthesized-scatter"},
                                        {"hypercube:3", "rotated-alltoall"}});
    RunRequest request = request_of(one, 1 + draw.below(30));
    request.model = Model::worm;
    draw_node_of(draw, request);
    if (draw.below(2) == 0) request.node.model.startup_per_port = true;
    request.router.vcs = 2 * draw.below(3);  // 0: the default number
    EXPECT_EQ(of_called(request), of_tasks(request)) << work_in_words(one, request, seed);
  }
}

}  // namespace
}  // namespace allport::test
