// SPDX-License-Identifier: Apache-2.0
#include "rtl_model/verilated/model_library.h"

#include <dlfcn.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <regex>
#include <sstream>
#include <stdexcept>
#include <thread>

#include "rtl_model/verilated/process.h"

namespace allport {

namespace {

namespace fs = std::filesystem;
using Arguments = std::vector<std::string>;

std::string read_file(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) throw std::invalid_argument(path.string() + ": cannot be read");
  return {std::istreambuf_iterator<char>(in), {}};
}

void write_file(const fs::path& path, const std::string& text) {
  std::ofstream out(path, std::ios::binary);
  out << text;
  if (!out.flush()) throw std::invalid_argument(path.string() + ": cannot be written");
}

std::string fingerprint(const std::string& text) {  // FNV-1a
  std::uint64_t hash = 0xcbf29ce484222325U;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3U;
  std::ostringstream digits;
  digits << std::hex << hash;
  return digits.str();
}

// The words of CXX, or g++.
Arguments compiler() {
  const char* named = std::getenv("CXX");
  std::istringstream words(named != nullptr ? named : "");
  Arguments command{std::istream_iterator<std::string>(words), {}};
  if (command.empty()) command.emplace_back("g++");
  return command;
}

Arguments compiler_with(const Arguments& arguments) {
  Arguments command = compiler();
  command.insert(command.end(), arguments.begin(), arguments.end());
  return command;
}

// The first lines of what a tool printed, those that name an error before all others.
std::string first_lines(const std::string& output) {
  constexpr std::size_t most = 8;
  std::istringstream in(output);
  Arguments errors;
  Arguments others;
  for (std::string line; std::getline(in, line);) {
    const bool is_error = line.find("rror") != std::string::npos || line.rfind("%Warning", 0) == 0;
    (is_error || !errors.empty() ? errors : others).push_back(line);
  }
  if (errors.empty()) errors = others;
  std::string text;
  for (std::size_t i = 0; i < std::min(most, errors.size()); ++i) text += "\n  " + errors[i];
  return text;
}

std::string names(const RtlSource& source) {
  if (source.is_own) return "the SystemVerilog of allport";
  std::string text;
  for (const fs::path& file : source.files) text += (text.empty() ? "" : ",") + file.string();
  return text;
}

ProcessResult run_verilator(const Arguments& arguments) {
  Arguments command{"verilator"};
  command.insert(command.end(), arguments.begin(), arguments.end());
  ProcessResult result = run_process(command);
  if (result.status == 127) {
    throw std::invalid_argument(
        "verilator is not installed or not in PATH: it is needed to "
        "simulate RTL (on Debian: apt-get install verilator)");
  }
  return result;
}

std::string first_line_of(const ProcessResult& result) {
  return result.output.substr(0, result.output.find('\n'));
}

Arguments source_arguments(const RtlSource& source) {
  Arguments arguments{"--top-module", source.top};
  for (const auto& [name, value] : source.parameters)
    arguments.push_back("-G" + name + "=" + value);
  arguments.emplace_back("-Wno-fatal");
  for (const fs::path& file : source.files) {  // for what stands beside it
    arguments.push_back("-I" + fs::absolute(file).parent_path().string());
  }
  for (const fs::path& file : source.files) arguments.push_back(fs::absolute(file).string());
  return arguments;
}

[[noreturn]] void refuse(const RtlSource& source, const ProcessResult& result) {
  throw std::invalid_argument("Verilator does not accept " + names(source) + " with top " +
                              source.top + ":" + first_lines(result.output));
}

/// What decides whether a library in the cache is the one that is wanted, but for the files.
std::string key_of(const RtlSource& source) {
  std::ostringstream key;
  key << "version " << pin_model_version << '\n'
      << first_line_of(run_verilator({"--version"})) << '\n'
      << first_line_of(run_process(compiler_with({"--version"}))) << '\n';
  for (const std::string& argument : source_arguments(source)) key << argument << '\n';
  key << source.is_own << source.is_twin << source.has_assertions << source.randomizes_state
      << source.flattens << '\n';
  for (const char* file : {"model_wrapper.cpp", "pin_model.h"}) {
    key << fingerprint(read_file(wrapper_folder() / file)) << '\n';
  }
  return key.str();
}

// One line per file: its fingerprint and its path.
std::string contents_of(const std::vector<fs::path>& files) {
  std::string text;
  for (const fs::path& file : files) {
    std::error_code ignored;
    const std::string print =
        fs::is_regular_file(file, ignored) ? fingerprint(read_file(file)) : "missing";
    text += print + " " + file.string() + "\n";
  }
  return text;
}

// Whether the files that a library was built from are what they were.
bool is_current(const fs::path& folder) {
  std::error_code ignored;
  if (!fs::exists(folder / "model.so", ignored) || !fs::exists(folder / "files", ignored)) {
    return false;
  }
  std::istringstream in(read_file(folder / "files"));
  std::vector<fs::path> files;
  std::string print;
  for (std::string path; in >> print && std::getline(in >> std::ws, path);)
    files.emplace_back(path);
  return contents_of(files) == read_file(folder / "files");
}

// The sources, and what else Verilator says it has read (files that they include).
std::vector<fs::path> read_sources(const RtlSource& source, const fs::path& dependencies,
                                   const fs::path& verilator_root) {
  std::vector<fs::path> files;
  for (const fs::path& file : source.files) files.push_back(fs::absolute(file));
  std::istringstream in(read_file(dependencies));
  std::string word;
  bool is_after_colon = false;
  while (in >> word) {
    const bool is_tool = word.rfind(verilator_root.string(), 0) == 0 ||
                         word.find("verilator_bin") != std::string::npos;
    std::error_code ignored;
    if (is_after_colon && !is_tool && fs::is_regular_file(word, ignored)) {
      files.push_back(fs::absolute(word));
    }
    is_after_colon = is_after_colon || word == ":";
  }
  return files;
}

/// One build, in a folder of its own.
class Build {
 public:
  Build(const RtlSource& source, fs::path folder) : source_(source), folder_(std::move(folder)) {
    fs::remove_all(folder_);  // what a killed process with our number may have left
    fs::create_directories(folder_);
  }
  ~Build() {
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
  }
  Build(const Build&) = delete;
  Build& operator=(const Build&) = delete;

