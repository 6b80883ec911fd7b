// SPDX-License-Identifier: Apache-2.0
// This is the broadcast of [HoKao95] on an all-port hypercube, reconstructed. A node reaches all
// nodes of the path that flips its dimensions in ascending order in one step, each over a first
// channel of its own; the path is cut as evenly as possible, each cut fixes a dimension, and every
// path node broadcasts in its part. On a 3-cube from source 0, step 1 is 0 -> 7, 3, 1; step 2 is 0
// -> 4, 1 -> 5, 3 -> 2, 7 -> 6.
#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "traffic/algorithms/cube_frame.h"
#include "traffic/algorithms/rows.h"

namespace allport {

namespace {

struct TableSend {
  StepIndex step;
  std::uint32_t u;
  std::uint32_t v;
};

// Broadcasts of two steps: on a 2-cube, and on a 4-cube, where the path would need three.
constexpr std::array<TableSend, 3> two_cube{{{1, 0, 2}, {1, 0, 1}, {2, 1, 3}}};
constexpr std::array<TableSend, 15> four_cube{{{1, 0, 15},
                                               {1, 0, 4},
                                               {1, 0, 2},
                                               {1, 0, 1},
                                               {2, 0, 8},
                                               {2, 1, 9},
                                               {2, 1, 3},
                                               {2, 2, 10},
                                               {2, 2, 6},
                                               {2, 4, 12},
                                               {2, 4, 5},
                                               {2, 15, 7},
                                               {2, 15, 11},
                                               {2, 15, 13},
                                               {2, 15, 14}}};

// The bits in which the addresses of a subcube differ, ascending.
using Dimensions = std::vector<std::uint32_t>;

// For each node of the path, positions low .. high, the dimensions fixed in its part: bit i stands
// for dimension i. The cut before position p fixes dimension p - 1.
void cut(std::size_t low, std::size_t high, std::uint32_t fixed,
         std::vector<std::uint32_t>& parts) {
  if (low == high) {
    parts[low] = fixed;
    return;
  }
  const std::size_t middle = low + (high - low + 1) / 2;
  const std::uint32_t also_fixed = fixed | std::uint32_t{1} << (middle - 1);
  cut(low, middle - 1, also_fixed, parts);
  cut(middle, high, also_fixed, parts);
}

class HkPlan {
 public:
  explicit HkPlan(const PlanRequest& request)
      : frame_(request.routing, request.goal.source),
        orders_(request.routing.topology().node_count()) {
    schedule_.unicasts.reserve(orders_.size() - 1);
  }

  Schedule take() {
    Dimensions all;
    for (std::size_t i = 0; i < frame_.dimensions(); ++i) all.push_back(std::uint32_t{1} << i);
    broadcast(0, all, 1);
    schedule_.sort();
    return std::move(schedule_);
  }

 private:
  // Plans the broadcast in the subcube of `from` that `free` spans, beginning in `step`.
  void broadcast(std::uint32_t from, const Dimensions& free, StepIndex step) {
    if (free.size() == 2) return follow(two_cube, from, free, step);
    if (free.size() == 4) return follow(four_cube, from, free, step);
    if (!free.empty()) along_path(from, free, step);
  }

  template <typename Table>
  void follow(const Table& table, std::uint32_t from, const Dimensions& free, StepIndex step) {
    for (const TableSend& one : table) {
      send(from ^ spread(one.u, free), from ^ spread(one.v, free), step + one.step - 1);
    }
  }

  // Sends to the farthest node of the path first.
  void along_path(std::uint32_t from, const Dimensions& free, StepIndex step) {
    std::vector<std::uint32_t> path{from};
    for (const std::uint32_t dimension : free) path.push_back(path.back() ^ dimension);
    for (std::size_t p = free.size(); p >= 1; --p) send(from, path[p], step);
    std::vector<std::uint32_t> parts(path.size());
    cut(0, free.size(), 0, parts);
    for (std::size_t p = 0; p < path.size(); ++p) {
      Dimensions rest;
      for (std::size_t i = 0; i < free.size(); ++i) {
        if ((parts[p] >> i & 1U) == 0) rest.push_back(free[i]);
      }
      broadcast(path[p], rest, step + 1);
    }
  }

  static std::uint32_t spread(std::uint32_t bits, const Dimensions& free) {
    std::uint32_t address = 0;
    for (std::size_t i = 0; i < free.size(); ++i) {
      if ((bits >> i & 1U) != 0) address |= free[i];
    }
    return address;
  }

  void send(std::uint32_t u, std::uint32_t v, StepIndex step) {
    Unicast unicast;
    unicast.u = frame_.node(u);
    unicast.v = frame_.node(v);
    unicast.step = step;
    unicast.order = orders_[index(unicast.u)]++;
    schedule_.unicasts.push_back(std::move(unicast));
  }

  CubeFrame frame_;
  std::vector<int> orders_;  // messages in each node's program so far
  Schedule schedule_;
};

Schedule plan_hk(const PlanRequest& request) { return HkPlan(request).take(); }

}  // namespace

Rows hk_rows() {
  return {Row("hk", "broadcast by ascending paths, cut evenly", "HoKao95", hypercubes, plan_hk)};
}

}  // namespace allport
