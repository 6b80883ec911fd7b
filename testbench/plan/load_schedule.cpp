// SPDX-License-Identifier: Apache-2.0
#include "testbench/plan/load_schedule.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <istream>
#include <stdexcept>

#include "rtl_model/base/quote.h"
#include "testbench/plan/input_file.h"
#include "testbench/plan/resolve.h"
#include "traffic/msccl/from_msccl.h"
#include "traffic/msccl/msccl_file.h"
#include "traffic/schedule/schedule_file.h"
#include "traffic/tasks/schedule_tasks.h"

namespace allport {

namespace {

std::string place_of(const RunRequest& request) {
  return request.traffic.schedule == "-" ? "stdin" : shown_path(request.traffic.schedule);
}

[[noreturn]] void reject(const RunRequest& request, const std::string& why) {
  throw std::invalid_argument(place_of(request) + ": " + why);
}

// The file's own word on what it achieves must not be contradicted.
void require_agreement(const MscclProgram& program, const Collective& goal,
                       const RunRequest& request, const Topology& topology) {
  const std::size_t gpus = program.gpus.size();
  if (gpus != topology.node_count()) {
    reject(request, fmt::format("it is for {} gpus, but {} has {} nodes", gpus, topology.name(),
                                topology.node_count()));
  }
  const TrafficTable& traffic = request.traffic;
  if (traffic.names_collective && traffic.collective != program.operation) {
    reject(request, fmt::format("it carries out {}, but --collective asks for {}",
                                to_string(program.operation), to_string(traffic.collective)));
  }
  const std::size_t parts = goal.part_count();
  const std::size_t blocks = goal.block_count() / parts;
  const auto require = [&](const char* option, int asked, std::size_t has) {
    if (asked == 0 || static_cast<std::size_t>(asked) == has) return;
    reject(request, fmt::format("{} {}: the file has {}", option, asked, has));
  };
  require("--parts", request.message.parts, parts);
  if (goal.is_cut()) require("--blocks", request.message.blocks, blocks);
  if (!traffic.destinations.is_all()) {
    reject(request, "a program of MSCCL XML is for all nodes, so the destinations must be 'all'");
  }
  if (traffic.group) {
    reject(request, "a program of MSCCL XML is for all nodes, so --group does not go with it");
  }
}

NodeId root_of(const MscclProgram& program, const RunRequest& request, const Topology& topology) {
  const Operation operation = program.operation;
  const bool is_from_root = operation == Operation::bcast || operation == Operation::scatter;
  const bool is_to_root = operation == Operation::gather || operation == Operation::reduce;
  if (!is_from_root && !is_to_root) return NodeId{};
  if (!request.traffic.sources.empty()) {
    const std::vector<NodeId> sources = source_nodes(request, topology);
    if (sources.size() == 1) return sources.front();
    reject(request,
           fmt::format("--source names {} nodes, but a program has one root", sources.size()));
  }
  const std::vector<NodeId> roots = possible_roots(program);
  if (roots.size() == 1) return roots.front();
  reject(request, fmt::format("--source is missing: {} gpus {}", roots.size(),
                              is_to_root ? "receive and never send" : "send and never receive"));
}

LoadedSchedule load_program(std::istream& in, RunRequest& request, const Topology& topology) {
  const MscclProgram program =
      read_msccl(in, request.traffic.schedule == "-" ? "stdin" : request.traffic.schedule);
  require_agreement(program, msccl_collective(program, NodeId{}), request, topology);
  const NodeId root = root_of(program, request, topology);
  const Collective goal = msccl_collective(program, root);
  LoadedSchedule loaded;
  loaded.is_program = true;
  try {
    loaded.schedule = from_msccl(program, goal, loaded.faults);
  } catch (const std::invalid_argument& fault) {
    reject(request, fault.what());
  }
  const std::size_t dimensions = topology.dimension_count();
  for (const Unicast& unicast : loaded.schedule.unicasts) {
    if (unicast.displacement.empty() || unicast.displacement.size() == dimensions) continue;
    reject(request, fmt::format("{}: displacement must be {} integers on {}", describe(unicast),
                                dimensions, topology.name()));
  }
  request.traffic.collective = program.operation;
  request.message.parts = static_cast<int>(goal.part_count());
  const bool is_whole = goal.operation() == Operation::bcast && goal.block_count() == 1;
  request.message.blocks =
      goal.is_cut() && !is_whole ? static_cast<int>(goal.block_count() / goal.part_count()) : 0;
  if (!possible_roots(program).empty()) request.traffic.sources = {{index(root)}};
  return loaded;
}

int flits_of(const MessageRequest& message) {
  const auto flit_bytes = static_cast<std::size_t>(message.flit_bytes);
  return message.bytes == 0 ? message.flits
                            : static_cast<int>((message.bytes + flit_bytes - 1) / flit_bytes);
}

// Takes the blanks at the beginning of `in`; what follows decides what the file is.
LoadedSchedule load(std::istream& in, const std::string& name, RunRequest& request,
                    const Topology& topology) {
  constexpr std::size_t most_blanks = std::size_t{1} << 16;
  std::string blanks;
  while (blanks.size() < most_blanks && std::isspace(in.peek()) != 0) {
    blanks += static_cast<char>(in.get());
  }
  if (in.peek() == '<') return load_program(in, request, topology);
  LoadedSchedule loaded;
  const std::vector<TimedUnicast> messages = read_messages(in, name, topology, blanks);
  const bool is_timed = std::any_of(messages.begin(), messages.end(),
                                    [](const TimedUnicast& one) { return one.is_timed; });
  if (is_timed) {
    loaded.tasks = std::make_shared<TaskGraph>(
        schedule_tasks(messages, name, flits_of(request.message), request.message.flit_bytes,
                       topology.node_count()));
  } else {
    loaded.schedule = schedule_of(messages, name);
  }
  return loaded;
}

}  // namespace

LoadedSchedule load_schedule(RunRequest& request, const Routing& routing) {
  LoadedSchedule loaded;
  const std::string path = request.traffic.schedule;
  read_input(path, "the schedule", [&](std::istream& in, const std::string& name) {
    loaded = load(in, name, request, routing.topology());
  });
  settle_ties(loaded.schedule, routing);
  return loaded;
}

void require_sound(const LoadedSchedule& loaded, const RunRequest& request) {
  if (!loaded.faults.ok()) reject(request, loaded.faults.first.front());
}

}  // namespace allport