  void run() {
    verilate();
    compile();
    link();
    write_file(folder_ / "files",
               contents_of(read_sources(source_, folder_ / "Vmodel__ver.d", root_)));
  }

 private:
  void verilate() {
    root_ = first_line_of(run_verilator({"--getenv", "VERILATOR_ROOT"}));
    Arguments arguments{"--cc", "--prefix", "Vmodel", "--Mdir", folder_.string(), "-O3"};
    const char* unset = source_.randomizes_state ? "unique" : "fast";
    arguments.insert(arguments.end(), {"--x-assign", unset, "--x-initial", unset});
    arguments.emplace_back("-Werror-USERERROR");  // the RTL's own $error when it is elaborated
    if (source_.has_assertions) arguments.emplace_back("--assert");
    if (source_.flattens) arguments.emplace_back("--flatten");
    const Arguments given = source_arguments(source_);
    arguments.insert(arguments.end(), given.begin(), given.end());
    const ProcessResult result = run_verilator(arguments);
    if (result.status != 0) refuse(source_, result);
    write_file(folder_ / "messages", result.output);
  }

  // What runs every cycle is optimized, what runs once is not. What Verilator has put into files of
  // their own stays apart: a compiler that sees the code of a router together with the 64 places
  // that call it puts 64 copies there.
  void compile() {
    std::vector<Arguments> units;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder_)) {
      const std::string name = entry.path().filename().string();
      if (entry.path().extension() != ".cpp") continue;
      units.push_back(unit(name, name.find("Slow") != std::string::npos ? "-O1" : "-O3"));
    }
    std::string runtime;
    for (const char* file : {"verilated.cpp", "verilated_threads.cpp"}) {
      const fs::path path = fs::path(root_) / "include" / file;
      if (fs::exists(path)) runtime += "#include \"" + path.string() + "\"\n";
    }
    write_file(folder_ / "runtime.cxx", runtime);
    units.push_back(unit("runtime.cxx", "-O2"));
    units.push_back(unit((wrapper_folder() / "model_wrapper.cpp").string(), "-O3"));
    for (const ProcessResult& result : run_processes(units, std::thread::hardware_concurrency())) {
      require(result);
    }
  }

  Arguments unit(const std::string& file, const char* optimization) {
    const fs::path path = fs::path(file).is_absolute() ? fs::path(file) : folder_ / file;
    objects_.push_back((folder_ / (path.stem().string() + ".o")).string());
    Arguments command{"-std=c++17",
                      optimization,
                      "-fPIC",
                      "-w",
                      "-DVL_USER_FINISH",
                      "-DVL_USER_STOP",
                      "-DVL_USER_FATAL",
                      "-DVL_PRINTF=allport_print",
                      "-include",
                      (folder_ / "print.h").string(),
                      "-I" + folder_.string(),
                      "-I" + wrapper_folder().string(),
                      "-I" + (fs::path(root_) / "include").string(),
                      "-I" + (fs::path(root_) / "include" / "vltstd").string()};
    // Assertions look at what has settled before the rising edge.
    if (source_.is_own && !source_.has_assertions) command.emplace_back("-DALLPORT_OWN");
    if (source_.is_twin) command.emplace_back("-DALLPORT_TWIN");
    command.insert(command.end(), {"-x", "c++", "-c", path.string(), "-o", objects_.back()});
    // What RTL prints goes to stderr: results alone are on stdout.
    write_file(folder_ / "print.h",
               "#pragma once\n#include <cstdarg>\n#include <cstdio>\n"
               "inline int allport_prints = 0;\n"
               "inline void allport_print(const char* format, ...) {\n"
               "  if (++allport_prints == 40) std::fputs(\"(the RTL prints more)\\n\", stderr);\n"
               "  if (allport_prints >= 40) return;\n"
               "  va_list values;\n  va_start(values, format);\n"
               "  std::vfprintf(stderr, format, values);\n  va_end(values);\n}\n");
    return compiler_with(command);
  }

  void link() {
    Arguments command{"-shared", "-o", (folder_ / "model.so").string()};
    command.insert(command.end(), objects_.begin(), objects_.end());
    require(run_process(compiler_with(command)));
    for (const std::string& object : objects_) fs::remove(object);
  }

  void require(const ProcessResult& result) const {
    if (result.status == 0) return;
    if (result.status == 127) {
      throw std::invalid_argument("the compiler " + compiler().front() +
                                  " is not installed or not in PATH: it is needed to simulate RTL");
    }
    throw std::invalid_argument("what Verilator made of " + names(source_) +
                                " does not compile:" + first_lines(result.output));
  }

  const RtlSource& source_;
  fs::path folder_;
  std::string root_;
  Arguments objects_;
};

