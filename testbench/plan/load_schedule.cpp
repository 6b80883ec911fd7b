// SPDX-License-Identifier: Apache-2.0
#include "testbench/plan/load_schedule.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <istream>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>

#include "rtl_model/base/quote.h"
#include "testbench/plan/file_kind.h"
#include "testbench/plan/input_file.h"
#include "testbench/plan/load_program.h"
#include "traffic/msccl/execution_plan.h"
#include "traffic/msccl/msccl_file.h"
#include "traffic/msccl/program_limits.h"
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
  throw std::invalid_argument(
      fmt::format("--schedule and {} exclude each other: the lines of {} name nodes; the gpus of "
                  "MSCCL are ranks, which can be placed",
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

// The rest of the line on which `in` stands, without its end.
std::string rest_of_line(std::istream& in) {
  constexpr std::size_t most = std::size_t{1} << 20;  // no line of a schedule is longer
  std::string line;
  while (line.size() <= most && in.peek() != '\n' &&
         in.peek() != std::istream::traits_type::eof()) {
    line += static_cast<char>(in.get());
  }
  return line;
}

// Every line of a schedule names its sender, so what has none in its first line is none.
bool may_be_schedule(const std::string& line) {
  return line.empty() || line.find("\"u\"") != std::string::npos;
}

// Reads on to the end of `in`, or until `text` has more than `most` bytes.
void read_on(std::istream& in, std::string& text, std::size_t most) {
  constexpr std::size_t step = std::size_t{1} << 16;
  while (in && text.size() <= most) {
    const std::size_t before = text.size();
    text.resize(before + step);
    in.read(&text[before], step);
    text.resize(before + static_cast<std::size_t>(in.gcount()));
  }
}

// Throws for a file that begins with `text` and whose first line is no schedule's: it is named for
// what it is, or what is wrong with the line is said, which begins after `blanks`.
[[noreturn]] void refuse(const std::string& blanks, const std::string& line,
                         const std::string& text, const std::string& name,
                         const Topology& topology) {
  const std::string kind = kind_in_words(text);
  if (kind.empty()) {
    std::istringstream nothing_more;
    read_messages(nothing_more, name, topology, blanks + line);
  }
  throw std::invalid_argument(fmt::format("{}: this is no schedule but {}", shown_path(name),
                                          kind.empty() ? "something else" : kind));
}

// A file whose first line names no sender: an execution plan, or something else.
LoadedSchedule load_plan(const std::string& blanks, const std::string& line, std::istream& in,
                         const std::string& name, RunRequest& request, const Routing& routing,
                         const std::vector<std::shared_ptr<const NodeGroup>>& groups) {
  constexpr std::size_t most_to_tell = std::size_t{1} << 16;
  std::string text = line;
  read_on(in, text, most_to_tell);
  const bool is_object = line.substr(0, 1) == "{";
  if (!is_object || !is_execution_plan(text)) refuse(blanks, line, text, name, routing.topology());
  read_on(in, text, largest_program);
  if (text.size() > largest_program) {
    throw std::invalid_argument(fmt::format("{}: a plan of more than {} bytes is not read",
                                            shown_path(name), largest_program));
  }
  const auto lines = static_cast<std::size_t>(std::count(blanks.begin(), blanks.end(), '\n'));
  return load_program(read_execution_plan(std::string(lines, '\n') + text, name), request, routing,
                      groups);
}

// Takes the mark of UTF-8 at the beginning of `in`; the bytes that only begin like one, as text.
std::string without_mark(std::istream& in) {
  constexpr std::string_view mark = "\xef\xbb\xbf";
  std::string bytes;
  while (bytes.size() < mark.size() &&
         in.peek() == static_cast<unsigned char>(mark[bytes.size()])) {
    bytes += static_cast<char>(in.get());
  }
  return bytes == mark ? "" : bytes;
}

// Takes the blanks at the beginning of `in`; what follows decides what the file is.
LoadedSchedule load(std::istream& in, const std::string& name, RunRequest& request,
                    const Routing& routing,
                    const std::vector<std::shared_ptr<const NodeGroup>>& groups) {
  constexpr std::size_t most_blanks = std::size_t{1} << 16;
  std::string blanks = without_mark(in);
  while (blanks.size() < most_blanks && std::isspace(in.peek()) != 0) {
    blanks += static_cast<char>(in.get());
  }
  const bool is_text = blanks.empty() || std::isspace(static_cast<unsigned char>(blanks[0])) != 0;
  if (is_text && in.peek() == '<') {
    const TrafficTable& traffic = request.traffic;
    const auto asked =
        traffic.names_collective ? std::make_optional(traffic.collective) : std::nullopt;
    return load_program(read_msccl(in, name, asked), request, routing, groups);
  }
  const std::string line = rest_of_line(in);
  const Topology& topology = routing.topology();
  if (!may_be_schedule(line)) return load_plan(blanks, line, in, name, request, routing, groups);
  require_no_places(request);
  LoadedSchedule loaded;
  const std::vector<TimedUnicast> messages = read_messages(in, name, topology, blanks + line);
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
