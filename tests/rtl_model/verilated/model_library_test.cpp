// SPDX-License-Identifier: Apache-2.0
// SystemVerilog becomes a library once, and again when what it was made from has changed; any
// obstacle is reported in a sentence.
#include "rtl_model/verilated/model_library.h"

#include <gmock/gmock.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <optional>
#include <stdexcept>
#include <thread>
#include <utility>

#include "rtl_model/verilated/model_cache.h"

namespace allport::test {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

/// A module whose valid_o counts up from 1 by `step`.
std::string counter(const std::string& step) {
  return "module counter #(parameter int unsigned Width = 8) (\n"
         "  input  logic             clk_i,\n"
         "  input  logic             rst_ni,\n"
         "  output logic [Width-1:0] valid_o\n"
         ");\n"
         "  always_ff @(posedge clk_i or negedge rst_ni) begin\n"
         "    if (!rst_ni) valid_o <= Width'(1);\n"
         "    else valid_o <= valid_o + Width'(" +
         step +
         ");\n"
         "  end\n"
         "endmodule\n";
}

/// Sets an environment variable to another value for its lifetime.
class Variable {
 public:
  Variable(const char* name, const std::string& value) : name_(name) {
    if (const char* old = std::getenv(name)) old_ = old;
    setenv(name, value.c_str(), 1);
  }
  ~Variable() {
    if (old_) {
      setenv(name_, old_->c_str(), 1);
    } else {
      unsetenv(name_);
    }
  }
  Variable(const Variable&) = delete;
  Variable& operator=(const Variable&) = delete;

 private:
  const char* name_;
  std::optional<std::string> old_;
};

/// Limits the size of files for its lifetime; to write more is an error.
class FileLimit {
 public:
  explicit FileLimit(rlim_t bytes) : handler_(std::signal(SIGXFSZ, SIG_IGN)) {
    getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit limit{bytes, before_.rlim_max};
    setrlimit(RLIMIT_FSIZE, &limit);
  }
  ~FileLimit() {
    setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, handler_);
  }
  FileLimit(const FileLimit&) = delete;
  FileLimit& operator=(const FileLimit&) = delete;

 private:
  rlimit before_{};
  void (*handler_)(int);
};

/// The value to which the module counted in its first cycle (0: there was no library), and whether
/// its library was built for that.
using Counted = std::pair<int, bool>;

/// The code that all libraries share takes seconds to compile, so a cache that lacks it gets it
/// from another one.
void share_run_time(const fs::path& from, const fs::path& with) {
  std::error_code ignored;
  for (const fs::directory_entry& entry : fs::directory_iterator(from, ignored)) {
    const std::string name = entry.path().filename().string();
    const bool is_whole = name.rfind("runtime-", 0) == 0 && name.find('.') == std::string::npos;
    if (!is_whole || fs::exists(with / name, ignored)) continue;
    const fs::path copy = with / (name + ".copy." + std::to_string(getpid()));
    fs::create_directories(with, ignored);
    fs::copy(entry.path(), copy, fs::copy_options::recursive, ignored);
    fs::rename(copy, with / name, ignored);
    fs::remove_all(copy, ignored);
  }
}

/// Each test has a folder for its sources and a cache of its own.
class ModelLibraries : public testing::Test {
 protected:
  ModelLibraries()
      : folder_(fs::path(testing::TempDir()) / ("allport_library." + std::to_string(getpid()))),
        shared_cache_(cache_folder()),
        cache_variable_("ALLPORT_CACHE", cache().string()) {
    fs::remove_all(folder_);
    fs::create_directories(folder_);
    share_run_time(shared_cache_, cache());
  }
  ~ModelLibraries() override {
    share_run_time(cache(), shared_cache_);
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
  }

  fs::path cache() const { return folder_ / "cache"; }

  void write(const std::string& name, const std::string& text) const {
    fs::create_directories((folder_ / name).parent_path());
    std::ofstream(folder_ / name) << text;
  }

  std::string path(const std::string& name) const { return folder_ / name; }

