// SPDX-License-Identifier: Apache-2.0
#include "traffic/tasks/chakra_trace.h"

#include <google/protobuf/io/coded_stream.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <stdexcept>
#include <unordered_map>
#include <utility>

#include "execution_trace.pb.h"
#include "rtl_model/base/quote.h"
#include "traffic/tasks/chakra_attributes.h"

namespace allport {

namespace {

namespace format = execution_trace;
using google::protobuf::io::CodedInputStream;

constexpr auto most_bytes = static_cast<std::int64_t>(TraceScale::most_bytes);

// The processors of a rank: an accelerator, its host, and what starts its messages.
constexpr std::uint16_t accelerator = 0;
constexpr std::uint16_t host = 1;
constexpr std::uint16_t network = 2;

// The collectives by their number in the format.
std::optional<Operation> operation_of(std::int64_t number) {
  switch (number) {
    case 0:
      return Operation::allreduce;
    case 1:
      return Operation::reduce;
    case 2:
      return Operation::allgather;
    case 3:
      return Operation::gather;
    case 4:
      return Operation::scatter;
    case 5:
      return Operation::bcast;
    case 6:
      return Operation::alltoall;
    case 7:
    case 8:
      return Operation::reduce_scatter;
    case 9:
      return Operation::barrier;
    default:
      return std::nullopt;
  }
}

// Reads one file, that of a rank.
class ChakraFile {
 public:
  ChakraFile(const TraceFile& file, std::uint32_t rank, const TraceScale& scale,
             ApplicationTrace& trace)
      : file_(file), rank_(rank), scale_(scale), trace_(trace) {}

  void read() {
    read_nodes();
    // Of several that are ready the lowest id is first, as in the format's feeder.
    std::sort(nodes_.begin(), nodes_.end(),
              [](const auto& a, const auto& b) { return a.second.id() < b.second.id(); });
    const auto first = static_cast<std::uint32_t>(trace_.graph.tasks.size());
    for (const auto& [line, node] : nodes_) {
      const auto place = static_cast<std::uint32_t>(trace_.graph.tasks.size());
      if (!task_of_.emplace(node.id(), place).second) {
        reject(line, node, "another node has this id");
      }
      add(line, node);
    }
    for (std::uint32_t i = 0; i < nodes_.size(); ++i) link(first + i, nodes_[i]);
  }

 private:
  using Numbered = std::pair<std::uint32_t, format::Node>;

  [[noreturn]] void reject(std::uint32_t line, const std::string& why) const {
    throw std::invalid_argument(shown_path(file_.name) + ": node " + std::to_string(line) + ": " +
                                why);
  }
  [[noreturn]] void reject(std::uint32_t line, const format::Node& node,
                           const std::string& why) const {
    reject(line, "id " + std::to_string(node.id()) +
                     (node.name().empty() ? "" : ", " + shown(node.name(), 60)) + ": " + why);
  }

  // Metadata, then nodes, each after its length.
  void read_nodes() {
    if (file_.text.size() > static_cast<std::size_t>(std::numeric_limits<int>::max())) {
      throw std::invalid_argument(shown_path(file_.name) + ": the file has more than 2^31 bytes");
    }
    const int size = static_cast<int>(file_.text.size());
    CodedInputStream in(reinterpret_cast<const std::uint8_t*>(file_.text.data()), size);
    format::Metadata metadata;
    if (size == 0 || !read_message(in, size, metadata)) {
      throw std::invalid_argument(shown_path(file_.name) +
                                  ": it does not begin with the whole metadata of a Chakra trace");
    }
    for (std::uint32_t line = 1; in.CurrentPosition() < size; ++line) {
      format::Node node;
      if (!read_message(in, size, node)) {
        reject(line, "it is torn, or no node of a Chakra trace");
      }
      nodes_.emplace_back(line, std::move(node));
    }
  }

