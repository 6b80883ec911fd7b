// SPDX-License-Identifier: Apache-2.0
// Of circular logic a sheet is believed only if it is the same at two levels of optimization and
// nothing in it failed.
#include "testbench/conformance/circular_logic.h"

#include <gmock/gmock.h>

#include <string>
#include <tuple>
#include <vector>

namespace allport::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;

std::vector<SheetRow> rows_with(Verdict wormhole, const std::string& detail) {
  return {{"model", Verdict::passed, "no crash"},
          {"wormhole", wormhole, detail},
          {"lists", Verdict::skipped, "none"},
          {"lockstep", Verdict::failed, "another decision"}};
}

TEST(JudgedBeside, TakesBackWhatDiffersAndWhatFails) {
  const std::vector<std::string> circles{"a.sv:1:1: 'x'"};
  const auto passed = rows_with(Verdict::passed, "35 flits");
  const auto other = rows_with(Verdict::passed, "36 flits");
  const auto failed = rows_with(Verdict::failed, "mixed");

  const auto same = judged_beside(passed, passed, circles);
  EXPECT_EQ(same[0].verdict, Verdict::passed);
  EXPECT_EQ(same[1].detail, "35 flits");
  EXPECT_EQ(same[3].verdict, Verdict::failed);
  for (const auto& [one, beside, why] :
       {std::tuple{passed, other, "two levels of optimization differ in the row wormhole"},
        std::tuple{passed, failed, "two levels of optimization differ in the row wormhole"},
        std::tuple{failed, failed, "what fails may be its fault or the router's (wormhole: mixed)"},
        std::tuple{passed, std::vector<SheetRow>{passed[0]},
                   "two levels of optimization differ in the row wormhole"}}) {
    const auto judged = judged_beside(one, beside, circles);
    EXPECT_EQ(judged[0].verdict, Verdict::unknown);
    EXPECT_THAT(judged[0].detail, AllOf(HasSubstr(why), HasSubstr("1 place: a.sv:1:1: 'x'")));
    EXPECT_EQ(judged[1].verdict, Verdict::unknown);
    EXPECT_EQ(judged[2].verdict, Verdict::skipped);
    EXPECT_EQ(judged[3].verdict, Verdict::unknown);
  }
}

TEST(JudgedBeside, LeavesALoopThatDoesNotSettleToTheRouter) {
  const std::vector<SheetRow> rows{
      {"model", Verdict::failed, "in `pins` it ended the simulation: it does not settle"}};
  EXPECT_EQ(judged_beside(rows, rows, {"x"})[0].verdict, Verdict::failed);
}

}  // namespace
}  // namespace allport::test
