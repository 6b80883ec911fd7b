// SPDX-License-Identifier: Apache-2.0
#include "testbench/plan/load_program.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <stdexcept>
#include <utility>

#include "rtl_model/base/quote.h"
#include "rtl_model/base/words.h"
#include "rtl_model/topology/channel_words.h"
#include "traffic/msccl/from_msccl.h"
#include "traffic/planning/embedding.h"

namespace allport {

namespace {

using GroupPtr = std::shared_ptr<const NodeGroup>;

[[noreturn]] void reject(const RunRequest& request, const std::string& why) {
  throw std::invalid_argument(schedule_name(request) + ": " + why);
}

// The file's own word on what it achieves must not be contradicted.
void require_agreement(const MscclProgram& program, const Collective& goal,
                       const RunRequest& request) {
  const TrafficTable& traffic = request.traffic;
  if (traffic.names_collective && traffic.collective != program.operation) {
    reject(request, fmt::format("it carries out {}, but --collective asks for {}",
                                to_string(program.operation), to_string(traffic.collective)));
  }
  const std::size_t parts = goal.part_count();
  const auto require = [&](const char* option, int asked, std::size_t has) {
    if (asked == 0 || static_cast<std::size_t>(asked) == has) return;
    reject(request, fmt::format("{} {}: the file has {}", option, asked, has));
  };
  require("--parts", request.message.parts, parts);
  require("--blocks", request.message.blocks, goal.block_count() / parts);
  if (!traffic.destinations.is_all()) {
    reject(request, "a program of MSCCL is for all nodes, so the destinations must be 'all'");
  }
}

// Its GPUs are the ranks of all nodes, or of `group`.
void require_size(const MscclProgram& program, const RunRequest& request, const Topology& topology,
                  const NodeGroup* group) {
  const std::size_t nodes = group == nullptr ? topology.node_count() : group->nodes.size();
  if (program.gpus.size() == nodes) return;
  const std::string where =
      group == nullptr ? topology.name() : "the group of " + in_words(group->nodes, topology);
  reject(request,
         fmt::format("it is for {} gpus, but {} has {} nodes", program.gpus.size(), where, nodes));
}

// Where the GPUs sit; none: GPU r is node r.
std::optional<Placement> placement_of_gpus(const RunRequest& request, const Routing& routing,
                                           const NodeGroup* group) {
  const TrafficTable& traffic = request.traffic;
  if (group == nullptr && !traffic.place && traffic.ranks == nullptr) return std::nullopt;
  return placement_of_ranks(request, routing.shared_topology(), group);
}

// The root among the GPUs: that on `source`, if one is named.
NodeId root_of(const MscclProgram& program, const RunRequest& request,
               const std::optional<NodeId>& source, const std::optional<Placement>& placement) {
  const Operation operation = program.operation;
  const bool is_from_root = operation == Operation::bcast || operation == Operation::scatter;
  const bool is_to_root = operation == Operation::gather || operation == Operation::reduce;
  if (!is_from_root && !is_to_root) return NodeId{};
  if (source && !placement) return *source;
  if (source) {
    const auto place = std::find(placement->nodes.begin(), placement->nodes.end(), *source);
    return node_id(static_cast<std::size_t>(place - placement->nodes.begin()));
  }
  const std::vector<NodeId> roots = possible_roots(program);
  if (roots.size() == 1) return roots.front();
  reject(request, fmt::format("--source is missing: {} gpus {}", roots.size(),
                              is_to_root ? "receive and never send" : "send and never receive"));
}

// The schedules of a program among its ranks, by root: groups may have roots of different ranks.
class ProgramSchedules {
 public:
  ProgramSchedules(const MscclProgram& program, const RunRequest& request, Finding& faults)
      : program_(program), request_(request), faults_(faults) {}

  Schedule& from(NodeId root) {
    const auto [place, is_new] = by_root_.emplace(root, Schedule{});
    if (!is_new) return place->second;
    try {
      place->second = from_msccl(program_, msccl_collective(program_, root), faults_);
    } catch (const std::invalid_argument& fault) {
      reject(request_, fault.what());
    }
    return place->second;
  }

