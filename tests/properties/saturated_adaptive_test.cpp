// SPDX-License-Identifier: Apache-2.0
// What is proved of adaptive routing is seen where a cube is offered more than it carries: nothing
// deadlocks, least of all short messages over slow links, several of which fit into a buffer.
// ALLPORT_CASES and ALLPORT_NIGHTLY_SEED choose other cases (scripts/nightly).
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <sstream>
#include <string>

#include "testbench/plan/plan_run.h"
#include "testbench/simulation/simulate.h"
#include "tests/properties/reference/random_cases.h"
#include "tests/support/draw.h"

namespace allport::test {
namespace {

RunRequest draw_saturated(std::uint64_t seed) {
  Draw draw(seed + 810'000'000);
  RunRequest request;
  const int dimensions = 2 + draw.below(4);
  request.fabric.topology = parse_topology("hypercube:" + std::to_string(dimensions));
  request.fabric.routing = RoutingOrder::adaptive;
  if (draw.below(3) == 0) request.fabric.ports = 1 + draw.below(dimensions);
  RouterRequest& router = request.router;
  router.classes = draw.one_of<int>({1, 1, 1, 2});
  router.vcs = router.classes * draw.one_of<int>({2, 2, 2, 3, 4});
  router.buffer_depth = draw.one_of<int>({1, 2, 3, 4, 8});
  router.link_delay = draw.one_of<int>({0, 1, 2, 4, 8});
  router.route_delay = draw.one_of<int>({0, 0, 1, 3});
  router.vc_delay = draw.one_of<int>({0, 0, 1, 2});
  router.crossbar_delay = draw.one_of<int>({0, 0, 1, 4});
  if (draw.below(4) == 0) router.link_widths = {draw.one_of<int>({1, 2})};
  router.switching =
      draw.one_of<Switching>({Switching::wormhole, Switching::wormhole, Switching::cut_through,
                              Switching::store_and_forward, Switching::circuit});
  const bool is_whole = router.switching == Switching::cut_through ||
                        router.switching == Switching::store_and_forward;
  const int most = is_whole ? router.buffer_depth : 2 * router.buffer_depth + router.link_delay;
  request.message.flits = 1 + draw.below(most);
  request.traffic.pattern =
      draw.one_of<std::string>({"uniform", "uniform", "transpose", "hotspot"});
  if (request.traffic.pattern == "transpose" && dimensions % 2 != 0) {
    request.traffic.pattern = "bit-complement";
  }
  request.traffic.rate = std::min<double>(request.message.flits, 0.5 + 0.5 * draw.below(8));
  request.traffic.cycles = 300 + draw.below(700);
  request.traffic.seed = seed;
  return request;
}

std::string in_words(const RunRequest& request) {
  const RouterRequest& router = request.router;
  std::ostringstream out;
  out << request.fabric.topology->name() << " ports " << request.fabric.ports.value_or(0) << " vcs "
      << router.vcs << " classes " << router.classes << " B " << router.buffer_depth << " d "
      << router.link_delay << " a " << router.route_delay << " v " << router.vc_delay << " x "
      << router.crossbar_delay << " mode " << static_cast<int>(router.switching) << " width "
      << (router.link_widths.empty() ? 0 : router.link_widths.front()) << ", "
      << request.message.flits << " flits, " << request.traffic.pattern << " at "
      << request.traffic.rate << " for " << request.traffic.cycles << " cycles";
  return out.str();
}

TEST(AdaptiveRoutes, NeverDeadlockAtSaturation) {
  const RandomCases cases(25);
  for (std::uint64_t seed = cases.first; seed < cases.end; ++seed) {
    const RunRequest request = draw_saturated(seed);
    const Results results = simulate(plan(request));
    ASSERT_EQ(results.broken_invariant, "") << "seed " << seed << ": " << in_words(request);
    ASSERT_FALSE(results.deadlock) << "seed " << seed << ": " << in_words(request);
  }
}

}  // namespace
}  // namespace allport::test