  template <class Message>
  static bool read_message(CodedInputStream& in, int size, Message& message) {
    std::uint32_t length = 0;
    if (!in.ReadVarint32(&length)) return false;
    if (length > static_cast<std::uint32_t>(size - in.CurrentPosition())) return false;
    const auto limit = in.PushLimit(static_cast<int>(length));
    const bool is_read = message.ParseFromCodedStream(&in) && in.ConsumedEntireMessage();
    in.PopLimit(limit);
    return is_read;
  }

  std::int64_t integer(const Numbered& numbered, std::string_view name, std::int64_t low,
                       std::int64_t high, std::optional<std::int64_t> usual = {}) const {
    const auto& [line, node] = numbered;
    const format::Attribute* attribute = find_attribute(node, name);
    if (attribute == nullptr && usual) return *usual;
    if (attribute == nullptr) reject(line, node, std::string(name) + " is missing");
    const auto value = integer_of(*attribute);
    if (!value || *value < low || *value > high) {
      reject(line, node,
             std::string(name) + " must be an integer in " + std::to_string(low) + ".." +
                 std::to_string(high) + (value ? ", not " + std::to_string(*value) : ""));
    }
    return *value;
  }

  void add(std::uint32_t line, const format::Node& node) {
    Task task;
    task.rank = rank_;
    task.origin = {rank_, line};
    const Numbered numbered{line, node};
    if (const std::string fault = attribute_fault(node); !fault.empty()) reject(line, node, fault);
    switch (node.kind()) {
      case format::METADATA:
        break;
      case format::COMPUTE:
      case format::MEMORY_LOAD:
      case format::MEMORY_STORE:
        task.amount = cycles(numbered);
        task.cpu = integer(numbered, "is_cpu_op", 0, 1, 0) != 0 ? host : accelerator;
        break;
      case format::SEND:
      case format::RECEIVE:
        set_message(numbered, task);
        break;
      case format::COLLECTIVE:
        add_call(numbered, task);
        break;
      default:
        reject(
            line, node,
            "its type is " + std::to_string(static_cast<int>(node.kind())) + ", and must be 1..7");
    }
    trace_.graph.tasks.push_back(task);
  }

  auto rejecting(const Numbered& numbered) const {
    return [&](const char* why) { reject(numbered.first, numbered.second, why); };
  }
  Cycle cycles(const Numbered& numbered) const {
    const auto microseconds = static_cast<double>(numbered.second.duration_us());
    if (microseconds > 0) {
      return scaled([&] { return scale_.of_nanoseconds(1e3 * microseconds); }, rejecting(numbered));
    }
    const std::int64_t operations = integer(numbered, "num_ops", 0, most_bytes, 0);
    return scaled([&] { return scale_.of_flops(static_cast<double>(operations)); },
                  rejecting(numbered));
  }

  void set_message(const Numbered& numbered, Task& task) const {
    const bool is_send = numbered.second.kind() == format::SEND;
    const char* own = is_send ? "comm_src" : "comm_dst";
    const std::int64_t ranks = trace_.graph.ranks;
    const std::int64_t rank = rank_;
    if (integer(numbered, own, 0, ranks - 1, rank) != rank) {
      reject(numbered.first, numbered.second,
             std::string(own) + " must be the rank of the file, " + std::to_string(rank));
    }
    task.kind = is_send ? TaskKind::send : TaskKind::receive;
    task.peer = static_cast<std::uint32_t>(
        integer(numbered, is_send ? "comm_dst" : "comm_src", 0, ranks - 1));
    task.tag = static_cast<std::uint32_t>(
        integer(numbered, "comm_tag", 0, std::numeric_limits<std::int32_t>::max(), 0));
    task.amount = bytes(numbered);
    task.cpu = network;
  }
  std::uint64_t bytes(const Numbered& numbered) const {
    const std::int64_t bytes = integer(numbered, "comm_size", 0, most_bytes);
    return scaled([&] { return scale_.of_bytes(static_cast<std::uint64_t>(bytes)); },
                  rejecting(numbered));
  }

