// SPDX-License-Identifier: Apache-2.0
#include "rtl_model/base/via_list.h"

#include <gtest/gtest.h>

namespace allport {
namespace {

std::vector<NodeId> nodes(const std::vector<std::size_t>& ids) {
  std::vector<NodeId> list;
  for (const std::size_t id : ids) list.push_back(node_id(id));
  return list;
}

TEST(ViaList, GivesBackItsNodesInOrder) {
  for (const auto& ids : {std::vector<std::size_t>{}, {7}, {1, 2, 3}, {3, 2, 1, 2, 3, 1048575}}) {
    EXPECT_EQ(ViaList(nodes(ids)).nodes(), nodes(ids));
    EXPECT_EQ(ViaList(nodes(ids)).empty(), ids.empty());
  }
}

TEST(ViaList, LosesItsFirstEntry) {
  const ViaList list(nodes({4, 5, 6}));

  EXPECT_EQ(list.front(), node_id(4));
  EXPECT_EQ(list.rest().nodes(), nodes({5, 6}));
  EXPECT_TRUE(list.rest().rest().rest().empty());
}

TEST(ViaList, IsEqualToAListWithTheSameNodesOnly) {
  const ViaList list(nodes({4, 5, 6}));

  EXPECT_EQ(list, ViaList(nodes({4, 5, 6})));
  EXPECT_EQ(list.rest(), ViaList(nodes({5, 6})));
  EXPECT_NE(list, ViaList(nodes({4, 6, 5})));
  EXPECT_NE(list, list.rest());
  EXPECT_EQ(ViaList(), list.rest().rest().rest());
}

}  // namespace
}  // namespace allport
