// SPDX-License-Identifier: Apache-2.0
// Whatever input the program gets, it ends with one of its four statuses and with its own words:
// the tests try random command lines and damaged files, each with a seed. ALLPORT_CASES and
// ALLPORT_NIGHTLY_SEED choose how many and which (scripts/nightly).
#include <gtest/gtest.h>

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <string>

#include "tests/properties/reference/random_cases.h"
#include "tests/system/random/program_run.h"
#include "tests/system/random/random_command.h"

namespace allport::test {
namespace {

namespace fs = std::filesystem;

bool is_json(const std::string& text) { return nlohmann::json::accept(text); }

// The value of `--json`, or nothing.
std::string json_target(const std::vector<std::string>& arguments) {
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (arguments[i].substr(0, 7) == "--json=") return arguments[i].substr(7);
    if (arguments[i] == "--json" && i + 1 < arguments.size()) return arguments[i + 1];
  }
  return {};
}

// A word of a library, of the kernel or of the language, which no user should have to read.
std::string foreign_word(const std::string& text) {
  for (const char* word : {"[json",
                           "filesystem error",
                           "basic_",
                           "std::",
                           "vector::",
                           "allport: sto",
                           "terminate called",
                           "what()",
                           "bad_alloc",
                           "CLI::",
                           "toml::",
                           "Assertion",
                           "fstapi",
                           "iostream error",
                           "Sanitizer",
                           "runtime error:",
                           "broken invariant",
                           "please report",
                           "format_error",
                           "invalid type specifier",
                           "argument not found",
                           "Error while parsing",
                           "parse error",
                           "parse_error",
                           "syntax error",
                           "saw '",
                           "end-of-file",
                           "uncaught exception",
                           "libprotobuf",
                           "google",
                           "allport::",
                           "Error: ("}) {
    // What only a run can find out of receives that are too short is called that.
    const bool is_told = std::string(word) == "broken invariant" &&
                         text.find(", but the message sent at ") != std::string::npos;
    if (text.find(word) != std::string::npos && !is_told) return word;
  }
  return {};
}

bool is_one_sentence(const std::string& err) {
  return err.substr(0, 9) == "allport: " && err.size() > 10 &&
         std::count(err.begin(), err.end(), '\n') == 1 && err.back() == '\n';
}

// What is wrong with the way in which the program ended; empty if nothing is.
std::string fault_of(const ProgramRun& run, const std::vector<std::string>& arguments) {
  if (run.did_not_stop) return "it does not stop";
  if (run.status > 3) return "status " + std::to_string(run.status);
  if (const std::string word = foreign_word(run.err); !word.empty()) return "foreign word: " + word;
  // What does not fit into the largest file of a run is there in part.
  const bool is_cut = run.err == "allport: stdout cannot be written: File too large\n";
  // It answers each line of its input on stdout, a wrong one too.
  const bool answers_lines = arguments.front() == "network" && !run.out.empty();
  if (run.status == 2 && answers_lines) return {};
  if (run.status == 2 && !run.out.empty() && !is_cut) return "status 2 with results on stdout";
  if (run.status == 2 && !is_one_sentence(run.err)) return "status 2 without one sentence";
  if (run.status == 3 && run.err.find("allport: ") == std::string::npos) {
    return "status 3 without a sentence";
  }
  const bool has_json =
      json_target(arguments) == "-" && run.status != 2 && !(run.status == 3 && run.out.empty());
  return has_json && !is_json(run.out) ? "stdout is not valid JSON" : "";
}

// What is wrong with the files that the program left in its folder; empty if nothing is.
std::string fault_of_files(const fs::path& folder, const ProgramRun& run,
                           const std::vector<std::string>& arguments) {
  if (run.did_not_stop || run.status > 3) return {};
  const std::string json = json_target(arguments);
  std::string fault;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder)) {
    const std::string name = entry.path().filename().string();
    const bool is_temporary = name[0] == '.' && name.size() > 7;
    if (is_temporary || entry.path().extension() == ".hier") fault = "it left " + name;
    if (!entry.is_regular_file() || name != json || json == "sound.toml") continue;
    std::ifstream file(entry.path(), std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    if (json != "sound.jsonl" && !is_json(text)) fault = "the file " + name + " is not valid JSON";
  }
  return fault;
}

