// SPDX-License-Identifier: Apache-2.0
#include "testbench/studies/faults/fault_search.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <stdexcept>
#include <string>
#include <vector>

#include "rtl_model/graphs/graph.h"

namespace allport::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

// A run of 100 cycles on a mesh: each missing link costs a cycle, but 4-5 costs 30, and without 1-2
// it does not end.
class FaultSearchTest : public testing::Test {
 protected:
  FaultsFound search(FaultOptions options, Goal goal = Goal::completion) {
    FaultlessRun run;
    run.goal = goal;
    run.account.value = 100;
    return find_faults(graph, options, run, [this](const std::vector<Change>& changes) {
      std::vector<TriedChange> outcomes;
      for (const Change& change : changes) {
        EXPECT_EQ(change.size(), 1);
        EXPECT_EQ(change[0].key, "missing_links");
        ran.push_back(change[0].text);
        if (outcomes.size() == stop_after) break;
        outcomes.push_back(outcome(change[0].text));
      }
      return outcomes;
    });
  }
  static TriedChange outcome(const std::string& links) {
    TriedChange tried;
    const auto has = [&links](const char* link) { return links.find(link) != std::string::npos; };
    if (has("1-2")) {
      tried.problem = "deadlock";
    } else {
      const auto count = std::count(links.begin(), links.end(), '-');
      tried.account.value = 100.0 + static_cast<double>(count) + (has("4-5") ? 29 : 0);
    }
    return tried;
  }

  std::shared_ptr<const Topology> mesh = parse_topology("mesh:3x3");
  LinkGraph graph{*mesh};
  std::vector<std::string> ran;
  std::size_t stop_after = 1'000'000;
};

TEST_F(FaultSearchTest, FindsThePlantedLink) {
  const FaultsFound found = search({1});
  EXPECT_EQ(found.sets, 12);
  EXPECT_EQ(found.all_sets, 12);
  EXPECT_FALSE(found.are_drawn);
  EXPECT_EQ(found.cutting, 0);
  EXPECT_EQ(found.cuts.count, 0);
  EXPECT_EQ(found.smallest.links.size(), 2);
  ASSERT_EQ(found.rows.size(), 12);
  EXPECT_EQ(graph.in_words(found.rows[0].links), "1-2") << "what does not end is the worst";
  EXPECT_EQ(found.rows[0].tried.problem, "deadlock");
  EXPECT_EQ(graph.in_words(found.rows[1].links), "4-5");
  EXPECT_EQ(found.rows[1].cost, 30);
  EXPECT_EQ(found.rows[11].cost, 1);
  EXPECT_TRUE(found.has_fault()) << "a run that does not end";
}

TEST_F(FaultSearchTest, RunsNoSetThatCutsNodesOff) {
  const FaultsFound found = search({2});
  EXPECT_EQ(found.sets, 66);
  EXPECT_EQ(found.cutting, 4) << "the corners";
  EXPECT_EQ(found.cuts.count, 4);
  EXPECT_EQ(ran.size(), 62);
  EXPECT_EQ(std::count(ran.begin(), ran.end(), "0-1,0-3"), 0);
  EXPECT_EQ(std::count(ran.begin(), ran.end(), "0-1,1-2"), 1);
  EXPECT_TRUE(found.has_fault());
}

TEST_F(FaultSearchTest, DrawsFromTooMany) {
  const FaultsFound found = search({4, 50, 9});
  EXPECT_TRUE(found.are_drawn);
  EXPECT_EQ(found.all_sets, 495);
  EXPECT_EQ(found.sets, 50);
  EXPECT_EQ(found.cutting + ran.size(), 50);
  EXPECT_GT(found.cutting, 0);
  EXPECT_EQ(found.cuts.count, 4) << "pairs are found without draws";
}

TEST_F(FaultSearchTest, ReckonsALoadThatIsLessAsACost) {
  const FaultsFound found = search({1}, Goal::accepted);
  EXPECT_EQ(found.rows.back().cost, -30) << "4-5 accepts most";
}

TEST_F(FaultSearchTest, SaysWhetherItWasStopped) {
  stop_after = 5;
  const FaultsFound found = search({1});
  EXPECT_TRUE(found.was_stopped);
  EXPECT_EQ(found.rows.size(), 5);
}

TEST_F(FaultSearchTest, RunsNothingForAFabricAlone) {
  const FaultsFound found = find_faults(graph, {1}, std::nullopt, nullptr);
  EXPECT_FALSE(found.run);
  EXPECT_FALSE(found.has_fault());
  EXPECT_TRUE(find_faults(graph, {2}, std::nullopt, nullptr).has_fault());
}

TEST_F(FaultSearchTest, RefusesMoreLinksThanThereAre) {
  try {
    search({13});
    FAIL();
  } catch (const std::invalid_argument& error) {
    EXPECT_STREQ(error.what(), "mesh:3x3 has 12 links");
  }
}

TEST(FaultSearch, RefusesAFabricThatIsInPieces) {
  GraphDescription description;
  description.file = "two.dot";
  description.nodes = {{"a"}, {"b"}, {"c"}, {"d"}};
  description.edges = {{0, 1}, {2, 3}};
  const Graph topology(description);
  try {
    find_faults(LinkGraph(topology), {1}, std::nullopt, nullptr);
    FAIL();
  } catch (const std::invalid_argument& error) {
    EXPECT_THAT(error.what(), HasSubstr("node c"));
  }
}

}  // namespace
}  // namespace allport::test
