// SPDX-License-Identifier: Apache-2.0
#include "rtl_model/systemc/flit.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <fstream>
#include <functional>
#include <sstream>
#include <string>
#include <vector>

namespace allport {
namespace {

TEST(Flit, EqualsAnotherOnlyWhenEveryFieldDoes) {
  const std::vector<std::function<void(Flit&)>> changes{
      [](Flit& flit) { flit.data = 1; },
      [](Flit& flit) { flit.address = node_id(1); },
      [](Flit& flit) { flit.ties = 1; },
      [](Flit& flit) { flit.message = MessageId{1}; },
      [](Flit& flit) { flit.kind = MessageKind::tree; },
      [](Flit& flit) { flit.vc = vc_id(1); },
      [](Flit& flit) { flit.head = true; },
      [](Flit& flit) { flit.tail = true; }};
  for (const auto& change : changes) {
    Flit changed;
    change(changed);

    EXPECT_TRUE(changed == changed);
    EXPECT_FALSE(changed == Flit{});
  }
}

TEST(Flit, PrintsWhatItIsAndWhereAHeadGoes) {
  Flit flit;
  flit.message = MessageId{7};
  flit.vc = vc_id(1);
  flit.address = node_id(12);
  const auto printed = [&](bool head, bool tail) {
    flit.head = head;
    flit.tail = tail;
    std::ostringstream out;
    out << flit;
    return out.str();
  };

  EXPECT_EQ(printed(true, false), "head vc 1 message 7 to 12");
  EXPECT_EQ(printed(true, true), "head+tail vc 1 message 7 to 12");
  EXPECT_EQ(printed(false, false), "body vc 1 message 7");
  EXPECT_EQ(printed(false, true), "tail vc 1 message 7");
}

TEST(Flit, IsTracedByHeadTailAndData) {
  const std::string path = testing::TempDir() + "flit_test_" + std::to_string(getpid());
  sc_core::sc_trace_file* file = sc_core::sc_create_vcd_trace_file(path.c_str());
  const Flit flit;

  sc_trace(file, flit, "flit");
  sc_core::sc_start(1, sc_core::SC_NS);
  sc_core::sc_close_vcd_trace_file(file);

  std::ifstream wave(path + ".vcd");
  std::stringstream text;
  text << wave.rdbuf();
  std::remove((path + ".vcd").c_str());
  for (const char* name : {"head", "tail", "data"}) {
    EXPECT_NE(text.str().find(name), std::string::npos) << name;
  }
}

}  // namespace
}  // namespace allport
