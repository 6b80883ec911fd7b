// SPDX-License-Identifier: Apache-2.0
#include "traffic/msccl/msccl_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/traffic/algorithms/planning.h"
#include "tests/traffic/msccl/programs.h"

namespace allport {
namespace {

using testing::HasSubstr;

const std::vector<Blocks> chunks_swapped{{{1, 1, {"s o0 o0 1", "r o1 o1 1"}}},
                                         {{0, 0, {"s o1 o1 1", "r o0 o0 1"}}}};

std::string sound() { return program_xml("allgather", 2, true, chunks_swapped); }

std::string replaced(std::string text, const std::string& what, const std::string& by) {
  return text.replace(text.find(what), what.size(), by);
}

std::string complaint_about(const std::string& xml) {
  return complaint_of([&] { program_of(xml); });
}

TEST(MscclFile, IsWrittenAsItIsRead) {
  const MscclProgram program = program_of(sound());
  std::ostringstream out;
  write_msccl(out, program);

  EXPECT_EQ(
      out.str(),
      R"(<algo name="test" proto="Simple" nchannels="1" nchunksperloop="2" ngpus="2" coll="allgather" inplace="1">
  <gpu id="0" i_chunks="1" o_chunks="2" s_chunks="0">
    <tb id="0" send="1" recv="1" chan="0">
      <step s="0" type="s" srcbuf="o" srcoff="0" dstbuf="i" dstoff="0" cnt="1" depid="-1" deps="-1" hasdep="0"/>
      <step s="1" type="r" srcbuf="i" srcoff="0" dstbuf="o" dstoff="1" cnt="1" depid="-1" deps="-1" hasdep="0"/>
    </tb>
  </gpu>
  <gpu id="1" i_chunks="1" o_chunks="2" s_chunks="0">
    <tb id="0" send="0" recv="0" chan="0">
      <step s="0" type="s" srcbuf="o" srcoff="1" dstbuf="i" dstoff="0" cnt="1" depid="-1" deps="-1" hasdep="0"/>
      <step s="1" type="r" srcbuf="i" srcoff="0" dstbuf="o" dstoff="0" cnt="1" depid="-1" deps="-1" hasdep="0"/>
    </tb>
  </gpu>
</algo>
)");
}

TEST(MscclFile, TornXmlIsRefused) {
  const std::string whole = sound();
  for (const std::size_t length : {40U, 300U, 500U}) {
    EXPECT_THAT(complaint_about(whole.substr(0, length)), HasSubstr("torn or malformed XML"));
  }
  EXPECT_THAT(complaint_about(""), HasSubstr("torn or malformed XML"));
}

TEST(MscclFile, TheCharacterZeroIsRefused) {
  std::string text = sound();
  text.insert(text.find('"') + 1, "&#0;");
  EXPECT_THAT(complaint_about(text),
              HasSubstr("column 13: it refers to the character 0, which no XML may have"));
}

TEST(MscclFile, AnAttributeThatIsThereTwiceIsTorn) {
  std::string twice = sound();
  twice.replace(twice.find("<tb id"), 3, "<tb\n chan=\"0\"");

  EXPECT_THAT(
      complaint_about(twice),
      HasSubstr("torn or malformed XML in line 4: element tb has the attribute 'chan' twice"));
}

TEST(MscclFile, UnknownWordsAreRefusedWithThoseThatThereAre) {
  EXPECT_EQ(complaint_about(replaced(sound(), "coll=\"allgather\"", "coll=\"allgathr\"")),
            "test.xml: unknown coll 'allgathr': did you mean 'allgather'?");
  EXPECT_THAT(complaint_about(replaced(sound(), "type=\"r\"", "type=\"rx\"")),
              HasSubstr("test.xml: gpu 0, tb 0, step 1: unknown type 'rx'"));
  EXPECT_THAT(complaint_about(replaced(sound(), "srcbuf=\"o\"", "srcbuf=\"x\"")),
              HasSubstr("gpu 0, tb 0, step 0: srcbuf must be i, o or s, not 'x'"));
  EXPECT_THAT(complaint_about(replaced(sound(), "<step s=\"0\"", "<stop s=\"0\"")),
              HasSubstr("gpu 0, tb 0: unknown element 'stop'"));
  EXPECT_THAT(complaint_about("<html></html>"), HasSubstr("it begins with 'html'"));
  EXPECT_THAT(complaint_about("<algo/><algo/>"), HasSubstr("there are several elements"));
}

TEST(MscclFile, AttributesMustBeThereAndInRange) {
  EXPECT_EQ(complaint_about(replaced(sound(), "cnt=\"1\"", "")),
            "test.xml: gpu 0, tb 0, step 0: attribute 'cnt' is missing");
  EXPECT_THAT(complaint_about(replaced(sound(), "cnt=\"1\"", "cnt=\"0\"")),
              HasSubstr("cnt must be an integer in 1.."));
  EXPECT_THAT(complaint_about(replaced(sound(), "srcoff=\"0\"", "srcoff=\"99999999999999999999\"")),
              HasSubstr("srcoff must be an integer in 0..2147483647, not '99999999999999999999'"));
  EXPECT_THAT(complaint_about(replaced(sound(), "send=\"1\"", "send=\"2\"")),
              HasSubstr("gpu 0, tb 0: send must be an integer in -1..1"));
  EXPECT_THAT(complaint_about(replaced(sound(), "send=\"1\"", "send=\"0\"")),
              HasSubstr("gpu 0, tb 0: send is the gpu itself"));
  EXPECT_THAT(complaint_about(replaced(sound(), "ngpus=\"2\"", "ngpus=\"1\"")),
              HasSubstr("ngpus must be an integer in 2..65536"));
  EXPECT_THAT(complaint_about(replaced(sound(), "nchunksperloop=\"2\"", "nchunksperloop=\"3\"")),
              HasSubstr("nchunksperloop must be a multiple of ngpus, 2, for coll 'allgather'"));
  EXPECT_THAT(complaint_about(replaced(sound(), "ngpus=\"2\"", "ngpus=\"2\" parts=\"2\"")),
              HasSubstr("parts is for the vector of a reduce or allreduce"));
}

TEST(MscclFile, NumbersMustBeThoseOfTheElements) {
  EXPECT_THAT(complaint_about(replaced(sound(), "<gpu id=\"1\"", "<gpu id=\"0\"")),
              HasSubstr("gpu 0 is there twice; the numbers must be 0..1"));
  EXPECT_THAT(complaint_about(replaced(sound(), " s=\"1\"", " s=\"7\"")),
              HasSubstr("s must be an integer in 0..1, not '7'"));
  EXPECT_THAT(complaint_about(replaced(replaced(sound(), "ngpus=\"2\"", "ngpus=\"4\""),
                                       "nchunksperloop=\"2\"", "nchunksperloop=\"4\"")),
              HasSubstr("ngpus is 4, but the file has 2 elements gpu"));
}

// The steps may stand in any order; their numbers say which comes first.
TEST(MscclFile, ElementsMayStandInAnyOrder) {
  std::string xml = sound();
  const std::size_t first = xml.find("<step");
  const std::size_t second = xml.find("<step", first + 1);
  const std::size_t end = xml.find("</tb>");
  xml = xml.substr(0, first) + xml.substr(second, end - second) +
        xml.substr(first, second - first) + xml.substr(end);

  EXPECT_EQ(fault_of(xml), "sound");
}

TEST(MscclFile, HostileInputIsRefusedOrRead) {
  std::string deep = "<algo>";
  for (int i = 0; i < 300000; ++i) deep += "<a>";
  EXPECT_THAT(complaint_about(deep), HasSubstr("torn or malformed XML"));
  for (int i = 0; i < 300000; ++i) deep += "</a>";
  EXPECT_THAT(complaint_about(deep + "</algo>"), HasSubstr("attribute 'coll' is missing"));

  const std::string bomb = "<!DOCTYPE a [<!ENTITY b \"allgather\"><!ENTITY c \"&b;&b;&b;&b;\">]>\n";
  EXPECT_THAT(complaint_about(bomb + replaced(sound(), "\"allgather\"", "\"&c;\"")),
              HasSubstr("unknown coll '&c;'"));

  EXPECT_THAT(complaint_about(replaced(sound(), "s_chunks=\"0\"", "s_chunks=\"4000000000\"")),
              HasSubstr("s_chunks must be an integer in 0..16777216"));
}

TEST(MscclFile, AMillionStepsAreRead) {
  std::vector<std::string> many(500000, "cpy i0 s0 1");
  const MscclProgram program =
      program_of(program_xml("allreduce", 1, true, {{{-1, -1, many}}, {{-1, -1, many}}}, 1));

  EXPECT_EQ(program.gpus[1].blocks[0].steps.size(), 500000U);
}

}  // namespace
}  // namespace allport