  RtlSource source(const std::string& name = "counter.sv") const {
    RtlSource source;
    source.files = {path(name)};
    source.top = "counter";
    return source;
  }

  /// The library, and whether it had to be built.
  std::pair<ModelLibrary, bool> get(const RtlSource& source) const {
    bool is_built = false;
    const BuildHooks hooks{[&](const std::string& what) {
      EXPECT_THAT(what, HasSubstr(source.top));
      is_built = true;
    }};
    ModelLibrary library(source, hooks);
    return {std::move(library), is_built};
  }

  /// The values of the module in its first two cycles.
  static std::vector<std::uint32_t> first_counts(const ModelLibrary& library) {
    const auto model = library.create();
    model->reset(0);
    std::vector<std::uint32_t> counts;
    for (int i = 0; i < 2; ++i) {
      model->clock();
      counts.push_back(*model->outputs().valid_o);
    }
    return counts;
  }

  /// Gets the library in a process of its own, as each run of the program does.
  Counted in_new_process(const RtlSource& source) const {
    const std::string mark = path("built");
    fs::remove(mark);
    const pid_t child = fork();
    if (child == 0) {
      try {
        const ModelLibrary library(source,
                                   BuildHooks{[&](const std::string&) { std::ofstream{mark}; }});
        _exit(static_cast<int>(first_counts(library).front()));
      } catch (const std::exception&) {
        _exit(0);
      }
    }
    int status = 0;
    waitpid(child, &status, 0);
    return {WEXITSTATUS(status), fs::exists(mark)};
  }

  /// Why there is no library.
  static std::string problem(const RtlSource& source) {
    try {
      ModelLibrary library(source);
    } catch (const std::invalid_argument& error) {
      return error.what();
    }
    return "";
  }

  /// The contents of the cache without the run time that libraries share.
  std::vector<fs::path> cached() const {
    std::vector<fs::path> folders;
    std::error_code ignored;
    for (const auto& entry : fs::directory_iterator(cache(), ignored)) {
      const bool is_run_time = entry.path().filename().string().rfind("runtime-", 0) == 0;
      if (!is_run_time) folders.push_back(entry.path());
    }
    return folders;
  }
  /// The only library in the cache.
  fs::path library_folder() const {
    EXPECT_EQ(cached().size(), 1U);
    return cached().at(0);
  }

 private:
  fs::path folder_;
  fs::path shared_cache_;
  Variable cache_variable_;
};

TEST_F(ModelLibraries, SayWhichFileIsMissing) {
  EXPECT_THAT(problem(source("absent.sv")), HasSubstr("absent.sv: there is no such file"));
  EXPECT_EQ(cached(), std::vector<fs::path>());
}

TEST_F(ModelLibraries, SayInWhichFileAndLineTheRtlIsWrong) {
  write("counter.sv", counter("= 1"));

  EXPECT_THAT(problem(source()),
              AllOf(HasSubstr("Verilator does not accept"), HasSubstr("counter.sv:8:")));
  EXPECT_EQ(cached(), std::vector<fs::path>()) << "what is left of the build";
}

TEST_F(ModelLibraries, SayWhichParameterTheTopDoesNotHave) {
  write("counter.sv", counter("1"));
  RtlSource wrong = source();
  wrong.parameters = {{"Widht", "4"}};

  EXPECT_THAT(problem(wrong), HasSubstr("Widht"));
}

TEST_F(ModelLibraries, SayWhichTopIsNotInTheFiles) {
  write("counter.sv", counter("1"));
  RtlSource wrong = source();
  wrong.top = "router";

  EXPECT_THAT(problem(wrong), HasSubstr("'router' was not found"));
}

