// SPDX-License-Identifier: Apache-2.0
// The ending of its file says which format a timeline has.
#pragma once

#include <optional>
#include <string_view>

namespace allport {

enum class TimelineFormat {
  perfetto,  ///< FILE.pftrace, for Perfetto's viewer
  ftr,       ///< FILE.ftr, transactions for Surfer and SCViewer
  csv,       ///< FILE.csv, a table
};

/// The format that the ending of `path` names; none if it names no format.
inline std::optional<TimelineFormat> timeline_format(std::string_view path) {
  const auto ends_in = [path](std::string_view ending) {
    return path.size() > ending.size() && path.substr(path.size() - ending.size()) == ending;
  };
  if (ends_in(".pftrace")) return TimelineFormat::perfetto;
  if (ends_in(".ftr")) return TimelineFormat::ftr;
  if (ends_in(".csv")) return TimelineFormat::csv;
  return std::nullopt;
}

}  // namespace allport
