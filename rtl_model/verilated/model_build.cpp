// SPDX-License-Identifier: Apache-2.0
#include "rtl_model/verilated/model_build.h"

#include <algorithm>
#include <set>
#include <sstream>
#include <stdexcept>
#include <utility>

#include "rtl_model/base/cores.h"
#include "rtl_model/verilated/model_runtime.h"

namespace allport {

namespace {

namespace fs = std::filesystem;

// The sources and the other files that Verilator has read (which they include). In Verilator's list
// these are the lines that begin with S and end with the name in quotes; its own program is among
// them.
std::vector<fs::path> read_sources(const RtlSource& source, const fs::path& list) {
  std::vector<fs::path> files;
  for (const fs::path& file : source.files) files.push_back(fs::absolute(file));
  for (const fs::path& list : source.lists) files.push_back(fs::absolute(list));
  std::istringstream in(read_file(list));
  for (std::string line; std::getline(in, line);) {
    const std::size_t begin = line.find('"') + 1;
    const std::size_t end = line.rfind('"');
    if (line.rfind("S ", 0) != 0 || begin == 0 || end <= begin) continue;
    const fs::path file = line.substr(begin, end - begin);
    const bool is_tool =
        file.filename() == "verilator_bin" || file.filename() == "verilator_bin_dbg";
    std::error_code ignored;
    if (!is_tool && fs::is_regular_file(file, ignored)) files.push_back(fs::absolute(file));
  }
  return files;
}

constexpr const char* unoptimized = "-O0";

std::string including(const std::string& file) { return "#include \"" + file + "\"\n"; }

// Whether a file that Verilator writes runs only once: constructors, the first settling, names and
// constants.
bool runs_once(const std::string& name) {
  const auto parts = {"Slow", "__Syms", "__ConstPool", "__Dpi"};
  return std::any_of(parts.begin(), parts.end(),
                     [&](const char* part) { return name.find(part) != std::string::npos; });
}

// FILE:LINE:COLUMN and signal of each warning of circular logic.
std::set<std::string> warned_circles(const std::string& messages) {
  const std::string mark = "%Warning-UNOPTFLAT: ";
  const std::string words = "Signal unoptimizable: Circular combinational logic: ";
  std::set<std::string> places;
  std::istringstream in(messages);
  for (std::string line; std::getline(in, line);) {
    if (line.rfind(mark, 0) != 0) continue;
    line.erase(0, mark.size());
    if (const std::size_t at = line.find(words); at != std::string::npos)
      line.erase(at, words.size());
    places.insert(line);
  }
  return places;
}

// The signals at which Verilator has cut circles open: its code names them where it lists what
// makes it evaluate again.
std::set<std::string> reevaluated(const std::string& code) {
  const std::string mark = "[hybrid] ";
  std::set<std::string> signals;
  for (std::size_t at = code.find(mark); at != std::string::npos; at = code.find(mark, at)) {
    at += mark.size();
    signals.insert(code.substr(at, code.find_first_of(" )", at) - at));
  }
  return signals;
}

// Whether a function uses the variable of Verilator's loops without declaring it. Version 5.006
// puts it into one of the functions that a long one is split into (mended in 5.008, its issue
// 4057).
bool lacks_loop_variable(const std::string& code) {
  bool is_declared = false;
  std::istringstream lines(code);
  for (std::string line; std::getline(lines, line);) {
    if (!line.empty() && line.front() != ' ' && line.front() != '}') is_declared = false;
    if (line.find("__Vilp") == std::string::npos) continue;
    if (line.find(" __Vilp;") != std::string::npos) is_declared = true;
    if (!is_declared) return true;
  }
  return false;
}

// The options of every unit: the model's own code, its wrapper, and Verilator's run time.
Arguments options_of_units(const fs::path& root) {
  return {"-std=c++17",
          "-fPIC",
          "-w",
          "-DVL_USER_FINISH",
          "-DVL_USER_STOP",
          "-DVL_USER_FATAL",
          "-DVL_PRINTF=allport_print",
          "-include",
          (wrapper_folder() / "model_print.h").string(),
          "-I" + (root / "include").string(),
          "-I" + (root / "include" / "vltstd").string()};
}

}  // namespace

ModelBuild::ModelBuild(const RtlSource& source, fs::path folder, StopFlag stop)
    : source_(source), folder_(std::move(folder)), stop_(stop) {}

std::vector<fs::path> ModelBuild::run() {
  verilate();
  if (needs_no_loops()) {
    for (const fs::path& file : code()) fs::remove(file);
    has_loops_ = false;
    verilate();
  }
  compile();
  link();
  return read_sources(source_, folder_ / "Vmodel__verFiles.dat");
}

void ModelBuild::verilate() {
  root_ = first_line_of(run_verilator({"--getenv", "VERILATOR_ROOT"}, stop_));
  Arguments arguments{"--cc",   "--prefix",       "Vmodel",
                      "--Mdir", folder_.string(), source_.is_plain ? "-O0" : "-O3"};
  const char* unset = source_.randomizes_state ? "unique" : "fast";
  arguments.insert(arguments.end(), {"--x-assign", unset, "--x-initial", unset});
  arguments.emplace_back("-Werror-USERERROR");  // the RTL's own $error when it is elaborated
  if (source_.has_assertions) arguments.emplace_back("--assert");
  if (source_.flattens) arguments.emplace_back("--flatten");
  if (!has_loops_) arguments.insert(arguments.end(), {"--reloop-limit", "1000000000"});
  const Arguments given = source_arguments(source_);
  arguments.insert(arguments.end(), given.begin(), given.end());
  const ProcessResult result = run_verilator(arguments, stop_);
  if (result.status != 0) refuse(source_, result);
  write_file(folder_ / "messages", result.output);
  look_for_circles(result.output);
}

// The code that Verilator has made.
std::vector<fs::path> ModelBuild::code() const {
  std::vector<fs::path> files;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder_)) {
    if (entry.path().extension() == ".cpp") files.push_back(entry.path());
  }
  return files;
}

