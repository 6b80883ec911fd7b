// SPDX-License-Identifier: Apache-2.0
#include "rtl_model/router/vc_choice.h"

#include <gtest/gtest.h>

namespace allport {
namespace {

RouterConfig router(int vcs, bool vc_classes) {
  RouterConfig config;
  config.external_ports = 4;
  config.internal_ports = 4;
  config.vcs = vcs;
  config.layers = vc_classes ? 2 : 1;
  return config;
}
constexpr int external = 3;
constexpr int ejection = 4;

TEST(VcChoice, HalvesTheVirtualChannelsOfALinkBetweenTheClasses) {
  EXPECT_EQ(class_vcs(router(6, true), external, VcClass::h_or_l), 0b000111U);
  EXPECT_EQ(class_vcs(router(6, true), external, VcClass::p), 0b111000U);
  EXPECT_EQ(class_vcs(router(16, true), external, VcClass::p), 0xff00U);
}

TEST(VcChoice, GivesEitherClassAllWhereThereAreNoClasses) {
  for (const VcClass vc_class : {VcClass::h_or_l, VcClass::p}) {
    EXPECT_EQ(class_vcs(router(5, false), external, vc_class), 0b11111U);
    EXPECT_EQ(class_vcs(router(4, true), ejection, vc_class), 0b1U);
  }
}

TEST(VcChoice, KnowsTheClassOfEachVirtualChannel) {
  const RouterConfig config = router(6, true);
  EXPECT_EQ(class_vcs(config, external, VcClass::either), 0b111111U);
  EXPECT_EQ(class_vcs(config, external, VcClass::first), 0b1U);
  for (int vc = 0; vc < 6; ++vc) {
    EXPECT_EQ(class_vcs(config, external, class_of(config, vc)) >> vc & 1U, 1U);
  }
  EXPECT_EQ(class_of(config, 2), VcClass::h_or_l);
  EXPECT_EQ(class_of(config, 3), VcClass::p);
  EXPECT_EQ(class_of(router(4, false), 3), VcClass::h_or_l);
}

TEST(VcChoice, KeepsTheEscapeChannelForTheHighestUsefulPort) {
  const RouterConfig config = router(3, false);
  EXPECT_EQ(adaptive_vcs(config, 3, 0b1011), 0b111U);
  EXPECT_EQ(adaptive_vcs(config, 1, 0b1011), 0b110U);
  EXPECT_EQ(adaptive_vcs(config, 0, 0b1011), 0b110U);
  EXPECT_EQ(adaptive_vcs(config, 0, 0b0001), 0b111U);
}

TEST(VcChoice, CutsTheVirtualChannelsOfEachMessageClassAsThoseOfAll) {
  RouterConfig config = router(12, true);
  config.classes = 3;
  for (const VcClass vc_class : {VcClass::h_or_l, VcClass::p, VcClass::either}) {
    const std::uint32_t of_four = class_vcs(router(4, true), external, vc_class);
    for (int one = 0; one < 3; ++one) {
      EXPECT_EQ(class_vcs(config, external, vc_class, one), of_four << 4 * one);
      EXPECT_EQ(class_vcs(config, ejection, vc_class, one), 1U << one);
    }
  }
  for (int vc = 0; vc < 12; ++vc) {
    EXPECT_EQ(class_of(config, vc), vc % 4 < 2 ? VcClass::h_or_l : VcClass::p) << vc;
    EXPECT_EQ(config.message_class(external, vc), vc / 4) << vc;
  }
  EXPECT_EQ(config.message_class(ejection, 2), 2);
}

TEST(VcChoice, KeepsAnEscapeChannelForEachMessageClass) {
  RouterConfig config = router(6, false);
  config.classes = 2;
  EXPECT_EQ(adaptive_vcs(config, 3, 0b1011, 1), 0b111000U);
  EXPECT_EQ(adaptive_vcs(config, 1, 0b1011, 1), 0b110000U);
  EXPECT_EQ(adaptive_vcs(config, 1, 0b1011, 0), 0b000110U);
}

TEST(VcChoice, AsksForTheFirstFreeOneFromThePointerOn) {
  EXPECT_EQ(choose_vc(0b1111, 0b1010, 0), 1);
  EXPECT_EQ(choose_vc(0b1111, 0b1010, 2), 3);
  EXPECT_EQ(choose_vc(0b0111, 0b0010, 2), 1);  // around the end
  EXPECT_EQ(choose_vc(0b1100, 0b0111, 0), 2);  // VCs of another class do not count
}

TEST(VcChoice, WaitsForTheFirstFromThePointerOnWhereNoneIsFree) {
  EXPECT_EQ(choose_vc(0b1111, 0, 2), 2);
  EXPECT_EQ(choose_vc(0b0011, 0b1100, 2), 0);
  EXPECT_EQ(choose_vc(0b1100, 0b0011, 3), 3);
}

TEST(VcChoice, NeitherAsksNorWaitsForChannelsThatDrain) {
  EXPECT_EQ(choose_vc(0b1111, UnownedVcs{0b1000, 0b0100}, 2), 3);
  EXPECT_EQ(choose_vc(0b1111, UnownedVcs{0, 0b0100}, 2), 3);
  EXPECT_EQ(choose_vc(0b0111, UnownedVcs{0, 0b0110}, 1), 0);
}

TEST(VcChoice, AllButTheFirstOfEachMessageClassAreAdaptive) {
  RouterConfig config = router(6, false);
  config.classes = 2;
  for (int vc = 0; vc < 6; ++vc) EXPECT_EQ(is_adaptive_vc(config, 1, vc), vc % 3 != 0) << vc;
  for (int vc = 0; vc < 2; ++vc) {
    EXPECT_FALSE(is_adaptive_vc(config, config.external_ports, vc)) << "ejection, class " << vc;
  }
}

}  // namespace
}  // namespace allport
