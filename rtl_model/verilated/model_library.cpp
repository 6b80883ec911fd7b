// SPDX-License-Identifier: Apache-2.0
#include "rtl_model/verilated/model_library.h"

#include <dlfcn.h>
#include <unistd.h>

#include <cstdlib>
#include <regex>
#include <sstream>
#include <stdexcept>

#include "rtl_model/verilated/model_build.h"

namespace allport {

namespace {

namespace fs = std::filesystem;

std::string fingerprint(const std::string& text) {  // FNV-1a
  std::uint64_t hash = 0xcbf29ce484222325U;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3U;
  std::ostringstream digits;
  digits << std::hex << hash;
  return digits.str();
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

std::map<std::string, int> read_pins(const std::string& header, const char* direction) {
  std::map<std::string, int> pins;
  const std::regex declaration("VL_" + std::string(direction) +
                               R"((?:8|16|64|W|)\(&(\w+),(\d+),(\d+))");
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
  if (fs::path own = variable("ALLPORT_CACHE"); !own.empty()) return own;
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
  std::string text = result.status == 0 ? read_file(xml) : "";
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
      ModelBuild build(source, work);
      write_file(work / "files", contents_of(build.run()));
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
