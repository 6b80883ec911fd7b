// SPDX-License-Identifier: Apache-2.0
#include "traffic/tasks/call_line.h"

#include <limits>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "rtl_model/base/names.h"
#include "traffic/tasks/collective_goal.h"
#include "traffic/tasks/collective_planner.h"

namespace allport {

namespace {

// What a collective is called: an operation, or a prefix sum. Exchanges among neighbours are those
// of nodes on a fabric, and ranks have none.
void set_operation(const JsonLine& line, CollectiveCall& call) {
  const std::string name = line.text("collective", line["collective"]);
  std::vector<std::string_view> names;
  for (const Operation operation : operations) {
    if (stencil_of(operation)) continue;
    names.push_back(to_string(operation));
    call.operation = operation;
    if (name == names.back()) return;
  }
  call.operation = Operation::barrier;
  for (const CallKind kind : {CallKind::scan, CallKind::exscan}) {
    names.push_back(name_of(kind, call.operation));
    call.kind = kind;
    if (name == names.back()) return;
  }
  line.reject(unknown_name("collective", name, names));
}

void set_root(const JsonLine& line, const std::string& name, CollectiveCall& call) {
  const bool is_rooted = call.kind == CallKind::operation && has_root(call.operation);
  if (is_rooted != line.has("root")) {
    line.reject(is_rooted ? "root is missing, the rank that " + name + " is from or to"
                          : name + " has no root");
  }
  constexpr std::int64_t largest = std::numeric_limits<std::uint32_t>::max() - 1;
  if (is_rooted) call.root = static_cast<std::uint32_t>(line.integer("root", 0, largest));
}

void set_algorithm(const JsonLine& line, const std::string& name, CollectiveCall& call) {
  if (!line.has("algorithm")) return;
  if (call.kind != CallKind::operation) {
    line.reject(name + " goes along the chain of its ranks and has no algorithm");
  }
  const std::string algorithm = line.text("algorithm", line["algorithm"]);
  try {
    call.algorithm = &task_algorithm(call.operation, algorithm);
  } catch (const std::invalid_argument& fault) {
    line.reject(fault.what());
  }
}

void set_length(const JsonLine& line, const std::string& name, std::uint32_t rank,
                std::optional<std::uint64_t> bytes, CollectiveCall& call) {
  const bool is_barrier = call.kind == CallKind::operation && call.operation == Operation::barrier;
  if (is_barrier == bytes.has_value()) {
    line.reject(is_barrier ? "a barrier has no length" : name + " has either flits or bytes");
  }
  if (is_barrier) return;
  const bool is_scatter = call.kind == CallKind::operation && call.operation == Operation::scatter;
  if (is_scatter) call.receives = {*bytes};
  if (!is_scatter || rank == call.root) call.sends = {*bytes};
}

}  // namespace

CollectiveCall read_call(const JsonLine& line, std::uint32_t rank,
                         std::optional<std::uint64_t> bytes) {
  CollectiveCall call;
  set_operation(line, call);
  const std::string name(name_of(call.kind, call.operation));
  set_root(line, name, call);
  set_algorithm(line, name, call);
  set_length(line, name, rank, bytes, call);
  return call;
}

}  // namespace allport
