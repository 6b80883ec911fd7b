// SPDX-License-Identifier: Apache-2.0
// Messages of one sender and tag are received in the order in which they are sent, whatever way
// they take (docs/programs.md, "Which receive takes which message"). ALLPORT_CASES and
// ALLPORT_NIGHTLY_SEED choose other cases (scripts/nightly).
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <memory>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "rtl_model/base/split_mix.h"
#include "testbench/plan/plan_run.h"
#include "testbench/simulation/run_programs.h"
#include "testbench/simulation/simulate.h"
#include "tests/properties/reference/random_cases.h"
#include "tests/support/forked.h"
#include "tests/testbench/simulation/task_graphs.h"
#include "traffic/tasks/task_file.h"

namespace allport {
namespace {

using test::draw_model;

// What a random fabric is: messages of one sender overtake one another on many of them.
void draw_fabric(SplitMix64& draw, RunRequest& request) {
  const char* const shapes[] = {"hypercube:3", "torus:4x4", "mesh:3x4", "ring:6", "hypercube:4"};
  const std::string shape = shapes[draw.next() % 5];
  request.fabric.topology = parse_topology(shape);
  const int vcs[] = {1, 2, 4};
  request.router.vcs = std::max(vcs[draw.next() % 3], request.fabric.topology->wraps() ? 2 : 1);
  const bool is_cube = shape.front() == 'h';
  if (!is_cube || draw.next() % 2 != 0) return;
  request.fabric.routing = RoutingOrder::adaptive;
  request.router.vcs = std::max(request.router.vcs, 2);
}

// Every rank sends messages of one tag one after another, the lengths of which fall: a receive that
// took another message than its own would have no room for it, or more.
TaskGraph falling_lengths(SplitMix64& draw, std::uint32_t ranks) {
  TaskGraph graph;
  graph.ranks = ranks;
  const auto add = [&](const Task& task, std::uint32_t after, bool at_start) {
    const auto number = static_cast<std::uint32_t>(graph.tasks.size());
    graph.tasks.push_back(task);
    if (after != no_task) graph.dependencies.push_back({number, after, at_start});
    return number;
  };
  std::vector<std::uint32_t> last_send(ranks, no_task);
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> last_receive;
  const std::uint64_t messages = 60;
  const bool is_chained = draw.next() % 4 != 0;  // else all are ready at once, and go by the file
  for (std::uint64_t i = 0; i < messages; ++i) {
    Task send;
    send.kind = TaskKind::send;
    send.rank = static_cast<std::uint32_t>(draw.next() % ranks);
    send.peer = static_cast<std::uint32_t>(draw.next() % std::min(ranks, 4U));
    send.tag = 7;
    send.amount = 8 * (messages - i);
    if (draw.next() % 3 == 0) send.nic = static_cast<std::uint16_t>(draw.next() % 5);
    last_send[send.rank] = add(send, is_chained ? last_send[send.rank] : no_task, true);
    Task receive;
    receive.kind = TaskKind::receive;
    receive.rank = send.peer;
    receive.peer = send.rank;
    receive.tag = draw.next() % 4 == 0 ? any_tag : 7;
    receive.amount = send.amount;
    std::uint32_t& before =
        last_receive.try_emplace({receive.rank, receive.peer}, no_task).first->second;
    before = add(receive, before, true);
  }
  return graph;
}

RunRequest random_request(std::uint64_t seed) {
  SplitMix64 draw(seed);
  RunRequest request;
  draw_fabric(draw, request);
  draw_model(draw, request);
  const auto ranks = static_cast<std::uint32_t>(request.fabric.topology->node_count());
  request.traffic.graph = std::make_shared<TaskGraph>(falling_lengths(draw, ranks));
  return request;
}

TEST(MessageOrder, NoReceiveTakesAnothersMessage) {
  const test::RandomCases cases(30);
  for (std::uint64_t seed = cases.first; seed < cases.end; ++seed) {
    RunRequest request = random_request(seed);
    const Results flits = simulate(plan(request));
    EXPECT_EQ(flits.broken_invariant, "") << "seed " << seed;
    EXPECT_TRUE(flits.is_complete()) << "seed " << seed;
    EXPECT_EQ(flits.tasks->unended, 0U) << "seed " << seed;
    if (request.fabric.routing) continue;  // worms refuse adaptive routes
    request.model = Model::worm;
    const Results worms = simulate(plan(request));
    EXPECT_EQ(worms.broken_invariant, "") << "seed " << seed;
    EXPECT_EQ(flits.digest, worms.digest) << "seed " << seed;
    EXPECT_EQ(flits.tasks->makespan, worms.tasks->makespan) << "seed " << seed;
  }
}

// What is asked of the accounts of all messages: a message is had when those before it are, and the
// cycles until then are their own cause.
std::string fault_of(const Explanation& explanation, Cycle tr, std::size_t& overtaken) {
  std::map<std::pair<NodeId, NodeId>, std::vector<const MessageAccount*>> pairs;
  for (const MessageAccount& one : explanation.messages) {
    pairs[{one.source, one.destination}].push_back(&one);
  }
  for (auto& [pair, messages] : pairs) {
    std::sort(messages.begin(), messages.end(),
              [](const auto* a, const auto* b) { return a->order < b->order; });
    Cycle had = 0;
    for (const MessageAccount* one : messages) {
      const Cycle waits = std::max<Cycle>(had - (one->tail + tr), 0);
      had = std::max(had, one->tail + tr);
      if (one->has != had) return "has " + std::to_string(one->has);
      if (one->causes[Cause::order] != waits) return "order";
      if (one->causes.total() != one->has - one->created) return "sum";
      const bool is_blamed =
          std::any_of(one->blames.begin(), one->blames.end(), [&](const Blame& blame) {
            return blame.cause == Cause::order && blame.cycles == waits &&
                   blame.blamed.order < one->order;
          });
      if (is_blamed != (waits > 0)) return "blame";
      overtaken += waits > 0 ? 1 : 0;
    }
  }
  return {};
}

TEST(MessageOrder, HasACauseOfItsOwn) {
  const test::RandomCases cases(30);
  std::size_t overtaken = 0;
  for (std::uint64_t seed = cases.first; seed < cases.end; ++seed) {
    RunRequest request = random_request(seed);
    request.node.model = {};
    request.explain.causes = true;
    request.explain.listed = ExplainRequest::all;
    const Results flits = simulate(plan(request));
    EXPECT_EQ(fault_of(*flits.explanation, request.node.tr, overtaken), "") << "seed " << seed;
    if (request.fabric.routing) continue;
    request.model = Model::worm;
    const Results worms = simulate(plan(request));
    EXPECT_EQ(fault_of(*worms.explanation, request.node.tr, overtaken), "") << "seed " << seed;
    EXPECT_EQ(flits.explanation->causes.total(), worms.explanation->causes.total()) << seed;
  }
  EXPECT_GT(overtaken, cases.end - cases.first);  // the test has something to see
}

// Two processors of node 0 prepare a long message and a short one, a cycle for each flit, for two
// ports: the short one is there in 4 + 2 + 4 = 10, and the long one in 64 + 2 + 64 = 130.
TEST(MessageOrder, AShortMessageWaitsForALongOne) {
  const std::string lines =
      "{\"node\":0,\"send\":true,\"to\":3,\"flits\":64,\"tag\":7}\n"
      "{\"node\":0,\"send\":true,\"to\":3,\"flits\":4,\"tag\":7,\"cpu\":1,\"nic\":1}\n"
      "{\"node\":3,\"task\":\"long\",\"receive\":true,\"from\":0,\"tag\":7}\n"
      "{\"node\":3,\"task\":\"short\",\"receive\":true,\"from\":0,\"tag\":7,\"after\":[\"long\"]}\n"
      "{\"node\":3,\"compute\":10,\"after\":[\"short\"]}\n";
  std::istringstream in(lines);
  RunRequest request;
  request.fabric.topology = parse_topology("mesh:2x2");
  request.node.model.ts_per_flit = 1;
  request.traffic.graph = std::make_shared<TaskGraph>(read_tasks(in, "f.jsonl", 4).graph);
  request.explain.causes = true;
  request.explain.listed = ExplainRequest::all;
  for (const Model model : {Model::systemc, Model::worm}) {
    request.model = model;
    const Results results = simulate(plan(request));
    ASSERT_EQ(results.explanation->messages.size(), 2U);
    const MessageAccount& late = results.explanation->messages[0];
    const MessageAccount& early = results.explanation->messages[1];
    EXPECT_EQ(late.has, 130);
    EXPECT_EQ(early.tail, 10);
    EXPECT_EQ(early.has, 130);
    EXPECT_EQ(early.causes[Cause::order], 120);
    EXPECT_EQ(results.tasks->makespan, 140);
  }
}

class Numbered final : public Program {
 public:
  Numbered(std::uint64_t seed, std::uint32_t messages) : seed_(seed), messages_(messages) {}

