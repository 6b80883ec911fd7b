// SPDX-License-Identifier: Apache-2.0
// Message classes on routers in RTL: the flits and credits of the worked case of docs/router.md on
// their pins, cycle by cycle, and the deliveries of the reference model.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <sstream>
#include <string>
#include <vector>

#include "rtl_model/verilated/model_library.h"
#include "testbench/observe/lockstep/rtl_nodes.h"
#include "tests/properties/reference/fabric.h"
#include "tests/properties/reference/random_cases.h"
#include "tests/support/class_bench.h"
#include "tests/support/draw.h"

namespace allport::test {
namespace {

constexpr int payload_bits = 32;

/// The fabric of the worked case with routers in RTL.
struct ClassTwin {
  ClassTwin()
      : library(twin_source(blueprint.config, blueprint.routing,
                            payload_bits + PinLayout::message_bits)),
        nodes(library, blueprint.config, blueprint.routing, payload_bits),
        bench("hypercube:1", three_classes()) {
    nodes.replace(bench.fabric, {node_id(0), node_id(1)});
    bench.reset();  // RTL begins with one
  }

  const Blueprint blueprint{"hypercube:1", three_classes()};
  const ModelLibrary library;
  RtlNodes nodes;
  ClassBench bench;
};

TEST(MessageClassesTwin, TakeTurnsAsInTheWorkedCase) {
  ClassTwin twin;
  expect_three_classes(twin.bench);
}

// Either node sends messages of all classes to the other one.
TEST(MessageClassesTwin, DeliverWhatTheReferenceModelDelivers) {
  constexpr int messages = 60;
  const RandomCases cases(1);
  Draw draw(cases.first + 1);
  ClassTwin twin;
  reference::Config config;
  config.topology = "mesh:2";
  config.classes = 3;
  config.buffer_depth = 1;
  reference::Collective collective;
  collective.sources = {0, 1};
  std::array<Cycle, 2> prepared{};
  for (int order = 0; order < messages; ++order) {
    reference::Line line;
    line.u = draw.below(2);
    line.v = 1 - line.u;
    line.order = order;
    line.message_class = draw.below(3);
    line.flits = 1 + draw.below(6);
    Cycle& at = prepared[static_cast<std::size_t>(line.u)];
    at += draw.one_of<int>({0, 0, 1, 4, 11});
    line.at = at;
    collective.lines.push_back(line);
    twin.bench.plan(at, static_cast<std::size_t>(line.u), static_cast<std::size_t>(line.v),
                    line.message_class, line.flits);
  }
  std::vector<std::string> expected;
  for (const reference::Delivery& one :
       simulate(config, std::vector<reference::Collective>{collective}).deliveries) {
    expected.push_back(std::to_string(one.source) + ">" + std::to_string(one.destination) + "#" +
                       std::to_string(one.message) + "@" + std::to_string(one.tail));
  }
  std::sort(expected.begin(), expected.end());

  twin.bench.run();

  std::istringstream words(twin.bench.received);
  std::vector<std::string> received{std::istream_iterator<std::string>(words), {}};
  std::sort(received.begin(), received.end());
  EXPECT_EQ(received.size(), static_cast<std::size_t>(messages));
  EXPECT_EQ(received, expected) << "seed " << cases.first;
}

}  // namespace
}  // namespace allport::test