TEST_F(ModelLibraries, AreOptimizedAsIsAskedFor) {
  write("counter.sv", counter("1"));
  for (const char* level : {"", "0", "1"}) {
    const Variable optimization("ALLPORT_OPTIMIZATION", level);
    EXPECT_EQ(in_new_process(source()), Counted(2, true)) << level;
    EXPECT_EQ(in_new_process(source()), Counted(2, false)) << level;
  }
  EXPECT_EQ(cached().size(), 3U);
  const Variable optimization("ALLPORT_OPTIMIZATION", "s");

  EXPECT_EQ(problem(source()),
            "ALLPORT_OPTIMIZATION is 's': give a level of the compiler from 0 to 3");
}

TEST_F(ModelLibraries, NeedVerilatorAndSaySo) {
  write("counter.sv", counter("1"));
  const Variable search_path("PATH", cache().string());

  EXPECT_FALSE(has_verilator());
  EXPECT_THAT(problem(source()), HasSubstr("verilator is not installed or not in PATH"));
}

TEST_F(ModelLibraries, NeedACompilerAndSayWhich) {
  write("counter.sv", counter("1"));
  const Variable compiler("CXX", "allport-no-such-compiler");

  EXPECT_THAT(problem(source()),
              HasSubstr("the compiler allport-no-such-compiler is not installed"));
  EXPECT_EQ(cached(), std::vector<fs::path>()) << "what is left of the build";
}

// A tool that finds no room says so in words of its own, or leaves out what it cannot write.
TEST_F(ModelLibraries, SayThatTheDiskIsFull) {
  write("counter.sv", counter("1"));
  write("bin/full",
        "#!/bin/sh\necho \"error: can't write section: No space left on device\"\nexit 1\n");
  fs::permissions(path("bin/full"), fs::perms::owner_all);
  const Variable compiler("CXX", path("bin/full"));

  EXPECT_THAT(
      problem(source()),
      "cache folder " + cache().string() +
          ": a model library cannot be built in it, No space left on device: make room, also for temporary files, or name another one with ALLPORT_CACHE");
}

TEST_F(ModelLibraries, SayThatFilesAreLimitedInSize) {
  write("counter.sv", counter("1"));
  write("bin/torn",
        "#!/bin/sh\necho \"Vmodel.cpp:9:1: error: expected '}' at end of input\"\nexit 1\n");
  fs::permissions(path("bin/torn"), fs::perms::owner_all);
  const Variable compiler("CXX", path("bin/torn"));
  EXPECT_THAT(problem(source()), HasSubstr("does not compile"));
  for (const rlim_t bytes : {rlim_t{0}, rlim_t{1000}, rlim_t{10000}}) {
    const FileLimit limit(bytes);
    EXPECT_THAT(problem(source()), HasSubstr("File too large")) << bytes;
  }
}

TEST_F(ModelLibraries, NeedACacheFolderAndNameTheFileInItsPlace) {
  write("counter.sv", counter("1"));
  write("file", "");
  const Variable variable("ALLPORT_CACHE", path("file"));

  EXPECT_THAT(problem(source()), HasSubstr(path("file")));
}

TEST_F(ModelLibraries, AreBuiltOnceAndAgainWhenASourceHasChanged) {
  write("counter.sv", "`include \"" + path("step.svh") + "\"\n" + counter("`STEP"));
  write("step.svh", "`define STEP 1\n");
  EXPECT_EQ(in_new_process(source()), (Counted{2, true}));
  EXPECT_EQ(in_new_process(source()), (Counted{2, false}));

  write("step.svh", "`define STEP 5\n");
  EXPECT_EQ(in_new_process(source()), (Counted{6, true}));
  EXPECT_EQ(in_new_process(source()), (Counted{6, false}));
  library_folder();
}

