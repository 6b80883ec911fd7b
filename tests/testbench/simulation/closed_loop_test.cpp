// SPDX-License-Identifier: Apache-2.0
// A closed loop (docs/guide/traffic.md) does what its page says, on flits and on worms.
// ALLPORT_CASES and ALLPORT_NIGHTLY_SEED choose other cases (scripts/nightly).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <string>
#include <tuple>
#include <vector>

#include "testbench/plan/plan_run.h"
#include "testbench/results/explanation_json.h"
#include "testbench/simulation/simulate.h"
#include "tests/properties/reference/drawn_pipeline.h"
#include "tests/properties/reference/fabric.h"
#include "tests/properties/reference/random_cases.h"
#include "tests/traffic/algorithms/planning.h"

namespace allport::test {
namespace {

RunRequest request_of(const char* topology, int outstanding, int flits, int reply, Cycle service,
                      Cycle cycles) {
  RunRequest request;
  request.fabric.topology = parse_topology(topology);
  request.traffic.pattern = "uniform";
  request.traffic.loop.outstanding = outstanding;
  request.traffic.loop.service = service;
  request.traffic.cycles = cycles;
  request.message.flits = flits;
  request.traffic.loop.reply_flits = reply;
  return request;
}

// Two nodes that ask each other: over one hop the tail of L flits is there L + 1 cycles after its
// message was ready (docs/timing.md), and ts and tr come on top.
TEST(ClosedLoop, TakesTheRoundTripOfTheTimingModelOnAnEmptyFabric) {
  for (const Model model : {Model::systemc, Model::worm}) {
    for (const Cycle service : {0, 7}) {
      RunRequest request = request_of("hypercube:1", 1, 3, 6, service, 1000);
      request.model = model;
      request.node.ts = 4;
      request.node.tr = 2;
      // The request of one node and the reply of the other, which their processors prepare one
      // after another, meet nowhere else.
      const Results results = simulate(plan(request));
      ASSERT_TRUE(results.closed_loop);
      const ClosedLoopResults& loop = *results.closed_loop;
      const Cycle least = (4 + 3 + 1 + 2) + service + (4 + 6 + 1 + 2);
      EXPECT_EQ(loop.round_trip.max, least) << service;
      EXPECT_DOUBLE_EQ(loop.round_trip.mean, static_cast<double>(least));
      EXPECT_EQ(loop.requests, 2U * ((1000 + static_cast<std::uint64_t>(least) - 1) / least));
      EXPECT_EQ(loop.unanswered, 0U);
      EXPECT_DOUBLE_EQ(loop.throughput, static_cast<double>(loop.requests) / 2000);
      EXPECT_EQ(results.messages, 2 * loop.requests);
    }
  }
}

// More requests than a node can have answered in their round trip fill its port.
TEST(ClosedLoop, GivesMoreThroughputWithMoreRequestsUnderWay) {
  double last = 0;
  for (const int outstanding : {1, 2, 4}) {
    RunRequest request = request_of("torus:4x4", outstanding, 1, 4, 0, 3000);
    request.model = Model::worm;
    request.traffic.warmup = 500;
    const double throughput = simulate(plan(request)).closed_loop->throughput;
    EXPECT_GT(throughput, last);
    last = throughput;
  }
}

struct Drawn {
  RunRequest request;
  reference::Config config;
  reference::ClosedLoop loop;
};

Drawn drawn(std::uint64_t seed) {
  SplitMix64 draw(seed);
  const auto number = [&](std::uint64_t below) { return static_cast<int>(draw.next() % below); };
  const char* const shapes[] = {"mesh:3x3", "ring:5", "torus:3x4", "hypercube:3", "mesh:2"};
  const char* const shape = shapes[number(std::size(shapes))];
  Drawn made;
  reference::Config& config = made.config;
  config.topology = shape;
  config.flits = 1 + number(6);
  config.buffer_depth = 1 + number(5);
  config.link_delay = number(3);
  if (number(3) == 0) config.ports = 1;
  config.ts = number(2) * number(20);
  config.tr = number(2) * number(20);
  config.seed = seed;
  made.loop = {1 + number(4), 1 + number(8), number(2) * number(30), 40 + number(200)};
  config.classes = 1 + number(2) * number(3);
  const bool wraps = shape[0] == 'r' || shape[0] == 't';
  if (number(2) == 0) config.vcs = config.classes * (wraps ? 2 : 1) * (1 + number(2));
  config.mode = static_cast<reference::Mode>(number(2) * number(4));
  const bool is_whole = config.mode == reference::Mode::cut_through ||
                        config.mode == reference::Mode::store_and_forward;
  if (is_whole) config.buffer_depth = std::max(config.flits, made.loop.reply_flits) + number(3);
  RunRequest& request = made.request;
  request = request_of(shape, made.loop.outstanding, config.flits, made.loop.reply_flits,
                       made.loop.service, made.loop.cycles);
  request.router.buffer_depth = config.buffer_depth;
  request.router.link_delay = config.link_delay;
  request.router.classes = config.classes;
  request.router.vcs = config.vcs;
  constexpr Switching modes[] = {Switching::wormhole, Switching::cut_through,
                                 Switching::store_and_forward, Switching::circuit};
  request.router.switching = modes[static_cast<std::size_t>(config.mode)];
  if (config.ports > 0) request.fabric.ports = config.ports;
  request.node.ts = config.ts;
  request.node.tr = config.tr;
  request.traffic.seed = seed;
  if (number(3) == 0) {
    const int least = std::max({config.buffer_depth, config.flits, made.loop.reply_flits});
    config.reception_limit = least + number(4);
    request.traffic.reception_limit = config.reception_limit;
  }
  draw_pipeline(seed, config);
  copy_pipeline(config, request.router);
  return made;
}

TEST(ClosedLoop, IsThatOfTheReferenceModelAndTheSameOnWorms) {
  const RandomCases cases(100);
  for (std::uint64_t seed = cases.first; seed < cases.end; ++seed) {
    Drawn one = drawn(seed);
    const Results flits = simulate(plan(one.request));
    const reference::Results reference = simulate(one.config, one.loop);
    ASSERT_TRUE(flits.is_complete()) << seed;
    ASSERT_EQ(flits.digest, reference.digest) << seed;
    ASSERT_EQ(flits.closed_loop->requests, reference.round_trips.size()) << seed;
    double sum = 0;
    Cycle most = 0;
    for (const auto& [request, replied] : reference.round_trips) {
      sum += static_cast<double>(replied - request);
      most = std::max(most, replied - request);
    }
    ASSERT_EQ(flits.closed_loop->round_trip.max, most) << seed;
    ASSERT_NEAR(flits.closed_loop->round_trip.mean,
                sum / static_cast<double>(reference.round_trips.size()), 1e-6)
        << seed;
    if (one.config.mode != reference::Mode::wormhole) continue;
    one.request.model = Model::worm;
    const Results worms = simulate(plan(one.request));
    ASSERT_EQ(worms.digest, flits.digest) << seed;
    ASSERT_EQ(worms.closed_loop->round_trip.mean, flits.closed_loop->round_trip.mean) << seed;
  }
}

// Requests and replies in classes of their own, and buffers that nodes leave full, are explained.
TEST(ClosedLoop, IsExplainedInEveryCycleAndTheSameOnWorms) {
  const RandomCases cases(60);
  Cycle kept = 0;
  for (std::uint64_t seed = cases.first; seed < cases.end; ++seed) {
    Drawn one = drawn(seed);
    one.request.traffic.cycles = std::min<Cycle>(one.request.traffic.cycles, 80);
    one.request.explain.causes = true;
    one.request.explain.channels = true;
    one.request.explain.listed = ExplainRequest::all;
    const Explanation flits = *simulate(plan(one.request)).explanation;
    for (const MessageAccount& account : flits.messages) {
      ASSERT_EQ(account.causes.total(), account.has - account.created) << seed;
    }
    for (const ChannelUse& use : flits.channels) {
      ASSERT_EQ(use.used + use.lost + use.no_credit + use.empty + use.idle, use.cycles) << seed;
    }
    kept += flits.causes[Cause::reception];
    if (one.config.mode != reference::Mode::wormhole) continue;
    one.request.model = Model::worm;
    const Explanation worms = *simulate(plan(one.request)).explanation;
    const Topology& topology = *one.request.fabric.topology;
    ASSERT_EQ(explanation_json(worms, topology).dump(1), explanation_json(flits, topology).dump(1))
        << seed;
  }
  EXPECT_GT(kept, static_cast<Cycle>(cases.end - cases.first));
}

TEST(ClosedLoop, IsRefusedWithWhatItDoesNotGoWith) {
  const auto refusal = [](RunRequest request) { return complaint_of([&] { plan(request); }); };
  RunRequest request = request_of("ring:4", 2, 4, 0, 0, 100);
  EXPECT_EQ(refusal(request), "no complaint");
  RunRequest rated = request;
  rated.traffic.rate = 0.1;
  EXPECT_EQ(refusal(rated), "--outstanding and --rate exclude each other");
  RunRequest lonely = request;
  lonely.traffic.pattern.clear();
  EXPECT_EQ(refusal(lonely), "--outstanding needs --pattern");
  RunRequest without = request;
  without.traffic.loop.outstanding = 0;
  without.traffic.rate = 0.1;
  without.traffic.loop.service = 3;
  EXPECT_EQ(refusal(without), "--service needs --outstanding");
  without.traffic.loop.service = 0;
  without.traffic.loop.reply_flits = 3;
  EXPECT_EQ(refusal(without), "--reply-flits needs --outstanding");
  RunRequest limited = request_of("hypercube:2", 2, 3, 3, 0, 100);
  limited.traffic.reception_limit = 8;
  limited.router.classes = 2;
  limited.model = Model::rtl;
  EXPECT_THAT(refusal(limited), testing::HasSubstr("for which routers in RTL have no pins"));
}

}  // namespace
}  // namespace allport::test