bool ModelBuild::needs_no_loops() const {
  const std::vector<fs::path> files = code();
  return std::any_of(files.begin(), files.end(),
                     [](const fs::path& file) { return lacks_loop_variable(read_file(file)); });
}

// The places that Verilator warns of or, where its warnings are switched off, the signals that its
// code evaluates again when they change.
void ModelBuild::look_for_circles(const std::string& messages) {
  std::set<std::string> places = warned_circles(messages);
  if (places.empty()) {
    for (const fs::path& file : code()) {
      for (const std::string& signal : reevaluated(read_file(file))) places.insert(signal);
    }
  }
  is_circular_ = !places.empty();
  std::string lines;
  for (const std::string& place : places) lines += place + "\n";
  write_file(folder_ / "circular", lines);
}

// Code that runs every cycle is optimized. If Verilator has put it into separate files, they stay
// separate: a compiler that sees the code of a router together with the 64 places that call it
// makes 64 copies of it. Code that runs once is compiled as one unit without optimization, with
// which the names alone would take ten times as long; so is all of it where nothing is optimized.
void ModelBuild::compile() {
  const std::string level = source_.is_plain ? unoptimized : optimization();
  std::vector<Arguments> units;
  std::string once;
  const auto add = [&](const fs::path& file) {
    const std::string name = file.filename().string();
    if (level == unoptimized || runs_once(name)) {
      once += including(name);
    } else {
      units.push_back(unit(file, level));
    }
  };
  for (const fs::path& file : code()) add(file);
  ModelRuntime runtime(root_, options_of_units(root_));
  const bool is_new = !runtime.is_there();
  if (is_new) units.push_back(runtime.command());
  add(wrapper_folder() / "model_wrapper.cpp");
  // This unit is last, because the linker keeps the first copy of an inline function that several
  // units contain.
  write_file(folder_ / "once.cxx", once);
  units.push_back(unit(folder_ / "once.cxx", unoptimized));
  for (const ProcessResult& result :
       run_processes(units, static_cast<unsigned>(usable_cores()), stop_)) {
    require(result);
  }
  if (is_new) runtime.keep();
  objects_.insert(objects_.end() - 1, runtime.object().string());
}

Arguments ModelBuild::unit(const fs::path& file, const std::string& level) {
  objects_.push_back((folder_ / (file.stem().string() + ".o")).string());
  Arguments command = options_of_units(root_);
  command.insert(command.end(), {level, "-I" + folder_.string(), "-I" + wrapper_folder().string()});
  // Assertions look at the values that have settled before the rising edge.
  if (source_.is_own && !source_.has_assertions) command.emplace_back("-DALLPORT_OWN");
  if (is_circular_) command.emplace_back("-DALLPORT_CIRCULAR");
  if (source_.is_twin) command.push_back("-DALLPORT_TWIN=" + source_.top);
  command.insert(command.end(), {"-x", "c++", "-c", file.string(), "-o", objects_.back()});
  return compiler_with(command);
}

void ModelBuild::link() {
  Arguments command{"-shared", "-o", (folder_ / "model.so").string()};
  command.insert(command.end(), objects_.begin(), objects_.end());
  require(run_process(compiler_with(command), stop_));
  for (const std::string& object : objects_) {
    if (fs::path(object).parent_path() == folder_) fs::remove(object);
  }
}

void ModelBuild::require(const ProcessResult& result) const {
  if (result.status == 0) return;
  require_room(result);
  if (result.status == 127) {
    throw std::invalid_argument("the compiler " + compiler().front() +
                                " is not installed or not in PATH: it is needed to simulate RTL");
  }
  throw std::invalid_argument("the output of Verilator for " + names(source_) +
                              " does not compile:" + errors_of(result.output).errors);
}

}  // namespace allport