TEST_F(ModelLibraries, ShareTheRunTimeOfVerilatorAndBuildItAgainWhenItIsDamaged) {
  fs::remove_all(cache());
  write("counter.sv", counter("1"));
  const auto run_time = [&] {
    std::vector<fs::path> found;
    for (const fs::directory_entry& entry : fs::directory_iterator(cache())) {
      if (entry.path().filename().string().rfind("runtime-", 0) == 0) found.push_back(entry);
    }
    EXPECT_EQ(found.size(), 1U);
    return found.empty() ? fs::path() : found.front() / "runtime.o";
  };
  EXPECT_EQ(in_new_process(source()), (Counted{2, true}));
  const auto first_time = fs::last_write_time(run_time());

  write("counter.sv", counter("2"));
  EXPECT_EQ(in_new_process(source()), (Counted{3, true}));
  EXPECT_EQ(fs::last_write_time(run_time()), first_time);

  fs::resize_file(run_time(), 100);
  write("counter.sv", counter("3"));
  EXPECT_EQ(in_new_process(source()), (Counted{4, true}));
  EXPECT_GT(fs::file_size(run_time()), 100U);
}

TEST_F(ModelLibraries, OfOtherParametersStandBesideOneAnother) {
  write("counter.sv", counter("1"));
  RtlSource wide = source();
  wide.parameters = {{"Width", "40"}};
  const auto [narrow_library, is_narrow_built] = get(source());
  const auto [wide_library, is_wide_built] = get(wide);

  EXPECT_TRUE(is_narrow_built && is_wide_built);
  EXPECT_EQ(narrow_library.outputs().at("valid_o"), 8);
  EXPECT_EQ(wide_library.outputs().at("valid_o"), 40);
  EXPECT_EQ(wide_library.inputs(), (std::map<std::string, int>{{"clk_i", 1}, {"rst_ni", 1}}));
  EXPECT_FALSE(get(source()).second);
  EXPECT_FALSE(get(wide).second);
}

// A build of another process is killed while it compiles.
TEST_F(ModelLibraries, AreNotWhatABuildThatWasCutOffHasLeft) {
  write("counter.sv", counter("1"));
  const pid_t builder = fork();
  if (builder == 0) {
    const ModelLibrary library(source());
    _exit(0);
  }
  const auto is_compiling = [&] {
    std::error_code ignored;
    for (const auto& entry : fs::directory_iterator(cache(), ignored)) {
      if (fs::exists(entry.path() / "runtime.cxx", ignored)) return true;
    }
    return false;
  };
  while (!is_compiling()) std::this_thread::sleep_for(std::chrono::milliseconds(2));
  kill(builder, SIGKILL);
  int status = 0;
  waitpid(builder, &status, 0);
  ASSERT_TRUE(WIFSIGNALED(status)) << "it had already been built";

  const auto [library, is_built] = get(source());
  EXPECT_TRUE(is_built);
  EXPECT_THAT(first_counts(library), ElementsAre(2, 3));
}

TEST_F(ModelLibraries, ThatStopTheSimulationThrow) {
  write("counter.sv", counter("1);\n    if (valid_o == 3) $finish(1"));
  const auto model = get(source()).first.create();
  model->reset(0);
  model->clock();
  model->clock();
  EXPECT_THROW(model->clock(), std::runtime_error);
}

TEST_F(ModelLibraries, ThatHaveLostAFileAreBuiltAgain) {
  write("counter.sv", counter("1"));
  get(source());
  for (const char* lost : {"model.so", "files"}) {
    fs::remove(library_folder() / lost);
    EXPECT_EQ(problem(source()), "") << lost;
    EXPECT_FALSE(get(source()).second) << lost;
  }
}

TEST_F(ModelLibraries, WhoseSourceHasABlankInItsPathAreBuiltAgainWhenItChanges) {
  write("my router/counter.sv", counter("1"));
  EXPECT_EQ(in_new_process(source("my router/counter.sv")), (Counted{2, true}));
  write("my router/counter.sv", counter("5"));
  EXPECT_EQ(in_new_process(source("my router/counter.sv")), (Counted{6, true}));
}

// Two processes may have the same number one after the other, above all in containers.
TEST_F(ModelLibraries, AreBuiltWhereAnEarlierBuildHasLeftItsFolder) {
  write("counter.sv", counter("1"));
  get(source());
  const fs::path folder = library_folder();
  fs::remove_all(folder);
  const fs::path left = folder.string() + ".build." + std::to_string(getpid());
  fs::create_directories(left);
  std::ofstream(left / "Vmodel__left.cpp") << "not C++\n";

  EXPECT_EQ(problem(source()), "");
}