std::map<std::string, int> read_pins(const std::string& header, const char* direction) {
  std::map<std::string, int> pins;
  const std::regex declaration("VL_" + std::string(direction) +
                               "(?:8|16|64|W|)\\(&(\\w+),(\\d+),(\\d+)");
  for (std::sregex_iterator at(header.begin(), header.end(), declaration), end; at != end; ++at) {
    pins[(*at)[1]] = std::stoi((*at)[2]) - std::stoi((*at)[3]) + 1;
  }
  return pins;
}

}  // namespace

fs::path cache_folder() {
  const auto variable = [](const char* name) -> fs::path {
    const char* value = std::getenv(name);
    return value != nullptr ? value : "";
  };
  if (const fs::path own = variable("ALLPORT_CACHE"); !own.empty()) return own;
  if (const fs::path shared = variable("XDG_CACHE_HOME"); !shared.empty())
    return shared / "allport";
  if (const fs::path home = variable("HOME"); !home.empty()) return home / ".cache" / "allport";
  return fs::temp_directory_path() / ("allport-" + std::to_string(getuid()));
}

bool has_verilator() { return run_process({"verilator", "--version"}).status == 0; }

std::string describe_in_xml(const RtlSource& source) {
  const fs::path folder = cache_folder() / ("describe." + std::to_string(getpid()));
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) throw std::invalid_argument(folder.string() + ": cannot be made, " + error.message());
  const fs::path xml = folder / "top.xml";
  Arguments arguments{"--xml-only", "--xml-output", xml.string(), "--Mdir", folder.string()};
  const Arguments given = source_arguments(source);
  arguments.insert(arguments.end(), given.begin(), given.end());
  const ProcessResult result = run_verilator(arguments);
  const std::string text = result.status == 0 ? read_file(xml) : "";
  fs::remove_all(folder, error);
  if (result.status != 0) refuse(source, result);
  return text;
}

ModelLibrary::ModelLibrary(const RtlSource& source, const BuildLog& log) {
  for (const fs::path& file : source.files) {
    std::error_code ignored;
    if (!fs::is_regular_file(file, ignored)) {
      throw std::invalid_argument(file.string() + ": there is no such file");
    }
  }
  const std::string key = key_of(source);
  const fs::path folder = cache_folder() / (source.top + "-" + fingerprint(key));
  try {
    if (!is_current(folder)) {
      if (log) log("verilating and compiling " + source.top + " (once for this configuration)");
      const fs::path work = folder.string() + ".build." + std::to_string(getpid());
      Build build(source, work);
      build.run();
      std::error_code ignored;
      if (!is_current(folder)) {  // nobody else has put the same there meanwhile
        fs::remove_all(folder, ignored);
        fs::rename(work, folder, ignored);
      }
    }
    load(folder);
  } catch (const fs::filesystem_error& error) {
    throw std::invalid_argument("cache folder " + cache_folder().string() + ": " + error.what());
  }
}

void ModelLibrary::load(const fs::path& folder) {
  void* library = dlopen((folder / "model.so").c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) throw std::invalid_argument(std::string("model library: ") + dlerror());
  const auto version = reinterpret_cast<PinModelVersion>(dlsym(library, pin_model_version_symbol));
  create_ = reinterpret_cast<PinModelCreate>(dlsym(library, pin_model_create_symbol));
  if (version == nullptr || create_ == nullptr || version() != pin_model_version) {
    throw std::invalid_argument(folder.string() +
                                ": is not a model library of this program; "
                                "remove the folder");
  }
  const std::string header = read_file(folder / "Vmodel.h");
  inputs_ = read_pins(header, "IN");
  outputs_ = read_pins(header, "OUT");
}

std::unique_ptr<PinModel> ModelLibrary::create(std::uint32_t seed) const {
  return std::unique_ptr<PinModel>(create_(seed));
}

}  // namespace allport
