// SPDX-License-Identifier: Apache-2.0
#include "rtl_model/systemc/switch_allocator.h"

#include <gtest/gtest.h>

#include <string>

#include "tests/support/blueprint.h"
#include "tests/support/fatal.h"

namespace allport::test {
namespace {

// Ports 0 to 3 are external with two VCs each, 4 to 7 internal.
struct SwitchAllocatorBench {
  explicit SwitchAllocatorBench(const FabricConfig& fabric = {})
      : blueprint("torus:4x4", fabric), allocator("switch_allocator", blueprint.config) {}

  /// This cycle's grants as `output<input.vc`.
  std::string granted() {
    std::string text;
    for (const SwitchAllocator::Grant& grant : allocator.allocate()) {
      if (!text.empty()) text += ' ';
      text += std::to_string(grant.output) + "<" + std::to_string(grant.input) + "." +
              std::to_string(grant.vc);
    }
    return text;
  }

  Blueprint blueprint;
  SwitchAllocator allocator;
};

constexpr PortMask output(int port) { return PortMask{1} << port; }

TEST(SwitchAllocator, GrantsAnOutputToOneOfTheInputsThatAskForIt) {
  SwitchAllocatorBench bench;
  bench.allocator.request(3, 0, output(2));
  bench.allocator.request(1, 0, output(2));

  EXPECT_EQ(bench.granted(), "2<1.0");
}

TEST(SwitchAllocator, LetsTheInputsOfAnOutputTakeTurns) {
  SwitchAllocatorBench bench;
  std::string turns;
  for (int cycle = 0; cycle < 5; ++cycle) {
    for (const int input : {7, 1, 4}) bench.allocator.request(input, 0, output(0));
    turns += bench.granted() + ", ";
  }

  EXPECT_EQ(turns, "0<1.0, 0<4.0, 0<7.0, 0<1.0, 0<4.0, ");
}

TEST(SwitchAllocator, KeepsAPointerForEachOutput) {
  SwitchAllocatorBench bench;
  bench.allocator.request(1, 0, output(0));
  bench.granted();

  bench.allocator.request(1, 0, output(3));
  bench.allocator.request(2, 0, output(3));
  EXPECT_EQ(bench.granted(), "3<1.0");
}

TEST(SwitchAllocator, PassesOneVirtualChannelOfAnInputAndTheOtherNext) {
  SwitchAllocatorBench bench;
  std::string turns;
  for (int cycle = 0; cycle < 3; ++cycle) {
    bench.allocator.request(2, 1, output(0));
    bench.allocator.request(2, 0, output(1));
    turns += bench.granted() + ", ";
  }

  EXPECT_EQ(turns, "1<2.0, 0<2.1, 1<2.0, ");
}

TEST(SwitchAllocator, MovesThePointerOfAnInputOnlyWhenItsFlitMoved) {
  SwitchAllocatorBench bench;
  bench.allocator.request(0, 0, output(3));
  bench.allocator.request(1, 0, output(3));
  bench.allocator.request(1, 1, output(2));
  ASSERT_EQ(bench.granted(), "3<0.0");  // input 1 chose VC 0, which lost

  bench.allocator.request(1, 0, output(3));
  bench.allocator.request(1, 1, output(2));
  EXPECT_EQ(bench.granted(), "3<1.0");  // and chooses VC 0 again

  bench.allocator.request(1, 0, output(3));
  bench.allocator.request(1, 1, output(2));
  EXPECT_EQ(bench.granted(), "2<1.1");
}

TEST(SwitchAllocator, GrantsAllOutputsThatAReplicatedFlitAsksForAtOnce) {
  SwitchAllocatorBench bench;
  bench.allocator.request(4, 0, output(0) | output(2) | output(5));

  EXPECT_EQ(bench.granted(), "0<4.0 2<4.0 5<4.0");
}

TEST(SwitchAllocator, GrantsAReplicatedFlitTheOutputsItWins) {
  SwitchAllocatorBench bench;
  bench.allocator.request(1, 0, output(2));
  bench.allocator.request(4, 0, output(0) | output(2));

  EXPECT_EQ(bench.granted(), "0<4.0 2<1.0");
}

TEST(SwitchAllocator, ForgetsRequestsFromCycleToCycle) {
  SwitchAllocatorBench bench;
  bench.allocator.request(0, 0, output(3));
  bench.allocator.request(1, 0, output(3));
  bench.granted();

  EXPECT_EQ(bench.granted(), "");
}

TEST(SwitchAllocator, CountsTheCreditsOfEachOutputVc) {
  SwitchAllocatorBench bench(With().depth(2));
  EXPECT_EQ(bench.allocator.credits(5), 2);

  bench.allocator.use_credit(5);
  bench.allocator.use_credit(5);
  EXPECT_EQ(bench.allocator.credits(5), 0);
  EXPECT_EQ(bench.allocator.credits(4), 2);

  bench.allocator.accept_credit(5);
  EXPECT_EQ(bench.allocator.credits(5), 1);
}

TEST(SwitchAllocator, ReportsACreditTooManyAsFatal) {
  SwitchAllocatorBench bench(With().depth(2));
  bench.allocator.use_credit(5);
  EXPECT_EQ(fatal_report_of([&] { bench.allocator.accept_credit(5); }), "");

  EXPECT_EQ(fatal_report_of([&] { bench.allocator.accept_credit(5); }),
            "/allport/switch_allocator: switch_allocator: output VC 5 has one credit too many");
}

TEST(SwitchAllocator, HasAllCreditsAndNoPreferenceAfterReset) {
  SwitchAllocatorBench bench;
  bench.allocator.use_credit(0);
  bench.allocator.request(0, 0, output(3));
  bench.granted();
  bench.allocator.request(1, 1, output(2));

  bench.allocator.reset();

  EXPECT_EQ(bench.allocator.credits(0), 4);
  bench.allocator.request(0, 0, output(3));
  bench.allocator.request(1, 0, output(3));
  EXPECT_EQ(bench.granted(), "3<0.0");
}

}  // namespace
}  // namespace allport::test
