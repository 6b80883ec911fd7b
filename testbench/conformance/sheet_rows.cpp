// SPDX-License-Identifier: Apache-2.0
#include "testbench/conformance/sheet_rows.h"

#include <array>

namespace allport {

namespace {

constexpr std::array checks{"pins",    "reset",       "latency",   "rate",      "gaps",  "wormhole",
                            "credits", "lost_credit", "switching", "reception", "lists", "labels",
                            "paths",   "replication", "codes",     "progress"};

}  // namespace

bool SheetRows::is_judged(const std::string& check, Verdict verdict) const {
  const auto row = rows_.find(check);
  return row != rows_.end() && row->second.verdict == verdict;
}

void SheetRows::pass(const std::string& check, const std::string& detail) {
  if (!is_judged(check)) rows_[check] = {check, Verdict::passed, detail};
}

void SheetRows::fail(const std::string& check, const std::string& detail) {
  if (is_judged(check, Verdict::failed)) return;
  rows_[check] = {check, Verdict::failed, detail};
}

void SheetRows::skip(const std::string& check, const std::string& detail) {
  if (!is_judged(check, Verdict::failed)) rows_[check] = {check, Verdict::skipped, detail};
}

std::vector<SheetRow> SheetRows::rows() {
  std::vector<SheetRow> rows;
  for (const char* check : checks) {
    if (!is_judged(check)) skip(check, "not reached: another check failed first");
    rows.push_back(rows_.at(check));
  }
  return rows;
}

std::vector<SheetRow> unreached_rows(const std::string& reason) {
  std::vector<SheetRow> rows;
  rows.reserve(checks.size());
  for (const char* check : checks) rows.push_back({check, Verdict::skipped, reason});
  return rows;
}

}  // namespace allport
