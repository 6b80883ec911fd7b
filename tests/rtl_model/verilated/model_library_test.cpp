// SPDX-License-Identifier: Apache-2.0
// SystemVerilog becomes a library once, and again when what it was made of has changed; what stands
// in the way is said in a sentence.
#include "rtl_model/verilated/model_library.h"

#include <gmock/gmock.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <optional>
#include <stdexcept>
#include <thread>
#include <utility>

namespace allport::test {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

/// Its valid_o counts up from 1 by `step`.
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

/// An environment variable that has another value for a while.
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

/// What the module counted to in its first cycle (0: it could not be had), and whether its library
/// was built for that.
using Counted = std::pair<int, bool>;

/// Each test has a folder for its sources and a cache of its own.
class ModelLibraries : public testing::Test {
 protected:
  ModelLibraries()
      : folder_(fs::path(testing::TempDir()) / ("allport_library." + std::to_string(getpid()))),
        cache_variable_("ALLPORT_CACHE", cache().string()) {
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }
  ~ModelLibraries() override {
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
    ModelLibrary library(source, [&](const std::string& what) {
      EXPECT_THAT(what, HasSubstr(source.top));
      is_built = true;
    });
    return {std::move(library), is_built};
  }

  /// What the module counts to in its first two cycles.
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
        const ModelLibrary library(source, [&](const std::string&) { std::ofstream{mark}; });
        _exit(static_cast<int>(first_counts(library).front()));
      } catch (const std::exception&) {
        _exit(0);
      }
    }
    int status = 0;
    waitpid(child, &status, 0);
    return {WEXITSTATUS(status), fs::exists(mark)};
  }

  /// Why it cannot be had.
  static std::string problem(const RtlSource& source) {
    try {
      ModelLibrary library(source);
    } catch (const std::invalid_argument& error) {
      return error.what();
    }
    return "";
  }

  /// The only library in the cache.
  fs::path library_folder() const {
    std::vector<fs::path> folders;
    for (const auto& entry : fs::directory_iterator(cache())) folders.push_back(entry.path());
    EXPECT_EQ(folders.size(), 1U);
    return folders.at(0);
  }

 private:
  fs::path folder_;
  Variable cache_variable_;
};

TEST_F(ModelLibraries, SayWhichFileIsMissing) {
  EXPECT_THAT(problem(source("absent.sv")), HasSubstr("absent.sv: there is no such file"));
  EXPECT_FALSE(fs::exists(cache()));
}

TEST_F(ModelLibraries, SayInWhichFileAndLineTheRtlIsWrong) {
  write("counter.sv", counter("= 1"));

  EXPECT_THAT(problem(source()),
              AllOf(HasSubstr("Verilator does not accept"), HasSubstr("counter.sv:8:")));
  EXPECT_TRUE(fs::is_empty(cache())) << "what is left of the build";
}

TEST_F(ModelLibraries, SayWhichParameterTheTopHasNot) {
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
  EXPECT_TRUE(fs::is_empty(cache())) << "what is left of the build";
}

TEST_F(ModelLibraries, NeedACacheFolderAndNameTheOneThatIsNone) {
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

}  // namespace
}  // namespace allport::test
