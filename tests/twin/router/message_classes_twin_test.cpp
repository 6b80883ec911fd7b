// SPDX-License-Identifier: Apache-2.0
// The worked case of message classes on routers in RTL: the flits and credits of docs/router.md on
// their pins, cycle by cycle.
#include <gtest/gtest.h>

#include "rtl_model/verilated/model_library.h"
#include "testbench/observe/lockstep/rtl_nodes.h"
#include "tests/support/class_bench.h"

namespace allport::test {
namespace {

TEST(MessageClassesTwin, TakeTurnsAsInTheWorkedCase) {
  constexpr int payload_bits = 32;
  const Blueprint blueprint("hypercube:1", three_classes());
  const ModelLibrary library(
      twin_source(blueprint.config, blueprint.routing, payload_bits + PinLayout::message_bits));
  RtlNodes nodes(library, blueprint.config, blueprint.routing, payload_bits);
  ClassBench bench("hypercube:1", three_classes());
  nodes.replace(bench.fabric, {node_id(0), node_id(1)});
  expect_three_classes(bench);
}

}  // namespace
}  // namespace allport::test
