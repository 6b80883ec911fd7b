// SPDX-License-Identifier: Apache-2.0
// These tests check the table above the traces and the markers.
#include "testbench/observe/waves/gtkw_findings.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "tests/testbench/observe/waves/gtkw_reader.h"

namespace allport::test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

WaveFinding contention(Cycle cycle, const std::string& row = "row") {
  WaveFinding finding{cycle, "router_5 output_2 held by 6>13 #0", false};
  finding.row = row;
  finding.brief = "router_5: 6>13 #0";
  return finding;
}

WaveFinding end(Cycle cycle, const std::string& text) {
  WaveFinding finding{cycle, text, true};
  finding.row = text;
  return finding;
}

/// The save file of a recording of the cycles 0 .. last.
std::string text_with(const WaveFindings& findings, Cycle last) {
  std::ostringstream out;
  GtkwWriter writer(out, "flits", "messages");
  const GtkwFindings found(findings, 0, last);
  writer.write_header({"w.gtkw", "w.vcd", 0, last + 1, found.width()}, found.markers());
  found.write(writer);
  return out.str();
}

GtkwFile save_with(const std::vector<WaveFinding>& list, Cycle last, std::size_t later = 0) {
  return GtkwReader(text_with({list, later}, last)).file;
}

TEST(GtkwFindings, HaveALineEachBehindTheLetterOfTheirMarker) {
  const GtkwFile save = save_with(
      {end(70, "deadlock"), contention(20, "b"), contention(20, "c"), contention(30)}, 99);

  EXPECT_THAT(save.markers, ElementsAre(20, 30, 70));
  EXPECT_THAT(save.comments, ElementsAre("C  deadlock", "A  b", "A  c", "B  row"));
  EXPECT_THAT(save.folded, IsEmpty());
}

TEST(GtkwFindings, AreFlushLeft) {
  const std::string text = text_with({{contention(2, "long row"), contention(3, "row")}}, 9);

  EXPECT_NE(text.find("\n-A  long row\n-B  row     \n"), std::string::npos) << text;
}

TEST(GtkwFindings, OfALongTableAreInAClosedGroup) {
  std::vector<WaveFinding> list;
  for (int row = 0; row < 15; ++row) list.push_back(contention(row / 2, std::to_string(row)));
  const WaveFindings findings{list};

  const GtkwFile save = save_with(list, 99);

  EXPECT_THAT(save.comments.front(), "A  0");
  EXPECT_THAT(save.comments[10], "F  10");
  EXPECT_THAT(save.comments[11], "4 more: select this line and press T");
  EXPECT_THAT(save.folded, ElementsAre("F  11", "G  12", "G  13", "H  14"));
  EXPECT_EQ(save.comments.size(), GtkwFindings::max_rows);
  EXPECT_EQ(GtkwFindings(findings, 0, 99).lines(), 12);
}

TEST(GtkwFindings, BeyondTheLastMarkerAreCounted) {
  std::vector<WaveFinding> list{end(900, "deadlock")};
  for (Cycle cycle = 10; cycle < 36; ++cycle) list.push_back(contention(cycle));

  const GtkwFile save = save_with(list, 999, 700);

  ASSERT_EQ(save.markers.size(), GtkwWriter::max_markers);
  EXPECT_EQ(save.markers.front(), 10);
  EXPECT_EQ(save.markers[24], 34) << "the first ones";
  EXPECT_EQ(save.markers.back(), 900) << "what the run ended with has one in any case";
  EXPECT_EQ(save.comments.back(), "701 later ones have no marker: --json lists them");
  EXPECT_EQ(GtkwFindings({list, 700}, 0, 999).lines(), static_cast<int>(save.comments.size()));
}

TEST(GtkwFindings, OfACircleWithMoreWaitsThanLettersMarkTheLast) {
  std::vector<WaveFinding> list;
  for (Cycle cycle = 10; cycle < 50; ++cycle) list.push_back(end(cycle, "waits"));
  list.push_back(end(60, "deadlock"));

  const GtkwFile save = save_with(list, 99);

  ASSERT_EQ(save.markers.size(), 26U);
  EXPECT_EQ(save.markers.front(), 25);
  EXPECT_EQ(save.markers.back(), 60);
  EXPECT_EQ(save.comments[0], "   waits") << "without a letter";
  EXPECT_EQ(save.folded.back(), "Z  deadlock");
  EXPECT_EQ(save.comments.size() + save.folded.size(), 42U) << "and the line above the group";
}

TEST(GtkwFindings, OutsideTheWindowHaveNoMarker) {
  const WaveFindings findings{{end(3, "waits"), end(60, "deadlock"), contention(25)}};

  const GtkwFindings found(findings, 20, 50);

  ASSERT_EQ(found.markers().size(), 1U);
  EXPECT_EQ(found.markers()[0].cycle, 25);
  EXPECT_EQ(found.lines(), 3);
}

TEST(GtkwFindings, NameTheirMarkersAsLongAsThereIsRoom) {
  const auto names = [](const std::vector<WaveFinding>& list) {
    return save_with(list, 99).marker_names;
  };
  const std::string full = "AA router_5 output_2 held by 6>13 #0";

  EXPECT_THAT(names({contention(50)}), ElementsAre(full));
  EXPECT_THAT(names({contention(50), contention(57)}), ElementsAre("AA router_5: 6>13 #0"))
      << "the letter of the other one stands alone";
  EXPECT_THAT(names({contention(50), contention(60)}),
              ElementsAre("AA router_5: 6>13 #0", "BB router_5: 6>13 #0"));
  EXPECT_THAT(names({contention(50), contention(90)}),
              ElementsAre(full, "BB router_5 output_2 held by 6>13 #0"));
  EXPECT_THAT(names({contention(0)}), IsEmpty()) << "half of it would be cut off";
  EXPECT_THAT(names({contention(50), contention(50)}), ElementsAre(full + " +1"));
}

TEST(GtkwFindings, NameTheMarkerOfACycleByWhatTheRunEndedWith) {
  EXPECT_THAT(save_with({end(50, "deadlock"), contention(50), contention(60)}, 99).marker_names,
              ElementsAre("AA deadlock +1", "BB router_5 output_2 held by 6>13 #0"));
  EXPECT_THAT(save_with({contention(50), {50, "twins differ", true, true}, contention(51)}, 99)
                  .marker_names,
              ElementsAre("Atwins differ"));
}

}  // namespace
}  // namespace allport::test
