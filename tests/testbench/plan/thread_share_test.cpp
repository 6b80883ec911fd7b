// SPDX-License-Identifier: Apache-2.0
#include "testbench/plan/thread_share.h"

#include <gtest/gtest.h>

#include <functional>
#include <string>

namespace allport {
namespace {

std::string shared(const std::string& topology, int threads, int cores,
                   const std::function<void(RunRequest&)>& change = {}) {
  RunRequest request;
  request.fabric.topology = parse_topology(topology);
  request.traffic.pattern = "uniform";
  request.traffic.rate = 0.1;
  request.traffic.cycles = 100;
  request.threads = threads;
  if (change) change(request);
  const RunPlan planned = plan(request);
  EXPECT_LE(planned.simulation.threads, threads);
  EXPECT_EQ(planned.simulation.threads, thread_share(planned).most);
  return in_words(thread_share(planned, cores));
}

TEST(ThreadShare, IsWhatWasAskedForWhereThereIsEnoughToDo) {
  const std::string two = "2 threads take part at most, in cycles in which enough routers are busy";
  EXPECT_EQ(shared("torus:16x16", 2, 8), two);
  EXPECT_EQ(shared("mesh:16x16", 2, 2), two);
  EXPECT_EQ(shared("hypercube:7", 2, 2), two);
}

TEST(ThreadShare, IsLessOnSmallFabrics) {
  const auto too_few = [](const std::string& what) {
    return what + " have too little to do at once for more";
  };
  EXPECT_EQ(shared("torus:8x8", 2, 8),
            "one thread does all of it: " + too_few("64 routers and 256 channels"));
  EXPECT_EQ(shared("torus:12x12", 2, 8),
            "one thread does all of it: " + too_few("144 routers and 576 channels"));
  EXPECT_EQ(shared("mesh:9x9", 2, 8),
            "one thread does all of it: " + too_few("81 routers and 288 channels"));
  EXPECT_EQ(shared("torus:16x16", 7, 8),
            "4 threads take part at most: " + too_few("256 routers and 1024 channels"));
}

TEST(ThreadShare, IsNoMoreThanThereAreCores) {
  EXPECT_EQ(shared("torus:16x16", 3, 2), "2 threads take part at most: the run has 2 cores");
  EXPECT_EQ(shared("torus:16x16", 256, 2), "2 threads take part at most: the run has 2 cores");
  EXPECT_EQ(shared("torus:16x16", 2, 1), "one thread does all of it: the run has 1 core");
}

TEST(ThreadShare, IsOneWhereARunCannotBeSplit) {
  EXPECT_EQ(shared("torus:16x16", 2, 2, [](RunRequest& r) { r.model = Model::worm; }),
            "one thread does all of it: worms are moved in order");
  EXPECT_EQ(shared("torus:16x16", 2, 2, [](RunRequest& r) { r.router.retry = true; }),
            "one thread does all of it: channels err");
  EXPECT_EQ(
      shared("hypercube:8", 2, 2, [](RunRequest& r) { r.fabric.routing = RoutingOrder::adaptive; }),
      "one thread does all of it: what is observed is told in order");
}

}  // namespace
}  // namespace allport
