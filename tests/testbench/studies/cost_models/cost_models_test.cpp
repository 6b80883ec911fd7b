// SPDX-License-Identifier: Apache-2.0
#include "testbench/studies/cost_models/cost_models.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace allport {
namespace {

double parameter(const std::vector<CostModel>& models, std::string_view model,
                 std::string_view name) {
  for (const CostModel& one : models) {
    if (one.name != model) continue;
    for (const CostParameter& value : one.parameters) {
      if (value.name == name) return value.value;
    }
  }
  ADD_FAILURE() << model << " has no " << name;
  return 0;
}

const CostModel& model(const std::vector<CostModel>& models, std::string_view name) {
  return *std::find_if(models.begin(), models.end(),
                       [&](const CostModel& one) { return one.name == name; });
}

// A machine whose parameters are all known: ts 20, tr 6, h hops, L flits at one per cycle.
CostSamples machine(const std::vector<int>& sizes) {
  CostSamples samples;
  samples.nodes = 64;
  samples.hops = 5;
  for (const int flits : sizes) {
    samples.pair.push_back({flits, 20.0 + 5 + flits + 6, 20, 6, std::max(20.0, 1.0 * flits)});
    for (int hops = 1; hops <= 6; ++hops) {
      samples.distances.push_back({hops, flits, 20.0 + hops + flits + 6});
    }
  }
  return samples;
}

TEST(CostModels, RecoverTheParametersOfAMachineThatIsAsTheySay) {
  const std::vector<CostModel> models = fit_cost_models(machine({1, 2, 16, 100}));

  EXPECT_EQ(parameter(models, "hockney", "a"), 31);
  EXPECT_EQ(parameter(models, "hockney", "b"), 1);
  EXPECT_EQ(parameter(models, "hockney", "n1/2"), 31);
  EXPECT_EQ(parameter(models, "logp", "o"), 13);
  EXPECT_EQ(parameter(models, "logp", "L"), 6);
  EXPECT_EQ(parameter(models, "logp", "g"), 20);
  EXPECT_EQ(parameter(models, "logp", "P"), 64);
  EXPECT_EQ(parameter(models, "loggp", "G"), 1);
  EXPECT_EQ(parameter(models, "plogp", "L"), 12);
  EXPECT_EQ(parameter(models, "logp", "busy(100)"), 13 + 99 * 20);
  EXPECT_EQ(parameter(models, "affine-os", "a"), 0);
  EXPECT_EQ(parameter(models, "affine-os", "b"), 20);
  EXPECT_EQ(parameter(models, "affine-or", "b"), 6);
  EXPECT_EQ(parameter(models, "cut-through", "a"), 26);
  EXPECT_EQ(parameter(models, "cut-through", "c"), 1);
  EXPECT_EQ(parameter(models, "cut-through", "b"), 1);
  for (const char* name : {"hockney", "loggp", "cut-through"}) {
    EXPECT_EQ(model(models, name).largest_residual(), 0) << name;
    EXPECT_EQ(model(models, name).r_squared(), 1) << name;
  }
  EXPECT_GT(model(models, "logp").largest_residual(), 0);  // a packet for each flit
}

TEST(CostModels, CutThroughNeedsTwoDistances) {
  CostSamples samples = machine({1, 8});
  samples.distances.erase(std::remove_if(samples.distances.begin(), samples.distances.end(),
                                         [](const DistanceSample& one) { return one.hops > 1; }),
                          samples.distances.end());

  EXPECT_EQ(fit_cost_models(samples).size(), 6U);
}

// Times that do not lie on a line: residuals are what is left, and their squares are the least.
TEST(CostModels, ResidualsAreWhatTheLineLeaves) {
  CostSamples samples = machine({1, 2, 3});
  samples.pair[1].one_way += 3;
  const CostModel hockney = fit_cost_models(samples)[0];

  EXPECT_EQ(hockney.largest_residual(), 2);
  EXPECT_NEAR(hockney.fits[0].residual(), -1, 1e-9);
  EXPECT_NEAR(hockney.fits[1].residual(), 2, 1e-9);
  EXPECT_LT(hockney.r_squared(), 1);
}

TEST(CostModels, LeastSquaresSolvesWhatIsExact) {
  const std::vector<double> x =
      least_squares({{1, 2, 3}, {1, 5, 1}, {1, 0, 7}, {1, 9, 9}},
                    {10 + 2 * 0.5 + 3 * 4, 10 + 5 * 0.5 + 4, 10 + 7 * 4, 10 + 9 * 0.5 + 9 * 4});
  ASSERT_EQ(x.size(), 3U);
  EXPECT_NEAR(x[0], 10, 1e-9);
  EXPECT_NEAR(x[1], 0.5, 1e-9);
  EXPECT_NEAR(x[2], 4, 1e-9);
}

}  // namespace
}  // namespace allport
