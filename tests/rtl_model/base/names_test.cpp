// SPDX-License-Identifier: Apache-2.0
#include "rtl_model/base/names.h"

#include <gtest/gtest.h>

namespace allport {
namespace {

const std::vector<std::string_view> algorithm_names{"ucube", "maxport",  "combine", "wsort",
                                                    "sbt",   "separate", "tree",    "dcf"};

TEST(NearName, IsTheOneWithTheFewestEdits) {
  EXPECT_EQ(near_name("wsrt", algorithm_names), "wsort");
  EXPECT_EQ(near_name("u-cube", algorithm_names), "ucube");
  EXPECT_EQ(near_name("max_port", algorithm_names), "maxport");
  EXPECT_EQ(near_name("seperate", algorithm_names), "separate");
  EXPECT_EQ(near_name("wsort", algorithm_names), "wsort");
}

TEST(NearName, DoesNotMindTheCase) { EXPECT_EQ(near_name("SBT", algorithm_names), "sbt"); }

TEST(NearName, IsTheFirstOfEquals) { EXPECT_EQ(near_name("abc", {"abx", "aby"}), "abx"); }

TEST(NearName, IsTheOneOfEqualsThatBeginsWithTheWord) {
  EXPECT_EQ(near_name("--size", {"--side", "--sizes"}), "--sizes");
  EXPECT_EQ(near_name("--size", {"--sizes", "--side"}), "--sizes");
}

TEST(NearName, TwoNeighboursInTheWrongOrderAreOneEdit) {
  EXPECT_EQ(near_name("tere", algorithm_names), "tree");
  EXPECT_EQ(near_name("rnu", {"run"}), "run");
  EXPECT_EQ(near_name("nru", {"run"}), "");
}

TEST(NearName, DiffersInTwoLettersAndAThirdOfThemAtMost) {
  EXPECT_EQ(near_name("--topolgy", {"--topology"}), "--topology");
  EXPECT_EQ(near_name("adcdefghijxyz", {"abcdefghijklm"}), "");
  EXPECT_EQ(near_name("foo", algorithm_names), "");
  EXPECT_EQ(near_name("sb", algorithm_names), "");
  EXPECT_EQ(near_name("--schedule", {"--help", "--strict"}), "");
}

TEST(NearName, MayBeginWithTheWord) {
  EXPECT_EQ(near_name("--dest", {"--ts", "--destinations"}), "--destinations");
  EXPECT_EQ(near_name("--de", {"--destinations"}), "");
  EXPECT_EQ(near_name("SEP", algorithm_names), "separate");
}

TEST(NearName, CopesWithNothingAndWithLongWords) {
  EXPECT_EQ(near_name("", algorithm_names), "");
  EXPECT_EQ(near_name("wsort", {}), "");
  EXPECT_EQ(near_name(std::string(1000000, 'w'), algorithm_names), "");
}

TEST(UnknownName, IsASentenceThatOffersANearName) {
  EXPECT_EQ(unknown_name("algorithm", "wsrt", algorithm_names),
            "unknown algorithm 'wsrt': did you mean 'wsort'?");
}

TEST(UnknownName, OffersAllThatGoOnFromTheWordOrHaveItInThem) {
  const std::vector<std::string_view> names{"ring-allreduce", "dims-bcast", "dims-allreduce",
                                            "allgather"};
  EXPECT_EQ(unknown_name("algorithm", "dims", names),
            "unknown algorithm 'dims': did you mean one of dims-bcast, dims-allreduce?");
  EXPECT_EQ(unknown_name("algorithm", "AllReduce", names),
            "unknown algorithm 'AllReduce': did you mean one of ring-allreduce, dims-allreduce?");
  EXPECT_EQ(unknown_name("algorithm", "all-reduce", names),
            "unknown algorithm 'all-reduce': did you mean one of ring-allreduce, dims-allreduce?");
  EXPECT_EQ(unknown_name("algorithm", "gather", names),
            "unknown algorithm 'gather': did you mean 'allgather'?");
  EXPECT_EQ(unknown_name("algorithm", "dims-bcasts", names),
            "unknown algorithm 'dims-bcasts': did you mean 'dims-bcast'?");
}

TEST(UnknownName, NamesWhatThereIsIfNoNameIsNear) {
  EXPECT_EQ(unknown_name("colour", "pale", {"red", "green"}),
            "unknown colour 'pale': choose one of red, green");
  EXPECT_EQ(unknown_name("colour", "pale", {"red"}),
            "unknown colour 'pale': the only one is 'red'");
  EXPECT_EQ(unknown_name("colour", "pale", {}), "unknown colour 'pale'");
  const std::vector<std::string_view> many(17, "red");
  EXPECT_EQ(
      unknown_name("colour", "pale", many),
      "unknown colour 'pale': choose one of red, red, red, red, red, red, red, red, red, red, red, red, red, red, red, red, .. (17 in all)");
}

}  // namespace
}  // namespace allport
