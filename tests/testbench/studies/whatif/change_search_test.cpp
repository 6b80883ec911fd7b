// SPDX-License-Identifier: Apache-2.0
#include "testbench/studies/whatif/change_search.h"

#include <gmock/gmock.h>

#include <map>
#include <set>
#include <string>
#include <vector>

namespace allport::test {
namespace {

using testing::ElementsAre;

// A run that takes 100 cycles; each option that has changed saves what stands here, b is refused,
// and c saves nothing beside a.
class ChangeSearchTest : public testing::Test {
 protected:
  std::vector<TriedChange> search(SearchOptions options, bool has_number = true) {
    Account start;
    if (has_number) start.value = 100;
    ChangeSearch search(
        options, Goal::completion, [this](const Change&, const Account&) { return suggestions; },
        [this](const std::vector<Change>& changes) {
          std::vector<TriedChange> outcomes;
          for (const Change& change : changes) {
            if (ran.size() == stop_after) break;
            outcomes.push_back(outcome(change));
          }
          return outcomes;
        });
    std::vector<TriedChange> tried = search.take(start);
    was_stopped = search.was_stopped();
    left = search.left();
    return tried;
  }

  TriedChange outcome(const Change& change) {
    TriedChange tried;
    tried.change = change;
    std::string name;
    double value = 100;
    std::set<std::string> keys;
    for (const OptionChange& one : change) {
      name += one.key + one.text;
      keys.insert(one.key);
      value -= saved.at(one.key + one.text);
    }
    if (keys.count("a") > 0 && keys.count("c") > 0) value += saved.at("c1");
    if (keys.count("b") > 0) {
      tried.refused = "b is refused";
    } else {
      tried.account.value = value;
    }
    ran.push_back(name);
    return tried;
  }

  std::vector<Suggestion> suggestions{{{"c", "1", "0", ""}, .2},
                                      {{"a", "1", "0", ""}, .5},
                                      {{"a", "2", "0", ""}, .4},
                                      {{"b", "1", "0", ""}, .9},
                                      {{"d", "1", "0", ""}, .1}};
  std::map<std::string, double> saved{{"a1", 10}, {"a2", 12}, {"b1", 0}, {"c1", 6}, {"d1", -3}};
  std::vector<std::string> ran;
  std::size_t stop_after = 1000;
  bool was_stopped = false;
  std::size_t left = 0;
};

TEST_F(ChangeSearchTest, TriesTheMostPromisingFirst) {
  EXPECT_EQ(search({30, false, false}).size(), 5);
  EXPECT_THAT(ran, ElementsAre("b1", "a1", "a2", "c1", "d1"));
  EXPECT_EQ(left, 0);
  EXPECT_FALSE(was_stopped);
}

TEST_F(ChangeSearchTest, SpendsItsBudgetOnThoseThatAreNotRefused) {
  EXPECT_EQ(search({2, false, false}).size(), 3);
  EXPECT_THAT(ran, ElementsAre("b1", "a1", "a2"));
  EXPECT_EQ(left, 2);
}

TEST_F(ChangeSearchTest, TriesPairsOfTheBestOfEachOption) {
  search({30, true, false});
  EXPECT_THAT(ran, ElementsAre("b1", "a1", "a2", "c1", "d1", "a2c1"));
}

TEST_F(ChangeSearchTest, GoesOnFromTheBestUntilNoneIsBetter) {
  saved["d1"] = 4;
  const std::vector<TriedChange> tried = search({30, false, true});
  // From a2 on d saves 4 more and c nothing; from both on nothing does.
  EXPECT_THAT(
      ran, ElementsAre("b1", "a1", "a2", "c1", "d1", "a2b1", "a2c1", "a2d1", "a2d1b1", "a2d1c1"));
  EXPECT_EQ(tried.back().round, 3);
}

TEST_F(ChangeSearchTest, GoesOnFromANumberWhereTheStartHasNone) {
  search({30, false, true}, false);
  EXPECT_THAT(ran, testing::Contains("a2c1"));
}

TEST_F(ChangeSearchTest, EndsWhereItIsStopped) {
  stop_after = 3;
  EXPECT_EQ(search({30, true, true}).size(), 3);
  EXPECT_TRUE(was_stopped);
}

}  // namespace
}  // namespace allport::test
