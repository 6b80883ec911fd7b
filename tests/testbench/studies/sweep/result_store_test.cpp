// SPDX-License-Identifier: Apache-2.0
#include "testbench/studies/sweep/result_store.h"

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
  // Why the result of point(1) is not read.
  static std::string refusal(const ResultStore& store) {
    try {
      store.read(point(1));
    } catch (const std::runtime_error& error) {
      return error.what();
    }
    return "it was read";
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

TEST_F(ResultStoreTest, ADamagedFileIsNamedAndNeverUsed) {
  const ResultStore store(folder);
  store.write(point(1), {});
  const std::string lists(100000, '[');
  const std::string ends(100000, ']');
  const auto with = [](const std::string& fields) {
    return R"({"config":{"flits":1},)" + fields + "}";
  };
  for (const std::string& text :
       {std::string(),
        std::string("{\"torn\": "),
        std::string("[]"),
        std::string("\0\xff", 2),
        with(R"("exit":"x","error":"","result":{})"),
        with(R"("exit":-1,"error":"","result":{})"),
        with(R"("exit":0.5,"error":"","result":{})"),
        with(R"("exit":1e999,"error":"","result":{})"),
        with(R"("error":"","result":{})"),
        with(R"("exit":0,"error":5,"result":{})"),
        with(R"("exit":0,"error":null,"result":{})"),
        with(R"("exit":0,"result":{})"),
        with(R"("exit":0,"error":"")"),
        with(R"("exit":3,"error":"")"),
        with(R"("exit":0,"error":"","result":null)"),
        with(R"("exit":0,"error":"","result":7)"),
        with(R"("exit":3,"error":"","result":[])"),
        std::string(R"({"exit":0,"error":"","result":{}})"),
        with(R"("exit":0,"error":"","result":{"a":)" + lists + ends + "}"),
        R"({"config":)" + lists + ends + R"(,"exit":0,"error":"","result":{}})"}) {
    std::ofstream(file(point(1)), std::ios::binary) << text;
    EXPECT_EQ(refusal(store), file(point(1)) + " is damaged; remove it to compute the point again")
        << text.substr(0, 100);
  }
}

TEST_F(ResultStoreTest, AFileThatCannotBeReadIsNamed) {
  const ResultStore store(folder);
  fs::create_directories(file(point(1)));
  EXPECT_EQ(
      refusal(store),
      file(point(1)) + " cannot be read: Is a directory; remove it to compute the point again");

  fs::remove(file(point(1)));
  fs::create_symlink("/proc/self/mem", file(point(1)));  // its first page is nobody's
  EXPECT_EQ(
      refusal(store),
      file(point(1)) + " cannot be read: Input/output error; remove it to compute the point again");
}

TEST_F(ResultStoreTest, AFileOfAnotherPointIsNotTakenForIts) {
  const ResultStore store(folder);
  store.write(point(2), {0, "", Json::object()});
  fs::create_directories(fs::path(file(point(1))).parent_path());
  fs::copy(file(point(2)), file(point(1)));

  EXPECT_EQ(refusal(store),
            file(point(1)) + " belongs to another point; remove it to compute the point again");
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

// Shards share a folder with shards only, and the first one of them is alone.
TEST_F(ResultStoreTest, ShardsShareAFolderAtATime) {
  std::vector<bool> are_alone;
  const auto note = [&](bool is_alone) { are_alone.push_back(is_alone); };
  {
    ResultStore first(folder);
    first.share(note);
    ResultStore second(folder);
    second.share(note);
    ResultStore whole(folder);
    EXPECT_NE(complaint([&] { whole.lock(); }).find("another sweep is at work in the folder"),
              std::string::npos);
  }
  ResultStore whole(folder);
  whole.lock();
  ResultStore third(folder);
  EXPECT_NE(complaint([&] { third.share(note); }).find("another sweep is at work in the folder"),
            std::string::npos);
  EXPECT_EQ(are_alone, (std::vector<bool>{true, false}));
}

// Whatever made them before: a build that is named, one that is not, and this one.
TEST_F(ResultStoreTest, KeepsThePointsOfEachBuild) {
  const std::string aside = "the points in " + folder +
                            " were made by another build of allport: they are in " + folder +
                            "/points.";
  const std::string again = " now, and are computed again";
  const ResultStore store(folder);
  store.write(point(1), {0, "", {{"messages", 1}}});
  EXPECT_EQ(store.use_build("0a"), aside + "unknown" + again);
  EXPECT_FALSE(store.has(point(1).name));
  store.write(point(1), {0, "", {{"messages", 2}}});
  EXPECT_EQ(store.use_build("0a"), "");
  EXPECT_EQ(store.read(point(1))->result.at("messages"), 2);

  EXPECT_EQ(store.use_build("0b"), aside + "0a" + again);
  EXPECT_FALSE(store.has(point(1).name));
  EXPECT_EQ(store.use_build("0a"), "");  // 0b made nothing
  EXPECT_EQ(store.read(point(1))->result.at("messages"), 2);

  fs::remove(folder + "/build");
  EXPECT_EQ(store.use_build("0b"), aside + "unknown.2" + again);
  store.write(point(2), {0, "", Json::object()});
  EXPECT_EQ(store.use_build("0a"), aside + "0b" + again);
  EXPECT_FALSE(store.has(point(2).name));
  EXPECT_EQ(complaint([&] { store.require_build("0a"); }), "");
  EXPECT_EQ(complaint([&] { store.require_build("0b"); }),
            "the sweep in " + folder +
                " was begun by another build of allport: go on with that one, or begin it again");
}

TEST_F(ResultStoreTest, WhatNamesNoBuildIsNone) {
  const ResultStore store(folder);
  store.write(point(1), {0, "", Json::object()});
  std::ofstream(folder + "/build") << "../../elsewhere\n";
  EXPECT_THAT(store.use_build("0a"), HasSubstr("/points.unknown now"));
}

TEST_F(ResultStoreTest, WhatAKilledWriterLeftIsRemoved) {
  const ResultStore store(folder);
  std::ofstream(store.partial_folder() + "/.allport.Ab3xYz") << "{";
  std::ofstream(store.partial_folder() + "/thesis.txt") << "somebody else's";
  store.remove_partial_files();
  EXPECT_TRUE(fs::remove(store.partial_folder() + "/thesis.txt"));

  EXPECT_TRUE(fs::is_empty(store.partial_folder()));
}

TEST_F(ResultStoreTest, AFolderThatCannotBeIsAnError) {
  EXPECT_THAT(complaint([] { ResultStore("/dev/null/folder"); }),
              HasSubstr("the folder /dev/null/folder/points cannot be made: "));
}

}  // namespace
}  // namespace allport
