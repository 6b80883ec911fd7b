// SPDX-License-Identifier: Apache-2.0
// read_chakra() reads Chakra execution traces [Sridharan23]: a graph of what each rank of a
// machine-learning job computes and communicates, in a file for each rank (docs/guide/replay.md).
#include <algorithm>
#include <array>
#include <cctype>
#include <limits>
#include <optional>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "traffic/tasks/chakra_attributes.h"
#include "traffic/tasks/chakra_json.h"
#include "traffic/tasks/chakra_links.h"
#include "traffic/tasks/chakra_nodes.h"
#include "traffic/tasks/workload_format.h"

namespace allport {

namespace {

namespace format = execution_trace;

constexpr auto most_bytes = static_cast<std::int64_t>(TraceScale::most_bytes);

// The processors of a rank: an accelerator, its host, and what starts its messages.
constexpr std::uint16_t accelerator = 0;
constexpr std::uint16_t host = 1;
constexpr std::uint16_t network = 2;

// The collectives of the format, by number.
struct Collective {
  std::string_view name;
  Operation operation;
};
constexpr std::array<Collective, 10> collectives{{
    {"ALL_REDUCE", Operation::allreduce},
    {"REDUCE", Operation::reduce},
    {"ALL_GATHER", Operation::allgather},
    {"GATHER", Operation::gather},
    {"SCATTER", Operation::scatter},
    {"BROADCAST", Operation::bcast},
    {"ALL_TO_ALL", Operation::alltoall},
    {"REDUCE_SCATTER", Operation::reduce_scatter},
    {"REDUCE_SCATTER_BLOCK", Operation::reduce_scatter},
    {"BARRIER", Operation::barrier},
}};

// The half of a communication that its host does: it starts the other one, which says what is
// moved.
bool is_host_half(const format::Node& node) {
  const bool is_call = node.kind() == format::COLLECTIVE;
  if (!is_call && node.kind() != format::SEND && node.kind() != format::RECEIVE) return false;
  const format::Attribute* is_cpu_op = find_attribute(node, "is_cpu_op");
  const bool is_host = is_cpu_op != nullptr && integer_of(*is_cpu_op).value_or(0) == 1;
  return is_host && find_attribute(node, is_call ? "comm_type" : "comm_size") == nullptr;
}

// Reads one file, that of a rank.
class ChakraFile {
 public:
  ChakraFile(const TraceFile& file, std::uint32_t rank, const TraceScale& scale,
             ApplicationTrace& trace)
      : file_(file), rank_(rank), scale_(scale), trace_(trace) {}

  void read() {
    std::vector<ChakraNode> nodes = read_chakra_nodes(file_);
    // Of several that are ready the lowest id is first, as in the format's feeder.
    std::stable_sort(nodes.begin(), nodes.end(),
                     [](const auto& a, const auto& b) { return a.second.id() < b.second.id(); });
    const auto first = static_cast<std::uint32_t>(trace_.graph.tasks.size());
    const ChakraLinks links = link_chakra(file_, nodes);
    for (ChakraNode& node : nodes) {
      if (is_host_half(node.second)) node.second.set_kind(format::COMPUTE);
      add(node);
    }
    for (const auto& [task, on] : links.waits) {
      trace_.graph.dependencies.push_back({first + task, first + on});
    }
    trace_.left_out += links.left_out;
  }

 private:
  [[noreturn]] void reject(const ChakraNode& node, const std::string& why) const {
    throw std::invalid_argument(chakra_place(file_, node) + why);
  }

  std::int64_t integer(const ChakraNode& node, std::string_view name, std::int64_t low,
                       std::int64_t high, std::optional<std::int64_t> default_value = {}) const {
    const format::Attribute* attribute = find_attribute(node.second, name);
    if (attribute == nullptr && default_value) return *default_value;
    if (attribute == nullptr) reject(node, std::string(name) + " is missing");
    const auto value = integer_of(*attribute);
    if (!value || *value < low || *value > high) {
      reject(node,
             std::string(name) + " must be an integer in " + std::to_string(low) + ".." +
                 std::to_string(high) +
                 (value ? ", not " + text_of(*attribute).value_or(std::to_string(*value)) : ""));
    }
    return *value;
  }

