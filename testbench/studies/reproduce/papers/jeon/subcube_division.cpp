// SPDX-License-Identifier: Apache-2.0
#include "testbench/studies/reproduce/papers/jeon/subcube_division.h"

#include <algorithm>
#include <bitset>
#include <cstddef>

#include "rtl_model/base/range.h"

namespace allport {

namespace {

constexpr int largest = 8;
using Nodes = std::bitset<std::size_t{1} << largest>;

struct Subcube {
  Nodes nodes;
  int dimensions = 0;
};

class Division {
 public:
  explicit Division(int n) : n_(n), all_(std::size_t{1} << n) {
    while ((std::size_t{1} << (least_ + 1)) * path_length() <= all_) ++least_;
    for (std::size_t i = 0; i < path_length(); ++i) choices_.push_back(choices_of(i));
  }

  std::optional<std::vector<int>> find() {
    chosen_.assign(path_length(), none);
    return divide({}, 0) ? std::make_optional(chosen_) : std::nullopt;
  }

 private:
  static constexpr int none = -1;
  std::size_t path_length() const { return static_cast<std::size_t>(n_) + 1; }
  static std::size_t on_path(std::size_t i) { return (std::size_t{1} << i) - 1; }

  // The subcubes with node `i` of the path and no other one; the larger ones come first.
  std::vector<Subcube> choices_of(std::size_t i) const {
    std::vector<Subcube> choices;
    for (const int dimensions : {least_ + 1, least_}) {
      for (std::size_t free = 0; free < all_; ++free) {
        if (std::bitset<largest>(free).count() != static_cast<std::size_t>(dimensions)) continue;
        Subcube one{{}, dimensions};
        for (std::size_t node = 0; node < all_; ++node) {
          if (((node ^ on_path(i)) & ~free) == 0) one.nodes.set(node);
        }
        std::size_t of_path = 0;
        for (std::size_t j = 0; j < path_length(); ++j)
          of_path += one.nodes.test(on_path(j)) ? 1 : 0;
        if (of_path == 1) choices.push_back(one);
      }
    }
    return choices;
  }

  // Whether the rest can be divided; the node with the fewest choices left goes first.
  bool divide(const Nodes& taken, std::size_t done) {
    if (done == path_length()) return taken.count() == all_;
    const std::size_t left = path_length() - done;
    const std::size_t room = all_ - taken.count();
    if (room > left << (least_ + 1) || room < left << least_) return false;
    std::size_t next = 0;
    std::size_t fewest = all_ * all_;
    for (std::size_t i = 0; i < path_length(); ++i) {
      if (chosen_[i] != none) continue;
      const auto free = static_cast<std::size_t>(
          std::count_if(choices_[i].begin(), choices_[i].end(),
                        [&](const Subcube& one) { return (one.nodes & taken).none(); }));
      if (free < fewest) {
        fewest = free;
        next = i;
      }
    }
    for (const Subcube& one : choices_[next]) {
      if ((one.nodes & taken).any()) continue;
      chosen_[next] = one.dimensions;
      if (divide(taken | one.nodes, done + 1)) return true;
    }
    chosen_[next] = none;
    return false;
  }

  const int n_;
  const std::size_t all_;
  int least_ = 0;  // dimensions of the smaller ones
  std::vector<std::vector<Subcube>> choices_;
  std::vector<int> chosen_;
};

}  // namespace

std::optional<std::vector<int>> subcube_division(int n) {
  require_range("subcube_division: n", n, Range{1, largest});
  return Division(n).find();
}

}  // namespace allport
