// SPDX-License-Identifier: Apache-2.0
// The rows of a verdict sheet, and which verdict stays where a check is tried several times.
#pragma once

#include <array>
#include <map>
#include <string>
#include <vector>

#include "rtl_model/base/name_table.h"

namespace allport {

/// unknown: a tool or the process failed, which says nothing about the router.
enum class Verdict { passed, failed, skipped, unknown };
template <>
inline constexpr std::array<Named<Verdict>, 4> name_table<Verdict>{{{Verdict::passed, "passed"},
                                                                    {Verdict::failed, "failed"},
                                                                    {Verdict::skipped, "skipped"},
                                                                    {Verdict::unknown, "unknown"}}};

/// One line of the verdict sheet.
struct SheetRow {
  std::string check;
  Verdict verdict = Verdict::unknown;
  std::string detail;
};

/// The rows from `pins` to `progress` while they are being judged: a failure stays, and nothing
/// passes that was judged before.
class SheetRows {
 public:
  bool is_judged(const std::string& check) const { return rows_.count(check) != 0; }
  bool is_judged(const std::string& check, Verdict verdict) const;
  void pass(const std::string& check, const std::string& detail);
  void fail(const std::string& check, const std::string& detail);
  void skip(const std::string& check, const std::string& detail);
  /// All of them in their order; those without a verdict were not reached.
  std::vector<SheetRow> rows();

 private:
  std::map<std::string, SheetRow> rows_;
};

/// The rows from `pins` to `progress`, all skipped for `reason`.
std::vector<SheetRow> unreached_rows(const std::string& reason);

}  // namespace allport