  void add(const ChakraNode& node) {
    Task task;
    task.rank = rank_;
    task.origin = {rank_, node.first};
    const std::string fault = attribute_fault(node.second);
    if (!fault.empty()) reject(node, fault);
    switch (node.second.kind()) {
      case format::METADATA:
        break;
      case format::COMPUTE:
      case format::MEMORY_LOAD:
      case format::MEMORY_STORE:
        task.amount = cycles(node);
        task.cpu = integer(node, "is_cpu_op", 0, 1, 0) != 0 ? host : accelerator;
        break;
      case format::SEND:
      case format::RECEIVE:
        set_message(node, task);
        break;
      case format::COLLECTIVE:
        add_call(node, task);
        break;
      default:
        reject(node, "its type is " + std::to_string(static_cast<int>(node.second.kind())) +
                         ", and must be 1..7");
    }
    trace_.graph.tasks.push_back(task);
  }

  auto rejecting(const ChakraNode& node) const {
    return [&](const char* why) { reject(node, why); };
  }
  Cycle cycles(const ChakraNode& node) const {
    const auto microseconds = static_cast<double>(node.second.duration_us());
    if (microseconds > 0) {
      return scaled([&] { return scale_.of_nanoseconds(1e3 * microseconds); }, rejecting(node));
    }
    const std::int64_t operations = integer(node, "num_ops", 0, most_bytes, 0);
    return scaled([&] { return scale_.of_flops(static_cast<double>(operations)); },
                  rejecting(node));
  }

  void set_message(const ChakraNode& node, Task& task) const {
    const bool is_send = node.second.kind() == format::SEND;
    const char* own = is_send ? "comm_src" : "comm_dst";
    const std::int64_t ranks = trace_.graph.ranks;
    const std::int64_t rank = rank_;
    if (integer(node, own, 0, ranks - 1, rank) != rank) {
      reject(node, std::string(own) + " must be the rank of the file, " + std::to_string(rank));
    }
    task.kind = is_send ? TaskKind::send : TaskKind::receive;
    task.peer =
        static_cast<std::uint32_t>(integer(node, is_send ? "comm_dst" : "comm_src", 0, ranks - 1));
    task.tag = static_cast<std::uint32_t>(
        integer(node, "comm_tag", 0, std::numeric_limits<std::int32_t>::max(), 0));
    task.amount = bytes(node);
    task.cpu = network;
  }
  std::uint64_t bytes(const ChakraNode& node) const {
    const std::int64_t bytes = integer(node, "comm_size", 0, most_bytes);
    return scaled([&] { return scale_.of_bytes(static_cast<std::uint64_t>(bytes)); },
                  rejecting(node));
  }

  void add_call(const ChakraNode& node, Task& task) {
    CollectiveCall call;
    call.task = static_cast<std::uint32_t>(trace_.graph.tasks.size());
    call.operation = operation(node);
    call.root = static_cast<std::uint32_t>(
        integer(node, "root_rank", 0, std::int64_t{trace_.graph.ranks} - 1, no_rank));
    call.group = group(node);
    task.cpu = network;
    if (call.operation != Operation::barrier) call.sends = {bytes(node)};
    trace_.calls.push_back(std::move(call));
  }

  // By its number, or in JSON by its name.
  Operation operation(const ChakraNode& node) const {
    const format::Attribute* type = find_attribute(node.second, "comm_type");
    if (type != nullptr && type->value_case() == format::Attribute::kAsString) {
      for (const Collective& one : collectives) {
        if (one.name == type->as_string()) return one.operation;
      }
    }
    return collectives[static_cast<std::size_t>(integer(node, "comm_type", 0, 9))].operation;
  }

