// SPDX-License-Identifier: Apache-2.0
#include "testbench/observe/waves/wave_file.h"

#include <gtest/gtest.h>

#include <sys/resource.h>
#include <csignal>
#include <fstream>
#include <stdexcept>

#include "tests/support/forked.h"
#include "tests/testbench/observe/waves/wave_bench.h"

namespace allport::test {
namespace {

// Three variables over three times, with a missing value and the widest one.
void write_example(WaveFile& file) {
  file.open_scope("fabric");
  const WaveSignal credit = file.declare("credit", 1);
  file.open_scope("vc_0");
  const WaveSignal count = file.declare("count", 13);
  file.close_scope();
  const WaveSignal data = file.declare("data", 64);
  file.close_scope();
  file.set_time(3);
  file.change(credit, 0);
  file.change(count, 4);
  file.change(data, std::nullopt);
  file.set_time(5);
  file.change(credit, 1);
  file.change(data, ~std::uint64_t{0});
  file.set_time(1000000);
  file.change(credit, std::nullopt);
  file.change(count, 0);
}

void expect_example(const VcdReader& wave) {
  EXPECT_EQ(wave.ranged_names(), (std::vector<std::string>{"fabric.credit", "fabric.data[63:0]",
                                                           "fabric.vc_0.count[12:0]"}));
  EXPECT_EQ(values_of(wave, "fabric.credit"), "0@3 1@5 z@1000000");
  EXPECT_EQ(values_of(wave, "fabric.vc_0.count"), "4@3 0@1000000");
  EXPECT_EQ(values_of(wave, "fabric.data"), "z@3 18446744073709551615@5");
}

std::string refusal(const std::string& path) {
  try {
    create_wave_file(path);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "accepted";
}

TEST(WaveFile, WritesWhatItIsToldAsVcd) {
  TemporaryFolder folder;
  write_example(*create_wave_file(folder / "a.vcd"));

  EXPECT_EQ(text_of(folder / "a.vcd"),
            "$version allport $end\n"
            "$comment the time unit stands for one clock cycle $end\n"
            "$timescale 1 ns $end\n"
            "$scope module fabric $end\n"
            "$var wire 1 ! credit $end\n"
            "$scope module vc_0 $end\n"
            "$var wire 13 \" count [12:0] $end\n"
            "$upscope $end\n"
            "$var wire 64 # data [63:0] $end\n"
            "$upscope $end\n"
            "$enddefinitions $end\n"
            "#3\n0!\nb100 \"\nbz #\n"
            "#5\n1!\nb1111111111111111111111111111111111111111111111111111111111111111 #\n"
            "#1000000\nz!\nb0 \"\n");
  expect_example(VcdReader::from_file(folder / "a.vcd"));
}

TEST(WaveFile, WritesTheSameAsFst) {
  if (!VcdReader::can_read_fst()) GTEST_SKIP() << "fst2vcd is not installed";
  TemporaryFolder folder;
  write_example(*create_wave_file(folder / "a.fst"));

  expect_example(VcdReader::from_fst(folder / "a.fst"));
  EXPECT_FALSE(std::filesystem::exists(folder / "a.fst.hier"));
}

TEST(WaveFile, TellsThousandsOfVariablesApart) {
  TemporaryFolder folder;
  constexpr int variables = 20000;
  {
    const auto file = create_wave_file(folder / "a.vcd");
    for (int i = 0; i < variables; ++i) file->declare("v" + std::to_string(i), 16);
    file->set_time(0);
    for (std::uint64_t i = 0; i < variables; ++i) file->change(static_cast<WaveSignal>(i), i);
  }

  const VcdReader wave = VcdReader::from_file(folder / "a.vcd");
  for (std::uint64_t i = 0; i < variables; ++i) {
    ASSERT_EQ(wave.at("v" + std::to_string(i), 0), i);
  }
}

TEST(WaveFile, IsTheSameWheneverItIsWritten) {
  TemporaryFolder folder;
  for (const char* name : {"a.vcd", "b.vcd", "a.fst", "b.fst"}) {
    write_example(*create_wave_file(folder / name));
  }

  EXPECT_EQ(text_of(folder / "a.vcd"), text_of(folder / "b.vcd"));
  EXPECT_EQ(text_of(folder / "a.fst"), text_of(folder / "b.fst"));
}

TEST(WaveFile, RefusesOtherEndingsAndCreatesNothing) {
  TemporaryFolder folder;
  for (const char* name : {"wave", "wave.txt", "wave.VCD", "wave.vcd.gz"}) {
    EXPECT_EQ(refusal(folder / name),
              "wave file " + folder / name + ": the name must end in .vcd or .fst");
  }
  EXPECT_TRUE(folder.is_empty());
}

TEST(WaveFile, RefusesAPathThatCannotBeWritten) {
  TemporaryFolder folder;
  for (const char* name : {"missing/a.vcd", "missing/a.fst"}) {
    EXPECT_EQ(refusal(folder / name),
              "wave file " + folder / name + ": cannot be written: No such file or directory");
  }
  std::filesystem::create_directory(folder / "folder.vcd");
  EXPECT_EQ(refusal(folder / "folder.vcd"),
            "wave file " + folder / "folder.vcd" + ": cannot be written: Is a directory");
}

// Writes much, sets the time `cycles` and is killed.
[[noreturn]] void write_until_killed(const std::string& path, std::uint64_t cycles, int variables) {
  const auto file = create_wave_file(path);
  std::vector<WaveSignal> signals;
  for (int i = 0; i < variables; ++i) {
    signals.push_back(file->declare("count_" + std::to_string(i), 32));
  }
  for (std::uint64_t cycle = 0; cycle < cycles; ++cycle) {
    file->set_time(static_cast<Cycle>(cycle));
    for (const WaveSignal signal : signals) file->change(signal, cycle);
  }
  std::raise(SIGKILL);
  std::abort();
}

TEST(WaveFile, IsWholeLinesOfVcdWhenItsProcessIsKilled) {
  TemporaryFolder folder;
  const std::string path = folder / "a.vcd";
  const std::string said = forked([&]() -> std::string { write_until_killed(path, 20000, 3); });
  ASSERT_EQ(said.substr(0, 7), "crashed");

  EXPECT_EQ(text_of(path).back(), '\n');
  const VcdReader wave = VcdReader::from_file(path);
  EXPECT_GT(wave.last(), 10000);
  EXPECT_EQ(wave.at("count_2", wave.last()), static_cast<std::uint64_t>(wave.last()));
}

TEST(WaveFile, IsReadableFstWhenItsProcessIsKilled) {
  if (!VcdReader::can_read_fst()) GTEST_SKIP() << "fst2vcd is not installed";
  TemporaryFolder folder;
  const std::string path = folder / "a.fst";
  const std::string said = forked([&]() -> std::string { write_until_killed(path, 900, 400); });
  ASSERT_EQ(said.substr(0, 7), "crashed");

  const VcdReader wave = VcdReader::from_fst(path);
  EXPECT_GT(wave.last(), 600);
  EXPECT_EQ(wave.at("count_2", 600), 600U);
}

// Does what a full disk does, with a limit on the size of a file.
std::string write_within(rlim_t bytes, const std::string& path) {
  return forked([&]() -> std::string {
    std::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{bytes, bytes};
    setrlimit(RLIMIT_FSIZE, &limit);
    const auto file = create_wave_file(path);
    std::vector<WaveSignal> signals;
    for (int i = 0; i < 2000; ++i) signals.push_back(file->declare("n" + std::to_string(i), 64));
    for (std::uint64_t cycle = 0; cycle < 100000; ++cycle) {
      file->set_time(static_cast<Cycle>(cycle));
      file->change(signals[cycle % signals.size()], cycle * 0x9e3779b97f4a7c15U);
    }
    file->close();
    return "closed";
  });
}

// The part that cannot be written may be the changes, or already the library's temporary files.
TEST(WaveFile, ReportsAFullDiskWhenItIsClosedAndLeavesNothing) {
  TemporaryFolder folder;
  const std::string why =
      ": it could not be written completely and was removed; the disk is full or files are limited in size";
  for (const rlim_t bytes : {0, 1, 100, 4096, 8192, 12000, 100000}) {
    EXPECT_EQ(write_within(bytes, folder / "a.vcd"),
              "exception: wave file " + folder / "a.vcd" + why);
    EXPECT_EQ(write_within(bytes, folder / "a.fst"),
              "exception: wave file " + folder / "a.fst" + why + ", here or under /tmp");
    EXPECT_TRUE(folder.is_empty()) << bytes;
  }
}

// The folder may have almost no room left for the file that a library writes beside the wave, too.
TEST(WaveFile, LeavesNothingWhereTheFileBesideItCannotBe) {
  TemporaryFolder folder;
  std::filesystem::create_directory(folder / "a.fst.hier");

  EXPECT_EQ(refusal(folder / "a.fst"),
            "wave file " + folder / "a.fst" + ": cannot be written: Is a directory");
  EXPECT_FALSE(std::filesystem::exists(folder / "a.fst"));
}

// A library writes a file of that name beside the wave, and removes it in the end.
TEST(WaveFile, TakesNoFileOfSomebodyElseBesideIt) {
  TemporaryFolder folder;
  for (const char* content : {"mine\n", "", "\x01"}) {
    std::ofstream(folder / "a.fst.hier") << content;
    EXPECT_EQ(
        refusal(folder / "a.fst"),
        "wave file " + folder / "a.fst" + ": " + folder / "a.fst.hier" +
            " would be lost, because the table of the wave is in a file of that name while it is written; move it, or name the wave otherwise");
    EXPECT_EQ(std::filesystem::file_size(folder / "a.fst.hier"), std::string(content).size());
    EXPECT_FALSE(std::filesystem::exists(folder / "a.fst"));
  }
}

}  // namespace
}  // namespace allport::test
