// SPDX-License-Identifier: Apache-2.0
// These tests check tables of the bytes of each pair, and what becomes of them.
#include "traffic/planning/pair_counts.h"

#include <gmock/gmock.h>

#include <sstream>
#include <stdexcept>

#include "tests/traffic/algorithms/planning.h"
#include "traffic/schedule/block_lengths.h"

namespace allport::test {
namespace {

PairCounts read(const std::string& text) {
  std::istringstream in(text);
  return read_counts(in, "c.csv");
}

std::string fault_of(const std::string& text) {
  return complaint_of([&] { read(text); });
}

TEST(PairCounts, AreTheCellsOfTheirLines) {
  const PairCounts counts =
      read("\xef\xbb\xbf# of three ranks\n\n 1, 2 ,3KiB\r\n4B,5,6\n\t# between\n0,1MiB,9\n");
  EXPECT_EQ(counts.ranks, 3U);
  EXPECT_EQ(counts.of_pair(0, 1), 2U);
  EXPECT_EQ(counts.of_pair(0, 2), 3072U);
  EXPECT_EQ(counts.of_pair(1, 0), 4U);
  EXPECT_EQ(counts.of_pair(2, 0), 0U);
  EXPECT_EQ(counts.of_pair(1, 1), 0U) << "what a rank keeps is not sent";
  EXPECT_EQ(counts.largest(), 1048576U);
  EXPECT_EQ(counts.total(), 2U + 3072 + 4 + 6 + 1048576);
}

TEST(PairCounts, AreRefusedByFileAndLine) {
  EXPECT_EQ(fault_of(""), "c.csv: there is no number in it");
  EXPECT_EQ(fault_of("# nothing\n\n"), "c.csv: there is no number in it");
  EXPECT_EQ(fault_of("1,2\n\n3\n"), "c.csv:3: 1 cell, but the first line has 2");
  EXPECT_EQ(fault_of("1,2\n3,4\n5,6\n"),
            "c.csv:3: a line for rank 2, but the lines have cells for ranks 0..1");
  EXPECT_EQ(
      fault_of("1,2,3\n4,5,6\n"),
      "c.csv: 2 lines of 3 cells, but it needs one for each rank that sends, with a cell for each one that receives");
  for (const std::string cell : {"x", "", "-1", "1.5", "8000000001", "1 KiB", "9GiB", "0x4"}) {
    EXPECT_EQ(
        fault_of("1,2\n" + cell + ",4\n"),
        "c.csv:2: for rank 0: '" + cell +
            "' is not a length of 0..8000000000 bytes: give a whole number, alone or with B, KiB, MiB or GiB");
  }
  const std::string nothing = "c.csv: no rank has a byte for another one, so nothing is to be sent";
  EXPECT_EQ(fault_of("0,0\n0,0\n"), nothing);
  EXPECT_EQ(fault_of("7\n"), nothing);
  EXPECT_EQ(fault_of("7,0\n0,7\n"), nothing);
}

TEST(PairCounts, AreToldApartByWhatIsSent) {
  EXPECT_EQ(read("0,1\n2,0\n").digest(), read("9,1\n2B,1KiB\n").digest());
  EXPECT_NE(read("0,1\n2,0\n").digest(), read("0,2\n1,0\n").digest());
  EXPECT_NE(read("0,1\n2,0\n").digest(), read("0,1,0\n2,0,0\n0,0,0\n").digest());
}

// Rank r sits on node r of the list; blocks are numbered by nodes in ascending order.
TEST(PairCounts, AreLengthsOfTheBlocksOfTheirNodes) {
  const PairCounts counts = read("0,1,2\n3,0,5\n6,7,0\n");
  EXPECT_EQ(*pair_lengths(counts, 1), (std::vector<int>{0, 1, 2, 3, 0, 5, 6, 7, 0}));
  EXPECT_EQ(*pair_lengths(counts, 4), (std::vector<int>{0, 1, 1, 1, 0, 2, 2, 2, 0}));
  const std::vector<NodeId> nodes{node_id(9), node_id(2), node_id(5)};  // ranks 1, 2, 0 by node
  EXPECT_EQ(*pair_lengths(counts, 1, nodes), (std::vector<int>{0, 5, 3, 7, 0, 6, 1, 2, 0}));
}

TEST(PairCounts, MakeBlocksOfTheirOwnLengths) {
  const PairLengths lengths = pair_lengths(read("0,5,0\n1,0,8\n0,0,4\n"), 4);
  for (const std::size_t parts : {1, 2, 3}) {
    const Collective goal =
        Collective(Operation::alltoall, 3, NodeId{}, 1, parts).of_pairs(lengths);
    const BlockLengths flits(goal, 2, 4, 8);
    for (std::size_t pair = 0; pair < 9; ++pair) {
      int sum = 0;
      for (std::size_t part = 0; part < parts; ++part) {
        const auto block = static_cast<BlockId>(pair * parts + part);
        EXPECT_EQ(goal.is_empty(block), flits.flits(block) == 0);
        sum += flits.flits(block);
      }
      EXPECT_EQ(sum, (*lengths)[pair]);
    }
    EXPECT_TRUE(goal.of_length(100).is_empty(0)) << "no other length is theirs";
    EXPECT_EQ(goal.receivers(), (std::vector<NodeId>{node_id(0), node_id(1), node_id(2)}));
  }
  const Collective goal = Collective(Operation::alltoall, 3, NodeId{})
                              .of_pairs(pair_lengths(read("0,5,0\n1,0,0\n0,9,4\n"), 4));
  EXPECT_EQ(goal.receivers(), (std::vector<NodeId>{node_id(0), node_id(1)}));
  EXPECT_EQ(goal.blocks_before(node_id(2)), std::vector<BlockId>{7});
  EXPECT_EQ(goal.blocks_after(node_id(1)), (std::vector<BlockId>{1, 7}));
}

}  // namespace
}  // namespace allport::test
