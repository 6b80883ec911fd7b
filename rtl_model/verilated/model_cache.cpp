// SPDX-License-Identifier: Apache-2.0
#include "rtl_model/verilated/model_cache.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <cstdlib>
#include <sstream>
#include <stdexcept>

#include "rtl_model/base/quote.h"
#include "rtl_model/verilated/toolchain.h"

namespace allport {

namespace {

namespace fs = std::filesystem;

constexpr const char* work_mark =
    ".allport-build.";  // in the name of a work folder, before the process id

fs::path variable(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr ? value : "";
}

// Whether no variable names the folder, so that it lies where everybody may write.
bool is_fallback() {
  return variable("ALLPORT_CACHE").empty() && variable("XDG_CACHE_HOME").empty() &&
         variable("HOME").empty();
}

// A library is code that is run, so in a public place nobody else may have put it there.
void require_own(const fs::path& folder) {
  struct stat status {};
  if (lstat(folder.c_str(), &status) != 0) return;
  const bool is_own = S_ISDIR(status.st_mode) && status.st_uid == geteuid() &&
                      (status.st_mode & (S_IWGRP | S_IWOTH)) == 0;
  if (is_own) return;
  throw std::invalid_argument(
      "cache folder " + shown_path(folder.string()) +
      ": it must be your own, and nobody else may write to it: remove it, or name another one with ALLPORT_CACHE");
}

bool is_work_folder(const std::string& name) {
  const std::size_t at = name.rfind(work_mark);
  if (at == std::string::npos) return false;
  const auto number = name.substr(at + std::string(work_mark).size());
  return !number.empty() && std::all_of(number.begin(), number.end(),
                                        [](unsigned char c) { return std::isdigit(c) != 0; });
}

// The descriptor that holds the lock of `folder`; -1: another process has it, or there is none.
int lock(const fs::path& folder) {
  const int descriptor = open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0 || flock(descriptor, LOCK_EX | LOCK_NB) == 0) return descriptor;
  close(descriptor);
  return -1;
}

// Processes lock their work folders, so a folder that can be locked belongs to no process.
void sweep(const fs::path& cache) {
  std::error_code ignored;
  for (const fs::directory_entry& entry : fs::directory_iterator(cache, ignored)) {
    if (!is_work_folder(entry.path().filename().string())) continue;
    const int descriptor = lock(entry.path());
    if (descriptor < 0) continue;
    fs::remove_all(entry.path(), ignored);
    close(descriptor);
  }
}

// Whether the locked folder still has its name: it may have been swept in between.
bool is_there(int descriptor, const fs::path& folder) {
  struct stat locked {};
  struct stat named {};
  return fstat(descriptor, &locked) == 0 && stat(folder.c_str(), &named) == 0 &&
         locked.st_ino == named.st_ino && locked.st_dev == named.st_dev;
}

std::string line_of(const fs::path& file, const std::string& name) {
  std::error_code ignored;
  const bool is_there = fs::is_regular_file(file, ignored);
  return (is_there ? fingerprint(read_file(file)) : "missing") + " " + name + "\n";
}

// One line for each file with its fingerprint and its name, and one with the fingerprint of these
// lines.
std::string seal_of(const fs::path& folder, const std::vector<fs::path>& sources,
                    const Products& products) {
  std::string text;
  for (const std::string& product : products) text += line_of(folder / product, product);
  for (const fs::path& source : sources) text += line_of(source, source.string());
  return text + fingerprint(text) + " all\n";
}

}  // namespace

fs::path cache_folder() {
  if (fs::path own = variable("ALLPORT_CACHE"); !own.empty()) return own;
  if (const fs::path shared = variable("XDG_CACHE_HOME"); !shared.empty())
    return shared / "allport";
  if (const fs::path home = variable("HOME"); !home.empty()) return home / ".cache" / "allport";
  return fs::temp_directory_path() / ("allport-" + std::to_string(getuid()));
}

fs::path open_cache() {
  fs::path folder = cache_folder();
  std::error_code error;
  if (is_fallback()) {
    mkdir(folder.c_str(), S_IRWXU);
    require_own(folder);
  }
  fs::create_directories(folder, error);
  const std::error_code why = error;
  if (!fs::is_directory(folder, error)) {
    const bool is_file = fs::exists(folder, error);
    throw std::invalid_argument("cache folder " + shown_path(folder.string()) +
                                (is_file ? ": it is a file: remove it"
                                         : ": it cannot be made, " + why.message() + ": make it") +
                                ", or name another folder with ALLPORT_CACHE");
  }
  sweep(folder);
  return folder;
}

WorkFolder::WorkFolder(const std::string& name)
    : path_(open_cache() / (name + work_mark + std::to_string(getpid()))) {
  constexpr int attempts = 100;  // another process may sweep it before it is locked
  std::error_code error;
  for (int i = 0; i < attempts; ++i) {
    fs::create_directory(path_, error);
    if (error) break;
    lock_ = lock(path_);
    if (lock_ >= 0 && is_there(lock_, path_)) return;
    if (lock_ >= 0) close(lock_);
  }
  throw std::invalid_argument("cache folder " + shown_path(path_.parent_path().string()) +
                              ": it cannot be written to" + (error ? ", " + error.message() : "") +
                              ": name another one with ALLPORT_CACHE");
}

WorkFolder::~WorkFolder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
  close(lock_);
}

void seal(const fs::path& folder, const std::vector<fs::path>& sources, const Products& products) {
  write_file(folder / "files", seal_of(folder, sources, products));
}

bool is_current(const fs::path& folder, const Products& products) {
  std::error_code ignored;
  if (!fs::is_regular_file(folder / "files", ignored)) return false;
  const std::string sealed = read_file(folder / "files");
  std::istringstream in(sealed);
  std::vector<fs::path> sources;
  std::string print;
  for (std::string name; in >> print && in.get() == ' ' && std::getline(in, name);) {
    sources.emplace_back(name);
  }
  const std::size_t others = products.size() + 1;  // the last line is the fingerprint of the others
  if (sources.size() < others) return false;
  sources.erase(sources.begin(), sources.begin() + static_cast<std::ptrdiff_t>(products.size()));
  sources.pop_back();
  return seal_of(folder, sources, products) == sealed;
}

void replace(const fs::path& folder, const fs::path& work, const Products& products) {
  std::error_code error;
  fs::remove_all(folder, error);
  if (!error) fs::rename(work, folder, error);
  if (!error || is_current(folder, products)) return;
  throw std::invalid_argument(shown_path(folder.string()) + ": cannot be replaced, " +
                              error.message() + ": remove it");
}

}  // namespace allport