 private:
  const MscclProgram& program_;
  const RunRequest& request_;
  Finding& faults_;
  std::map<NodeId, Schedule> by_root_;
};

// A displacement leads through `fabric`, that of the ranks if they are placed.
void require_displacements(const Schedule& schedule, const RunRequest& request,
                           const Topology& fabric) {
  const std::size_t dimensions = fabric.dimension_count();
  for (const Unicast& unicast : schedule.unicasts) {
    if (unicast.displacement.empty() || unicast.displacement.size() == dimensions) continue;
    reject(request, fmt::format("{}: displacement must be {} integers on {}",
                                describe(unicast, fabric), dimensions, fabric.name()));
  }
}

Schedule on_nodes(Schedule of_ranks, const Collective& goal, const RunRequest& request,
                  const Routing& routing, const std::optional<Placement>& placement) {
  if (!placement) {
    require_displacements(of_ranks, request, routing.topology());
    return of_ranks;
  }
  if (!placement->dimensions.empty()) {
    require_displacements(of_ranks, request, *placement->ranks);
  }
  try {
    return Embedding(*placement, routing).placed(std::move(of_ranks), goal);
  } catch (const std::invalid_argument& fault) {
    reject(request, fault.what());
  }
}

// The sources that are asked for, one for each group; none: the program decides.
std::vector<std::optional<NodeId>> asked_sources(const RunRequest& request,
                                                 const Topology& topology,
                                                 const std::vector<GroupPtr>& groups) {
  const std::size_t count = std::max<std::size_t>(groups.size(), 1);
  if (request.traffic.sources.empty()) return std::vector<std::optional<NodeId>>(count);
  std::vector<std::optional<NodeId>> sources;
  for (const Party& party : parties_of(request, topology, groups))
    sources.emplace_back(party.source);
  if (sources.size() == count) return sources;
  reject(request,
         fmt::format("--source names {} nodes, but a program has one root", sources.size()));
}

}  // namespace

std::string schedule_name(const RunRequest& request) {
  return shown_input(request.traffic.schedule);
}

LoadedSchedule load_program(const MscclProgram& program, RunRequest& request,
                            const Routing& routing, const std::vector<GroupPtr>& groups) {
  const Topology& topology = routing.topology();
  const Collective any = msccl_collective(program, NodeId{});
  require_agreement(program, any, request);
  const std::vector<std::optional<NodeId>> sources = asked_sources(request, topology, groups);
  LoadedSchedule loaded;
  loaded.is_program = true;
  ProgramSchedules schedules(program, request, loaded.faults);
  std::vector<NodeNumber> roots;
  for (std::size_t i = 0; i < sources.size(); ++i) {
    const NodeGroup* group = groups.empty() ? nullptr : groups[i].get();
    require_size(program, request, topology, group);
    const std::optional<Placement> placement = placement_of_gpus(request, routing, group);
    const NodeId root = root_of(program, request, sources[i], placement);
    Schedule& of_ranks = schedules.from(root);
    if (!loaded.faults.ok()) {
      loaded.schedules.clear();
      return loaded;
    }
    const bool is_last = i + 1 == sources.size();
    loaded.schedules.push_back(on_nodes(is_last ? std::move(of_ranks) : of_ranks,
                                        msccl_collective(program, root), request, routing,
                                        placement));
    loaded.nodes_of_ranks.push_back(placement ? placement->nodes : std::vector<NodeId>{});
    roots.push_back({index(placement ? placement->nodes[index(root)] : root)});
  }
  request.traffic.collective = program.operation;
  request.message.parts = static_cast<int>(any.part_count());
  const bool is_whole = any.operation() == Operation::bcast && any.block_count() == 1;
  request.message.blocks =
      any.is_cut() && !is_whole ? static_cast<int>(any.block_count() / any.part_count()) : 0;
  if (!possible_roots(program).empty()) request.traffic.sources = roots;
  return loaded;
}

}  // namespace allport
