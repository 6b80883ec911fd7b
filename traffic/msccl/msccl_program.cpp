// SPDX-License-Identifier: Apache-2.0
#include "traffic/msccl/msccl_program.h"

#include <algorithm>
#include <stdexcept>
#include <vector>

#include "rtl_model/base/names.h"

namespace allport {

namespace {

// The names of what programs carry out, each operation once.
std::string carried_out() {
  std::string list;
  for (const Operation one : operations) {
    const bool has_name =
        std::any_of(msccl_collective_names.begin(), msccl_collective_names.end(),
                    [one](const MscclCollectiveName& other) { return other.operation == one; });
    if (has_name) list += (list.empty() ? "" : ", ") + std::string(to_string(one));
  }
  return list;
}

}  // namespace

Operation msccl_operation(std::string_view key, const std::string& name,
                          const std::optional<Operation>& asked,
                          const std::function<void(const std::string&)>& reject) {
  const bool is_custom = name == msccl_custom;
  std::vector<std::string_view> names;
  for (const MscclCollectiveName& one : msccl_collective_names) {
    if (one.name == name || (is_custom && one.operation == asked)) return one.operation;
    names.push_back(one.name);
  }
  names.push_back(msccl_custom);
  if (!is_custom) {
    reject(unknown_name(key, name, names));
  } else if (asked) {
    reject("a program of MSCCL carries out no " + std::string(to_string(*asked)) +
           "; the collectives are " + carried_out());
  } else {
    reject(std::string(key) +
           " \"custom\" does not say what it is to achieve; give --collective with one of " +
           carried_out());
  }
  throw std::logic_error("msccl_operation: reject() has returned");
}

namespace {

struct ActionRow {
  bool sends;
  bool receives;
  bool reads_source;
  bool reduces;
  bool writes;
};

// In the order of MscclAction.
constexpr std::array<ActionRow, 9> rows{{{true, false, true, false, false},
                                         {false, true, false, false, true},
                                         {true, true, false, false, true},
                                         {true, true, true, true, false},
                                         {false, true, true, true, true},
                                         {true, true, true, true, true},
                                         {false, false, true, true, true},
                                         {false, false, true, false, true},
                                         {false, false, false, false, false}}};

const ActionRow& row_of(MscclAction action) { return rows[static_cast<std::size_t>(action)]; }

}  // namespace

bool sends(MscclAction action) { return row_of(action).sends; }
bool receives(MscclAction action) { return row_of(action).receives; }
bool reads_source(MscclAction action) { return row_of(action).reads_source; }
bool reduces(MscclAction action) { return row_of(action).reduces; }
bool writes(MscclAction action) { return row_of(action).writes; }

std::string msccl_place(std::size_t gpu, std::size_t block, std::size_t step) {
  return "gpu " + std::to_string(gpu) + ", tb " + std::to_string(block) + ", step " +
         std::to_string(step);
}

std::string msccl_place(const PlanPlace& place) {
  return "gpu " + std::to_string(place.gpu) + ", tb " + std::to_string(place.block) + ", op " +
         std::to_string(place.operation);
}

Collective msccl_collective(const MscclProgram& program, NodeId root) {
  const std::size_t gpus = program.gpus.size();
  if (program.operation == Operation::bcast) {
    Multicast goal{root, {}};
    for (std::size_t i = 0; i < gpus; ++i) {
      if (node_id(i) != root) goal.destinations.push_back(node_id(i));
    }
    return {gpus, goal, program.chunks};
  }
  const bool is_whole =
      Collective(program.operation, gpus, root).is_cut() || program.operation == Operation::barrier;
  const std::size_t parts = is_whole ? program.parts : program.chunks / gpus;
  return {program.operation, gpus, root, program.chunks / parts, parts};
}

std::vector<NodeId> possible_roots(const MscclProgram& program) {
  const Operation operation = program.operation;
  const bool is_from_root = operation == Operation::bcast || operation == Operation::scatter;
  const bool is_to_root = operation == Operation::gather || operation == Operation::reduce;
  if (!is_from_root && !is_to_root) return {};
  std::vector<NodeId> roots;
  for (std::size_t i = 0; i < program.gpus.size(); ++i) {
    bool does_send = false;
    bool does_receive = false;
    for (const MscclThreadBlock& block : program.gpus[i].blocks) {
      for (const MscclStep& step : block.steps) {
        does_send = does_send || sends(step.action);
        does_receive = does_receive || receives(step.action);
      }
    }
    if (is_from_root ? does_send && !does_receive : does_receive && !does_send) {
      roots.push_back(node_id(i));
    }
  }
  return roots;
}

}  // namespace allport
