// SPDX-License-Identifier: Apache-2.0
#include "testbench/studies/faults/link_sets.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

#include "rtl_model/base/split_mix.h"

namespace allport {

namespace {

double count_of_sets(std::size_t links, std::size_t size) {
  double count = 1;
  for (std::size_t i = 0; i < size; ++i) {
    count = std::round(count * static_cast<double>(links - i) / static_cast<double>(i + 1));
  }
  return count;
}

std::vector<LinkSet> all_sets(std::size_t links, std::size_t size) {
  std::vector<LinkSet> sets;
  LinkSet set(size);
  std::iota(set.begin(), set.end(), std::size_t{0});
  for (;;) {
    sets.push_back(set);
    std::size_t moved = size;  // the last link that can be a later one
    while (moved > 0 && set[moved - 1] == links - size + moved - 1) --moved;
    if (moved == 0) return sets;
    std::iota(set.begin() + static_cast<std::ptrdiff_t>(moved - 1), set.end(), set[moved - 1] + 1);
  }
}

}  // namespace

LinkSets link_sets(std::size_t links, std::size_t size, std::size_t most, std::uint64_t seed) {
  LinkSets found;
  found.all = count_of_sets(links, size);
  found.are_drawn = found.all > static_cast<double>(most);
  if (!found.are_drawn) {
    found.sets = all_sets(links, size);
    return found;
  }
  SplitMix64 generator(seed);
  std::set<LinkSet> drawn;
  while (drawn.size() < most) {
    LinkSet set;
    while (set.size() < size) {
      const std::size_t link = generator.next() % links;
      const auto place = std::lower_bound(set.begin(), set.end(), link);
      if (place == set.end() || *place != link) set.insert(place, link);
    }
    drawn.insert(std::move(set));
  }
  found.sets.assign(drawn.begin(), drawn.end());
  return found;
}

}  // namespace allport
