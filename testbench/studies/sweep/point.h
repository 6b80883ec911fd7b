// SPDX-License-Identifier: Apache-2.0
// A point of a grid is work to be done, and has a result.
#pragma once

#include <cstdint>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace allport {

using Json = nlohmann::ordered_json;

/// The text on one line; bytes that are not UTF-8 are replaced.
inline std::string compact(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

/// One run of the program.
struct Point {                         // NOLINT(bugprone-exception-escape): Json moves without one
  std::string name;                    ///< name of its configuration, 16 hexadecimal digits
  Json config;                         ///< everything that determines its result
  std::vector<std::string> arguments;  ///< the command line that runs it
  std::string input;                   ///< what it reads from stdin; not kept for Slurm
};

/// Point number `index` of a sweep.
using PointAt = std::function<Point(std::uint64_t index)>;

/// The name of a configuration: FNV-1a (64 bits) of its JSON text.
std::string point_name(const Json& config);

struct PointResult {  // NOLINT(bugprone-exception-escape): as above
  int exit = 0;       ///< the exit status of the run; 128 + n when signal n killed it
  std::string error;  ///< empty, or a sentence
  Json result;        ///< what the run printed, without its lists of events; null: nothing

  bool has_failed() const { return exit != 0; }
};

}  // namespace allport
