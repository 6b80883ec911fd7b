// SPDX-License-Identifier: Apache-2.0
// Other programs are run, and their end is reported.
#include "rtl_model/verilated/process.h"

#include <gmock/gmock.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>

namespace allport::test {
namespace {

ProcessResult run_shell(const std::string& line) { return run_process({"sh", "-c", line}); }

TEST(Process, TellsTheExitStatus) {
  EXPECT_EQ(run_process({"true"}).status, 0);
  EXPECT_EQ(run_shell("exit 3").status, 3);
}

TEST(Process, KeepsBothStreamsInTheirOrder) {
  EXPECT_EQ(run_shell("echo one; echo two >&2; echo three").output, "one\ntwo\nthree\n");
}

TEST(Process, KeepsOutputThatIsLongerThanAPipe) {
  EXPECT_EQ(run_shell("head -c 300000 /dev/zero").output.size(), 300000U);
}

TEST(Process, GivesNoInput) { EXPECT_EQ(run_process({"cat"}).output, ""); }

TEST(Process, PassesArgumentsAsTheyAre) {
  EXPECT_EQ(run_process({"printf", "%s|", "a b", "$HOME", "", "'"}).output, "a b|$HOME||'|");
}

TEST(Process, ThatIsMissingHasStatus127AndIsNamed) {
  const ProcessResult result = run_process({"allport-no-such-program"});

  EXPECT_EQ(result.status, 127);
  EXPECT_THAT(result.output, testing::HasSubstr("allport-no-such-program"));
}

TEST(Process, ThatASignalEndedHas128AndTheSignal) {
  EXPECT_EQ(run_shell("kill -9 $$").status, 128 + 9);
  EXPECT_EQ(run_shell("kill -15 $$").status, 128 + 15);
}

std::filesystem::path new_file() {
  const std::filesystem::path path =
      std::filesystem::path(testing::TempDir()) / ("allport_program." + std::to_string(getpid()));
  std::filesystem::remove(path);
  return path;
}

// A program that starts another one, as a compiler's driver does, and waits for it. It writes the
// number of the other one, or its own, into `file`.
std::string driver(const std::filesystem::path& file) {
  return "sleep 300 & echo $! > '" + file.string() + "'; wait";
}
std::string lone(const std::filesystem::path& file) {
  return "echo $$ > '" + file.string() + "'; exec sleep 300";
}

pid_t number_in(const std::filesystem::path& file) {
  pid_t program = 0;
  while (!(std::ifstream(file) >> program)) {
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  std::filesystem::remove(file);
  return program;
}

// Waits until a program has ended.
bool has_ended(pid_t program) {
  const auto is_running = [&] {
    std::ifstream status("/proc/" + std::to_string(program) + "/stat");
    std::string word;
    char state = 'Z';
    status >> word >> word >> state;
    return state != 'Z';
  };
  for (int i = 0; i < 1000 && is_running(); ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  const bool is_left = is_running();
  if (is_left) kill(program, SIGKILL);
  return !is_left;
}

// The program, and what it has started, ends with this process, for whatever reason that ends.
TEST(Process, LeavesNoProgramBehind) {
  for (const auto& script : {lone, driver}) {
    const std::filesystem::path file = new_file();
    const pid_t parent = fork();
    if (parent == 0) {
      run_shell(script(file));
      _exit(0);
    }
    const pid_t program = number_in(file);
    kill(parent, SIGKILL);
    waitpid(parent, nullptr, 0);
    EXPECT_TRUE(has_ended(program));
  }
}

TEST(Process, EndsWithAllThatItHasStartedWhenItIsStopped) {
  for (const char* ignoring : {"", "trap '' TERM; "}) {
    const std::filesystem::path file = new_file();
    std::atomic<bool> stop{false};
    pid_t program = 0;
    std::thread signal([&] {
      program = number_in(file);
      stop = true;
    });
    EXPECT_THROW(run_process({"sh", "-c", ignoring + driver(file)}, &stop), Stopped);
    signal.join();
    EXPECT_TRUE(has_ended(program));
  }
}

// As after an interrupt, a driver may remove its temporary files.
TEST(Process, HasAMomentToEndByItself) {
  const std::filesystem::path file = new_file();
  std::atomic<bool> stop{false};
  std::thread signal([&] {
    number_in(file);
    stop = true;
  });
  EXPECT_THROW(
      run_process(
          {"sh", "-c", "trap 'touch \"" + file.string() + ".ended\"; exit' TERM; " + driver(file)},
          &stop),
      Stopped);
  signal.join();
  EXPECT_TRUE(std::filesystem::remove(file.string() + ".ended"));
}

TEST(Process, SeesNoSignalOfTheTerminal) {
  EXPECT_EQ(run_shell("kill -INT 0").status, 128 + SIGINT);  // its group has no other process
}

TEST(Processes, EndInAnyOrderAndAreToldInTheOrderGiven) {
  std::vector<std::vector<std::string>> commands;
  for (int i = 0; i < 9; ++i) {
    const std::string number = std::to_string(i);
    commands.push_back(
        {"sh", "-c",
         "sleep 0.0" + std::to_string(9 - i) + "; echo " + number + "; exit " + number});
  }
  for (const unsigned jobs : {0U, 1U, 4U, 20U}) {
    const std::vector<ProcessResult> results = run_processes(commands, jobs);
    ASSERT_EQ(results.size(), commands.size());
    for (int i = 0; i < 9; ++i) {
      const ProcessResult& result = results[static_cast<std::size_t>(i)];
      EXPECT_EQ(result.status, i);
      EXPECT_EQ(result.output, std::to_string(i) + "\n");
    }
  }
  EXPECT_TRUE(run_processes({}, 4).empty());
}

}  // namespace
}  // namespace allport::test
