// SPDX-License-Identifier: Apache-2.0
#include "testbench/observe/waves/wave_window.h"

#include <gtest/gtest.h>

#include "tests/testbench/observe/waves/wave_bench.h"

namespace allport::test {
namespace {

class WaveWindowTest : public testing::Test {
 protected:
  /// Opens a window over a, 0 at first, and b, z at first.
  void open(Cycle from, Cycle to) {
    window = std::make_unique<WaveWindow>(create_wave_file(folder / "w.vcd"), from, to);
    a = window->declare("a", 8, 0);
    b = window->declare("b", 1, std::nullopt);
  }
  void set_a(Cycle cycle, std::uint64_t value) {
    window->at(cycle);
    window->set(a, value);
  }
  VcdReader read() {
    window.reset();
    return VcdReader::from_file(folder / "w.vcd");
  }

  TemporaryFolder folder;
  std::unique_ptr<WaveWindow> window;
  WaveSignal a{};
  WaveSignal b{};
};

TEST_F(WaveWindowTest, HasAllValuesInItsFirstCycle) {
  open(10, 20);
  set_a(4, 1);
  set_a(9, 2);
  set_a(15, 3);
  window->finish(16);

  const VcdReader wave = read();
  EXPECT_EQ(values_of(wave, "a"), "2@10 3@15");
  EXPECT_EQ(values_of(wave, "b"), "z@10");
}

TEST_F(WaveWindowTest, CountsWhatChangesInItsFirstCycle) {
  open(10, 20);
  set_a(10, 5);
  window->finish(12);

  EXPECT_EQ(values_of(read(), "a"), "5@10");
}

TEST_F(WaveWindowTest, IncludesItsLastCycleAndNothingLater) {
  open(10, 20);
  set_a(20, 1);
  set_a(21, 2);
  window->finish(30);

  const VcdReader wave = read();
  EXPECT_EQ(values_of(wave, "a"), "0@10 1@20");
  EXPECT_EQ(wave.last(), 21);
}

TEST_F(WaveWindowTest, EndsACycleBehindTheRun) {
  open(0, WaveWindow::no_end);
  set_a(3, 1);
  window->finish(7);

  EXPECT_EQ(window->last(), 7);
  EXPECT_EQ(read().last(), 8);
}

TEST_F(WaveWindowTest, WritesTheLastValueOfACycleOnly) {
  open(0, WaveWindow::no_end);
  set_a(2, 1);
  set_a(2, 0);
  set_a(3, 2);
  set_a(3, 1);
  window->finish(3);

  EXPECT_EQ(values_of(read(), "a"), "0@0 1@3");
  EXPECT_EQ(text_of(folder / "w.vcd").find("#2\n"), std::string::npos);
}

TEST_F(WaveWindowTest, IsAReadableFileWithoutAnyChange) {
  open(5, WaveWindow::no_end);
  window->finish(2);

  const VcdReader wave = read();
  EXPECT_EQ(values_of(wave, "a"), "0@5");
  EXPECT_EQ(wave.last(), 6);
}

TEST_F(WaveWindowTest, IsAReadableFileWhenItIsNotFinished) {
  open(0, WaveWindow::no_end);
  set_a(2, 1);

  EXPECT_EQ(values_of(read(), "a"), "0@0 1@2");
}

TEST_F(WaveWindowTest, KnowsWhatIsRecorded) {
  open(10, 20);
  for (const Cycle cycle : {9, 10, 20, 21}) {
    window->at(cycle);
    EXPECT_EQ(window->is_recording(), cycle >= 10 && cycle <= 20) << cycle;
    EXPECT_EQ(window->is_over(), cycle > 20) << cycle;
  }
}

}  // namespace
}  // namespace allport::test
