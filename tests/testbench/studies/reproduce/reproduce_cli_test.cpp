// SPDX-License-Identifier: Apache-2.0
// A user sees this of `allport reproduce`: what it computes, keeps, writes and refuses.
#include <gmock/gmock.h>

#include <fstream>
#include <pugixml.hpp>
#include <sstream>

#include "tests/support/cli_program.h"

namespace allport::test {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::StartsWith;

class Reproduce : public Cli {
 protected:
  bool has_gnuplot() const { return shell("gnuplot --version").status == 0; }
  std::size_t points(const std::string& folder) const {
    return static_cast<std::size_t>(
        std::stoul(shell("ls " + folder + "/points/*/*.json | wc -l").out));
  }
  bool is_svg(const std::string& name) const {
    pugi::xml_document document;
    return document.load_string(content(name).c_str()) && document.child("svg");
  }
};

TEST_F(Reproduce, WithoutANameListsTheFigures) {
  const Outcome outcome = allport("reproduce");

  EXPECT_EQ(outcome.status, 0);
  for (const char* name :
       {"robinson-3 ", "robinson-14 ", "jeon-6a ", "hou-timing ", "ranka-5 ", "casanova-ring "}) {
    EXPECT_THAT(outcome.out, HasSubstr(name));
  }
  EXPECT_FALSE(exists("reproduction"));
}

TEST_F(Reproduce, ADrawingHasItsFilesAndItsClaims) {
  const Outcome outcome = allport("reproduce robinson-6");

  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_THAT(outcome.err, IsEmpty());
  EXPECT_THAT(
      outcome.out,
      HasSubstr(
          "  holds           (a) Maxport to 1001, 1010 and 1011 takes 3 steps [Robinson93, sec. 4.1 (fig. 6)]\n"));
  EXPECT_TRUE(is_svg("reproduction/robinson-6.svg"));
  EXPECT_THAT(content("reproduction/robinson-6.csv"), HasSubstr("Maxport,1010,1011,3,0\n"));
  EXPECT_THAT(content("reproduction/robinson-6.md"), HasSubstr("![Maxport against U-cube]("));
  EXPECT_EQ(nlohmann::json::parse(content("reproduction/robinson-6.json")).at("figure"),
            "robinson-6");
}

TEST_F(Reproduce, ATableOfTheTextIsOnThePageHoweverLong) {
  if (!has_gnuplot()) GTEST_SKIP() << "gnuplot is not installed";
  const Outcome outcome = allport("reproduce ranka-5");

  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_THAT(content("reproduction/ranka-5.md"), HasSubstr("\n| 2048 | 380.8 | "));
  EXPECT_THAT(content("reproduction/ranka-5.csv"), HasSubstr("\n2048,6,107.6,"));
}

TEST_F(Reproduce, WrongUseIsOneSentence) {
  write("file", "");
  for (const auto& [arguments, sentence] : std::vector<std::pair<std::string, std::string>>{
           {"reproduce robinsn-9", "unknown figure 'robinsn-9': did you mean 'robinson-9'?"},
           {"reproduce --jobs 2", "nothing to reproduce: name some figures, or all"},
           {"reproduce robinson-6 --jobs 0", "--jobs"},
           {"reproduce robinson-6 --model rtl", "rtl"},
           {"reproduce robinson-6 --trials 0", "--trials"},
           {"reproduce robinson-6 --output file/x",
            "the folder file/x/points cannot be made: Not a directory"}}) {
    const Outcome outcome = allport(arguments);
    EXPECT_EQ(outcome.status, 2) << arguments;
    EXPECT_THAT(outcome.err, StartsWith("allport: "));
    EXPECT_THAT(outcome.err, HasSubstr(sentence));
    EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
  }
}

TEST_F(Reproduce, WorkIsKeptUnlessItsConfigurationChanges) {
  if (!has_gnuplot()) GTEST_SKIP() << "gnuplot is not installed";
  EXPECT_EQ(allport("reproduce robinson-9 --trials 1").status, 0);
  EXPECT_EQ(points("reproduction"), 63U);
  const std::string first = content("reproduction/robinson-9.csv");

  const Outcome again = shell(
      "touch mark; \"$program\" reproduce robinson-9 --trials 1 >/dev/null; find reproduction/points -name '*.json' -newer mark | wc -l");
  EXPECT_EQ(again.out, "0\n");
  EXPECT_EQ(content("reproduction/robinson-9.csv"), first);

  EXPECT_EQ(allport("reproduce robinson-9 --trials 2").status, 0);
  EXPECT_EQ(points("reproduction"), 126U);
  EXPECT_NE(content("reproduction/robinson-9.csv"), first);
}

TEST_F(Reproduce, AfterASigkillItGoesOnWhereItWas) {
  if (!has_gnuplot()) GTEST_SKIP() << "gnuplot is not installed";
  const Outcome killed = shell(
      "\"$program\" reproduce robinson-9 --trials 3 --jobs 1 --output some & for i in $(seq 500); do ls some/points/*/*.json >/dev/null 2>&1 && break; sleep 0.01; done; kill -KILL $!; wait $!; echo $?; ls some/points/*/*.json | wc -l; touch mark");
  int status = 0;
  int done = 0;
  ASSERT_EQ(std::sscanf(killed.out.c_str(), "%d %d", &status, &done), 2) << killed.out;
  EXPECT_EQ(status, 137);
  EXPECT_LT(done, 63);

  EXPECT_EQ(allport("reproduce robinson-9 --trials 3 --output some").status, 0);
  EXPECT_EQ(allport("reproduce robinson-9 --trials 3 --output whole").status, 0);

  EXPECT_EQ(points("some"), 63U);
  EXPECT_EQ(content("some/robinson-9.csv"), content("whole/robinson-9.csv"));
  EXPECT_EQ(content("some/robinson-9.json"), content("whole/robinson-9.json"));
  EXPECT_THAT(shell("find some/points ! -newer mark -name '*.json' | wc -l").out,
              std::to_string(done) + "\n");
  EXPECT_TRUE(is_svg("some/robinson-9.svg"));
}

TEST_F(Reproduce, AnInterruptSaysWhatIsKept) {
  const Outcome outcome = shell(
      "\"$program\" reproduce robinson-13 --trials 20 --jobs 1 --output some & p=$!; for i in $(seq 500); do ls some/points/*/*.json >/dev/null 2>&1 && break; sleep 0.02; done; kill -INT $p; wait $p");

  EXPECT_EQ(outcome.status, 3);
  EXPECT_THAT(
      outcome.err,
      HasSubstr(" of 204 points are done and kept in some; the same command goes on from there\n"));
}

TEST_F(Reproduce, AFailedPointIsSaidAndTriedAgain) {
  if (!has_gnuplot()) GTEST_SKIP() << "gnuplot is not installed";
  EXPECT_EQ(allport("reproduce robinson-9 --trials 1 --output some").status, 0);
  EXPECT_EQ(
      shell(
          "f=$(ls some/points/*/*.json | head -1); sed -i 's/\"exit\":0,\"error\":\"\"/\"exit\":3,\"error\":\"it broke\"/' $f")
          .status,
      0);

  const Outcome again = allport("reproduce robinson-9 --trials 1 --output some");

  EXPECT_EQ(again.status, 0) << again.err;
  EXPECT_THAT(shell("grep -l 'it broke' some/points/*/*.json").out, IsEmpty());
}

TEST_F(Reproduce, ModelsAgreeOnEveryDelivery) {
  const Outcome outcome = allport("reproduce casanova-sbt --model both");

  EXPECT_EQ(outcome.status, 0) << outcome.err;
  const auto json = nlohmann::json::parse(content("reproduction/casanova-sbt.json"));
  EXPECT_EQ(json.at("digests").at("systemc"), json.at("digests").at("worm"));
  EXPECT_THAT(outcome.out, HasSubstr("holds           all models see every delivery"));
}

TEST_F(Reproduce, SeveralFiguresEndWithATableOfAllClaims) {
  const Outcome outcome = allport("reproduce robinson-6 hou-2 --output some");

  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("\n5 claims: 5 hold\nclaims in some/claims.md\n"));
  EXPECT_THAT(content("some/claims.md"), HasSubstr("| [hou-2](#hou-2) | "));
}

