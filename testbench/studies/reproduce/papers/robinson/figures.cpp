// SPDX-License-Identifier: Apache-2.0
#include "testbench/studies/reproduce/papers/robinson/figures.h"

#include <fmt/format.h>

#include "testbench/studies/reproduce/papers/papers.h"

namespace allport {

std::vector<Figure> robinson_figures() {
  return {robinson_3(),        robinson_5(),       robinson_6(),  robinson_8(),
          robinson_theorems(), robinson_9(),       robinson_10(), robinson_11(),
          robinson_12(),       robinson_startup(), robinson_13(), robinson_14()};
}

const std::vector<std::string>& robinson_algorithms() {
  static const std::vector<std::string> names{"ucube", "maxport", "combine", "wsort"};
  return names;
}

const std::vector<std::string>& new_algorithms() {
  static const std::vector<std::string> names{"maxport", "combine", "wsort"};
  return names;
}

Claim smoothness_claim(const MulticastCurves& curves, std::size_t stairs, const Quotation& source) {
  bool is_smoother = true;
  std::string measured;
  for (const std::string& one : robinson_algorithms()) {
    const double share = curves.share_of_steepest(one, stairs);
    measured +=
        fmt::format("{}{} {:.0f} %", measured.empty() ? "" : ", ", printed_name(one), share);
    is_smoother =
        is_smoother && (one == "ucube" || share < curves.share_of_steepest("ucube", stairs));
  }
  return {"the new algorithms smooth U-cube's staircase", source,
          fmt::format("share of the rise that falls on the {} steepest intervals: {}", stairs,
                      measured),
          outcome_of(is_smoother), ""};
}

StepIndex doublings(std::size_t nodes) {
  StepIndex count = 0;
  while ((std::size_t{1} << count) < nodes) ++count;
  return count;
}

std::vector<std::size_t> sizes_of_ten_cube() {
  constexpr std::size_t count = 20;
  constexpr std::size_t largest = 1023;
  std::vector<std::size_t> sizes;
  for (std::size_t i = 1; i <= count; ++i) sizes.push_back((i * largest + count / 2) / count);
  return sizes;
}

}  // namespace allport