  std::uint32_t group(const ChakraNode& node) const {
    const format::Attribute* attribute = find_attribute(node.second, "pg_name");
    if (attribute == nullptr) return 0;
    const std::optional<std::string> name = text_of(*attribute);
    if (!name) {
      reject(node, "pg_name must be a text or a whole number");
    }
    if (name->empty()) return 0;
    std::vector<std::string>& groups = trace_.groups;
    const auto found = std::find(groups.begin() + 1, groups.end(), *name);
    const auto place = static_cast<std::uint32_t>(found - groups.begin());
    if (found == groups.end()) groups.push_back(*name);
    return place;
  }

  const TraceFile& file_;
  std::uint32_t rank_;
  const TraceScale& scale_;
  ApplicationTrace& trace_;
};

struct Members {
  std::size_t count = 0;
  std::uint32_t first = no_rank;
  std::uint32_t last = no_rank;
};

// The ranks that call collectives in each group.
std::vector<Members> members_of(const ApplicationTrace& trace) {
  std::vector<Members> all(trace.groups.size());
  for (const CollectiveCall& call : trace.calls) {  // rank by rank
    const std::uint32_t rank = trace.graph.tasks[call.task].rank;
    Members& members = all[call.group];
    if (members.last == rank) continue;
    if (members.count++ == 0) members.first = rank;
    members.last = rank;
  }
  return all;
}

// The root of a call that names none is the first rank of its group. Blocks of which the format
// gives the sum of a rank's are cut as evenly as bytes allow.
void settle_calls(ApplicationTrace& trace) {
  const std::vector<Members> groups = members_of(trace);
  for (CollectiveCall& call : trace.calls) {
    const Members& members = groups[call.group];
    if (call.root == no_rank) call.root = members.first;
    const bool is_root = call.root == trace.graph.tasks[call.task].rank;
    if (call.operation == Operation::scatter && !is_root) call.sends.clear();
    const bool is_sum = call.operation == Operation::alltoall ||
                        call.operation == Operation::scatter ||
                        call.operation == Operation::reduce_scatter;
    if (!is_sum || call.sends.empty()) continue;
    const std::uint64_t bytes = call.sends.front();
    const std::uint64_t rest = bytes % members.count;
    call.sends = {bytes / members.count};
    if (rest == 0) continue;
    call.sends.assign(members.count, bytes / members.count);
    for (std::size_t i = 0; i < rest; ++i) ++call.sends[i];
  }
}

ApplicationTrace read_chakra(const std::vector<TraceFile>& files, const TraceScale& scale,
                             int /*flit_bytes*/) {
  ApplicationTrace trace;
  trace.graph.ranks = static_cast<std::uint32_t>(files.size());
  for (std::uint32_t rank = 0; rank < files.size(); ++rank) {
    trace.graph.files.push_back(files[rank].name);
    ChakraFile(files[rank], rank, scale, trace).read();
  }
  settle_calls(trace);
  return trace;
}

bool begins_chakra(std::string_view line, std::string_view text) {
  // Messages of protocol buffers, each behind its length; the first has the version, `0.0.4`.
  if (text.size() > 3 && text[0] > 2 && text[1] == '\n' && text[2] == text[0] - 2 &&
      std::isdigit(static_cast<unsigned char>(text[3])) != 0) {
    return true;
  }
  const auto has = [](std::string_view where, const char* key) {
    return where.find(key) != std::string_view::npos;
  };
  if (line.substr(0, 1) != "{" || has(line, "\"node\"")) return false;  // a task names its node
  return has(text, "\"data_deps\"") || has(text, "\"dataDeps\"") || has(text, "\"ctrl_deps\"") ||
         has(text, "\"ctrlDeps\"");
}

}  // namespace

// Of rank 0, 1, ..; times are microseconds, and the operations of a node without a time count if
// there are any. The line of a task is the number of its node in the file, from 1. Names that end
// in `.et` are of files in the binary form, others of JSON.
WorkloadFormat chakra_format() {
  return {"Chakra",
          "trace of Chakra",
          "Chakra execution traces",
          "",
          WorkloadFormat::Files::by_rank,
          begins_chakra,
          read_chakra,
          is_chakra_json};
}

}  // namespace allport
