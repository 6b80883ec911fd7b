// SPDX-License-Identifier: Apache-2.0
#include "rtl_model/systemc/replication_unit.h"

#include <gtest/gtest.h>

#include "tests/support/blueprint.h"
#include "tests/support/worm.h"

namespace allport::test {
namespace {

struct ReplicationUnitBench {
  explicit ReplicationUnitBench(int replication_delay = 0)
      : blueprint("hypercube:3", With().replication_delay(replication_delay)),
        buffer("input_buffer", blueprint.config),
        unit("replication_unit", blueprint.config) {}

  Blueprint blueprint;
  InputBuffer buffer;
  ReplicationUnit unit;
};

const Route three_branches{0b010011, VcClass::h_or_l, true};

TEST(ReplicationUnit, OffersAFlitToEveryBranchThatHasNotTakenIt) {
  ReplicationUnitBench bench;
  EXPECT_EQ(bench.unit.pending(2, three_branches), 0b010011U);

  bench.unit.take(2, 1);
  EXPECT_EQ(bench.unit.pending(2, three_branches), 0b010001U);

  bench.unit.take(2, 4);
  bench.unit.take(2, 0);
  EXPECT_EQ(bench.unit.pending(2, three_branches), 0U);
}

TEST(ReplicationUnit, OffersTheNextFlitToAllBranchesAgain) {
  ReplicationUnitBench bench;
  bench.unit.take(2, 0);
  bench.unit.take(3, 0);

  bench.unit.next_flit(2);

  EXPECT_EQ(bench.unit.pending(2, three_branches), 0b010011U);
  EXPECT_EQ(bench.unit.pending(3, three_branches), 0b010010U);
}

TEST(ReplicationUnit, ForgetsWhoTookTheFlitOnReset) {
  ReplicationUnitBench bench;
  bench.unit.take(2, 0);

  bench.unit.reset();

  EXPECT_EQ(bench.unit.pending(2, three_branches), 0b010011U);
}

TEST(ReplicationUnit, HoldsAReplicatedFlitForTheReplicationDelay) {
  for (const int delay : {1, 2, 7}) {
    ReplicationUnitBench bench(delay);
    bench.buffer.accept(2, Worm{'T'}[0], 40);

    EXPECT_TRUE(bench.unit.holds(2, three_branches, bench.buffer, 40));
    EXPECT_TRUE(bench.unit.holds(2, three_branches, bench.buffer, 40 + delay - 1));
    EXPECT_FALSE(bench.unit.holds(2, three_branches, bench.buffer, 40 + delay));
  }
}

TEST(ReplicationUnit, HoldsNeitherLeavesNorOtherKinds) {
  ReplicationUnitBench bench(5);
  bench.buffer.accept(2, Worm{'A'}[0], 40);

  EXPECT_FALSE(bench.unit.holds(2, {0b100000, VcClass::h_or_l, false}, bench.buffer, 40));
}

TEST(ReplicationUnit, HoldsNothingWithoutADelay) {
  ReplicationUnitBench bench(0);
  bench.buffer.accept(2, Worm{'T'}[0], 40);

  EXPECT_FALSE(bench.unit.holds(2, three_branches, bench.buffer, 40));
}

}  // namespace
}  // namespace allport::test
