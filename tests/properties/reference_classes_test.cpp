// SPDX-License-Identifier: Apache-2.0
// The oracle's message classes: a case worked out by hand, cycle by cycle, and what must hold of
// every case. ALLPORT_CASES and ALLPORT_NIGHTLY_SEED choose other cases (scripts/nightly).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

#include "tests/properties/reference/drawn_classes.h"
#include "tests/properties/reference/fabric.h"
#include "tests/properties/reference/random_cases.h"

namespace allport::test {
namespace {

std::vector<reference::Delivery> deliveries(const reference::Config& config,
                                            const std::vector<reference::Line>& lines) {
  return simulate(config, as_collective(lines)).deliveries;
}

// Three classes with a VC each take turns at one injection channel, with buffers of one flit. The
// turn goes to the class behind the one that sent, so in cycle 10 class 2 is before class 0.
TEST(ReferenceClasses, TakeTurnsAtAnInjectionChannel) {
  reference::Config config;
  config.topology = "mesh:2";
  config.classes = 3;
  config.buffer_depth = 1;

  EXPECT_THAT(deliveries(config, {class_line(0, 1, 0, 0, 4, 0), class_line(0, 1, 1, 2, 3, 0),
                                  class_line(0, 1, 2, 1, 2, 4), class_line(0, 1, 3, 0, 1, 10),
                                  class_line(0, 1, 4, 2, 1, 10)}),
              testing::ElementsAre(
                  reference::Delivery{0, 1, 0, 2, 9}, reference::Delivery{0, 1, 1, 3, 8},
                  reference::Delivery{0, 1, 2, 7, 10}, reference::Delivery{0, 1, 3, 13, 13},
                  reference::Delivery{0, 1, 4, 12, 12}));
}

TEST(ReferenceClasses, OfOneClassOfManyAreARunWithItsVcsAlone) {
  const RandomCases cases(300);
  for (std::uint64_t seed = cases.first; seed < cases.end; ++seed) {
    DrawnClasses many = draw_classes(seed);
    DrawnClasses one = many;
    one.config.classes = 1;
    one.config.vcs = many.config.vcs / many.config.classes;
    for (reference::Line& line : many.lines) {
      line.message_class = static_cast<int>(seed) % many.config.classes;
    }
    for (reference::Line& line : one.lines) line.message_class = 0;
    ASSERT_EQ(deliveries(many.config, many.lines), deliveries(one.config, one.lines)) << seed;
  }
}

// The run itself checks that no flit leaves its class, and that all credits come home.
TEST(ReferenceClasses, DeliverEverythingBesideOneAnother) {
  const RandomCases cases(300);
  for (std::uint64_t seed = cases.first; seed < cases.end; ++seed) {
    const DrawnClasses one = draw_classes(seed);
    ASSERT_EQ(deliveries(one.config, one.lines).size(), one.lines.size()) << seed;
  }
}

}  // namespace
}  // namespace allport::test