TEST_F(ModelLibraries, WhoseIncludeLiesBesideThemInAFolderWithABlankAreBuiltAgainWhenItChanges) {
  write("my router/counter.sv", "`include \"step.svh\"\n" + counter("`STEP"));
  write("my router/step.svh", "`define STEP 1\n");
  EXPECT_EQ(in_new_process(source("my router/counter.sv")), (Counted{2, true}));
  write("my router/step.svh", "`define STEP 5\n");
  EXPECT_EQ(in_new_process(source("my router/counter.sv")), (Counted{6, true}));
  EXPECT_EQ(in_new_process(source("my router/counter.sv")), (Counted{6, false}));
}

TEST_F(ModelLibraries, ThatAreDamagedAreNotTakenForWhole) {
  write("counter.sv", counter("1"));
  EXPECT_EQ(in_new_process(source()), (Counted{2, true}));
  const fs::path folder = library_folder();
  const auto expect_noticed = [&](const char* name, const auto& change) {
    const fs::path kept = folder / "kept";
    fs::copy_file(folder / name, kept);
    change(folder / name);
    EXPECT_FALSE(is_current(folder, {"model.so", "Vmodel.h", "circular"})) << name;
    fs::rename(kept, folder / name);
    EXPECT_TRUE(is_current(folder, {"model.so", "Vmodel.h", "circular"})) << name;
  };
  const auto halve = [](const fs::path& file) { fs::resize_file(file, fs::file_size(file) / 2); };
  const auto empty = [](const fs::path& file) { fs::resize_file(file, 0); };
  for (const char* name : {"model.so", "Vmodel.h", "files"}) {
    expect_noticed(name, halve);
    expect_noticed(name, empty);
    expect_noticed(name, [](const fs::path& file) { fs::remove(file); });
    expect_noticed(name, [](const fs::path& file) { std::ofstream(file, std::ios::app) << "\n1"; });
  }
  expect_noticed("files", [](const fs::path& file) {  // the seal of no files at all
    std::ofstream(file) << "cbf29ce484222325 all\n";
  });

  halve(folder / "model.so");
  EXPECT_EQ(in_new_process(source()), (Counted{2, true}));
  fs::remove_all(folder);
  std::ofstream{folder} << "a file";
  EXPECT_EQ(in_new_process(source()), (Counted{2, true})) << "a file in its place";
}

TEST_F(ModelLibraries, WithoutAHomeAreKeptWhereNobodyElseMayWrite) {
  write("counter.sv", counter("1"));
  write("tmp/x", "");
  const Variable cache_variable("ALLPORT_CACHE", "");
  const Variable shared("XDG_CACHE_HOME", "");
  const Variable home("HOME", "");
  const Variable temporary("TMPDIR", path("tmp"));
  const fs::path folder = path("tmp/allport-" + std::to_string(getuid()));
  EXPECT_EQ(cache_folder(), folder);
  EXPECT_EQ(open_cache(), folder);
  EXPECT_EQ(fs::status(folder).permissions(), fs::perms::owner_all);

  const auto refused =
      AllOf(HasSubstr(folder.string()), HasSubstr("must be your own"), HasSubstr("ALLPORT_CACHE"));
  fs::permissions(folder, fs::perms::all);
  EXPECT_THAT(problem(source()), refused) << "everybody may write";
  fs::remove_all(folder);
  fs::create_directory(path("elsewhere"));
  fs::create_directory_symlink(path("elsewhere"), folder);
  EXPECT_THAT(problem(source()), refused) << "a link";
  fs::remove(folder);
  if (getuid() != 0) return;
  fs::create_directory(folder);
  fs::permissions(folder, fs::perms::owner_all);
  ASSERT_EQ(chown(folder.c_str(), 12345, 12345), 0);
  EXPECT_THAT(problem(source()), refused) << "somebody else's";
  EXPECT_TRUE(fs::is_empty(folder));
}

