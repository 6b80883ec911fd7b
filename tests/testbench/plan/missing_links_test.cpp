// SPDX-License-Identifier: Apache-2.0
// Links of a graph are named by its nodes, whose names may have the signs in them that join and
// separate names.
#include "testbench/plan/missing_links.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>
#include <string>
#include <vector>

#include "rtl_model/graphs/graph_file.h"
#include "testbench/plan/place_values.h"
#include "testbench/plan/run_request.h"

namespace allport::test {
namespace {

using testing::ElementsAre;
using testing::UnorderedElementsAre;

class MissingLinksOfAGraph : public testing::Test {
 protected:
  // The channels that are missing, by the names of their ends.
  std::vector<std::string> missing(const std::string& text) const {
    RunRequest request;
    request.fabric.missing = parse_missing_links(text, &graph_);
    std::vector<std::string> names;
    for (const Channel one : missing_channels(request, graph_)) {
      names.push_back(graph_.node_name(one.node) + " to " +
                      graph_.node_name(*graph_.neighbour(one.node, one.port)));
    }
    return names;
  }

  std::string fault_of(const std::string& text) const {
    try {
      missing(text);
    } catch (const std::invalid_argument& error) {
      return error.what();
    }
    return "";
  }

  const Graph graph_{read_graph(
      "names.dot",
      R"(graph { "a b" -- "c,d"; "c,d" -- "x-y"; "x-y" -- x; x -- "a b"; "y-x" -- z; x -- "y>z"; z -- x })")};
};

TEST_F(MissingLinksOfAGraph, AreNamedWhateverItsNodesAreCalled) {
  EXPECT_THAT(missing("a b-c,d"), UnorderedElementsAre("a b to c,d", "c,d to a b"));
  EXPECT_THAT(missing("c,d>a b"), ElementsAre("c,d to a b"));
  EXPECT_THAT(missing("x>y>z"), ElementsAre("x to y>z"));
  EXPECT_THAT(missing("y>z>x,x-a b"), UnorderedElementsAre("y>z to x", "x to a b", "a b to x"));
}

// `x-y-x` may be x-y and x, or x and y-x: the former are neighbours.
TEST_F(MissingLinksOfAGraph, AreThoseBetweenNeighboursWhereATextHasTwoMeanings) {
  EXPECT_THAT(missing("x-y-x"), UnorderedElementsAre("x-y to x", "x to x-y"));
}

TEST_F(MissingLinksOfAGraph, AreRefusedWhereThereAreNone) {
  EXPECT_THAT(fault_of("c,d-x"), testing::HasSubstr("nodes c,d and x of graph:names.dot are not "
                                                    "neighbours"));
  EXPECT_THAT(fault_of("a b-w"), testing::HasSubstr("'a' does not name two nodes; its nodes are"));
}

}  // namespace
}  // namespace allport::test
