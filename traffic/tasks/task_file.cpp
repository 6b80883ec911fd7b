// SPDX-License-Identifier: Apache-2.0
#include "traffic/tasks/task_file.h"

#include <algorithm>
#include <array>
#include <istream>
#include <limits>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <unordered_map>
#include <utility>

#include "rtl_model/base/quote.h"
#include "rtl_model/base/range.h"
#include "traffic/schedule/json_line.h"
#include "traffic/tasks/call_line.h"
#include "traffic/tasks/task_check.h"
#include "traffic/tasks/workload_format.h"

namespace allport {

namespace {

constexpr std::int64_t largest_number = std::numeric_limits<std::uint32_t>::max() - 1;
constexpr const char* example = R"({"node":0,"task":"a","compute":100})";

enum class LineKind { compute, send, receive, collective };

class TaskReader {
 public:
  TaskReader(const std::string& file, int flit_bytes, const TraceScale& scale)
      : flit_bytes_(flit_bytes), scale_(scale) {
    graph_.files.push_back(shown_path(file));
  }

  void add(const JsonLine& line, std::size_t number);
  ApplicationTrace take(const std::string& file);

 private:
  struct Reference {  // to a task that no line up to here has
    std::uint32_t task = 0;
    std::string name;
    bool on_start = false;
  };
  static std::string key_of(std::uint32_t rank, const std::string& name) {
    return std::to_string(rank) + ' ' + name;
  }
  void name_task(const JsonLine& line, const Task& task);
  void read_references(const JsonLine& line, const Task& task, const char* key, bool on_start);
  std::optional<std::uint64_t> bytes_of(const JsonLine& line) const;
  Cycle cycles_of(const JsonLine& line, const char* key) const;
  void read_kind(const JsonLine& line, LineKind kind, Task& task) const;
  void add_call(const JsonLine& line, std::uint32_t rank);

