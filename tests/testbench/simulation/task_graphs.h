// SPDX-License-Identifier: Apache-2.0
// This header has graphs of tasks at random, and machines to run them on.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "rtl_model/base/split_mix.h"
#include "testbench/plan/run_request.h"
#include "traffic/tasks/task_graph.h"

namespace allport::test {

/// Bounds of random computations in cycles and messages in bytes.
struct Longest {
  std::uint64_t computation = 80;
  std::uint64_t message = 160;
};

/// A graph whose messages follow each other in the order of a list: it ends, unless a receive of
/// any rank takes what another one needs.
inline TaskGraph random_graph(SplitMix64& draw, std::uint32_t ranks, const Longest& longest = {}) {
  const auto number = [&](std::uint64_t below) {
    return static_cast<std::uint32_t>(draw.next() % below);
  };
  TaskGraph graph;
  graph.ranks = ranks;
  std::vector<std::vector<std::uint32_t>> of_rank(ranks);
  const bool has_any = number(3) == 0;
  const auto add = [&](Task task) {
    task.cpu = static_cast<std::uint16_t>(number(2));
    if (number(6) == 0) task.at = number(300);
    const auto mine = static_cast<std::uint32_t>(graph.tasks.size());
    std::vector<std::uint32_t>& others = of_rank[task.rank];
    for (std::uint32_t i = number(3); i > 0 && !others.empty(); --i) {
      const auto last = static_cast<std::uint32_t>(others.size());
      graph.dependencies.push_back(
          {mine, others[last - 1 - number(std::min(last, 5U))], number(4) == 0});
    }
    others.push_back(mine);
    graph.tasks.push_back(task);
  };
  for (std::uint32_t i = 0; i < 60; ++i) {
    Task task;
    task.rank = number(ranks);
    if (number(3) == 0) {
      task.amount = number(longest.computation);
      add(task);
      continue;
    }
    task.kind = TaskKind::send;
    task.peer = number(ranks);
    task.tag = number(2);
    task.amount = number(8) == 0 ? 0 : number(longest.message);
    if (number(4) == 0) task.nic = static_cast<std::uint16_t>(number(5));
    const Task sent = task;
    add(task);
    Task receive;
    receive.kind = TaskKind::receive;
    receive.amount = any_length;
    receive.rank = sent.peer;
    receive.peer = has_any && number(3) == 0 ? any_rank : sent.rank;
    receive.tag = has_any && number(3) == 0 ? any_tag : sent.tag;
    add(receive);
  }
  return graph;
}

/// Draws a node model, ports, buffers and links.
inline void draw_model(SplitMix64& draw, RunRequest& request) {
  const auto chance = [&](std::uint64_t of) { return draw.next() % of == 0; };
  request.node.ts = static_cast<Cycle>(draw.next() % 12);
  request.node.tr = static_cast<Cycle>(draw.next() % 9);
  request.node.model.send_blocks = chance(3);
  request.node.model.receive_occupies = chance(3);
  request.node.model.startup_per_port = chance(3);
  if (chance(3)) request.node.model.ts_per_flit = 1;
  if (chance(3)) request.node.model.tr_per_flit = 2;
  if (chance(2)) request.fabric.ports = 1;
  if (chance(3)) request.router.buffer_depth = 1;
  if (chance(3)) request.router.link_delay = 2;
}

}  // namespace allport::test
