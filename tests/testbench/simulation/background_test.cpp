// SPDX-License-Identifier: Apache-2.0
// What a pattern beside ranks (docs/programs.md) sends is what it draws, as long as the ranks are
// at work, and meets their messages in the network only. ALLPORT_CASES and ALLPORT_NIGHTLY_SEED
// choose other cases (scripts/nightly).
#include <gtest/gtest.h>

#include <algorithm>
#include <iomanip>
#include <memory>
#include <sstream>
#include <string>
#include <tuple>
#include <vector>

#include "testbench/plan/plan_run.h"
#include "testbench/simulation/run_programs.h"
#include "testbench/simulation/simulate.h"
#include "tests/properties/reference/random_cases.h"
#include "tests/properties/reference/transcript.h"
#include "tests/support/forked.h"
#include "tests/testbench/simulation/task_graphs.h"
#include "tlm/processor/program.h"
#include "traffic/patterns/synthetic_traffic.h"
#include "traffic/tasks/task_file.h"

namespace allport::test {
namespace {

constexpr int bytes_of_flit = 4;

std::uint32_t nodes_of(const RunRequest& request) {
  return static_cast<std::uint32_t>(request.fabric.topology->node_count());
}

void beside_pattern(RunRequest& request, const char* pattern, double rate, int flits) {
  request.traffic.pattern = pattern;
  request.traffic.rate = rate;
  request.message.flits = flits;
}

TaskGraph computation_of(std::uint64_t cycles) {
  Task task;
  task.amount = cycles;
  TaskGraph graph;
  graph.ranks = 1;
  graph.tasks = {task};
  return graph;
}

// Of a node model what is true of a pattern beside ranks, too: the limits of the ports.
NodeModel limits_of(const NodeModel& model) {
  NodeModel limits;
  limits.is_half_duplex = model.is_half_duplex;
  limits.shares_bandwidth = model.shares_bandwidth;
  return limits;
}

std::string in_words(const TrafficResults& traffic) {
  std::ostringstream text;
  text << std::setprecision(17);
  for (const LatencyDistribution& one : {traffic.latency, traffic.network_latency}) {
    text << one.mean << " " << one.p50 << " " << one.p95 << " " << one.p99 << " " << one.max
         << "; ";
  }
  text << traffic.offered << " " << traffic.accepted << " " << traffic.queue_growth << " "
       << traffic.growing_sources.size() << " " << traffic.saturated << " "
       << traffic.telling_cycles << "; " << traffic.channel_load.mean << " "
       << traffic.channel_load.max;
  return text.str();
}

// The last rank is over in cycle 500, in which messages still start.
TEST(Background, BesideACalculationIsWhatItIsAlone) {
  for (const Model model : {Model::systemc, Model::worm}) {
    RunRequest request;
    request.fabric.topology = parse_topology("torus:4x4");
    request.model = model;
    request.node.ts = 3;
    request.node.tr = 2;
    request.router.vcs = 2;
    beside_pattern(request, "uniform", 0.3, 7);
    RunRequest alone = request;
    alone.traffic.cycles = 501;
    request.traffic.graph = std::make_shared<TaskGraph>(computation_of(500));
    const Results beside = simulate(plan(request));
    const Results expected = simulate(plan(alone));
    EXPECT_EQ(beside.tasks->makespan, 500);
    EXPECT_GT(expected.messages, 100U);
    EXPECT_EQ(beside.messages, expected.messages);
    EXPECT_EQ(beside.digest, expected.digest);
    EXPECT_EQ(beside.traffic->latency.mean, expected.traffic->latency.mean);
    EXPECT_EQ(beside.traffic->offered, expected.traffic->offered);
    EXPECT_EQ(beside.traffic->accepted, expected.traffic->accepted);
    EXPECT_EQ(beside.traffic->channel_load.flits, expected.traffic->channel_load.flits);
  }
}

TEST(Background, BesideACalculationIsWhatItIsAloneOnEveryFabricAndUnderEveryLoad) {
  const RandomCases cases(20);
  for (std::uint64_t seed = cases.first; seed < cases.end; ++seed) {
    SplitMix64 draw(seed);
    const auto number = [&](std::uint64_t below) { return draw.next() % below; };
    const char* const shapes[] = {"hypercube:3", "torus:4x4", "mesh:3x4", "ring:6", "hypercube:4"};
    RunRequest request;
    request.fabric.topology = parse_topology(shapes[number(std::size(shapes))]);
    request.model = number(2) == 0 ? Model::systemc : Model::worm;
    draw_model(draw, request);
    request.traffic.seed = seed;
    const int flits = 1 + static_cast<int>(number(20));
    beside_pattern(request, "uniform", 0.1 * static_cast<double>(1 + number(9)), flits);
    if (request.model == Model::systemc) {
      request.node.model.is_half_duplex = number(3) == 0;
      request.node.model.shares_bandwidth = number(2) == 0;
    }
    RunRequest alone = request;
    alone.node.model = limits_of(request.node.model);  // the rest is that of ranks
    const Cycle last = 100 + static_cast<Cycle>(number(400));
    alone.traffic.cycles = last + 1;
    const auto work = static_cast<std::uint64_t>(last);
    request.traffic.graph = std::make_shared<TaskGraph>(computation_of(work));
    const Results beside = simulate(plan(request));
    const Results expected = simulate(plan(alone));
    ASSERT_EQ(beside.messages, expected.messages) << "seed " << seed;
    ASSERT_EQ(beside.digest, expected.digest) << "seed " << seed;
    ASSERT_EQ(beside.flit_hops, expected.flit_hops) << "seed " << seed;
    ASSERT_EQ(beside.contention.blocked_cycles, expected.contention.blocked_cycles) << seed;
    ASSERT_EQ(in_words(*beside.traffic), in_words(*expected.traffic)) << "seed " << seed;
  }
}

TEST(Background, EndsInTheCycleThatIsGiven) {
  RunRequest request;
  request.fabric.topology = parse_topology("hypercube:3");
  beside_pattern(request, "uniform", 0.2, 4);
  request.traffic.cycles = 100;
  RunRequest alone = request;
  request.traffic.graph = std::make_shared<TaskGraph>(computation_of(5000));
  const Results beside = simulate(plan(request));
  EXPECT_EQ(beside.digest, simulate(plan(alone)).digest);
  EXPECT_EQ(beside.tasks->makespan, 5000);
}

// Ranks 0 and 1 wait for each other, after a message of 100 flits.
TEST(Background, EndsWhenTheRanksCanDoNothingMore) {
  for (const Model model : {Model::systemc, Model::worm}) {
    std::istringstream in(
        "{\"node\":0,\"send\":true,\"to\":1,\"flits\":100,\"tag\":1}\n"
        "{\"node\":1,\"receive\":true,\"from\":0,\"tag\":1}\n"
        "{\"node\":0,\"task\":\"r\",\"receive\":true,\"from\":1,\"tag\":3}\n"
        "{\"node\":0,\"send\":true,\"to\":1,\"flits\":1,\"tag\":4,\"after\":[\"r\"]}\n"
        "{\"node\":1,\"task\":\"r\",\"receive\":true,\"from\":0,\"tag\":4}\n"
        "{\"node\":1,\"send\":true,\"to\":0,\"flits\":1,\"tag\":3,\"after\":[\"r\"]}\n");
    RunRequest request;
    request.fabric.topology = parse_topology("hypercube:3");
    request.model = model;
    beside_pattern(request, "uniform", 0.05, 4);
    request.traffic.graph =
        std::make_shared<TaskGraph>(read_tasks(in, "f.jsonl", bytes_of_flit).graph);
    const Results results = simulate(plan(request));
    EXPECT_EQ(results.tasks->unended, 4U);
    EXPECT_TRUE(results.tasks->waits_in_circle);
    EXPECT_GT(results.messages, 3U);
    EXPECT_GE(results.cycles, 100);
    EXPECT_LT(results.cycles, 400);
  }
}

// Rank 0 sends to rank 1, which answers, ten times.
class PingPong final : public Program {
 public:
  void run(Processor& processor) override {
    std::vector<int> ball(25);
    for (int i = 0; i < 10; ++i) {
      if (processor.rank() == 0) processor.send(7, ball.data(), 100, 0);
      if (processor.rank() == 7) processor.send(0, processor.receive(0, 0).bytes.data(), 100, 0);
      if (processor.rank() == 0) processor.receive(7, 0);
    }
  }
};

std::string ranks_and_messages(const Results& results) {
  std::ostringstream text;
  text << transcript(results) << "makespan " << results.tasks->makespan;
  for (const RankResults& rank : results.tasks->ranks) {
    text << "; " << rank.compute << " " << rank.communicate << " " << rank.wait;
  }
  return text.str();
}

std::string ping_pong(double rate, Model model) {
  return forked([&] {
    RunRequest request;
    request.fabric.topology = parse_topology("hypercube:3");
    request.model = model;
    if (rate > 0) beside_pattern(request, "uniform", rate, 8);
    const Results results =
        run_programs(request, [](std::uint32_t) { return std::make_unique<PingPong>(); });
    return ranks_and_messages(results);
  });
}

// Alone: 20 messages of 25 flits over three hops, one after another. The seed makes some of them
// wait.
TEST(Background, SlowsProgramsDownOnBothModelsAlike) {
  const auto end = [](const std::string& words) {
    const std::size_t at = words.find("makespan ");
    return at == std::string::npos ? 0 : std::stoi(words.substr(at + 9));
  };
  EXPECT_EQ(end(ping_pong(0, Model::systemc)), 20 * (25 + 3));
  const std::string beside = ping_pong(0.5, Model::systemc);
  EXPECT_GT(end(beside), 20 * (25 + 3));
  EXPECT_EQ(beside, ping_pong(0.5, Model::worm));
}

using Tail = std::tuple<std::uint32_t, std::uint32_t, Cycle, Cycle>;

// Where and when each message came.
std::vector<Tail> tails_of(const Results& results) {
  std::vector<Tail> tails;
  for (const Delivery& one : results.deliveries) {
    tails.emplace_back(index(one.source), index(one.destination), one.head, one.tail);
  }
  std::sort(tails.begin(), tails.end());
  return tails;
}

bool takes_any(const TaskGraph& graph) {
  return std::any_of(graph.tasks.begin(), graph.tasks.end(), [](const Task& task) {
    const bool is_receive = task.kind == TaskKind::receive;
    return is_receive && (task.peer == any_rank || task.tag == any_tag);
  });
}

// A random graph beside a random pattern. What it does takes a cycle at least, and nothing waits
// for a start, so that the order in which messages of a cycle reach a port is plain; but not where
// receives take any message.
RunRequest drawn_beside(std::uint64_t seed, Model model) {
  SplitMix64 draw(seed);
  const auto number = [&](std::uint64_t below) { return draw.next() % below; };
  const char* const shapes[] = {"hypercube:3", "torus:4x4", "mesh:3x4", "ring:6", "hypercube:4"};
  const char* const patterns[] = {"uniform", "hotspot", "uniform"};
  RunRequest request;
  request.fabric.topology = parse_topology(shapes[number(std::size(shapes))]);
  request.model = model;
  TaskGraph graph = random_graph(draw, nodes_of(request));
  const bool has_any = takes_any(graph);
  for (Task& task : graph.tasks) {
    const bool is_to_itself = !has_any && task.kind != TaskKind::compute && task.peer == task.rank;
    if (is_to_itself) task.kind = TaskKind::compute;
    if (task.kind == TaskKind::send) task.amount += bytes_of_flit + 1;  // one flit leaves at once
    if (task.kind == TaskKind::compute) task.amount = std::clamp<std::uint64_t>(task.amount, 1, 80);
  }
  for (TaskDependency& one : graph.dependencies) one.on_start = false;
  request.traffic.graph = std::make_shared<TaskGraph>(std::move(graph));
  draw_model(draw, request);
  request.node.ts = 1 + static_cast<Cycle>(number(12));
  request.traffic.seed = seed;
  const int flits = 1 + static_cast<int>(number(20));
  beside_pattern(request, patterns[number(std::size(patterns))],
                 0.05 * static_cast<double>(number(11)), flits);
  if (request.traffic.rate > flits) request.traffic.rate = flits;
  if (number(3) == 0) request.traffic.cycles = 50 + static_cast<Cycle>(number(200));
  return request;
}

// The graph of `request` with the messages of its pattern as tasks of further processors of each
// rank, one for each port, up to cycle `last`.
TaskGraph with_pattern(const RunRequest& request, Cycle last) {
  const RunPlan planned = plan(request);
  const SyntheticTraffic traffic(*planned.traffic(), planned.routing.topology());
  TaskGraph graph = *request.traffic.graph;
  for (std::uint32_t node = 0; node < nodes_of(request); ++node) {
    MessageSource messages(traffic, node_id(node));
    for (auto start = messages.next(); start && start->cycle <= last; start = messages.next()) {
      const Hop hop = planned.routing.first_hop(MessageKind::unicast, node_id(node),
                                                start->destination, start->ties);
      const int port = planned.router.internal_port(static_cast<int>(index(hop.port)));
      Task send;
      send.kind = TaskKind::send;
      send.cpu = static_cast<std::uint16_t>(2 + port);
      send.rank = node;
      send.peer = static_cast<std::uint32_t>(index(start->destination));
      send.tag = 7;
      send.amount = static_cast<std::uint64_t>(start->flits * bytes_of_flit);
      send.at = start->cycle;
      Task receive;
      receive.kind = TaskKind::receive;
      receive.amount = any_length;
      receive.rank = send.peer;
      receive.peer = node;
      receive.tag = 7;
      graph.tasks.push_back(send);
      graph.tasks.push_back(receive);
    }
  }
  return graph;
}

// Sends that block, which take no time to prepare, are those of a port with one message at a time.
TEST(Background, IsAProcessorOfEachPortThatSendsWhatIsDrawn) {
  const RandomCases cases(40);
  int compared = 0;
  for (std::uint64_t seed = cases.first; seed < cases.end; ++seed) {
    RunRequest request = drawn_beside(seed, Model::worm);
    if (takes_any(*request.traffic.graph)) continue;  // it would take those of the pattern
    request.node.model = {};
    request.node.model.send_blocks = true;
    request.node.ts = 0;
    const Results beside = simulate(plan(request));
    if (!beside.is_complete() || beside.tasks->unended > 0) continue;
    RunRequest as_tasks = request;
    const Cycle last = std::min(beside.tasks->makespan, plan(request).traffic()->cycles - 1);
    as_tasks.traffic = {};
    as_tasks.traffic.graph = std::make_shared<TaskGraph>(with_pattern(request, last));
    as_tasks.traffic.seed = request.traffic.seed;
    as_tasks.message = {};
    as_tasks.message.flit_bytes = request.message.flit_bytes;
    const Results expected = simulate(plan(as_tasks));
    ASSERT_EQ(beside.messages, expected.messages) << "seed " << seed;
    ASSERT_EQ(tails_of(beside), tails_of(expected)) << "seed " << seed;
    ++compared;
  }
  EXPECT_GT(compared, static_cast<int>((cases.end - cases.first) / 2));
}

TEST(Background, IsTheSameOnBothModelsUnderEveryNodeModel) {
  const RandomCases cases(12);
  for (std::uint64_t seed = cases.first; seed < cases.end; ++seed) {
    const std::string flits =
        ranks_and_messages(simulate(plan(drawn_beside(seed, Model::systemc))));
    const std::string worms = ranks_and_messages(simulate(plan(drawn_beside(seed, Model::worm))));
    ASSERT_EQ(first_difference(flits, worms), "") << "seed " << seed;
  }
}

}  // namespace
}  // namespace allport::test
