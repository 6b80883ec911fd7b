// SPDX-License-Identifier: Apache-2.0
#include "rtl_model/router/link_errors.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>
#include <string>
#include <vector>

#include "tests/support/blueprint.h"

namespace allport::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::vector<Cycle> hits(const DrawnErrors& errors, std::size_t router, std::size_t output,
                        Cycle end) {
  std::vector<Cycle> cycles;
  for (Cycle cycle = 0; cycle < end; ++cycle) {
    if (errors.hit(router, output, cycle)) cycles.push_back(cycle);
  }
  return cycles;
}

// The numbers were worked out by a program of its own.
TEST(DrawnErrors, AreThoseOfTheContract) {
  DrawnErrors errors(0.05, 7, 4);
  EXPECT_THAT(hits(errors, 5, 3, 200), ElementsAre(29, 39, 49, 80, 117, 175));
  errors.begin_trial(2);
  EXPECT_THAT(hits(errors, 5, 3, 200), ElementsAre(18, 29, 31, 44, 167, 182, 186, 189));
  EXPECT_THAT(hits(DrawnErrors(0.1, 1, 3), 0, 2, 60), ElementsAre(0, 1, 9, 43, 45, 56));
}

TEST(DrawnErrors, AreNoneAtRateNoneAndHalfOfAllAtMost) {
  EXPECT_TRUE(hits(DrawnErrors(0, 1, 2), 0, 0, 10'000).empty());
  EXPECT_NEAR(static_cast<double>(hits(DrawnErrors(0.5, 1, 2), 0, 0, 10'000).size()), 5000, 150);
}

std::string fault_of(const LinkErrors& errors, bool has_retry = true) {
  FabricConfig fabric = With().vcs(2);
  fabric.retry = has_retry;
  const Blueprint blueprint("mesh:3x3", fabric);
  try {
    require_errors(errors, blueprint.config, blueprint.routing.topology());
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "";
}

TEST(LinkErrors, AreRefusedWhereThereIsNoChannelAndOutOfTheirRange) {
  const auto at = [](std::size_t node, std::size_t port) {
    return Channel{node_id(node), port_id(port)};
  };
  LinkErrors errors;
  errors.listed = {{at(4, 3), 7}};
  errors.lost_credits = {{at(4, 3), 1, 7, false}};
  EXPECT_EQ(fault_of(errors), "");
  EXPECT_THAT(fault_of(errors, false), HasSubstr("must have retry"));
  errors.listed = {{at(0, 1), 7}};
  EXPECT_EQ(fault_of(errors),
            "node 0 of mesh:3x3 has no channel at output 1; its external outputs are 0, 2");
  errors.listed = {{at(0, 9), 7}};
  EXPECT_THAT(fault_of(errors), HasSubstr("has no channel at output 9"));
  errors = {};
  errors.rate = 0.6;
  EXPECT_THAT(fault_of(errors), HasSubstr("must be 0..0.5"));
  errors = {};
  errors.lost_credits = {{at(0, 0), 2, 7, false}};
  EXPECT_EQ(fault_of(errors), "the virtual channel of a lost credit 2: must be 0..1");
}

}  // namespace
}  // namespace allport::test
