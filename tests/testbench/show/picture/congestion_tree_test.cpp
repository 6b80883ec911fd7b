// SPDX-License-Identifier: Apache-2.0
#include "testbench/show/picture/congestion_tree.h"

#include <gmock/gmock.h>

namespace allport::test {
namespace {

using Branch = CongestionTree::Branch;
constexpr std::size_t none = CongestionTree::no_parent;

const Root a{Cause::channel, 1};
const Root b{Cause::channel, 2};
const Root c{Cause::port, 2};

CongestionTree tree_of(const std::vector<std::vector<Root>>& chains) {
  CongestionTree tree;
  for (const std::vector<Root>& chain : chains) tree.add(chain);
  return tree;
}

void expect_branch(const Branch& branch, const Root& at, std::size_t parent, std::size_t messages) {
  EXPECT_TRUE(branch.at == at);
  EXPECT_EQ(branch.parent, parent);
  EXPECT_EQ(branch.messages, messages);
}

TEST(CongestionTree, CountsWhoWaitsAtAPlaceOrBehindIt) {
  const CongestionTree tree = tree_of({{b, a}, {c, b, a}, {b}, {a}});
  EXPECT_EQ(tree.waiting(), 4U);
  const std::vector<Branch> branches = tree.largest(10);
  ASSERT_EQ(branches.size(), 4U);
  expect_branch(branches[0], a, none, 3);
  expect_branch(branches[1], b, 0, 2);
  expect_branch(branches[2], c, 1, 1);
  expect_branch(branches[3], b, none, 1);
}

TEST(CongestionTree, KeepsTheLargestBranchesWithTheirParents) {
  const std::vector<Branch> branches = tree_of({{b, a}, {b, a}, {c, a}, {c}}).largest(2);
  ASSERT_EQ(branches.size(), 2U);
  expect_branch(branches[0], a, none, 3);
  expect_branch(branches[1], b, 0, 2);
}

TEST(CongestionTree, MayBeEmpty) { EXPECT_TRUE(CongestionTree().largest(5).empty()); }

}  // namespace
}  // namespace allport::test
