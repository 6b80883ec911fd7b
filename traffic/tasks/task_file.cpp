// SPDX-License-Identifier: Apache-2.0
#include "traffic/tasks/task_file.h"

#include <algorithm>
#include <istream>
#include <limits>
#include <stdexcept>
#include <unordered_map>
#include <utility>

#include "rtl_model/base/quote.h"
#include "rtl_model/base/range.h"
#include "traffic/schedule/json_line.h"
#include "traffic/tasks/task_check.h"

namespace allport {

namespace {

constexpr std::int64_t largest_number = std::numeric_limits<std::uint32_t>::max() - 1;
constexpr const char* example = R"({"node":0,"task":"a","compute":100})";

class TaskReader {
 public:
  TaskReader(const std::string& file, int flit_bytes) : flit_bytes_(flit_bytes) {
    graph_.files.push_back(shown_path(file));
  }

  void add(const JsonLine& line, std::size_t number);
  TaskGraph take(const std::string& file);

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
  std::uint64_t bytes_of(const JsonLine& line) const;
  void read_kind(const JsonLine& line, Task& task) const;

  const int flit_bytes_;
  TaskGraph graph_;
  std::unordered_map<std::string, std::uint32_t> names_;  // of a rank
  std::vector<Reference> open_;
};

std::uint32_t read_number(const JsonLine& line, const char* key) {
  return static_cast<std::uint32_t>(line.integer(key, 0, largest_number));
}

TaskKind kind_of(const JsonLine& line) {
  constexpr std::pair<const char*, TaskKind> kinds[] = {
      {"compute", TaskKind::compute}, {"send", TaskKind::send}, {"receive", TaskKind::receive}};
  int count = 0;
  TaskKind kind = TaskKind::compute;
  for (const auto& [key, one] : kinds) {
    if (!line.has(key)) continue;
    ++count;
    kind = one;
    const bool is_marked = line[key].is_boolean() && line[key].get<bool>();
    if (one != TaskKind::compute && !is_marked) line.reject(std::string(key) + " must be true");
  }
  if (count != 1) line.reject("give one of compute, send and receive");
  return kind;
}

// Keys that tasks of other kinds do not have.
void require_own_keys(const JsonLine& line, TaskKind kind) {
  constexpr std::pair<const char*, TaskKind> owners[] = {{"to", TaskKind::send},
                                                         {"from", TaskKind::receive},
                                                         {"flits", TaskKind::send},
                                                         {"bytes", TaskKind::send},
                                                         {"nic", TaskKind::send}};
  for (const auto& [key, owner] : owners) {
    if (owner == kind || !line.has(key)) continue;
    line.reject(std::string(key) + " is for a " + (owner == TaskKind::send ? "send" : "receive"));
  }
  if (kind == TaskKind::compute && line.has("tag")) line.reject("tag is for messages");
}

std::uint64_t TaskReader::bytes_of(const JsonLine& line) const {
  if (line.has("flits") == line.has("bytes")) line.reject("a send has either flits or bytes");
  if (line.has("bytes")) {
    return static_cast<std::uint64_t>(line.integer("bytes", 0, limits::bytes.high));
  }
  const std::int64_t flits = line.integer("flits", limits::flits.low, limits::flits.high);
  return static_cast<std::uint64_t>(flits) * static_cast<std::uint64_t>(flit_bytes_);
}

void TaskReader::read_kind(const JsonLine& line, Task& task) const {
  task.kind = kind_of(line);
  require_own_keys(line, task.kind);
  switch (task.kind) {
    case TaskKind::compute:
      task.amount = static_cast<std::uint64_t>(line.integer("compute", 0, limits::cycles.high));
      break;
    case TaskKind::send:
      task.peer = read_number(line, "to");
      task.amount = bytes_of(line);
      task.tag = line.has("tag") ? read_number(line, "tag") : 0;
      break;
    case TaskKind::receive:
      task.amount = any_length;
      if (line.has("from")) task.peer = read_number(line, "from");
      if (line.has("tag")) task.tag = read_number(line, "tag");
      break;
  }
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
      "node", "task", "compute", "send", "receive",     "flits", "bytes", "to",
      "from", "tag",  "after",   "cpu",  "after_start", "at",    "nic"};
  line.require_known_keys(known);
  Task task;
  task.rank = read_number(line, "node");
  read_kind(line, task);
  task.origin.line = static_cast<std::uint32_t>(number);
  if (line.has("at")) task.at = line.integer("at", 0, limits::cycles.high);
  if (line.has("cpu")) task.cpu = static_cast<std::uint16_t>(line.integer("cpu", 0, 65535));
  if (line.has("nic")) task.nic = static_cast<std::uint16_t>(line.integer("nic", 0, any_nic - 1));
  name_task(line, task);
  read_references(line, task, "after", false);
  read_references(line, task, "after_start", true);
  graph_.ranks = std::max(graph_.ranks, task.rank + 1);
  graph_.tasks.push_back(task);
}

TaskGraph TaskReader::take(const std::string& file) {
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
  return std::move(graph_);
}

}  // namespace

TaskGraph read_tasks(std::istream& in, const std::string& name, int flit_bytes) {
  TaskReader reader(name, flit_bytes);
  LineReader lines(in, name);
  for (std::string text; lines.next(text);) {
    reader.add(JsonLine(text, lines.where(), example), lines.number());
  }
  return reader.take(name);
}

}  // namespace allport
