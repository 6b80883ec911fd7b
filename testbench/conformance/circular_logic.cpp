// SPDX-License-Identifier: Apache-2.0
#include "testbench/conformance/circular_logic.h"

#include <fmt/format.h>

#include <algorithm>

#include "rtl_model/base/words.h"

namespace allport {

namespace {

bool is_alike(const SheetRow& one, const SheetRow& other) {
  return one.check == other.check && one.verdict == other.verdict && one.detail == other.detail;
}

// The check in which two sheets differ first; empty: they are the same.
std::string first_difference(const std::vector<SheetRow>& one, const std::vector<SheetRow>& other) {
  const auto [at, beside] =
      std::mismatch(one.begin(), one.end(), other.begin(), other.end(), is_alike);
  return at != one.end() ? at->check : beside != other.end() ? beside->check : "";
}

// A difference from our router is no fault.
bool is_fault(const SheetRow& row) {
  return row.check != "lockstep" && row.verdict != Verdict::passed &&
         row.verdict != Verdict::skipped;
}

bool is_endless_loop(const SheetRow& model) {
  return model.verdict == Verdict::failed &&
         model.detail.find("it does not settle") != std::string::npos;
}

void take_back(SheetRow& row) {
  if (row.verdict == Verdict::skipped) return;
  row.detail = fmt::format("{} in this model: {}", to_string(row.verdict), row.detail);
  row.verdict = Verdict::unknown;
}

}  // namespace

std::string circles_in_words(const std::vector<std::string>& circles) {
  constexpr std::size_t most = 8;
  const std::size_t shown = std::min(most, circles.size());
  const auto end = circles.begin() + static_cast<std::ptrdiff_t>(shown);
  std::string words = fmt::format("UNOPTFLAT in {}: {}", counted(circles.size(), "place"),
                                  fmt::join(circles.begin(), end, "; "));
  if (shown < circles.size()) words += fmt::format("; and {} more", circles.size() - shown);
  return words;
}

std::vector<SheetRow> judged_beside(std::vector<SheetRow> rows, const std::vector<SheetRow>& plain,
                                    const std::vector<std::string>& circles) {
  SheetRow& model = rows.front();
  if (is_endless_loop(model)) return rows;
  const std::string difference = first_difference(rows, plain);
  const auto fault = std::find_if(rows.begin(), rows.end(), is_fault);
  if (difference.empty() && fault == rows.end()) {
    model.detail +=
        fmt::format("; the same at two levels of optimization, though it has circular logic ({})",
                    circles_in_words(circles));
    return rows;
  }
  const std::string why =
      difference.empty()
          ? fmt::format("what fails may be its fault or the router's ({}: {})", fault->check,
                        fault->detail)
          : fmt::format("two levels of optimization differ in the row {}", difference);
  std::for_each(rows.begin(), rows.end(), take_back);
  model.detail = fmt::format(
      "circular logic, which Verilator at times simulates wrongly, and {}: this is not a verdict on the router; break the circles in its sources, or by isolate_assignments in a control file (.vlt) before them ({})",
      why, circles_in_words(circles));
  return rows;
}

}  // namespace allport