TEST_F(ModelLibraries, SweepWhatKilledProcessesHaveLeftAndNothingElse) {
  write("cache/counter-1.allport-build.99999/Vmodel.cpp", "");
  write("cache/counter-2.allport-build.x/file", "");
  write("cache/firmware.build.42/thesis.txt", "");
  std::optional<WorkFolder> mine(std::in_place, "counter-3");
  open_cache();

  EXPECT_FALSE(fs::exists(cache() / "counter-1.allport-build.99999"));
  EXPECT_TRUE(fs::exists(cache() / "counter-2.allport-build.x")) << "no number of a process";
  EXPECT_TRUE(fs::exists(cache() / "firmware.build.42" / "thesis.txt")) << "somebody else's";
  EXPECT_TRUE(fs::exists(mine->path())) << "in use";
  const fs::path left = mine->path();
  mine.reset();
  EXPECT_FALSE(fs::exists(left));
}

// A model takes its names off the context in which it was made, however many others have gone.
TEST_F(ModelLibraries, WithNamesOfScopesGoInAnyOrder) {
  write("counter.sv", counter("1);\n    if (valid_o == 200) $display(\"%m\""));
  const ModelLibrary library = get(source()).first;
  auto first = library.create();
  auto second = library.create();
  auto third = library.create();
  first->reset(0);
  third.reset();
  first->clock();
  EXPECT_EQ(*first->outputs().valid_o, 2U);
  first.reset();
  second->reset(0);
  second.reset();
  EXPECT_EQ(first_counts(library).front(), 2U);
}

TEST_F(ModelLibraries, SettleWithoutAnEdge) {
  write("counter.sv",
        "module counter(input logic clk_i, input logic rst_ni, input logic [3:0] valid_i,\n"
        "  output logic [3:0] valid_o, output logic [3:0] credit_o);\n"
        "  assign valid_o = ~valid_i;\n"
        "  always_ff @(posedge clk_i or negedge rst_ni)\n"
        "    if (!rst_ni) credit_o <= '0; else credit_o <= valid_i;\n"
        "endmodule\n");
  const auto model = get(source()).first.create();
  model->reset(0);
  *model->inputs().valid_i = 5;
  model->settle();
  EXPECT_EQ(*model->outputs().valid_o, 10U);
  EXPECT_EQ(*model->outputs().credit_o, 0U);
  model->clock();
  EXPECT_EQ(*model->outputs().credit_o, 5U);
}

TEST_F(ModelLibraries, SayEveryErrorFirstAndInWhichFileTheWarningsAre) {
  std::string text = "module counter(input logic clk_i, output logic [3:0] valid_o);\n";
  for (int i = 0; i < 30; ++i) {
    text += "  logic [3:0] wide" + std::to_string(i) + ";\n  assign wide" + std::to_string(i) +
            " = 8'd3;\n";
  }
  write("counter.sv", text +
                          "  assign valid_o = 4'd1;\n  if (1) $error(\"one of mine\");\n"
                          "  if (1) $error(\"another of mine\");\nendmodule\n");
  RtlSource many = source();
  for (const char* name : {"a.sv", "b.sv", "c.sv"}) {
    write(name, "");
    many.files.push_back(path(name));
  }
  const std::string said = problem(many);

  EXPECT_THAT(said,
              AllOf(HasSubstr("Verilator does not accept the 4 files with top 'counter':"),
                    HasSubstr("one of mine"), HasSubstr("another of mine"),
                    HasSubstr("30 warnings are in " + (cache() / "counter.warnings").string())));
  EXPECT_THAT(said, testing::Not(HasSubstr("WIDTH")));
  std::ifstream warnings(cache() / "counter.warnings");
  EXPECT_THAT(std::string(std::istreambuf_iterator<char>(warnings), {}),
              AllOf(HasSubstr("%Warning-WIDTH"), HasSubstr("wide29")));
}

}  // namespace
}  // namespace allport::test
