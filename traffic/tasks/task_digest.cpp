// SPDX-License-Identifier: Apache-2.0
#include "traffic/tasks/task_digest.h"

#include <fmt/format.h>

#include <cstring>

namespace allport {

std::string task_digest(const TaskGraph& graph) {
  std::uint64_t hash = 0xcbf29ce484222325U;
  const auto add = [&](std::uint64_t value) {
    for (int i = 0; i < 8; ++i, value >>= 8) hash = (hash ^ (value & 0xff)) * 0x100000001b3U;
  };
  const auto add_time = [&](double cycles) {
    std::uint64_t bits = 0;
    std::memcpy(&bits, &cycles, sizeof bits);
    add(bits);
  };
  add(graph.ranks);
  if (graph.host) {
    add_time(graph.host->start_up);
    add_time(graph.host->per_byte);
  }
  for (const Task& task : graph.tasks) {
    add(static_cast<std::uint64_t>(task.kind) | std::uint64_t{task.message_class} << 8 |
        std::uint64_t{task.cpu} << 16 | std::uint64_t{task.nic} << 32);
    add(std::uint64_t{task.rank} << 32 | task.peer);
    add(task.tag);
    if (task.order != no_order) add(task.order);
    add(task.amount == any_length ? 0 : task.amount);
    add(static_cast<std::uint64_t>(task.at));
  }
  for (const TaskDependency& one : graph.dependencies) {
    add(std::uint64_t{one.task} << 32 | one.on);
    add((one.on_start ? 1U : 0U) + (one.is_order ? 2U : 0U));
  }
  return fmt::format("{:016x}", hash);
}

}  // namespace allport
