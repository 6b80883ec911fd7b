// SPDX-License-Identifier: Apache-2.0
// What programs work on is read from files, and what they yield is written.
#include "traffic/programs/problem_files.h"

#include <gmock/gmock.h>

#include <functional>
#include <string>
#include <utility>

namespace allport::test {
namespace {

std::string sentence(const std::function<void()>& work) {
  try {
    work();
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "nothing was thrown";
}

TEST(ProblemFiles, APgmIsPlainOrRaw) {
  const Values expected{0, 1, 2, 255};
  for (const std::string& text :
       {std::string("P2\n2 2\n255\n0 1 2 255\n"), std::string("P2 2 2 255 0 1 2 255"),
        std::string("P2 # a comment\n# 9 9\n2 2\r\n255\r\n0 1\r\n2 255\r\n"),
        std::string("P5\n2 2\n255\n\0\x01\x02\xff", 15)}) {
    const GreyImage image = read_pgm({"a.pgm", text});
    EXPECT_EQ(image.side, 2U) << text;
    EXPECT_EQ(image.values, expected) << text;
  }
  const GreyImage wide = read_pgm({"a.pgm", std::string("P5 1 1 65535\n\x12\x34", 15)});
  EXPECT_EQ(wide.values, Values{0x1234});
}

TEST(ProblemFiles, AnImageIsWrittenAsItIsOrScaled) {
  EXPECT_EQ(pgm_text({2, {0, 1, 2, 300}}), "P2\n2 2\n300\n0 1\n2 300\n");
  EXPECT_EQ(pgm_text({1, {0}}), "P2\n1 1\n1\n0\n");
  EXPECT_EQ(
      pgm_text({2, {0, 65535, 131070, 1}}),
      "P2\n# each value is 65535 by 131070 of the one computed\n2 2\n65535\n0 32768\n65535 1\n");
  const GreyImage image{2, {3, 70000, 5, 6}};
  EXPECT_EQ(rows_text(image), "3 70000\n5 6\n");
  const GreyImage again = read_pgm({"a", pgm_text({2, {9, 8, 7, 65535}})});
  EXPECT_EQ(again.values, (Values{9, 8, 7, 65535}));
}

TEST(ProblemFiles, WhatIsNoPgmIsOneSentence) {
  for (const auto& [text, words] : std::vector<std::pair<std::string, std::string>>{
           {"", "a.pgm: it does not begin with P2 or P5: it is no PGM image"},
           {"P6 1 1 255 x", "a.pgm: it does not begin with P2 or P5: it is no PGM image"},
           {"P2", "a.pgm:1: the file ends before the width"},
           {"P2 0 1 1 0", "a.pgm:1: the width is '0', and must be a whole number 1..1024"},
           {"P2 1 1025 1 0", "a.pgm:1: the height is '1025', and must be a whole number 1..1024"},
           {"P2 2 1 1 0 0", "a.pgm:1: the image is 2 wide and 1 high, and must be as wide as high"},
           {"P2 1 1 65536 0",
            "a.pgm:1: the greatest value is '65536', and must be a whole number 1..65535"},
           {"P2 1 1 9 -1", "a.pgm:1: value 1 of 1 is '-1', and must be a whole number 0..9"},
           {"P2\n1 1\n# 9\n9\n10",
            "a.pgm:5: value 1 of 1 is '10', and must be a whole number 0..9"},
           {"P2 2 2\n9\n1 2\n3", "a.pgm:4: the file ends before value 4 of 4"},
           {"P2 1 1 9 1\n\n2", "a.pgm:3: there is more than the 1 value"},
           {"P5 1 1 9\n", "a.pgm: 0 bytes follow its head, and must be 1"},
           {"P5 1 1 9\n\n", "a.pgm: value 1 of 1 is 10, and must be 0..9"},
           {"P5 1 1 300\n\x01", "a.pgm: 1 byte follows its head, and must be 2"}}) {
    EXPECT_EQ(sentence([&] { read_pgm({"a.pgm", text}); }), words) << text;
  }
}

TEST(ProblemFiles, AMazeIsDrawn) {
  const Maze maze = read_maze({"m", "s.#\r\n## \n..t\n\n"});
  EXPECT_EQ(maze.side, 3U);
  EXPECT_EQ(maze.start, 0U);
  EXPECT_EQ(maze.target, 8U);
  EXPECT_EQ(maze.blocked,
            (std::vector<bool>{false, false, true, true, true, false, false, false, false}));
  for (
      const auto& [text, words] : std::vector<std::pair<std::string, std::string>>{
          {"", "m: it has 0 lines; a maze must have 1..1024"},
          {"s.t\n...\n",
           "m:2: the maze ends after 2 lines of 3 cells, and must be as wide as high"},
          {"s.\n.t\n..\n",
           "m:3: the maze ends after 3 lines of 2 cells, and must be as wide as high"},
          {"s..\n##\n..t\n",
           "m:2: it has 2 cells, and line 1 has 3; all lines of a maze have the same number"},
          {"s.\n.t.\n",
           "m:2: it has 3 cells, and line 1 has 2; all lines of a maze have the same number"},
          {"s.\n\n.t",
           "m:2: it has 0 cells, and line 1 has 2; all lines of a maze have the same number"},
          {"sx\nt.",
           "m:1: cell 2 is 'x'; a cell is # (blocked), . or a space (free), * (free, on a path), s (start) or t (target)"},
          {"s.\n..", "m:2: the maze ends without a target, and must have one s and one t"},
          {"..\nt.", "m:2: the maze ends without a start, and must have one s and one t"},
          {"s.\nst", "m:2: here is a second start, and a maze has one start"},
          {"st\nt.", "m:2: here is a second target, and a maze has one target"}}) {
    EXPECT_EQ(sentence([&, one = text] { read_maze({"m", one}); }), words) << text;
  }
}

TEST(ProblemFiles, TheWayThroughAMazeIsDrawnWithItsLabels) {
  const Maze maze = read_maze({"m", "s#..\n.#.t\n.#.#\n...#\n"});
  for (const int algorithm : {1, 2}) {
    for (const HostUse host : {HostUse::none, HostUse::data, HostUse::results}) {
      const MazeRun run = run_maze(maze, algorithm, 4, {}, {}, host);
      EXPECT_EQ(run.length, 8);
      EXPECT_EQ(path_of(maze, run), (std::vector<std::uint32_t>{7, 6, 10, 14, 13, 12, 8, 4, 0}));
      EXPECT_THAT(maze_text(maze, run), testing::StartsWith("s#..\n*#*t\n*#*#\n***#\n\ns#"));
      EXPECT_THAT(maze_text(maze, run), testing::EndsWith("\n^#v<\n^#v#\n^<<#\n"));
    }
  }
}

TEST(ProblemFiles, LoadsAndObjectsAreLinesOfNumbers) {
  const LoadBalance loads = read_loads({"l", "# by rank\n3\n\n 0 # none\n2\n"});
  EXPECT_EQ(loads.loads, (std::vector<Values>{{0, 1, 2}, {}, {3, 4}}));
  EXPECT_EQ(loads_text(loads.loads), "3\n0\n2\n");
  const Knapsack objects = read_objects({"o", "5 2\n7\t3\n"}, 4);
  EXPECT_EQ(objects.profits, (Values{5, 7}));
  EXPECT_EQ(objects.weights, (Values{2, 3}));
  EXPECT_EQ(objects.capacity, 4U);
  EXPECT_EQ(objects_text(objects, {1}), "# 1 object, profit 7, weight 3 of 4\n2 7 3\n");
  EXPECT_EQ(sentence([] {
              read_loads({"l", "1\n2 3\n"});
            }),
            "l:2: it has 2 words, and must have 1: the items of a rank");
  EXPECT_EQ(sentence([] {
              read_loads({"l", "1\n-2\n"});
            }),
            "l:2: '-2' must be a whole number 0..100000");
  EXPECT_EQ(sentence([] { read_loads({"l", "# nothing\n"}); }), "l: it has no line with a load");
  EXPECT_EQ(sentence([] {
              read_objects({"o", "5 0\n"}, 4);
            }),
            "o:1: '0' must be a whole number 1..1000000");
  EXPECT_EQ(sentence([] {
              read_objects({"o", "5\n"}, 4);
            }),
            "o:1: it has 1 word, and must have 2: the profit and the weight of an object");
  EXPECT_EQ(sentence([] { read_objects({"o", ""}, 4); }), "o: it has no line with an object");
  std::string many;
  for (int i = 0; i < 2148; ++i) many += "1000000 1\n";
  EXPECT_EQ(sentence([&] {
              read_objects({"o", many}, 4);
            }),
            "o:2148: the profits up to here are 2148000000 together, and must be below 2^31");
  many.clear();
  for (int i = 0; i < 100001; ++i) many += "1 1\n";
  EXPECT_EQ(sentence([&] {
              read_objects({"o", many}, 4);
            }),
            "o:100001: here are more than 100000 objects, the most of a file");
}

}  // namespace
}  // namespace allport::test
