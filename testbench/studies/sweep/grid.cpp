// SPDX-License-Identifier: Apache-2.0
#include "testbench/studies/sweep/grid.h"

#include <limits>
#include <utility>

namespace allport {

namespace {

std::uint64_t saturated_product(std::uint64_t a, std::uint64_t b) {
  constexpr std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
  return b != 0 && a > most / b ? most : a * b;
}

}  // namespace

SweepGrid::SweepGrid(std::vector<Axis> axes) : axes_(std::move(axes)) {
  for (const Axis& axis : axes_) {
    size_ = saturated_product(size_, axis.size());
    for (const std::string& key : axis.keys) {
      keys_.push_back(key);
      is_varied_.push_back(axis.size() > 1);
      axis_of_.push_back(static_cast<std::size_t>(&axis - axes_.data()));
    }
  }
}

std::vector<std::string> SweepGrid::point(std::uint64_t index) const {
  std::vector<std::string> values(keys_.size());
  std::size_t position = keys_.size();
  for (auto axis = axes_.rbegin(); axis != axes_.rend(); ++axis) {
    const std::uint64_t place = index % axis->size();
    index /= axis->size();
    for (auto list = axis->values.rbegin(); list != axis->values.rend(); ++list) {
      values[--position] = list->at(place);
    }
  }
  return values;
}

}  // namespace allport