  const int flit_bytes_;
  const TraceScale scale_;
  ApplicationTrace trace_;
  TaskGraph& graph_ = trace_.graph;
  std::unordered_map<std::string, std::uint32_t> groups_;
  std::unordered_map<std::string, std::uint32_t> names_;  // of a rank
  std::vector<Reference> open_;
};

std::uint32_t read_number(const JsonLine& line, const char* key) {
  return static_cast<std::uint32_t>(line.integer(key, 0, largest_number));
}

LineKind kind_of(const JsonLine& line) {
  constexpr std::array<std::pair<const char*, LineKind>, 4> kinds{
      {{"compute", LineKind::compute},
       {"send", LineKind::send},
       {"receive", LineKind::receive},
       {"collective", LineKind::collective}}};
  int count = 0;
  LineKind kind = LineKind::compute;
  for (const auto& [key, one] : kinds) {
    if (!line.has(key)) continue;
    ++count;
    kind = one;
    const bool is_mark = one == LineKind::send || one == LineKind::receive;
    const bool is_set = line[key].is_boolean() && line[key].get<bool>();
    if (is_mark && !is_set) line.reject(std::string(key) + " must be true");
  }
  if (count != 1) line.reject("give one of compute, send, receive and collective");
  return kind;
}

// Keys that lines of other kinds do not have.
void require_own_keys(const JsonLine& line, LineKind kind) {
  struct Owner {
    const char* key;
    LineKind one;
    LineKind other;
    const char* words;
  };
  constexpr std::array<Owner, 10> owners{
      {{"to", LineKind::send, LineKind::send, "a send"},
       {"nic", LineKind::send, LineKind::send, "a send"},
       {"class", LineKind::send, LineKind::send, "a send"},
       {"from", LineKind::receive, LineKind::receive, "a receive"},
       {"tag", LineKind::send, LineKind::receive, "a send or a receive"},
       {"flits", LineKind::send, LineKind::collective, "a send or a collective"},
       {"bytes", LineKind::send, LineKind::collective, "a send or a collective"},
       {"root", LineKind::collective, LineKind::collective, "a collective"},
       {"algorithm", LineKind::collective, LineKind::collective, "a collective"},
       {"group", LineKind::collective, LineKind::collective, "a collective"}}};
  for (const Owner& owner : owners) {
    if (!line.has(owner.key) || kind == owner.one || kind == owner.other) continue;
    line.reject(std::string(owner.key) + " is for " + owner.words);
  }
}

// None: the line has no length.
std::optional<std::uint64_t> TaskReader::bytes_of(const JsonLine& line) const {
  if (line.has("flits") == line.has("bytes")) {
    if (line.has("flits")) line.reject("give either flits or bytes");
    return std::nullopt;
  }
  const std::int64_t bytes =
      line.has("bytes")
          ? line.integer("bytes", 0, limits::bytes.high)
          : line.integer("flits", limits::flits.low, limits::flits.high) * flit_bytes_;
  return scaled([&] { return scale_.of_bytes(static_cast<std::uint64_t>(bytes)); },
                [&](const char* why) { line.reject(why); });
}

Cycle TaskReader::cycles_of(const JsonLine& line, const char* key) const {
  const Cycle cycles = line.integer(key, 0, limits::cycles.high);
  return scaled([&] { return scale_.of_cycles(cycles); },
                [&](const char* why) { line.reject(why); });
}

void TaskReader::read_kind(const JsonLine& line, LineKind kind, Task& task) const {
  switch (kind) {
    case LineKind::compute:
      task.amount = static_cast<std::uint64_t>(cycles_of(line, "compute"));
      break;
    case LineKind::send: {
      const auto bytes = bytes_of(line);
      if (!bytes) line.reject("a send has either flits or bytes");
      task.kind = TaskKind::send;
      task.peer = read_number(line, "to");
      task.amount = *bytes;
      task.tag = line.has("tag") ? read_number(line, "tag") : 0;
      break;
    }
    case LineKind::receive:
      task.kind = TaskKind::receive;
      task.amount = any_length;
      if (line.has("from")) task.peer = read_number(line, "from");
      if (line.has("tag")) task.tag = read_number(line, "tag");
      break;
    case LineKind::collective:  // a computation of no cycles stands for it
      break;
  }
}

// The call of the task that is read last.
void TaskReader::add_call(const JsonLine& line, std::uint32_t rank) {
  CollectiveCall call = read_call(line, rank, bytes_of(line));
  call.task = static_cast<std::uint32_t>(graph_.tasks.size() - 1);
  if (line.has("group")) {
    const auto next = static_cast<std::uint32_t>(trace_.groups.size());
    const auto [found, is_new] = groups_.try_emplace(line.text("group", line["group"]), next);
    if (is_new) trace_.groups.push_back(found->first);
    call.group = found->second;
  }
  trace_.calls.push_back(std::move(call));
}

void TaskReader::name_task(const JsonLine& line, const Task& task) {
  if (!line.has("task")) return;
  const std::string name = line.text("task", line["task"]);
  const auto number = static_cast<std::uint32_t>(graph_.tasks.size());
  const auto [found, is_new] = names_.try_emplace(key_of(task.rank, name), number);
  if (is_new) return;
  line.reject("node " + std::to_string(task.rank) + " has a task " + in_quotes(name) +
              " already, in line " + std::to_string(graph_.tasks[found->second].origin.line));
}

void TaskReader::read_references(const JsonLine& line, const Task& task, const char* key,
                                 bool on_start) {
  if (!line.has(key)) return;
  const auto& list = line[key];
  if (!list.is_array()) line.reject(std::string(key) + " must be a list of names of tasks");
  const auto number = static_cast<std::uint32_t>(graph_.tasks.size());
  for (const auto& value : list) {
    const std::string name = line.text(key, value);
    const auto found = names_.find(key_of(task.rank, name));
    if (found == names_.end()) {
      open_.push_back({number, name, on_start});
    } else {
      graph_.dependencies.push_back({number, found->second, on_start});
    }
  }
}

void TaskReader::add(const JsonLine& line, std::size_t number) {
  static const std::vector<std::string_view> known{
      "node", "task",       "compute", "send",      "receive", "flits",       "bytes",
      "to",   "from",       "tag",     "after",     "cpu",     "after_start", "at",
      "nic",  "collective", "root",    "algorithm", "group",   "class"};
  line.require_known_keys(known);
  Task task;
  task.rank = read_number(line, "node");
  const LineKind kind = kind_of(line);
  require_own_keys(line, kind);
  read_kind(line, kind, task);
  task.origin.line = static_cast<std::uint32_t>(number);
  if (line.has("at")) task.at = cycles_of(line, "at");
  if (line.has("cpu")) task.cpu = static_cast<std::uint16_t>(line.integer("cpu", 0, 65535));
  if (line.has("nic")) task.nic = static_cast<std::uint16_t>(line.integer("nic", 0, any_nic - 1));
  if (line.has("class")) {
    task.message_class =
        static_cast<std::uint8_t>(line.integer("class", 0, limits::classes.high - 1));
  }
  name_task(line, task);
  read_references(line, task, "after", false);
  read_references(line, task, "after_start", true);
  graph_.ranks = std::max(graph_.ranks, task.rank + 1);
  graph_.tasks.push_back(task);
  if (kind == LineKind::collective) add_call(line, task.rank);
}

ApplicationTrace TaskReader::take(const std::string& file) {
  if (graph_.tasks.empty()) throw std::invalid_argument(shown_path(file) + ": it has no tasks");
  for (const Reference& one : open_) {
    const Task& task = graph_.tasks[one.task];
    const auto found = names_.find(key_of(task.rank, one.name));
    if (found == names_.end()) {
      throw std::invalid_argument(origin_in_words(graph_, task) + ": node " +
                                  std::to_string(task.rank) + " has no task " +
                                  in_quotes(one.name));
    }
    graph_.dependencies.push_back({one.task, found->second, one.on_start});
  }
  return std::move(trace_);
}

}  // namespace

ApplicationTrace read_tasks(std::istream& in, const std::string& name, int flit_bytes,
                            const TraceScale& scale) {
  TaskReader reader(name, flit_bytes, scale);
  LineReader lines(in, name);
  for (std::string text; lines.next(text);) {
    reader.add(JsonLine(text, lines.where(), example), lines.number());
  }
  return reader.take(name);
}

WorkloadFormat tasks_format() {
  const auto begins = [](std::string_view line, std::string_view /*text*/) {
    return line.substr(0, 1) == "{" && line.find("\"node\"") != std::string_view::npos;
  };
  const auto read = [](const std::vector<TraceFile>& files, const TraceScale& scale,
                       int flit_bytes) {
    std::istringstream in(files.front().text);
    return read_tasks(in, files.front().name, flit_bytes, scale);
  };
  return {"tasks",
          "file of tasks",
          "files of tasks",
          "a JSON object in each line",
          WorkloadFormat::Files::one,
          begins,
          read};
}

}  // namespace allport
