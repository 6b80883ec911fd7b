// SPDX-License-Identifier: Apache-2.0
// What a transfer of a host takes is exact, whatever decimals its times are.
#include "traffic/tasks/host_model.h"

#include <gtest/gtest.h>

#include "rtl_model/base/split_mix.h"

namespace allport {
namespace {

// In thousandths of a cycle, which are whole numbers.
TEST(HostModel, RoundsTheExactTimeUp) {
  SplitMix64 draw(1);
  for (int i = 0; i < 20000; ++i) {
    const std::uint64_t start_up = draw.next() % 5000;
    const std::uint64_t per_byte = draw.next() % 3000;
    const std::uint64_t bytes = draw.next() % 2000;
    const HostModel model{static_cast<double>(start_up) / 1000,
                          static_cast<double>(per_byte) / 1000};
    EXPECT_EQ(model.cycles(bytes), (start_up + per_byte * bytes + 999) / 1000)
        << start_up << " " << per_byte << " " << bytes;
  }
  EXPECT_EQ((HostModel{0.7, 0.1}.cycles(53)), 6);
  EXPECT_EQ((HostModel{0, 0}.cycles(HostModel::most_bytes)), 0);
  EXPECT_EQ((HostModel{0, 1e-28}.cycles(1)), 1);
  EXPECT_EQ((HostModel{5, 1e-28}.cycles(HostModel::most_bytes)), 6);
  EXPECT_EQ((HostModel{1e9, 1e9}.cycles(HostModel::most_bytes)), 4294967296 * 1000000000);
}

// Flits of all lengths, of which a transfer has as many as a message.
TEST(HostModel, AByteMayTakeItsShareOfAFlit) {
  for (int flit_bytes = 1; flit_bytes <= 64; ++flit_bytes) {
    const HostModel model{178, cycles_per_byte(flit_bytes)};
    const auto flits = [&](std::uint64_t bytes) {
      return (bytes + static_cast<std::uint64_t>(flit_bytes) - 1) /
             static_cast<std::uint64_t>(flit_bytes);
    };
    for (std::uint64_t bytes = 1; bytes < 500; ++bytes) {
      EXPECT_EQ(model.cycles(bytes), 178 + flits(bytes)) << bytes << " by " << flit_bytes;
    }
    const std::uint64_t most = HostModel::most_bytes;
    for (std::uint64_t bytes = most - 200; bytes <= most; ++bytes) {
      EXPECT_EQ(model.cycles(bytes), 178 + flits(bytes)) << bytes << " by " << flit_bytes;
    }
    EXPECT_LE(decimals_of(model.per_byte), 15U) << flit_bytes;
  }
  EXPECT_EQ(decimals_of(178), 0U);
  EXPECT_EQ(decimals_of(0.1), 1U);
  EXPECT_EQ(decimals_of(1.0 / 3), 16U);
}

}  // namespace
}  // namespace allport
