// SPDX-License-Identifier: Apache-2.0
#include "testbench/studies/reproduce/claim.h"

#include <gmock/gmock.h>

#include "testbench/studies/reproduce/number_table.h"

namespace allport::test {
namespace {

using testing::HasSubstr;

const Claim unlike{"it was hot", "Author00, fig. 4", "12 C", Outcome::not_reproduced, ""};
const Claims three{{"the sky is blue", "Author00, sec. 1", "465 nm", Outcome::holds, ""},
                   {"pigs | fly", "Author00, sec. 2", "0 flights", Outcome::fails, "No wings"},
                   {"it rains", "Author00, fig. 3", "no date given", Outcome::not_tested, ""}};

TEST(Claim, IsToldWithItsOutcome) {
  const std::string text = claims_text(three);

  EXPECT_THAT(text, HasSubstr("  holds           the sky is blue [Author00, sec. 1]\n"
                              "                  measured: 465 nm\n"));
  EXPECT_THAT(text, HasSubstr("  does not hold   pigs | fly [Author00, sec. 2]\n"
                              "                  measured: 0 flights\n"
                              "                  why: No wings\n"));
  EXPECT_THAT(text, HasSubstr("  not tested      it rains"));
}

TEST(Claim, TheTallyCountsEachOutcome) {
  EXPECT_EQ(tally(three), "3 claims: 1 holds, 1 does not hold, 1 not tested");
  EXPECT_EQ(tally({three[0]}), "1 claim: 1 holds");
}

TEST(Claim, WhatIsNotReproducedIsCountedAndReadBack) {
  const Claims claims{unlike, three[2]};

  EXPECT_EQ(tally(claims), "2 claims: 0 hold, 1 not reproduced, 1 not tested");
  EXPECT_THAT(claims_text(claims), HasSubstr("  not reproduced  it was hot"));
  EXPECT_EQ(claims_of_json(claims_json(claims)).front().outcome, Outcome::not_reproduced);
  EXPECT_EQ(reproduced_if(true), Outcome::holds);
  EXPECT_EQ(reproduced_if(false), Outcome::not_reproduced);
}

// What no paper says is neither counted nor listed with what papers say.
TEST(Claim, PropertiesOfAllportStandApart) {
  Claims claims = three;
  claims.push_back(
      {"worms take the same cycles", "allport, docs/timing.md", "all", Outcome::holds, ""});
  EXPECT_EQ(tally(claims),
            "3 claims: 1 holds, 1 does not hold, 1 not tested; 1 property of allport: 1 holds");
  EXPECT_EQ(tally({claims.back(), claims.back()}), "2 properties of allport: 2 hold");
  EXPECT_THAT(claims_markdown(claims),
              HasSubstr("**not tested** |\n\n| property of allport | source | measured | |\n"
                        "|---|---|---|---|\n| worms take the same cycles | "));
  EXPECT_EQ(claims_markdown({claims.back()}).find("| property of allport"), 0U);
}

TEST(Claim, TheTableEscapesBarsAndMarksWhatDoesNotHold) {
  const std::string table = claims_markdown(three);

  EXPECT_THAT(
      table,
      HasSubstr("| pigs \\| fly | Author00, sec. 2 | 0 flights. No wings | **does not hold** |\n"));
  EXPECT_THAT(table, HasSubstr("| 465 nm | holds |\n"));
}

TEST(NumberTable, QuotesCellsThatNeedIt) {
  NumberTable table({"name", "value"});
  table.add({"a, \"b\"", "1"});

  EXPECT_EQ(table.csv(), "name,value\n\"a, \"\"b\"\"\",1\n");
  EXPECT_THAT(table.markdown(), HasSubstr("| a, \"b\" | 1 |\n"));
}

TEST(NumberTable, RoundsToAZeroWithoutASign) {
  EXPECT_EQ(decimal(-0.001, 2), "0.00");
  EXPECT_EQ(decimal(-0.4, 0), "0");
  EXPECT_EQ(decimal(-0.006, 2), "-0.01");
  EXPECT_EQ(decimal(-10, 1), "-10.0");
}

TEST(NumberTable, RefusesARowOfAnotherLength) {
  NumberTable table({"name", "value"});

  EXPECT_THROW(table.add({"alone"}), std::invalid_argument);
}

}  // namespace
}  // namespace allport::test