// Makes the folder, runs the command and judges the run; empty if nothing is wrong.
std::string fault_of(const RandomCommand& command) {
  const fs::path place =
      fs::path(testing::TempDir()) / ("allport_random." + std::to_string(getpid()));
  const fs::path folder = place / "here";
  fs::remove_all(place);
  fs::create_directories(folder / "folder");
  for (const auto& [name, text] : command.files) {
    std::ofstream(folder / name, std::ios::binary) << text;
  }
  const ProgramRun run = run_program(folder, command.arguments, command.input);
  std::string fault = fault_of(run, command.arguments);
  if (fault.empty()) fault = fault_of_files(folder, run, command.arguments);
  fs::remove_all(place);
  if (fault.empty()) return {};
  return fault + "\nstatus " + std::to_string(run.status) + ", stderr: " + run.err.substr(0, 500);
}

// The damaged files, as strings of JSON.
std::string in_words(const std::map<std::string, std::string>& files) {
  std::string words;
  for (const auto& [name, text] : files) {
    if (name[0] != 'd') continue;
    constexpr auto replace = nlohmann::json::error_handler_t::replace;
    constexpr std::size_t readable = 4000;  // a longer file contains something deep
    const std::string shown = nlohmann::json(text).dump(-1, ' ', true, replace);
    words += name + ": " + shown.substr(0, readable) + "\n";
  }
  return words;
}

void try_all(RandomCommand (*draw)(std::uint64_t), std::uint64_t by_day) {
  const RandomCases cases(by_day);
  std::printf("seeds %llu..%llu\n", static_cast<unsigned long long>(cases.first),
              static_cast<unsigned long long>(cases.end - 1));
  for (std::uint64_t seed = cases.first; seed < cases.end; ++seed) {
    const RandomCommand command = draw(seed);
    const std::string fault = fault_of(command);
    if (fault.empty()) continue;
    ADD_FAILURE() << "seed " << seed << ": " << command_line(command.arguments) << "\n"
                  << in_words(command.files) << fault;
  }
}

TEST(RandomCommands, EndWithAStatusAndASentence) { try_all(random_options, 150); }

TEST(RandomFiles, EndWithAStatusAndASentence) { try_all(random_files, 150); }

TEST(RandomLines, EndWithAStatusAndASentence) { try_all(random_lines, 150); }

// The judge must see the faults that it is there to see.
TEST(RandomCommands, AreJudged) {
  const std::vector<std::string> plain{"run"};
  const std::vector<std::string> json{"run", "--json", "-"};
  const auto ended = [](int status, const std::string& out, const std::string& err) {
    ProgramRun run;
    run.status = status;
    run.out = out;
    run.err = err;
    return run;
  };
  EXPECT_EQ(fault_of(ended(0, "report", ""), plain), "");
  EXPECT_EQ(fault_of(ended(2, "", "allport: a sentence\n"), json), "");
  EXPECT_EQ(fault_of(ended(3, "", "allport: interrupted\n"), json), "");
  EXPECT_EQ(fault_of(ended(139, "", ""), plain), "status 139");
  EXPECT_EQ(fault_of(ended(4, "", ""), plain), "status 4");
  EXPECT_EQ(fault_of(ended(2, "x", "allport: a sentence\n"), plain),
            "status 2 with results on stdout");
  for (const char* err :
       {"", "allport: \n", "allport: two\nlines\n", "sentence\n", "allport: torn"}) {
    EXPECT_EQ(fault_of(ended(2, "", err), plain), "status 2 without one sentence") << err;
  }
  EXPECT_EQ(fault_of(ended(2, "", "allport: stoi\n"), plain), "foreign word: allport: sto");
  EXPECT_EQ(fault_of(ended(3, "", "allport: broken invariant: std::bad_alloc\n"), plain),
            "foreign word: std::");
  EXPECT_EQ(fault_of(ended(3, "", ""), plain), "status 3 without a sentence");
  EXPECT_EQ(fault_of(ended(0, "{", ""), json), "stdout is not valid JSON");
  ProgramRun stuck = ended(137, "", "");
  stuck.did_not_stop = true;
  EXPECT_EQ(fault_of(stuck, plain), "it does not stop");
}

}  // namespace
}  // namespace allport::test
