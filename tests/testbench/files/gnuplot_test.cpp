// SPDX-License-Identifier: Apache-2.0
#include "testbench/files/gnuplot.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <stdexcept>

namespace allport {
namespace {

namespace fs = std::filesystem;

class Gnuplot : public testing::Test {
 protected:
  Gnuplot() : folder_(fs::path(testing::TempDir()) / ("gnuplot." + std::to_string(getpid()))) {
    fs::create_directories(folder_);
    fs::current_path(folder_);  // names are relative
  }
  ~Gnuplot() override { fs::remove_all(folder_); }
  void SetUp() override {
    if (!has_gnuplot()) GTEST_SKIP() << "gnuplot is not installed";
  }

  fs::path folder_;
};

TEST_F(Gnuplot, DrawsAScriptOfAnyName) {
  for (const char* name : {"plain", "-e", "-", "<touch PWN;", "a b", "a'b\"", "$(touch PWN)",
                           "`touch PWN`", "| touch PWN", "50%u", "a\nb"}) {
    std::ofstream(name) << "set terminal svg\nplot x\n";
    EXPECT_NE(drawn_by_gnuplot(name).find("</svg>"), std::string::npos) << name;
    EXPECT_FALSE(fs::exists("PWN")) << name;
  }
}

TEST_F(Gnuplot, NamesTheScriptThatItDoesNotUnderstand) {
  std::ofstream("script") << "plot nothing at all\n";
  try {
    drawn_by_gnuplot("script");
    FAIL();
  } catch (const std::runtime_error& error) {
    EXPECT_EQ(std::string(error.what()).rfind("gnuplot could not draw script: ", 0), 0U)
        << error.what();
  }
}

}  // namespace
}  // namespace allport
