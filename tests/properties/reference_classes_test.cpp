// SPDX-License-Identifier: Apache-2.0
// The oracle's message classes: a case worked out by hand, cycle by cycle, and what must hold of
// every case. ALLPORT_CASES and ALLPORT_NIGHTLY_SEED choose other cases (scripts/nightly).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "rtl_model/base/split_mix.h"
#include "tests/properties/reference/fabric.h"
#include "tests/properties/reference/random_cases.h"

namespace allport::test {
namespace {

reference::Line line(int u, int v, int order, int message_class, int flits, reference::Cycle at) {
  reference::Line one;
  one.u = u;
  one.v = v;
  one.order = order;
  one.message_class = message_class;
  one.flits = flits;
  one.at = at;
  return one;
}

std::vector<reference::Delivery> deliveries(const reference::Config& config,
                                            const std::vector<reference::Line>& lines) {
  reference::Collective collective;
  for (const reference::Line& one : lines) collective.sources.push_back(one.u);
  collective.lines = lines;
  return simulate(config, std::vector<reference::Collective>{collective}).deliveries;
}

// Three classes with a VC each take turns at one injection channel, with buffers of one flit. The
// turn goes to the class behind the one that sent, so in cycle 10 class 2 is before class 0.
TEST(ReferenceClasses, TakeTurnsAtAnInjectionChannel) {
  reference::Config config;
  config.topology = "mesh:2";
  config.classes = 3;
  config.buffer_depth = 1;

  EXPECT_THAT(
      deliveries(config, {line(0, 1, 0, 0, 4, 0), line(0, 1, 1, 2, 3, 0), line(0, 1, 2, 1, 2, 4),
                          line(0, 1, 3, 0, 1, 10), line(0, 1, 4, 2, 1, 10)}),
      testing::ElementsAre(reference::Delivery{0, 1, 0, 2, 9}, reference::Delivery{0, 1, 1, 3, 8},
                           reference::Delivery{0, 1, 2, 7, 10},
                           reference::Delivery{0, 1, 3, 13, 13},
                           reference::Delivery{0, 1, 4, 12, 12}));
}

struct DrawnClasses {
  reference::Config config;
  std::vector<reference::Line> lines;
};

// Unicasts of all nodes, with a message class each, on a fabric with several VCs for each class.
DrawnClasses drawn(std::uint64_t seed) {
  SplitMix64 draw(seed);
  const auto number = [&](std::uint64_t below) { return static_cast<int>(draw.next() % below); };
  const char* const shapes[] = {"mesh:3x3", "ring:5", "torus:3x4", "hypercube:3"};
  DrawnClasses made;
  reference::Config& config = made.config;
  config.topology = shapes[number(4)];
  config.classes = 1 + number(4);
  const bool wraps = config.topology[0] == 'r' || config.topology[0] == 't';
  config.is_adaptive = config.topology[0] == 'h' && number(2) == 0;
  const int each = wraps ? 2 * (1 + number(2)) : config.is_adaptive ? 2 + number(2) : 1 + number(3);
  config.vcs = config.classes * each;
  config.is_balanced = wraps && number(3) == 0;
  config.mode = static_cast<reference::Mode>(number(4));
  config.flits = 1 + number(6);
  config.buffer_depth = config.flits + number(3);
  config.link_delay = number(3);
  if (number(3) == 0) config.ports = 1;
  const int nodes = config.topology == "ring:5"      ? 5
                    : config.topology == "mesh:3x3"  ? 9
                    : config.topology == "torus:3x4" ? 12
                                                     : 8;
  for (int u = 0; u < nodes; ++u) {
    const int count = number(5);
    for (int order = 0; order < count; ++order) {
      const int v = (u + 1 + number(nodes - 1)) % nodes;
      made.lines.push_back(
          line(u, v, order, number(config.classes), 1 + number(config.flits), number(20)));
    }
  }
  return made;
}

TEST(ReferenceClasses, OfOneClassOfManyAreARunWithItsVcsAlone) {
  const RandomCases cases(300);
  for (std::uint64_t seed = cases.first; seed < cases.end; ++seed) {
    DrawnClasses many = drawn(seed);
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
    const DrawnClasses one = drawn(seed);
    ASSERT_EQ(deliveries(one.config, one.lines).size(), one.lines.size()) << seed;
  }
}

}  // namespace
}  // namespace allport::test
