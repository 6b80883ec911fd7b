// SPDX-License-Identifier: Apache-2.0
#include "testbench/studies/sweep/result_store.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <stdexcept>
#include <utility>

#include "rtl_model/base/quote.h"
#include "testbench/files/json_text.h"
#include "testbench/files/whole_file.h"

namespace allport {

namespace {

void make_folder(const std::string& path) {
  std::error_code error;
  std::filesystem::create_directories(path, error);
  if (error) {
    throw std::invalid_argument(
        fmt::format("the folder {} cannot be made: {}", shown_path(path), error.message()));
  }
}

[[noreturn]] void reject(const std::string& path, const std::string& why) {
  throw std::runtime_error(
      fmt::format("{} {}; remove it to compute the point again", shown_path(path), why));
}

// Whether all fields that write() writes are there, with the right types. A point that failed need
// not have a result.
bool is_whole(const Json& json) {
  if (!json.is_object() || !json.contains("config")) return false;
  const Json exit = json.value("exit", Json{});
  constexpr int largest_status = 255;
  if (!exit.is_number_integer() || exit < 0 || exit > largest_status) return false;
  const Json result = json.value("result", Json{});
  return json.value("error", Json{}).is_string() &&
         (result.is_object() || (exit != 0 && json.contains("result") && result.is_null()));
}

}  // namespace

std::string point_name(const Json& config) {
  std::uint64_t hash = 0xCBF29CE484222325U;
  for (const char c : compact(config)) {
    hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001B3U;
  }
  return fmt::format("{:016x}", hash);
}

ResultStore::ResultStore(std::string folder) : folder_(std::move(folder)) {
  make_folder(folder_ + "/points");
  make_folder(partial_folder());
}

ResultStore::~ResultStore() {
  if (lock_ >= 0) close(lock_);
}

int ResultStore::open_lock(const std::string& name) const {
  const std::string path = folder_ + "/" + name;
  const int lock = open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (lock >= 0) return lock;
  throw std::invalid_argument(
      fmt::format("{} cannot be written: {}", shown_path(path), std::strerror(errno)));
}

void ResultStore::lock() {
  lock_ = open_lock("lock");
  if (flock(lock_, LOCK_EX | LOCK_NB) != 0) reject_lock();
}

// Shards take turns to begin: the first one of those that are at work together is alone.
void ResultStore::share(const std::function<void(bool is_alone)>& prepare) {
  struct Turn {
    ~Turn() { close(file); }
    const int file;
  };
  lock_ = open_lock("lock");
  const Turn turn{open_lock("lock.shards")};
  while (flock(turn.file, LOCK_EX) != 0 && errno == EINTR) {
  }
  const bool is_alone = flock(lock_, LOCK_EX | LOCK_NB) == 0;
  if (is_alone) prepare(true);
  if (flock(lock_, LOCK_SH | LOCK_NB) != 0) reject_lock();
  if (!is_alone) prepare(false);
}

void ResultStore::reject_lock() const {
  throw std::invalid_argument(
      fmt::format("another sweep is at work in the folder {}: wait for it, or give --output",
                  shown_path(folder_)));
}

// Empty: no file says it.
std::string ResultStore::build() const {
  std::string text = whole_text(folder_ + "/build").value_or("");
  text.erase(std::min(text.find('\n'), text.size()));
  const bool is_name = text.find_first_not_of("0123456789abcdef") == std::string::npos;
  return is_name ? text : "";
}

std::string ResultStore::use_build(const std::string& build) const {
  namespace fs = std::filesystem;
  const std::string before = this->build();
  if (before == build) return "";
  const fs::path points = folder_ + "/points";
  const auto of = [&](const std::string& other) { return points.string() + "." + other; };
  std::string sentence;
  try {
    if (!fs::is_empty(points)) {
      std::string aside = of(before.empty() ? "unknown" : before);
      for (int i = 2; fs::exists(aside); ++i) {
        aside = of(fmt::format("{}.{}", before.empty() ? "unknown" : before, i));
      }
      fs::rename(points, aside);
      sentence = fmt::format(
          "the points in {} were made by another build of allport: they are in {} now, and are computed again",
          shown_path(folder_), shown_path(aside));
    } else {
      fs::remove(points);
    }
    if (fs::exists(of(build))) {
      fs::rename(of(build), points);
    } else {
      fs::create_directory(points);
    }
  } catch (const fs::filesystem_error& error) {
    throw std::runtime_error(
        fmt::format("the points of another build of allport in {} cannot be set aside: {}",
                    shown_path(folder_), error.code().message()));
  }
  write_whole(partial_folder(), folder_ + "/build", build + "\n");
  return sentence;
}

void ResultStore::require_build(const std::string& build) const {
  if (this->build() == build) return;
  throw std::invalid_argument(fmt::format(
      "the sweep in {} was begun by another build of allport: go on with that one, or begin it again",
      shown_path(folder_)));
}

void ResultStore::remove_partial_files() const {
  std::error_code error;  // a file that cannot be removed does no harm
  for (const auto& entry : std::filesystem::directory_iterator(partial_folder(), error)) {
    if (is_partial_name(entry.path().filename().string())) {
      std::filesystem::remove(entry.path(), error);
    }
  }
}

std::string ResultStore::path(const std::string& name) const {
  return fmt::format("{}/points/{}/{}.json", folder_, name.substr(0, 2), name);
}

bool ResultStore::has(const std::string& name) const {
  return access(path(name).c_str(), F_OK) == 0;
}

std::optional<PointResult> ResultStore::read(const Point& point) const {
  if (!has(point.name)) return std::nullopt;
  const std::string file_name = path(point.name);
  const std::optional<std::string> text = whole_text(file_name);
  if (!text) reject(file_name, fmt::format("cannot be read: {}", std::strerror(errno)));
  const Json json = parsed_json(*text);
  if (!is_whole(json)) reject_result(point);
  if (json.at("config") != point.config) reject(file_name, "belongs to another point");
  return PointResult{json.at("exit"), json.at("error"), json.at("result")};
}

void ResultStore::reject_result(const Point& point) const {
  reject(path(point.name), "is damaged");
}

void ResultStore::write(const Point& point, const PointResult& result) const {
  const Json json{{"point", point.name},
                  {"config", point.config},
                  {"exit", result.exit},
                  {"error", result.error},
                  {"result", result.result}};
  const std::string target = path(point.name);
  std::error_code error;  // the renaming reports a folder that does not exist
  std::filesystem::create_directory(std::filesystem::path(target).parent_path(), error);
  write_whole(partial_folder(), target, compact(json) + "\n");
}

void ResultStore::remove(const std::string& name) const {
  std::error_code error;
  std::filesystem::remove(path(name), error);
}

}  // namespace allport
