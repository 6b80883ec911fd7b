// SPDX-License-Identifier: Apache-2.0
#include "traffic/planning/machine_preset.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>
#include <stdexcept>

namespace allport {
namespace {

TEST(MachinePreset, TakesTheTimesOfThePapers) {
  const MachinePreset& t3e = find_machine_preset("t3e");
  EXPECT_DOUBLE_EQ(*t3e.cycle_ns, 2.9);
  EXPECT_DOUBLE_EQ(*t3e.ts_us, 1);
  EXPECT_EQ(t3e.ts_cycles(), 345);  // 344.8
  EXPECT_EQ(t3e.flit_bytes, 1);
  EXPECT_EQ(t3e.replication_delay, 1);

  const MachinePreset& ncube10 = find_machine_preset("ncube10");
  for (const double bytes : {8.0, 64.0, 2048.0}) {
    const double cycles = static_cast<double>(*ncube10.ts_cycles()) + 1 + bytes;
    EXPECT_NEAR(ncube10.microseconds(cycles), 446.7 + 2.4 * bytes, 1.2) << bytes;
  }
}

// [Jeon01] equation 2 with Tc = Tr = Tf = 0.0029: Ts + (2n + m) Tf, to the rounding of ts.
TEST(MachinePreset, TheT3eTakesTheTimeOfThePaper) {
  const MachinePreset& t3e = find_machine_preset("t3e");
  for (const int n : {1, 4, 10, 14}) {
    const double cycles = static_cast<double>(*t3e.ts_cycles()) +
                          n * (1.0 + static_cast<double>(*t3e.replication_delay)) + 4;
    EXPECT_NEAR(t3e.microseconds(cycles), 1 + (2 * n + 4) * 0.0029, 0.0029 / 2) << n;
  }
}

TEST(MachinePreset, WhatNoPaperStatesIsNotThere) {
  const MachinePreset& ncube2 = find_machine_preset("ncube2");
  EXPECT_FALSE(ncube2.has_clock());
  EXPECT_FALSE(ncube2.ts_cycles());
  EXPECT_EQ(ncube2.routing, "ascending");
  EXPECT_EQ(ncube2.flit_bytes, 4);
}

TEST(MachinePreset, NamesAreDifferentAndHaveASource) {
  std::set<std::string_view> names;
  for (const MachinePreset& preset : machine_presets()) {
    EXPECT_TRUE(names.insert(preset.name).second) << preset.name;
    EXPECT_FALSE(preset.papers.empty()) << preset.name;
    EXPECT_FALSE(preset.remark.empty()) << preset.name;
    EXPECT_TRUE(preset.has_clock() || preset.flit_bytes || preset.ts_us) << preset.name;
  }
}

TEST(MachinePreset, AnUnknownNameIsOfferedTheNearest) {
  try {
    find_machine_preset("ncube3");
    FAIL();
  } catch (const std::invalid_argument& error) {
    EXPECT_STREQ(error.what(), "unknown preset 'ncube3': did you mean 'ncube2'?");
  }
}

}  // namespace
}  // namespace allport
