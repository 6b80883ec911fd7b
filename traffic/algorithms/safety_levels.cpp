// SPDX-License-Identifier: Apache-2.0
#include "traffic/algorithms/safety_levels.h"

#include <algorithm>
#include <utility>

#include "rtl_model/base/stop_flag.h"

namespace allport {

namespace {

constexpr std::uint32_t across(std::uint32_t address, std::size_t dimension) {
  return address ^ std::uint32_t{1} << dimension;
}

// The level of a node by those of its neighbours, which are sorted here.
int level_by(std::vector<int>& neighbours) {
  std::sort(neighbours.begin(), neighbours.end());
  int level = 0;
  for (const int one : neighbours) {
    if (one < level) break;
    ++level;
  }
  return level;
}

// A node of a tree and the dimensions that it serves.
struct Server {
  std::uint32_t node;
  std::vector<std::size_t> dimensions;
};

}  // namespace

std::vector<int> safety_levels(const PartialCube& cube) {
  const std::size_t n = cube.dimensions;
  std::vector<int> levels;
  for (const bool is_missing : cube.is_missing) {
    levels.push_back(is_missing ? 0 : static_cast<int>(n));
  }
  std::vector<int> neighbours(n);
  for (std::size_t round = 1; round < n; ++round) {
    heed_stop();
    std::vector<int> next = levels;
    for (std::uint32_t node = 0; node < next.size(); ++node) {
      if (cube.is_missing[node]) continue;
      for (std::size_t i = 0; i < n; ++i) neighbours[i] = levels[across(node, i)];
      next[node] = level_by(neighbours);
    }
    if (next == levels) break;
    levels = std::move(next);
  }
  return levels;
}

CubeTree safety_tree(const PartialCube& cube, const std::vector<int>& levels, std::uint32_t root,
                     std::uint32_t source) {
  CubeTree tree(cube.is_missing.size());
  if (root != source) tree[source].push_back(root);
  std::vector<Server> servers{{root, {}}};
  for (std::size_t i = 0; i < cube.dimensions; ++i) servers.front().dimensions.push_back(i);
  while (!servers.empty()) {
    const std::uint32_t node = servers.back().node;
    std::vector<std::size_t> dimensions = std::move(servers.back().dimensions);
    servers.pop_back();
    const auto level_over = [&](std::size_t dimension) { return levels[across(node, dimension)]; };
    std::sort(dimensions.begin(), dimensions.end(), [&](std::size_t a, std::size_t b) {
      return std::pair(level_over(a), a) < std::pair(level_over(b), b);
    });
    while (!dimensions.empty()) {
      const std::uint32_t child = across(node, dimensions.back());
      dimensions.pop_back();
      if (cube.is_missing[child]) continue;
      if (child != source) tree[node].push_back(child);
      servers.push_back({child, dimensions});
    }
  }
  return tree;
}

std::vector<std::uint32_t> left_out(const CubeTree& tree, const PartialCube& cube,
                                    std::uint32_t source) {
  std::vector<bool> is_served = cube.is_missing;
  is_served[source] = true;
  std::vector<std::uint32_t> served{source};
  for (std::size_t i = 0; i < served.size(); ++i) {
    for (const std::uint32_t child : tree[served[i]]) {
      is_served[child] = true;
      served.push_back(child);
    }
  }
  std::vector<std::uint32_t> others;
  for (std::uint32_t node = 0; node < is_served.size(); ++node) {
    if (!is_served[node]) others.push_back(node);
  }
  return others;
}

CubeTree safety_broadcast(const PartialCube& cube, const std::vector<int>& levels,
                          std::uint32_t source) {
  std::vector<std::uint32_t> roots{source};
  for (std::size_t i = 0; i < cube.dimensions; ++i) {
    const std::uint32_t neighbour = across(source, i);
    if (!cube.is_missing[neighbour]) roots.push_back(neighbour);
  }
  std::stable_sort(roots.begin(), roots.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return levels[a] > levels[b]; });
  CubeTree first = safety_tree(cube, levels, roots.front(), source);
  if (left_out(first, cube, source).empty()) return first;
  for (std::size_t i = 1; i < roots.size(); ++i) {
    CubeTree next = safety_tree(cube, levels, roots[i], source);
    if (left_out(next, cube, source).empty()) return next;
  }
  return first;
}

}  // namespace allport