  void add_call(const Numbered& numbered, Task& task) {
    const std::int64_t type = integer(numbered, "comm_type", 0, 9);
    CollectiveCall call;
    call.task = static_cast<std::uint32_t>(trace_.graph.tasks.size());
    call.operation = *operation_of(type);
    call.root = static_cast<std::uint32_t>(
        integer(numbered, "root_rank", 0, std::int64_t{trace_.graph.ranks} - 1, 0));
    call.group = group(numbered);
    task.cpu = network;
    if (call.operation != Operation::barrier) call.sends = {bytes(numbered)};
    if (call.operation == Operation::scatter && call.root != rank_) call.sends.clear();
    trace_.calls.push_back(std::move(call));
  }

  std::uint32_t group(const Numbered& numbered) const {
    const format::Attribute* attribute = find_attribute(numbered.second, "pg_name");
    if (attribute == nullptr) return 0;
    const std::optional<std::string> name = text_of(*attribute);
    if (!name) {
      reject(numbered.first, numbered.second, "pg_name must be a text or a whole number");
    }
    if (name->empty()) return 0;
    std::vector<std::string>& groups = trace_.groups;
    const auto found = std::find(groups.begin() + 1, groups.end(), *name);
    const auto place = static_cast<std::uint32_t>(found - groups.begin());
    if (found == groups.end()) groups.push_back(*name);
    return place;
  }

  void link(std::uint32_t task, const Numbered& numbered) {
    const auto& [line, node] = numbered;
    std::vector<std::uint64_t> ids(node.control_after().begin(), node.control_after().end());
    ids.insert(ids.end(), node.data_after().begin(), node.data_after().end());
    std::sort(ids.begin(), ids.end());
    ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
    for (const std::uint64_t id : ids) {
      const auto found = task_of_.find(id);
      if (found == task_of_.end()) {
        reject(line, node,
               "it depends on the id " + std::to_string(id) + ", which no node of the file has");
      }
      trace_.graph.dependencies.push_back({task, found->second});
    }
  }

  const TraceFile& file_;
  std::uint32_t rank_;
  const TraceScale& scale_;
  ApplicationTrace& trace_;
  std::vector<Numbered> nodes_;
  std::unordered_map<std::uint64_t, std::uint32_t> task_of_;  // by id
};

// Blocks of which the format gives the sum of a rank's are cut as evenly as bytes allow.
void cut_blocks(ApplicationTrace& trace) {
  std::vector<std::size_t> members(trace.groups.size());
  std::vector<std::uint32_t> last(trace.groups.size(), any_rank);
  for (const CollectiveCall& call : trace.calls) {
    const std::uint32_t rank = trace.graph.tasks[call.task].rank;
    if (last[call.group] == rank) continue;
    last[call.group] = rank;
    ++members[call.group];
  }
  for (CollectiveCall& call : trace.calls) {
    const bool is_sum = call.operation == Operation::alltoall ||
                        call.operation == Operation::scatter ||
                        call.operation == Operation::reduce_scatter;
    if (!is_sum || call.sends.empty()) continue;
    const std::size_t count = members[call.group];
    const std::uint64_t bytes = call.sends.front();
    call.sends = {bytes / count};
    if (bytes % count == 0) continue;
    call.sends.assign(count, bytes / count);
    for (std::size_t i = 0; i < bytes % count; ++i) ++call.sends[i];
  }
}

}  // namespace

ApplicationTrace read_chakra(const std::vector<TraceFile>& files, const TraceScale& scale) {
  ApplicationTrace trace;
  trace.graph.ranks = static_cast<std::uint32_t>(files.size());
  for (std::uint32_t rank = 0; rank < files.size(); ++rank) {
    trace.graph.files.push_back(files[rank].name);
    ChakraFile(files[rank], rank, scale, trace).read();
  }
  cut_blocks(trace);
  return trace;
}

}  // namespace allport
