// SPDX-License-Identifier: Apache-2.0
// These tests check how much memory the proof of a large plan takes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <cstdlib>
#include <nlohmann/json.hpp>
#include <string>

#include "tests/support/cli_program.h"
#include "tests/support/forked.h"

namespace allport::test {
namespace {

using CliCheckMemory = Cli;

TEST_F(CliCheckMemory, AProofBySymmetrySaysSo) {
  const std::string check =
      "check --topology torus:8x8x8 --algorithm bucket-allreduce --bytes 64KiB";
  const Outcome outcome = allport(check);
  EXPECT_EQ(outcome.status, 0);
  EXPECT_THAT(
      outcome.out,
      testing::HasSubstr(
          "symmetry      6 of 3072 blocks carried out; each of the others goes the way of one of these, moved along the dimensions\n"));
  nlohmann::json symmetric = nlohmann::json::parse(allport(check + " --json -").out);
  EXPECT_EQ(symmetric["symmetry"],
            (nlohmann::json{{"by", "coordinates"}, {"proved", 6}, {"blocks", 3072}}));
  symmetric.erase("symmetry");
  EXPECT_EQ(nlohmann::json::parse(allport(check + " --no-symmetry --json -").out), symmetric);
  EXPECT_EQ(allport("check --topology torus:4x4 --algorithm bucket-allreduce").out.find("symmetry"),
            std::string::npos)
      << "it is small";
}

#if !defined(__SANITIZE_ADDRESS__)
// 2 p (p - 1) messages around p nodes. On 4096 nodes, which is as many messages as are planned at
// all, the same memory for each message stays below 4 GiB.
TEST_F(CliCheckMemory, IsLittleForEachMessageOfARing) {
  constexpr long nodes = 1024;
  constexpr long messages = 2 * nodes * (nodes - 1);
  constexpr long most_for_each = 120;          // bytes
  constexpr long program = 16L * 1024 * 1024;  // bytes, with what grows by nodes
  const std::string text = forked([&] {
    const Outcome outcome =
        allport("check --algorithm ring-allreduce --topology ring:" + std::to_string(nodes));
    rusage used{};
    getrusage(RUSAGE_CHILDREN, &used);
    return std::to_string(outcome.status) + " " + std::to_string(used.ru_maxrss);
  });

  ASSERT_EQ(text.substr(0, 2), "0 ") << text;
  const long bytes = 1024 * std::stol(text.substr(2));
  EXPECT_LE(bytes, messages * most_for_each + program)
      << static_cast<double>(bytes) / messages << " bytes for each message";
  EXPECT_GE(bytes, messages * 64) << "the plan alone takes more";
}

// Messages that carry the same blocks share their list: 540 million bytes if they did not.
TEST_F(CliCheckMemory, IsLittleForEachBlockOfATorus) {
  const std::string text = forked([&] {
    const Outcome outcome =
        allport("check --algorithm bucket-allreduce --topology torus:16x16x16 --bytes 64KiB");
    rusage used{};
    getrusage(RUSAGE_CHILDREN, &used);
    return std::to_string(outcome.status) + " " + std::to_string(used.ru_maxrss);
  });

  ASSERT_EQ(text.substr(0, 2), "0 ") << text;
  EXPECT_LE(std::stol(text.substr(2)), 280 * 1024);
}
#endif

}  // namespace
}  // namespace allport::test
