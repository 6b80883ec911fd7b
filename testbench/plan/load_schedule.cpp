// SPDX-License-Identifier: Apache-2.0
#include "testbench/plan/load_schedule.h"

#include <fmt/format.h>

#include <algorithm>
#include <istream>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

#include "rtl_model/base/quote.h"
#include "testbench/plan/file_kind.h"
#include "testbench/plan/input_file.h"
#include "testbench/plan/load_program.h"
#include "traffic/msccl/execution_plan.h"
#include "traffic/msccl/msccl_file.h"
#include "traffic/schedule/schedule_file.h"
#include "traffic/tasks/schedule_tasks.h"

namespace allport {

namespace {

// The lines of a schedule name nodes, which sit where they are.
void require_no_places(const RunRequest& request) {
  const TrafficTable& traffic = request.traffic;
  const char* option = traffic.place              ? "--place"
                       : traffic.ranks != nullptr ? "--ranks"
                                                  : "--groups";
  const bool is_partition = traffic.group && traffic.group->is_partition;
  if (!traffic.place && traffic.ranks == nullptr && !is_partition) return;
  throw std::invalid_argument(fmt::format(
      "--schedule and {} exclude each other: the lines of {} name nodes; the gpus of MSCCL are ranks, which can be placed",
      option, schedule_name(request)));
}

int flits_of(const MessageRequest& message) {
  const auto flit_bytes = static_cast<std::size_t>(message.flit_bytes);
  return message.bytes == 0 ? message.flits
                            : static_cast<int>((message.bytes + flit_bytes - 1) / flit_bytes);
}

// Messages of their own lengths and starts are carried out as tasks, which know no routes.
void require_routes(const std::vector<TimedUnicast>& messages, const std::string& name,
                    const Routing& routing) {
  for (const TimedUnicast& one : messages) {
    const std::string fault = route_fault(one.unicast, routing);
    if (fault.empty()) continue;
    throw std::invalid_argument(fmt::format("{}:{}: {}", shown_path(name), one.line, fault));
  }
}

// Every line of a schedule names its sender, so a file whose first line names none is no schedule.
// `head` has the beginning of that line; a longer line may name its sender behind it.
bool may_be_schedule(std::string_view head, bool is_all) {
  const std::string_view line = head.substr(0, head.find('\n'));
  const bool is_whole = line.size() < head.size() || is_all;
  return line.find("\"u\"") != std::string_view::npos || (!is_whole && !is_execution_plan(head));
}

// Throws for a file that begins with `head` and is no schedule: it is named for what it is, or what
// is wrong with its lines is said.
[[noreturn]] void refuse(std::string_view head, std::istream& in, const std::string& name,
                         const Topology& topology) {
  require_kind(head, FileKind::schedule, shown_path(name), "schedule");
  read_messages(in, name, topology);
  throw std::invalid_argument(shown_path(name) + ": this is no schedule but something else");
}

// The beginning of the file decides what it is.
LoadedSchedule load(std::istream& file, const std::string& name, RunRequest& request,
                    const Routing& routing,
                    const std::vector<std::shared_ptr<const NodeGroup>>& groups) {
  InputHead input(file);
  std::istream& in = input.all();
  std::string_view head = input.head();
  const bool is_all = head.size() < InputHead::most;
  constexpr std::string_view mark = "\xef\xbb\xbf";  // of UTF-8
  if (head.substr(0, mark.size()) == mark) {
    in.ignore(mark.size());
    head.remove_prefix(mark.size());
  }
  head.remove_prefix(std::min(head.find_first_not_of(" \t\n\v\f\r"), head.size()));
  const TrafficTable& traffic = request.traffic;
  const auto asked =
      traffic.names_collective ? std::make_optional(traffic.collective) : std::nullopt;
  if (head.substr(0, 1) == "<") {
    return load_program(read_msccl(in, name, asked), request, routing, groups);
  }
  const Topology& topology = routing.topology();
  if (!head.empty() && !may_be_schedule(head, is_all)) {
    const bool is_plan = head.front() == '{' && is_execution_plan(head);
    if (!is_plan) refuse(head, in, name, topology);
    return load_program(read_execution_plan(in, name, asked), request, routing, groups);
  }
  require_no_places(request);
  LoadedSchedule loaded;
  const std::vector<TimedUnicast> messages = read_messages(in, name, topology);
  const bool is_timed = std::any_of(messages.begin(), messages.end(),
                                    [](const TimedUnicast& one) { return one.is_timed; });
  if (is_timed) {
    require_routes(messages, name, routing);
    loaded.tasks = std::make_shared<TaskGraph>(
        schedule_tasks(messages, name, flits_of(request.message), request.message.flit_bytes,
                       topology.node_count()));
  } else {
    loaded.schedules.push_back(schedule_of(messages, name));
  }
  return loaded;
}

}  // namespace

LoadedSchedule load_schedule(RunRequest& request, const Routing& routing,
                             const std::vector<std::shared_ptr<const NodeGroup>>& groups) {
  LoadedSchedule loaded;
  const std::string path = request.traffic.schedule;
  read_input(path, "the schedule", [&](std::istream& in, const std::string& name) {
    loaded = load(in, name, request, routing, groups);
  });
  for (Schedule& schedule : loaded.schedules) {
    loaded.left_out.push_back(take_left_out(schedule, routing));
    settle_ties(schedule, routing);
  }
  return loaded;
}

void require_sound(const LoadedSchedule& loaded, const RunRequest& request) {
  Finding faults = loaded.faults;
  for (const LeftOut& one : loaded.left_out) faults.add(one.faults);
  if (faults.ok()) return;
  throw std::invalid_argument(schedule_name(request) + ": " + faults.first.front());
}

}  // namespace allport