  void run(Processor& self) override {
    if (self.rank() != 0) {
      SplitMix64 draw(seed_ + self.rank());
      for (std::uint32_t i = 0; i < messages_; ++i) {
        std::vector<std::uint32_t> values(1 + draw.next() % 40);
        values.front() = i;
        self.send(0, values, 7);
      }
      return;
    }
    std::vector<std::uint32_t> next(self.size(), 0);
    for (std::uint32_t i = 0; i < messages_ * (self.size() - 1); ++i) {
      const bool is_any = i % 2 == 0;
      std::uint32_t from = Processor::any;
      for (std::uint32_t rank = 1; !is_any && rank < self.size(); ++rank) {
        if (next[rank] < messages_) from = rank;
      }
      const ReceivedMessage message = self.receive(from, i % 3 == 0 ? Processor::any : 7);
      if (message.as<std::uint32_t>().front() != next[message.from]++) {
        throw std::runtime_error("a message of rank " + std::to_string(message.from) +
                                 " has overtaken another one");
      }
    }
  }

 private:
  std::uint64_t seed_;
  std::uint32_t messages_;
};

TEST(MessageOrder, ProgramsReceiveInTheOrderOfTheCalls) {
  const test::RandomCases cases(12);
  for (std::uint64_t seed = cases.first; seed < cases.end; ++seed) {
    RunRequest request = random_request(seed);
    request.traffic.graph = nullptr;
    std::string before;
    for (const Model model : {Model::systemc, Model::worm}) {
      if (model == Model::worm && request.fabric.routing) continue;
      request.model = model;
      const std::string text = test::forked([&] {
        const Results results = run_programs(
            request, [&](std::uint32_t) { return std::make_unique<Numbered>(seed, 12); });
        return results.broken_invariant + " " + results.digest;
      });
      EXPECT_EQ(text.front(), ' ') << "seed " << seed << ": " << text;
      EXPECT_TRUE(before.empty() || text == before) << "seed " << seed;
      before = text;
    }
  }
}

}  // namespace
}  // namespace allport
