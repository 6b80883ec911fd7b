// SPDX-License-Identifier: Apache-2.0
#include "testbench/sweep/result_store.h"

#include <gmock/gmock.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "tests/testbench/program/options/option_setting.h"

namespace allport {
namespace {

namespace fs = std::filesystem;
using test::complaint;
using testing::HasSubstr;

class ResultStoreTest : public testing::Test {
 protected:
  ~ResultStoreTest() override { fs::remove_all(folder); }

  static Point point(int flits) {
    Point one;
    one.config = {{"flits", flits}};
    one.name = point_name(one.config);
    return one;
  }
  std::string file(const Point& one) const {
    return folder + "/points/" + one.name.substr(0, 2) + "/" + one.name + ".json";
  }

  const std::string folder = testing::TempDir() + "/result_store." + std::to_string(getpid());
};

// FNV-1a, 64 bits, as published (Fowler, Noll, Vo).
TEST_F(ResultStoreTest, APointIsNamedByItsConfiguration) {
  EXPECT_EQ(point_name(Json(nullptr)), "5b9bc4ba528108e4");
  EXPECT_NE(point(16).name, point(17).name);
}

TEST_F(ResultStoreTest, GivesBackWhatWasStored) {
  const ResultStore store(folder);
  EXPECT_FALSE(store.has(point(1).name));
  EXPECT_FALSE(store.read(point(1)).has_value());

  store.write(point(1), {3, "a \"sentence\" \xff", {{"messages", 7}}});

  EXPECT_TRUE(store.has(point(1).name));
  const auto result = ResultStore(folder).read(point(1));
  ASSERT_TRUE(result.has_value());
  EXPECT_EQ(result->exit, 3);
  EXPECT_THAT(result->error, HasSubstr("a \"sentence\""));
  EXPECT_EQ(result->result.at("messages"), 7);
  EXPECT_TRUE(fs::is_empty(store.partial_folder()));
}

TEST_F(ResultStoreTest, ForgetsWhatIsRemoved) {
  const ResultStore store(folder);
  store.write(point(1), {});
  store.remove(point(1).name);

  EXPECT_FALSE(store.has(point(1).name));
}

TEST_F(ResultStoreTest, ADamagedFileIsNamed) {
  const ResultStore store(folder);
  store.write(point(1), {});
  std::ofstream(file(point(1))) << "{\"torn\": ";

  try {
    store.read(point(1));
    FAIL() << "it was read";
  } catch (const std::runtime_error& error) {
    EXPECT_EQ(error.what(),
              file(point(1)) + " is damaged; remove it and the point is computed again");
  }
}

TEST_F(ResultStoreTest, AFileOfAnotherPointIsNotTakenForIts) {
  const ResultStore store(folder);
  store.write(point(1), {});
  fs::create_directories(fs::path(file(point(2))).parent_path());
  fs::copy(file(point(1)), file(point(2)));

  EXPECT_THROW(store.read(point(2)), std::runtime_error);
}

TEST_F(ResultStoreTest, TwoSweepsDoNotShareAFolderAtATime) {
  {
    ResultStore first(folder);
    first.lock();
    ResultStore second(folder);
    EXPECT_EQ(complaint([&] { second.lock(); }), "another sweep is at work in the folder " +
                                                     folder + ": wait for it, or give --output");
  }
  ResultStore third(folder);
  EXPECT_EQ(complaint([&] { third.lock(); }), "");
}

TEST_F(ResultStoreTest, WhatAKilledWriterLeftIsRemoved) {
  const ResultStore store(folder);
  std::ofstream(store.partial_folder() + "/Ab3xYz") << "{";
  store.remove_partial_files();

  EXPECT_TRUE(fs::is_empty(store.partial_folder()));
}

TEST_F(ResultStoreTest, AFolderThatCannotBeIsAnError) {
  EXPECT_THAT(complaint([] { ResultStore("/dev/null/folder"); }),
              HasSubstr("the folder /dev/null/folder/points cannot be made: "));
}

}  // namespace
}  // namespace allport
