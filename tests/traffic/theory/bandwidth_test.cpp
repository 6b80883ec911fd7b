// SPDX-License-Identifier: Apache-2.0
#include "traffic/theory/bandwidth.h"

#include <gtest/gtest.h>

namespace allport {
namespace {

// 8 nodes, 4000 bytes, 100 cycles.
TEST(Bandwidth, IsTheSizeOverTheTimeAndWhatTheBusCarriesOfIt) {
  const auto of = [](Operation operation) { return bandwidth(operation, 8, 4000, 100); };

  EXPECT_DOUBLE_EQ(of(Operation::bcast).algorithm, 40);
  EXPECT_DOUBLE_EQ(of(Operation::bcast).bus, 40);
  EXPECT_DOUBLE_EQ(of(Operation::reduce).bus, 40);
  EXPECT_DOUBLE_EQ(of(Operation::allreduce).algorithm, 40);
  EXPECT_DOUBLE_EQ(of(Operation::allreduce).bus, 70);  // 2 * 7/8
  for (const Operation operation : {Operation::scatter, Operation::gather, Operation::allgather,
                                    Operation::alltoall, Operation::reduce_scatter}) {
    EXPECT_DOUBLE_EQ(of(operation).algorithm, 320) << to_string(operation);  // 8 blocks
    EXPECT_DOUBLE_EQ(of(operation).bus, 280) << to_string(operation);        // 7/8
  }
  EXPECT_DOUBLE_EQ(of(Operation::barrier).bus, 0);
}

}  // namespace
}  // namespace allport
