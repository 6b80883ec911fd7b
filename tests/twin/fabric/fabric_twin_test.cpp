// SPDX-License-Identifier: Apache-2.0
// Whole fabrics of either twin, and of both in lockstep, end alike: with the same deliveries to the
// cycle (digest), contention events and deadlock, and for the same causes. The fabrics have
// configurations of router_twin_test.cpp: the test that runs first builds the library for the
// other.
#include <array>
#include <string>
#include <vector>

#include "tests/support/cli_program.h"

namespace allport::test {
namespace {

using Json = nlohmann::json;

class FabricTwin : public Cli {
 protected:
  /// What the program prints of a run that may also end in a deadlock.
  Json results(const std::string& arguments) const {
    const Outcome outcome = allport(arguments + " --json -");
    Json results = Json::parse(outcome.out, nullptr, false);
    EXPECT_FALSE(results.is_discarded()) << arguments << ": " << outcome.err;
    return results;
  }

  /// A join of all nodes but `silent` to node 5, and a unicast of each node to another one.
  static std::string mixed_lines(int silent = -1) {
    std::string lines;
    for (int node = 0; node < 12; ++node) {
      const std::string from = "{\"u\":" + std::to_string(node) + ",\"step\":1,\"order\":";
      if (node != silent) lines += from + "0,\"kind\":\"join\",\"v\":5}\n";
      lines +=
          from + (node == silent ? "0" : "1") + ",\"v\":" + std::to_string((node + 5) % 12) + "}\n";
    }
    return lines;
  }

