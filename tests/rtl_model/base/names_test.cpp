// SPDX-License-Identifier: Apache-2.0
#include "rtl_model/base/names.h"

#include <gtest/gtest.h>

namespace allport {
namespace {

const std::vector<std::string_view> algorithm_names{"ucube", "maxport",  "combine", "wsort",
                                                    "sbt",   "separate", "tree",    "dcf"};

TEST(NearestName, IsTheOneWithTheFewestEdits) {
  EXPECT_EQ(nearest_name("wsrt", algorithm_names), "wsort");
  EXPECT_EQ(nearest_name("u-cube", algorithm_names), "ucube");
  EXPECT_EQ(nearest_name("max_port", algorithm_names), "maxport");
  EXPECT_EQ(nearest_name("seperate", algorithm_names), "separate");
  EXPECT_EQ(nearest_name("wsort", algorithm_names), "wsort");
}

TEST(NearestName, DoesNotMindTheCase) { EXPECT_EQ(nearest_name("SBT", algorithm_names), "sbt"); }

TEST(NearestName, IsTheFirstOfEquals) { EXPECT_EQ(nearest_name("ab", {"ax", "ay"}), "ax"); }

TEST(NearestName, CopesWithNothingAndWithLongWords) {
  EXPECT_EQ(nearest_name("", algorithm_names), "sbt");
  EXPECT_EQ(nearest_name("x", {}), "");
  EXPECT_FALSE(nearest_name(std::string(1000000, 'w'), algorithm_names).empty());
}

TEST(UnknownName, IsASentenceThatOffersTheNearest) {
  EXPECT_EQ(unknown_name("algorithm", "wsrt", algorithm_names),
            "unknown algorithm 'wsrt': did you mean 'wsort'?");
}

TEST(Names, ASlipIsNearOrABeginning) {
  EXPECT_TRUE(is_slip("--topolgy", "--topology"));
  EXPECT_TRUE(is_slip("--algorithm", "--algorithms"));
  EXPECT_TRUE(is_slip("--dest", "--destinations"));
  EXPECT_FALSE(is_slip("--schedule", "--help"));
  EXPECT_FALSE(is_slip("--schedule", "--strict"));
}

}  // namespace
}  // namespace allport
