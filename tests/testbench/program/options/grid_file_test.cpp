// SPDX-License-Identifier: Apache-2.0
#include "testbench/program/options/grid_file.h"

#include <gmock/gmock.h>

#include "testbench/program/commands/sweep_plan.h"
#include "tests/testbench/program/options/option_setting.h"

namespace allport {
namespace {

using test::complaint;
using test::settings;
using testing::ElementsAre;

GridText parse(const std::string& text) {
  static const OptionList accepted = grid_options();
  return parse_grid(text, "grid.toml", accepted);
}

SweepGrid grid(const std::string& text, const Settings& command_line = {},
               const std::vector<std::vector<std::string>>& zips = {}) {
  return make_grid(merge_grids(parse(text), command_line, zips));
}

std::string complaint_about(const std::string& text) {
  return complaint([&] { grid(text); });
}

TEST(GridFile, TakesSingleValuesListsAndRanges) {
  const SweepGrid it = grid(R"(
[fabric]
topology = "hypercube:4..5"
[message]
flits = [16, 64]
[traffic]
algorithm = "wsort"
)");

  EXPECT_THAT(it.keys(), ElementsAre("topology", "flits", "algorithm"));
  EXPECT_EQ(it.size(), 4U);
  EXPECT_THAT(it.point(3), ElementsAre("hypercube:5", "64", "wsort"));
}

TEST(GridFile, TheOrderOfItsKeysDoesNotMatter) {
  EXPECT_THAT(grid("[traffic]\nseed = [1, 2]\n[fabric]\ntopology = 'ring:4'\n").keys(),
              ElementsAre("topology", "seed"));
}

TEST(GridFile, DecimalsArePrintedAsWritten) {
  const SweepGrid it = grid("[traffic]\nrate = [0.1, 0.25, '0.3:0.4:0.1']\n");

  EXPECT_EQ(it.size(), 4U);
  EXPECT_THAT(it.point(1), ElementsAre("0.25"));
  EXPECT_THAT(it.point(3), ElementsAre("0.4"));
}

TEST(GridFile, AnOptionThatIsAListTakesListsOfLists) {
  const SweepGrid it = grid("[traffic]\ndestinations = [[1, 3, 5], '2,4', 'random:6..7']\n");

  EXPECT_EQ(it.size(), 4U);
  EXPECT_THAT(it.point(0), ElementsAre("1,3,5"));
  EXPECT_THAT(it.point(1), ElementsAre("2,4"));
  EXPECT_THAT(it.point(3), ElementsAre("random:7"));
}

TEST(GridFile, AStringIsWhatTheCommandLineTakes) {
  EXPECT_EQ(grid("[traffic]\ndestinations = '1,3;5'\n").size(), 2U);
  EXPECT_EQ(grid("[message]\nflits = '1,3,5'\n").size(), 3U);
}

// An option of the command's own (its default is another one than that of run) has a place in a
// grid like all others.
TEST(GridFile, TheModelIsAKeyLikeOthers) {
  const std::string text = "[fabric]\ntopology = ['ring:4', 'ring:5']\n";
  const SweepGrid it = grid(text + "[observe]\nmodel = ['worm', 'systemc']\n");
  EXPECT_THAT(it.keys(), ElementsAre("topology", "model"));
  EXPECT_THAT(it.point(3), ElementsAre("ring:5", "systemc"));

  for (const OptionSpec* spec : grid_options()) {
    if (spec->key != "model") continue;
    const SweepGrid given = grid(text, {{spec, "worm,systemc", ""}});
    EXPECT_EQ(given.size(), 4U);
    EXPECT_THAT(given.point(2), ElementsAre("ring:5", "worm"));
  }
}

TEST(GridFile, AListThatMightBeOneValueOrSeveralIsAnError) {
  EXPECT_EQ(
      complaint_about("[traffic]\ndestinations = [1, 3, 5]\n"),
      "grid.toml:2:17: destinations is a list itself: write destinations = [[1, 3], [5]] for two lists, or destinations = \"1,3\" for one");
  EXPECT_EQ(complaint_about("[message]\nflits = [[1, 3]]\n"),
            "grid.toml:2:10: flits has a list in its list of values");
}

TEST(GridFile, AnUnknownKeyIsAnsweredWithPlaceAndNearestKey) {
  EXPECT_EQ(complaint_about("[message]\n  flit = [1, 2]\n"),
            "grid.toml:2:3: unknown key 'flit': did you mean 'flits'?");
  EXPECT_EQ(complaint_about("[sweep]\nzap = []\n"),
            "grid.toml:2:1: unknown key 'zap': did you mean 'zip'?");
  EXPECT_EQ(complaint_about("[swep]\nzip = []\n"),
            "grid.toml:1:2: unknown table 'swep': did you mean 'sweep'?");
  EXPECT_EQ(complaint_about("[observe]\nwave = 'a.fst'\n"),
            "grid.toml:2:1: wave is not an option of this command");
}

TEST(GridFile, AnEmptyRangeOrListIsAnsweredWithItsPlace) {
  EXPECT_EQ(complaint_about("[traffic]\nrate = '0.5:0.1:0.1'\n"),
            "grid.toml:2:8: rate: the range '0.5:0.1:0.1' is empty: it ends before it begins");
  EXPECT_EQ(complaint_about("[traffic]\nseed = [1, '9..2']\n"),
            "grid.toml:2:12: seed: the range '9..2' is empty: it ends before it begins");
  EXPECT_EQ(complaint_about("[traffic]\nseed = []\n"), "grid.toml:2:8: seed has no values");
}

TEST(GridFile, ZipsKeys) {
  const SweepGrid it = grid(
      "[sweep]\nzip = [['flits', 'ts']]\n[message]\nflits = [16, 64]\n"
      "[node]\nts = [5, 9]\ntr = [0, 1]\n");

  EXPECT_EQ(it.size(), 4U);
  EXPECT_THAT(it.keys(), ElementsAre("flits", "ts", "tr"));
  EXPECT_THAT(it.point(2), ElementsAre("64", "9", "0"));
}

TEST(GridFile, UnequalZipsAreAnError) {
  EXPECT_EQ(
      complaint_about("[sweep]\nzip = [['flits', 'ts']]\n[message]\nflits = [16, 64]\n"
                      "[node]\nts = '1..3'\n"),
      "grid.toml:2:8: flits has 2 values and ts has 3: keys that are zipped must have the same number of values");
}

TEST(GridFile, AListInAListOfListsIsAnError) {
  EXPECT_EQ(complaint_about("[traffic]\ndestinations = [[[1, 2], 3]]\n"),
            "grid.toml:2:17: destinations has a list in a list");
}

TEST(GridFile, AZipOfAMissingKeyIsAnError) {
  EXPECT_EQ(
      complaint_about("[sweep]\nzip = [['flits', 'ts']]\n[message]\nflits = [16, 64]\n"),
      "grid.toml:2:8: zip names a key that the grid does not set: unknown key 'ts': the only one is 'flits'");
  EXPECT_EQ(complaint_about("[sweep]\nzip = [['flits']]\n[message]\nflits = [16, 64]\n"),
            "grid.toml:2:8: a zip must join at least two keys");
  EXPECT_EQ(complaint_about("[sweep]\nzip = ['flits']\n"),
            "grid.toml:2:8: zip must be a list of lists, as in [[\"flits\", \"ts\"]]");
  EXPECT_EQ(complaint_about("[sweep]\nzip = [['ts', 'tr'], ['tr', 'ts']]\n[node]\nts = [1, 2]\n"
                            "tr = [1, 2]\n"),
            "grid.toml:2:22: ts is zipped twice");
}

TEST(GridFile, TheCommandLineWins) {
  const SweepGrid it =
      grid("[message]\nflits = [16, 64]\n[node]\nts = 5\n", settings({{"ts", "1..3"}}));

  EXPECT_EQ(it.size(), 6U);
  EXPECT_THAT(it.point(5), ElementsAre("64", "3"));
}

TEST(GridFile, TheCommandLineDropsWhatItExcludes) {
  const SweepGrid it =
      grid("[traffic]\nalgorithm = ['wsort', 'ucube']\ndestinations = 'random:3'\n",
           settings({{"pattern", "uniform"}, {"rate", "0.1,0.2"}, {"cycles", "100"}}));

  EXPECT_THAT(it.keys(), ElementsAre("pattern", "rate", "cycles"));
}

TEST(GridFile, TheCommandLineZipsToo) {
  EXPECT_EQ(
      grid("[node]\nts = [1, 2]\n", settings({{"buffer_depth", "4,8"}}), {{"buffer_depth", "ts"}})
          .size(),
      2U);
}

}  // namespace
}  // namespace allport