  /// Runs the three with `options`, and returns the results of SystemC.
  Json expect_one_machine(const std::string& options,
                          const char* explain = " --explain all") const {
    const auto results = [&](const std::string& arguments) {
      return this->results(arguments + explain);
    };
    const Json systemc = results("run " + options);
    const Json rtl = results("run --model rtl " + options);
    const Json both = results("cosim " + options);
    for (const Json* other : {&rtl, &both}) {
      for (const char* key : {"digest", "cycles", "latency", "messages", "flit_hops", "contention",
                              "deadlock", "deadlock_cycle", "wait_for", "traffic", "explanation",
                              "flit_errors", "replays", "discarded_flits", "link_errors"}) {
        EXPECT_EQ(systemc.value(key, Json()), other->value(key, Json()))
            << key << " of " << options;
      }
    }
    EXPECT_TRUE(both["cosim"]["difference"].is_null()) << options;
    EXPECT_GT(both["cosim"]["compared_cycles"], 0) << options;
    return systemc;
  }
};

TEST_F(FabricTwin, BroadcastsByTreeWormsWithAndWithoutDelay) {
  expect_one_machine("--topology hypercube:3 --algorithm tree");
  expect_one_machine(
      "--topology hypercube:3 --algorithm tree --replication-delay 3 --flits 40 --ports 1 --buffer-depth 3 --routing ascending --link-delay 1");
}

TEST_F(FabricTwin, BroadcastsByTreeWormsOnEveryFabricAndInGroups) {
  expect_one_machine("--topology torus:4x3 --algorithm tree --source 5 --replication-delay 2");
  expect_one_machine("--topology mesh:3x4 --algorithm tree --source 4 --flits 20");
  expect_one_machine("--topology hypercube:4 --algorithm tree --groups dims:0,2 --flits 9");
}

// The limits of ports are those of nodes, and nothing explains them.
TEST_F(FabricTwin, NodesWhosePortsAreLimited) {
  const std::string exchange = "--topology hypercube:3 --algorithm direct-neighbor --ts 3 ";
  for (const char* limits :
       {"--duplex half", "--bandwidth shared", "--duplex half --bandwidth shared"}) {
    expect_one_machine(exchange + limits, "");
  }
}

// Routers compute on every fabric, in groups, with and without virtual channels of their own.
TEST_F(FabricTwin, JoinsAndJoinTrees) {
  expect_one_machine(
      "--topology hypercube:3 --algorithm join-allreduce --combine-delay 2 --replication-delay 1 --buffer-depth 3 --flit-bytes 8 --bytes 96 --join-type float32 --skew 40");
  expect_one_machine(
      "--topology torus:4x3 --algorithm join-reduce --source 7 --join-vcs 2 --ports 2 --buffer-depth 3 --combine-delay 1 --vc-use balanced --flit-bytes 8 --bytes 64 --join-operation max --join-type u64");
  expect_one_machine(
      "--topology torus:4x3 --algorithm join-barrier --groups dims:0 --join-vcs 2 --ports 2 --buffer-depth 3 --combine-delay 1 --vc-use balanced --flit-bytes 8");
}

TEST_F(FabricTwin, JoinsBesideOtherMessagesOnVirtualChannelsOfTheirOwn) {
  write("mixed.jsonl", mixed_lines());
  const Json mixed = expect_one_machine(
      "--topology torus:4x3 --schedule mixed.jsonl --join-vcs 2 --ports 2 --buffer-depth 3 --combine-delay 1 --vc-use balanced --flit-bytes 8 --flits 6");
  EXPECT_EQ(mixed["messages"], 1 + 12);
}

// A router in RTL is awake while any flit is younger than the delay, and whenever a credit comes;
// since when it has stood still does not depend on that.
TEST_F(FabricTwin, AJoinThatLacksAContributionWaitsSinceTheSameCycles) {
  write("lack.jsonl", mixed_lines(7));
  const Json blocked = expect_one_machine(
      "--topology torus:4x3 --schedule lack.jsonl --join-vcs 2 --ports 2 --buffer-depth 3 --combine-delay 1 --vc-use balanced --flit-bytes 8 --flits 6");
  EXPECT_FALSE(blocked["deadlock"].is_null());
}

TEST_F(FabricTwin, JoinsInDifferentOrdersWaitForTheSame) {
  std::string lines;
  for (int node = 0; node < 8; ++node) {
    for (int order = 0; order < 2; ++order) {
      lines += "{\"u\":" + std::to_string(node) + ",\"v\":" + std::to_string(order ^ (node == 1)) +
               ",\"step\":1,\"order\":" + std::to_string(order) + ",\"kind\":\"join\"}\n";
    }
  }
  write("orders.jsonl", lines);
  const Json blocked =
      expect_one_machine("--topology hypercube:3 --schedule orders.jsonl --flit-bytes 8 --flits 6");
  EXPECT_FALSE(blocked["deadlock"].is_null());
}

TEST_F(FabricTwin, CollectivesThatContendListTheSameEvents) {
  const Json ring = expect_one_machine(
      "--topology ring:5 --buffer-depth 1 --flit-bytes 8 --algorithm separate --source 0,1,3 --ts 3");
  EXPECT_GT(ring["contention"]["events"], 0);
  expect_one_machine("--topology hypercube:3 --algorithm wsort --source 0,3,5 --flits 12");
  expect_one_machine("--topology torus:4x4 --algorithm dcf --flits 9");
}

TEST_F(FabricTwin, SumsOfBlocks) {
  const Json vector = expect_one_machine("--topology torus:4x4 --algorithm dims-allreduce");
  EXPECT_EQ(vector["messages"], 16 * (3 + 3 + 3 + 3));
}

TEST_F(FabricTwin, UniformTraffic) {
  const std::string load = " --pattern uniform --rate 0.3 --cycles 400 --flits 5";
  expect_one_machine("--topology torus:4x4" + load);
  expect_one_machine("--topology mesh:3x4 --buffer-depth 7" + load);
}

TEST_F(FabricTwin, UniformTrafficOverLinksOfDifferentLengths) {
  expect_one_machine(
      "--topology torus:4x4 --link-delay 3,1 --ties alternate --pattern uniform --rate 0.3 --cycles 400 --flits 5");
}

TEST_F(FabricTwin, UniformTrafficOverNarrowChannels) {
  const Json narrow = expect_one_machine(
      "--topology torus:4x3 --ports 3 --buffer-depth 2 --link-width 1,2 --link-delay 0,1 --pattern uniform --rate 0.2 --cycles 400 --flits 5");
  EXPECT_GT(narrow["contention"]["events"], 0);
}

// Layers, ways around a link and around nodes, and a graph whose links have delays and widths of
// their own.
TEST_F(FabricTwin, RoutingByTables) {
  const std::string load = " --pattern uniform --rate 0.3 --cycles 400 --flits 5";
  const Json torus = expect_one_machine("--topology torus:4x3 --routing table:dimension" + load);
  EXPECT_EQ(torus["digest"], results("run --topology torus:4x3 --ties positive" + load)["digest"]);
  expect_one_machine("--topology torus:4x3 --routing table:updown:5 --vcs 2 --missing-links 0-1" +
                     load);
  const Json left = expect_one_machine("--topology torus:4x4 --missing-nodes 6,9 --vcs 2" + load);
  EXPECT_EQ(left["config"]["missing_nodes"], Json::array({"6", "9"}));
  expect_one_machine("--topology hypercube:4 --missing-nodes 1,2 --vcs 2 --algorithm safety-bcast");
  write("chiplets.dot",
        "graph { s [processor=false]; t [processor=false]; s -- t [delay=3, width=2]; "
        "s -- u [width=1]; t -- u; a -- s; b -- s; c -- t; d -- t; e -- u [delay=2]; e -- a }");
  const Json graph = expect_one_machine("--topology graph:chiplets.dot --buffer-depth 2" + load);
  EXPECT_GT(graph["contention"]["events"], 0);
  EXPECT_EQ(
      results("cosim --topology graph:chiplets.dot --buffer-depth 2" + load)["cosim"]["rtl_nodes"]
          .size(),
      8);
}

TEST_F(FabricTwin, DepositsOfAScheduleFile) {
  write("deposits.jsonl",
        "{\"u\":0,\"v\":7,\"step\":1,\"order\":0,\"kind\":\"deposit\"}\n"
        "{\"u\":0,\"v\":1,\"step\":1,\"order\":1}\n"
        "{\"u\":0,\"v\":2,\"step\":1,\"order\":2,\"kind\":\"deposit\"}\n"
        "{\"u\":6,\"v\":5,\"step\":2,\"order\":0,\"kind\":\"deposit\"}\n"
        "{\"u\":7,\"v\":3,\"step\":2,\"order\":0}\n");
  const Json mixed = expect_one_machine("--topology hypercube:3 --schedule deposits.jsonl");
  EXPECT_EQ(mixed["messages"], 5);
}

TEST_F(FabricTwin, MultidestinationWormsOfAScheduleFile) {
  write("lists.jsonl",
        "{\"u\":0,\"v\":7,\"step\":1,\"order\":0,\"kind\":\"multidestination\",\"via\":[3,10,6]}\n"
        "{\"u\":0,\"v\":1,\"step\":2,\"order\":1,\"kind\":\"multidestination\",\"via\":[4]}\n"
        "{\"u\":7,\"v\":2,\"step\":3,\"order\":0,\"kind\":\"multidestination\",\"via\":[11,8]}\n");
  const Json lists = expect_one_machine(
      "--topology torus:4x3 --ports 3 --vcs 2 --buffer-depth 3 --flits 9 --schedule lists.jsonl");
  EXPECT_EQ(lists["messages"], 3);
}

// Node 2 sends lists of nine destinations, so that both tests have the headers of one library.
TEST_F(FabricTwin, ManyMulticastsByLabelWorms) {
  const std::string mesh = "--topology mesh:3x4 --buffer-depth 3 --source 0,2,3,4,6,7,11 ";
  const Json dual = expect_one_machine(mesh + "--flits 20 --algorithm dual-path");
  EXPECT_TRUE(dual["deadlock"].is_null());
  EXPECT_EQ(dual["messages"], 1 + 2 * 6);  // 0 has the smallest label
  expect_one_machine(mesh + "--flits 7 --algorithm multi-path");
}

TEST_F(FabricTwin, LabelWormsOfAScheduleFile) {
  write(
      "labels.jsonl",
      "{\"u\":2,\"v\":9,\"step\":1,\"order\":0,\"kind\":\"label\",\"via\":[5,4,3,6,7,8,11,10]}\n"
      "{\"u\":4,\"v\":10,\"step\":2,\"order\":0,\"kind\":\"label\",\"via\":[3,8],\"first_dimension\":0}\n"
      "{\"u\":4,\"v\":7,\"step\":2,\"order\":1,\"kind\":\"label\"}\n"
      "{\"u\":4,\"v\":0,\"step\":2,\"order\":2,\"kind\":\"label\",\"via\":[1]}\n"
      "{\"u\":8,\"v\":1,\"step\":2,\"order\":0,\"kind\":\"label\",\"via\":[5]}\n");
  const Json lists =
      expect_one_machine("--topology mesh:3x4 --buffer-depth 3 --flits 9 --schedule labels.jsonl");
  EXPECT_EQ(lists["messages"], 5);
}

TEST_F(FabricTwin, PathAndTreeWormsThatAreStoredAndForwarded) {
  const std::string stored =
      "--topology hypercube:3 --ports 1 --vcs 2 --buffer-depth 4 --replication-delay 3 --flit-bytes 2 --switching store-and-forward --flits 4 ";
  write("path.jsonl", "{\"u\":0,\"step\":1,\"order\":0,\"kind\":\"path\"}\n");
  expect_one_machine(stored + "--schedule path.jsonl");
  expect_one_machine(stored + "--algorithm tree --source 0,6");
}

TEST_F(FabricTwin, CircuitsThatMeet) {
  expect_one_machine(
      "--topology torus:4x5 --ports 1 --vcs 4 --buffer-depth 1 --switching circuit --link-delay 1 --pattern uniform --rate 0.2 --cycles 400 --flits 4");
}

TEST_F(FabricTwin, MessagesThatChooseTheirClassOfVirtualChannels) {
  expect_one_machine(
      "--topology torus:4x5 --ports 2 --vcs 4 --buffer-depth 3 --vc-use balanced --pattern uniform --rate 0.4 --cycles 400 --flits 6");
}

TEST_F(FabricTwin, RequestsAndRepliesInClassesOfTheirOwn) {
  const Json loop = expect_one_machine(
      "--topology torus:4x3 --ports 3 --vcs 4 --classes 2 --vc-use balanced --buffer-depth 3 --pattern uniform --outstanding 3 --cycles 400 --flits 5 --reply-flits 9");
  EXPECT_GT(loop["contention"]["events"], 0);
}

// On the fabric of the test above.
TEST_F(FabricTwin, DepositsBesideASecondClass) {
  std::string lines;
  for (int node = 0; node < 6; ++node) {
    lines += "{\"u\":" + std::to_string(node) + ",\"v\":" + std::to_string((node + 7) % 12) +
             ",\"step\":1,\"order\":0,\"kind\":\"deposit\"}\n";
  }
  write("deposits.jsonl", lines);
  const Json run = expect_one_machine(
      "--topology torus:4x3 --ports 3 --vcs 4 --classes 2 --vc-use balanced --buffer-depth 3 --schedule deposits.jsonl --source 0,1,2,3,4,5 --destinations 7,8,9,10,11 --flits 15");
  EXPECT_EQ(run["messages"], 6);
}

class ByNightFabricTwin : public FabricTwin {};

// The fabric of TorusOfClassesAndGroups in router_twin_test.cpp.
constexpr const char* four_classes =
    "--topology torus:4x3 --ports 2 --vcs 8 --classes 4 --buffer-depth 2 --replication-delay 1 --vc-use balanced ";

TEST_F(ByNightFabricTwin, TreesOnAFabricOfFourClasses) {
  expect_one_machine(four_classes + std::string("--algorithm tree --source 5 --flits 9"));
  expect_one_machine(four_classes + std::string("--algorithm tree --groups dims:0 --flits 4"));
}

TEST_F(ByNightFabricTwin, MessagesOfFourClassesThatMeet) {
  std::string lines;
  for (int i = 0; i < 200; ++i) {
    const int node = i * 5 % 12;
    lines += "{\"u\":" + std::to_string(node) +
             ",\"v\":" + std::to_string((node + 1 + i * 7 % 11) % 12) +
             ",\"step\":1,\"order\":" + std::to_string(i / 12) +
             ",\"flits\":" + std::to_string(1 + i % 9) + ",\"class\":" + std::to_string(i % 4) +
             ",\"at\":" + std::to_string(i / 3) + "}\n";
  }
  write("four.jsonl", lines);
  const Json run = expect_one_machine(four_classes + std::string("--schedule four.jsonl"));
  EXPECT_EQ(run["messages"], 200);
  EXPECT_GT(run["contention"]["events"], 0);
}

// Every pipeline whose delays are 0 or 1, those of 4, and 4 of one of them: 12 routers in RTL.
TEST_F(ByNightFabricTwin, EveryPipeline) {
  std::vector<std::array<int, 3>> pipelines = {{4, 4, 4}, {4, 0, 0}, {0, 4, 0}, {0, 0, 4}};
  for (int bits = 0; bits < 8; ++bits) pipelines.push_back({bits & 1, bits >> 1 & 1, bits >> 2});
  for (const auto& [route, vc, crossbar] : pipelines) {
    const std::string fabric =
        "--topology mesh:3x2 --ports 2 --vcs 2 --buffer-depth 3 --replication-delay 1 --route-delay " +
        std::to_string(route) + " --vc-delay " + std::to_string(vc) + " --crossbar-delay " +
        std::to_string(crossbar) + " ";
    const Json load =
        expect_one_machine(fabric + "--pattern uniform --rate 0.4 --cycles 500 --flits 4");
    EXPECT_GT(load["contention"]["events"], 0);
    expect_one_machine(fabric + "--algorithm tree --source 4 --flits 7");
    expect_one_machine(fabric + "--algorithm direct-alltoall --flits 3 --ts 2");
  }
}

TEST_F(FabricTwin, WideFlitsThatCarryNames) {
  expect_one_machine(
      "--topology torus:4x4 --algorithm dims-allgather --bytes 1000 --flit-bytes 64");
}

TEST_F(FabricTwin, AdaptiveRoutesThatMeet) {
  expect_one_machine(
      "--topology hypercube:3 --vcs 3 --buffer-depth 5 --switching cut-through --routing adaptive --flit-bytes 2 --pattern uniform --rate 0.5 --cycles 400 --flits 5");
}

// Whose contention and waiting depends on what a pipeline holds.
TEST_F(FabricTwin, WormsThatMeetInPipelines) {
  const std::string cube =
      "--topology hypercube:3 --ports 2 --vcs 2 --buffer-depth 3 --replication-delay 2 --route-delay 1 --vc-delay 1 --crossbar-delay 1 ";
  expect_one_machine(cube + "--algorithm tree --source 0,3,5 --flits 12");
  const Json load =
      expect_one_machine(cube + "--pattern uniform --rate 0.3 --cycles 400 --flits 5");
  EXPECT_GT(load["contention"]["events"], 0);
}

TEST_F(FabricTwin, JoinsInPipelines) {
  expect_one_machine(
      "--topology hypercube:3 --algorithm join-allreduce --combine-delay 1 --replication-delay 2 --route-delay 1 --vc-delay 1 --ports 2 --vcs 2 --flit-bytes 8 --bytes 96 --skew 40");
}

TEST_F(FabricTwin, MessagesStoredInPipelines) {
  expect_one_machine(
      "--topology mesh:3x4 --ports 1 --vcs 2 --buffer-depth 4 --switching store-and-forward --route-delay 1 --vc-delay 2 --link-delay 1 --flit-bytes 2 --pattern uniform --rate 0.2 --cycles 400 --flits 4");
}

TEST_F(FabricTwin, AdaptiveRoutesThatMeetInPipelines) {
  expect_one_machine(
      "--topology hypercube:3 --vcs 3 --buffer-depth 5 --switching cut-through --routing adaptive --route-delay 1 --vc-delay 1 --crossbar-delay 2 --flit-bytes 2 --pattern uniform --rate 0.5 --cycles 400 --flits 5");
}

// docs/router.md, link-level retry: the worked cases.
TEST_F(FabricTwin, WorkedCasesOfChannelsThatErr) {
  struct Row {
    const char* options;
    int latency;
  };
  for (const Row& row :
       {Row{"--retry", 6}, Row{"--flit-errors 0.2@1", 8}, Row{"--flit-errors 0.2@2", 8},
        Row{"--flit-errors 0.2@4", 8}, Row{"--flit-errors 0.2@1,0.2@2", 8},
        Row{"--flit-errors 0.2@1,0.2@3", 10}, Row{"--flit-errors 0.2@2,4.1@5", 10},
        Row{"--link-delay 1 --flit-errors 0.2@2", 12}}) {
    const Json one = expect_one_machine(
        std::string("--topology hypercube:3 --algorithm separate --destinations 6 --flits 4 ") +
        row.options);
    EXPECT_EQ(one["latency"]["max"], row.latency) << row.options;
  }
}

// On the fabric of the worked cases.
TEST_F(FabricTwin, TreesAndUnicastsOverChannelsThatErr) {
  const std::string cube = "--topology hypercube:3 ";
  const Json tree = expect_one_machine(cube + "--algorithm tree --flits 20 --flit-error-rate 0.1");
  EXPECT_GT(tree["replays"], 5);
  const Json load = expect_one_machine(
      cube + "--pattern uniform --rate 0.3 --cycles 400 --flits 5 --flit-error-rate 0.05");
  EXPECT_GT(load["replays"], 50);
  expect_one_machine(cube + "--algorithm tree --source 0,7,2,5 --flits 30 --flit-error-rate 0.5");
}

// Phits, delays and a crossbar of which each channel has its own window.
TEST_F(FabricTwin, NarrowChannelsOfClassesThatErr) {
  const Json narrow = expect_one_machine(
      "--topology torus:4x3 --ports 3 --vcs 4 --classes 2 --buffer-depth 3 --link-width 1,2 --link-delay 0,2 --route-delay 1 --vc-delay 1 --crossbar-delay 2 --pattern uniform --outstanding 3 --cycles 400 --flits 5 --reply-flits 9 --flit-error-rate 0.05");
  EXPECT_GT(narrow["replays"], 50);
  EXPECT_GT(narrow["contention"]["events"], 0);
}

TEST_F(FabricTwin, JoinsOverChannelsThatErr) {
  const Json joins = expect_one_machine(
      "--topology hypercube:3 --algorithm join-allreduce --combine-delay 2 --replication-delay 1 --buffer-depth 3 --flit-bytes 8 --bytes 96 --skew 40 --flit-error-rate 0.2");
  EXPECT_GT(joins["replays"], 10);
}

// With and without retry, on the fabrics of other tests.
TEST_F(FabricTwin, CreditsThatAreLost) {
  const std::string torus =
      "--topology torus:4x4 --algorithm separate --lose-credit 1.0.0@+20,1.0.0@+20,1.0.0@+20,1.0.0@+20";
  const Json blocked = expect_one_machine(torus);
  EXPECT_FALSE(blocked["deadlock"].is_null());
  EXPECT_EQ(blocked["link_errors"]["lost_credits"].size(), 4U);
  const Json slower = expect_one_machine(
      "--topology hypercube:3 --algorithm tree --flits 20 --lose-credit 0.2.0@+4 --flit-error-rate 0.1");
  EXPECT_TRUE(slower["deadlock"].is_null());
}

// Every switching mode and kind of routing that has routers of its own, at rates of which the last
// has a channel repeat half of what it carries.
TEST_F(ByNightFabricTwin, ChannelsThatErr) {
  const std::string load = " --pattern uniform --rate 0.2 --cycles 600 --flits 4 ";
  for (const std::string& fabric :
       {"--topology mesh:3x4 --vcs 2 --switching cut-through --link-delay 1" + load,
        "--topology mesh:3x4 --switching store-and-forward --link-width 2 --crossbar-delay 1" +
            load,
        "--topology torus:4x3 --switching circuit --vcs 4 --link-delay 2" + load,
        "--topology torus:4x5 --vc-use balanced --vcs 4 --link-delay 3,0 --crossbar-delay 4" + load,
        "--topology hypercube:3 --vcs 3 --routing adaptive --vc-delay 2" + load,
        "--topology hypercube:4 --vcs 4 --classes 4 --routing ascending --link-width 1" + load,
        "--topology ring:7 --vcs 2 --buffer-depth 1 --link-delay 9" + load,
        std::string("--topology torus:4x3 --algorithm join-reduce --source 7 --join-vcs 2 "
                    "--crossbar-delay 1 --flit-bytes 8 --bytes 64"),
        std::string("--topology mesh:3x4 --algorithm dual-path --source 0,2,3,4 --flits 20"),
        std::string("--topology torus:4x3 --algorithm tree --source 5 --replication-delay 2")}) {
    for (const char* rate : {"0.003", "0.1", "0.5"}) {
      for (const char* seed : {"1", "2", "3"}) {
        const Json one =
            expect_one_machine(fabric + " --flit-error-rate " + rate + " --seed " + seed);
        if (rate[2] != '0') {
          EXPECT_GT(one["replays"], 0) << fabric;
        }
      }
    }
  }
}

TEST_F(FabricTwin, TreeWormsThatBlockOneAnother) {
  const Json blocked =
      expect_one_machine("--topology hypercube:3 --algorithm tree --source 0,7,2,5 --flits 30");
  EXPECT_FALSE(blocked["deadlock"].is_null());
}

}  // namespace
}  // namespace allport::test
