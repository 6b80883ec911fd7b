// SPDX-License-Identifier: Apache-2.0
// Message classes in whole runs: one class of several is a fabric of its own, and what a run with
// classes refuses. ALLPORT_CASES and ALLPORT_NIGHTLY_SEED choose other cases (scripts/nightly).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "testbench/plan/plan_run.h"
#include "testbench/plan/router_declaration.h"
#include "testbench/simulation/simulate.h"
#include "tests/properties/reference/random_cases.h"
#include "tests/testbench/simulation/task_graphs.h"
#include "traffic/schedule/schedule_file.h"
#include "traffic/tasks/schedule_tasks.h"
#include "traffic/tasks/task_file.h"

namespace allport::test {
namespace {

using testing::HasSubstr;

RunRequest request_on(const std::string& shape, int vcs, int classes) {
  RunRequest request;
  request.fabric.topology = parse_topology(shape);
  request.router.vcs = vcs;
  request.router.classes = classes;
  request.model = Model::systemc;
  return request;
}

std::string deliveries_in_words(const Results& results) {
  std::ostringstream text;
  text << results.broken_invariant << "makespan " << results.tasks->makespan << ", "
       << results.messages << " messages, " << results.flit_hops << " flit hops, contention "
       << results.contention.events << " " << results.contention.blocked_cycles << ", reception "
       << results.reception.events << " " << results.reception.blocked_cycles << ", digest "
       << results.digest;
  if (results.deadlock) text << ", deadlock in cycle " << results.deadlock->cycle;
  for (const RankResults& rank : results.tasks->ranks) {
    text << "; " << rank.compute << " " << rank.communicate << " " << rank.wait;
  }
  return text.str();
}

// ---- One class of several ----

struct Case {
  RunRequest request;
  int vcs_of_class = 1;
  int classes = 1;
  int message_class = 0;
  TaskGraph graph;
};

// The virtual channels of a class, and what is done with them.
void draw_routing(SplitMix64& draw, const std::string& shape, Case& one) {
  const auto number = [&](std::uint64_t below) { return static_cast<int>(draw.next() % below); };
  const bool wraps = shape[0] == 't' || shape[0] == 'r';
  one.vcs_of_class = wraps ? 2 * (1 + number(2)) : 1 + number(3);
  if (wraps && number(2) == 0) one.request.router.vc_use = VcUse::balanced;
  if (shape[0] == 'h' && number(3) == 0) {
    one.request.fabric.routing = RoutingOrder::adaptive;
    one.vcs_of_class = 2 + number(2);
  }
  one.classes = 2 + number(7);
  while (one.classes * one.vcs_of_class > limits::vcs.high) --one.classes;
  one.message_class = number(static_cast<std::uint64_t>(one.classes));
}

Case drawn_case(std::uint64_t seed) {
  SplitMix64 draw(seed * 7919 + 5);
  const auto number = [&](std::uint64_t below) { return static_cast<int>(draw.next() % below); };
  const std::vector<std::string> shapes{"hypercube:2", "hypercube:3", "mesh:3x2",
                                        "ring:5",      "torus:3x4",   "torus:4x2"};
  const std::string& shape = shapes[static_cast<std::size_t>(number(shapes.size()))];
  Case one;
  one.request = request_on(shape, 0, 1);
  draw_routing(draw, shape, one);
  draw_model(draw, one.request);
  RouterRequest& router = one.request.router;
  router.switching = switching_modes[static_cast<std::size_t>(number(switching_modes.size()))];
  if (buffers_messages(router.switching)) router.buffer_depth = 12 + number(20);
  if (number(3) == 0) one.request.router.link_widths = {1 + number(4)};
  NodeModel& model = one.request.node.model;
  if (number(4) == 0) model.is_half_duplex = true;
  if (number(4) == 0) model.shares_bandwidth = true;
  const auto nodes = static_cast<std::uint32_t>(one.request.fabric.topology->node_count());
  one.graph = random_graph(draw, nodes, {80, 48});
  return one;
}

std::string outcome(const Case& one, int vcs, int classes, int message_class) {
  RunRequest request = one.request;
  request.router.vcs = vcs;
  request.router.classes = classes;
  TaskGraph graph = one.graph;
  for (Task& task : graph.tasks) {
    if (task.kind == TaskKind::send) task.message_class = static_cast<std::uint8_t>(message_class);
  }
  request.traffic.graph = std::make_shared<TaskGraph>(std::move(graph));
  return deliveries_in_words(simulate(plan(request)));
}

std::string case_in_words(std::uint64_t seed, const Case& one) {
  const NodeModel& model = one.request.node.model;
  std::ostringstream text;
  text << "seed " << seed << ": " << one.request.fabric.topology->name() << " class "
       << one.message_class << " of " << one.classes << " with " << one.vcs_of_class << " VCs, "
       << to_string(one.request.router.switching) << ", B " << one.request.router.buffer_depth
       << ", adaptive " << one.request.fabric.routing.has_value() << " balanced "
       << (one.request.router.vc_use == VcUse::balanced) << " blocks " << model.send_blocks
       << " occupies " << model.receive_occupies << " per port " << model.startup_per_port
       << " half " << model.is_half_duplex << " shared " << model.shares_bandwidth;
  return text.str();
}

TEST(MessageClassRuns, OneClassOfSeveralIsAFabricWithItsVirtualChannels) {
  const RandomCases cases(40);
  for (std::uint64_t seed = cases.first; seed < cases.end; ++seed) {
    const Case one = drawn_case(seed);
    EXPECT_EQ(outcome(one, one.vcs_of_class * one.classes, one.classes, one.message_class),
              outcome(one, one.vcs_of_class, 1, 0))
        << case_in_words(seed, one);
  }
}

// ---- Several classes ----

Results run_schedule(RunRequest request, const std::string& lines) {
  std::istringstream in(lines);
  const Topology& topology = *request.fabric.topology;
  request.traffic.graph = std::make_shared<TaskGraph>(
      schedule_tasks(read_messages(in, "s.jsonl", topology), "s.jsonl", request.message.flits,
                     request.message.flit_bytes, topology.node_count()));
  return simulate(plan(request));
}

// Behind one another the short message is there in cycle 100 + 1 + 2, in a class of its own it has
// every other cycle.
TEST(MessageClassRuns, AShortMessagePassesALongOneOfAnotherClass) {
  const auto makespan_of_second = [](const std::string& more, int classes) {
    const std::string lines =
        "{\"u\":0,\"v\":1,\"step\":1,\"order\":0,\"flits\":100}\n"
        "{\"u\":0,\"v\":1,\"step\":1,\"order\":1,\"flits\":2" +
        more +
        "}\n"
        "{\"u\":1,\"v\":0,\"step\":2,\"order\":0,\"flits\":1}\n";
    return deliveries_in_words(run_schedule(request_on("hypercube:1", 0, classes), lines));
  };
  EXPECT_THAT(makespan_of_second("", 1), HasSubstr("makespan 105,"));
  EXPECT_THAT(makespan_of_second("", 2), HasSubstr("makespan 105,"));
  EXPECT_THAT(makespan_of_second(",\"class\":1", 2), HasSubstr("makespan 105,"));
  // The answer to the short message alone.
  const auto answered = [](const std::string& more, int classes) {
    std::istringstream in(
        "{\"node\":0,\"send\":true,\"to\":1,\"flits\":100,\"tag\":1}\n"
        "{\"node\":0,\"send\":true,\"to\":1,\"flits\":2,\"tag\":2" +
        more +
        "}\n"
        "{\"node\":1,\"task\":\"r\",\"receive\":true,\"from\":0,\"tag\":2}\n"
        "{\"node\":1,\"task\":\"l\",\"receive\":true,\"from\":0,\"tag\":1}\n"
        "{\"node\":1,\"compute\":1000,\"after\":[\"r\"]}\n");
    RunRequest request = request_on("hypercube:1", 0, classes);
    request.traffic.graph = std::make_shared<TaskGraph>(read_tasks(in, "f.jsonl", 4).graph);
    return deliveries_in_words(simulate(plan(request)));
  };
  EXPECT_THAT(answered("", 2), HasSubstr("makespan 1103,"));
  EXPECT_THAT(answered(",\"class\":1", 2), HasSubstr("makespan 1005,"));  // flits of cycles 1, 3
}

// On a channel that takes two cycles for a flit they lose it to one another; two of one class are
// one queue.
TEST(MessageClassRuns, MessagesOfOneSenderAndOfTwoClassesContend) {
  const auto events = [](int second) {
    RunRequest request = request_on("hypercube:1", 2, 2);
    request.router.link_widths = {2};
    const Results results =
        run_schedule(request,
                     "{\"u\":0,\"v\":1,\"step\":1,\"order\":0,\"flits\":6}\n"
                     "{\"u\":0,\"v\":1,\"step\":1,\"order\":1,\"flits\":6,\"class\":" +
                         std::to_string(second) + "}\n");
    return results.contention.events;
  };
  EXPECT_EQ(events(0), 0U);
  EXPECT_EQ(events(1), 2U);  // each waits for the other
}

// ---- On worms ----

// Every send has a class of its own; what worms do not carry is left out.
Case drawn_for_worms(std::uint64_t seed) {
  Case one = drawn_case(seed);
  RouterRequest& router = one.request.router;
  router.switching = Switching::wormhole;
  router.link_widths.clear();
  if (one.request.fabric.routing == RoutingOrder::adaptive) one.request.fabric.routing.reset();
  NodeModel& model = one.request.node.model;
  model.is_half_duplex = model.shares_bandwidth = model.send_blocks = false;
  router.vcs = one.vcs_of_class * one.classes;
  router.classes = one.classes;
  SplitMix64 draw(seed);
  for (Task& task : one.graph.tasks) {
    if (task.kind != TaskKind::send) continue;
    task.message_class =
        static_cast<std::uint8_t>(draw.next() % static_cast<std::uint64_t>(one.classes));
  }
  return one;
}

std::string outcome_on(Model model, const Case& one) {
  RunRequest request = one.request;
  request.model = model;
  request.traffic.graph = std::make_shared<TaskGraph>(one.graph);
  return deliveries_in_words(simulate(plan(request)));
}

TEST(MessageClassRuns, OnWormsAreThoseOnRouters) {
  const RandomCases cases(60);
  for (std::uint64_t seed = cases.first; seed < cases.end; ++seed) {
    const Case one = drawn_for_worms(seed);
    EXPECT_EQ(outcome_on(Model::worm, one), outcome_on(Model::systemc, one))
        << case_in_words(seed, one);
  }
}

// ---- What is refused ----

std::string refusal(const RunRequest& request) {
  try {
    plan(request);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "accepted";
}

RunRequest with_algorithm(const char* algorithm, Model model) {
  RunRequest request = request_on("hypercube:3", 0, 2);
  request.traffic.algorithm = &find_algorithm(algorithm);
  request.model = model;
  return request;
}

TEST(MessageClassRuns, AreThoseOfRoutersAndOfWorms) {
  EXPECT_EQ(refusal(with_algorithm("wsort", Model::systemc)), "accepted");
  EXPECT_EQ(refusal(with_algorithm("tree", Model::systemc)), "accepted");
  EXPECT_EQ(plan(with_algorithm("wsort", Model::automatic)).request.model, Model::worm);
  RunRequest blocking = with_algorithm("wsort", Model::worm);
  blocking.node.model.send_blocks = true;
  EXPECT_EQ(
      refusal(blocking),
      "--model worm: it tells no processor of a tail on its injection channel within the cycle where classes take turns, and this run has --classes 2 and --send blocking; the model systemc has both");
  blocking.model = Model::automatic;
  EXPECT_EQ(plan(blocking).request.model, Model::systemc);
  for (const Model model : {Model::rtl, Model::cosim}) {
    EXPECT_EQ(refusal(with_algorithm("wsort", model)), "accepted");
    EXPECT_EQ(refusal(with_algorithm("join-reduce", model)),
              "--classes 2: joins have one message class; leave the option out, or the joins");
  }
}

TEST(MessageClassRuns, HaveNoRoutersOfOnesOwnNorJoins) {
  RunRequest custom = with_algorithm("wsort", Model::rtl);
  custom.custom_router = std::make_shared<RouterDeclaration>();
  EXPECT_EQ(
      refusal(custom),
      "--classes 2: the pins of a router of your own have one message class; leave the option out");
  EXPECT_EQ(refusal(with_algorithm("join-reduce", Model::systemc)),
            "--classes 2: joins have one message class; leave the option out, or the joins");
}

TEST(MessageClassRuns, HaveTheClassesThatTheirMessagesName) {
  const auto of_class = [](int classes) {
    std::istringstream in(
        "{\"node\":0,\"send\":true,\"to\":1,\"flits\":1}\n"
        "{\"node\":0,\"send\":true,\"to\":1,\"flits\":1,\"class\":2}\n"
        "{\"node\":1,\"receive\":true}\n"
        "{\"node\":1,\"receive\":true}\n");
    RunRequest request = request_on("hypercube:1", 0, classes);
    request.traffic.graph = std::make_shared<TaskGraph>(read_tasks(in, "f.jsonl", 4).graph);
    return refusal(request);
  };
  EXPECT_EQ(of_class(3), "accepted");
  EXPECT_EQ(of_class(2),
            "f.jsonl:2: class 2, but the message classes are 0..1; give --classes 3 or more");
  EXPECT_EQ(of_class(1),
            "f.jsonl:2: class 2, but there is one message class, 0; give --classes 3 or more");
}

}  // namespace
}  // namespace allport::test