TEST_F(Reproduce, TheTableOfAllClaimsIsThatOfTheFolderWhateverWasMadeLast) {
  ASSERT_EQ(allport("reproduce robinson-6 hou-2 --output some").status, 0);
  const std::string both = content("some/claims.md");
  ASSERT_EQ(shell("echo stale > some/claims.md").status, 0);

  const Outcome outcome = allport("reproduce robinson-6 --output some");

  EXPECT_THAT(outcome.out, HasSubstr("\nclaims in some/claims.md\n"));
  EXPECT_EQ(content("some/claims.md"), both);
}

TEST_F(Reproduce, AFileOfSomebodyElseIsNoFigure) {
  ASSERT_EQ(allport("reproduce robinson-6 --output shared").status, 0);
  const std::string alone = content("shared/claims.md");
  const auto with = [](const std::string& figure, const std::string& outcome) {
    return R"({"figure":")" + figure + R"(","claims":[{"claim":"c","source":"s","words":"w",)" +
           R"("measured":"m","why":"","outcome":")" + outcome + R"("}]})";
  };
  for (const std::string& mine : {std::string(R"({"claims": "mine"})"), std::string("torn"),
                                  with("hou-2", "perhaps"), with("hou-3", "holds")}) {
    write("shared/hou-2.json", mine);
    const Outcome outcome = allport("reproduce robinson-6 --output shared");

    EXPECT_EQ(outcome.status, 0);
    EXPECT_EQ(
        outcome.err,
        "allport: shared/hou-2.json is left out of claims.md and passages.md: it does not have the claims of hou-2 as `allport reproduce` writes them\n");
    EXPECT_EQ(content("shared/claims.md"), alone) << mine;
    EXPECT_EQ(content("shared/hou-2.json"), mine);
  }
}

TEST_F(Reproduce, StepsOfThePublishedSetsAreThoseOfTheGoldenTable) {
  const auto json = this->json(
      "steps --topology hypercube:6 --algorithms ucube,maxport,combine,wsort --sizes 9,57 --trials 2000 --seed 7 --json -");

  const auto& first = json.at("rows").at(0);
  EXPECT_EQ(first.at("sets"), 2000);
  EXPECT_NEAR(first.at("maxport").get<double>(), 3.238, 6e-4);
  EXPECT_NEAR(first.at("wsort").get<double>(), 2.672, 6e-4);
  EXPECT_NEAR(json.at("rows").at(1).at("wsort").get<double>(), 5.018, 6e-4);
}

}  // namespace
}  // namespace allport::test
