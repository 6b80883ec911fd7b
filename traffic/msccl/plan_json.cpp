// SPDX-License-Identifier: Apache-2.0
// This file reads the JSON of an execution plan.
#include <algorithm>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <utility>

#include "rtl_model/base/names.h"
#include "rtl_model/base/quote.h"
#include "rtl_model/base/range.h"
#include "traffic/msccl/execution_plan.h"
#include "traffic/msccl/plan_element.h"
#include "traffic/msccl/plan_operation.h"
#include "traffic/msccl/program_text.h"

namespace allport {

namespace {

using Json = nlohmann::json;

constexpr std::size_t most_blocks = std::size_t{1} << 20;
constexpr int deepest = 64;
constexpr std::size_t largest_number = std::numeric_limits<int>::max();

enum class Channel : std::uint8_t { memory, port, other };

Channel channel_of(const PlanElement& element, const char* key) {
  const std::string name = element.text(key);
  if (name == "memory") return Channel::memory;
  if (name == "port") return Channel::port;
  if (name == "switch" || name == "none") return Channel::other;
  element.reject(unknown_name(key, name, {"memory", "port", "switch", "none"}));
}

char buffer_of(const PlanElement& element, const char* key) {
  const std::string name = element.text(key);
  if (name == "i" || name == "o" || name == "s") return name.front();
  element.reject(std::string(key) + " must be i, o or s, not " + in_quotes(shown(name, 100)));
}

struct RemoteBuffer {
  std::size_t gpu = 0;
  char buffer = 'i';
};

// What the numbers in the operations of a thread block refer to.
struct Names {
  std::map<Channel, std::vector<std::size_t>> channels;  // of the GPU
  std::map<Channel, std::vector<RemoteBuffer>> buffers;
};

class PlanParser {
 public:
  PlanParser(const Json& json, const std::string& place) : root_(json, place + ": ") {}

  ExecutionPlan plan(const std::optional<Operation>& asked) {
    plan_.name = root_.has("name") ? root_.text("name") : "";
    plan_.operation = operation(asked);
    plan_.in_place = root_.truth("inplace");
    const Json::array_t& gpus = root_.list("gpus");
    if (gpus.size() < 2 || gpus.size() > most_gpus) {
      root_.reject("gpus must be 2.." + std::to_string(most_gpus) + " objects, not " +
                   std::to_string(gpus.size()));
    }
    plan_.gpus.resize(gpus.size());
    for (std::size_t i = 0; i < gpus.size(); ++i) read_gpu(root_.child(gpus[i], "gpu", i), i);
    return std::move(plan_);
  }

 private:
  Operation operation(const std::optional<Operation>& asked) const {
    return msccl_operation("collective", root_.text("collective"), asked,
                           [&](const std::string& why) { root_.reject(why); });
  }

  bool has_small_input() const {
    return plan_.operation == Operation::allgather || plan_.operation == Operation::gather;
  }
  bool has_small_output() const {
    return plan_.operation == Operation::reduce_scatter || plan_.operation == Operation::scatter;
  }

  // The chunks of a GPU's input and output, which all GPUs have alike.
  void read_size(const PlanElement& gpu, std::size_t number) {
    const std::size_t gpus = plan_.gpus.size();
    const std::size_t input = gpu.size("input_chunks", 0, limits::flits.high);
    const std::size_t output = gpu.size("output_chunks", 0, limits::flits.high);
    const bool is_in_place = input > 0 && output == 0;  // the output is the input
    const std::size_t chunks = has_small_input() ? input * gpus : input;
    const std::size_t expected = has_small_output() ? chunks / gpus : chunks;
    if (chunks == 0 || (!is_in_place && output != expected) ||
        (plan_.operation == Operation::alltoall && chunks % gpus != 0) ||
        (has_small_output() && chunks % gpus != 0)) {
      gpu.reject("input_chunks " + std::to_string(input) + " and output_chunks " +
                 std::to_string(output) + " are not those of " + root_.text("collective") +
                 " among " + std::to_string(gpus) + " gpus");
    }
    if (number > 0 && chunks != plan_.chunks) {
      gpu.reject("input_chunks must be as many as those of gpu 0");
    }
    plan_.chunks = chunks;
    if (plan_.operation == Operation::barrier && chunks != 1) {
      gpu.reject("input_chunks of a barrier must be 1");
    }
    if (number == 0) read_parts();
    if (chunks > most_cells / gpus) {
      gpu.reject("the gpus have more than " + std::to_string(most_cells) + " chunks in total");
    }
    PlanGpu& one = plan_.gpus[number];
    one.scratch = gpu.size("scratch_chunks", 0, most_cells);
    if ((scratch_ += one.scratch) > most_cells) {
      gpu.reject("scratch_chunks adds up to more than " + std::to_string(most_cells));
    }
  }

  void read_parts() {
    if (!root_.has("parts")) return;
    plan_.parts = root_.size("parts", 1, plan_.chunks);
    const bool is_vector =
        plan_.operation == Operation::reduce || plan_.operation == Operation::allreduce;
    if (is_vector && plan_.chunks % plan_.parts == 0) return;
    root_.reject("parts is for the vector of a reduce or allreduce and must divide its chunks, " +
                 std::to_string(plan_.chunks));
  }

  void read_gpu(const PlanElement& gpu, std::size_t number) {
    if (gpu.size("id", 0, plan_.gpus.size() - 1) != number) {
      gpu.reject("id must be " + std::to_string(number) + ", its place in the list");
    }
    read_size(gpu, number);
    PlanGpu& one = plan_.gpus[number];
    const Json::array_t& channels = gpu.list("channels");
    for (std::size_t i = 0; i < channels.size(); ++i) {
      read_channel(gpu.child(channels[i], "channel", i), number);
    }
    remote_.clear();
    if (gpu.has("remote_buffers")) {
      const Json::array_t& buffers = gpu.list("remote_buffers");
      for (std::size_t i = 0; i < buffers.size(); ++i) {
        const PlanElement buffer = gpu.child(buffers[i], "remote buffer", i);
        remote_.push_back({peer(buffer, "rank", number), buffer_of(buffer, "type")});
      }
    }
    if (gpu.has("semaphores")) {
      const Json::array_t& semaphores = gpu.list("semaphores");
      for (std::size_t i = 0; i < semaphores.size(); ++i) {
        one.semaphores.push_back(
            gpu.child(semaphores[i], "semaphore", i).size("init_value", 0, most_steps));
      }
    }
    const Json::array_t& blocks = gpu.list("threadblocks");
    if ((blocks_ += blocks.size()) > most_blocks) {
      gpu.reject("the plan has more than " + std::to_string(most_blocks) + " thread blocks");
    }
    one.blocks.resize(blocks.size());
    for (std::size_t i = 0; i < blocks.size(); ++i) {
      read_block(gpu.child(blocks[i], "tb", i), number, i);
    }
  }

  std::size_t peer(const PlanElement& element, const char* key, std::size_t self) const {
    const std::size_t gpu = element.size(key, 0, plan_.gpus.size() - 1);
    if (gpu == self) element.reject(std::string(key) + " is the gpu itself");
    return gpu;
  }

  void read_channel(const PlanElement& channel, std::size_t gpu) {
    const Channel type = channel_of(channel, "channel_type");
    if (type == Channel::other) return;
    PlanGpu& one = plan_.gpus[gpu];
    std::vector<std::size_t>& peers = type == Channel::port ? one.port_peers : one.memory_peers;
    for (const std::size_t peer : channel.sizes("connected_to", plan_.gpus.size() - 1)) {
      if (peer == gpu) channel.reject("connected_to is the gpu itself");
      peers.push_back(peer);
    }
  }

  Names names_of(const PlanElement& block, std::size_t gpu) const {
    Names names;
    const PlanGpu& one = plan_.gpus[gpu];
    for (const Json& value : block.list("channels")) {
      const PlanElement channel = block.child(value, "channels", 0);
      const Channel type = channel_of(channel, "channel_type");
      if (type == Channel::other) continue;
      const std::size_t count =
          type == Channel::port ? one.port_peers.size() : one.memory_peers.size();
      for (const std::size_t id : channel.sizes("channel_ids", most_steps)) {
        if (id >= count) {
          channel.reject("channel_ids has " + std::to_string(id) + ", but the gpu has " +
                         std::to_string(count) + " channels of this type");
        }
        names.channels[type].push_back(id);
      }
    }
    if (!block.has("remote_buffer_refs")) return names;
    for (const Json& value : block.list("remote_buffer_refs")) {
      const PlanElement refs = block.child(value, "remote_buffer_refs", 0);
      const Channel type = channel_of(refs, "access_channel_type");
      for (const std::size_t id : refs.sizes("remote_buffer_ids", most_steps)) {
        if (id >= remote_.size()) {
          refs.reject("remote_buffer_ids has " + std::to_string(id) + ", but the gpu has " +
                      std::to_string(remote_.size()) + " remote buffers");
        }
        names.buffers[type].push_back(remote_[id]);
      }
    }
    return names;
  }

  void read_block(const PlanElement& block, std::size_t gpu, std::size_t number) {
    if (block.size("id", 0, most_blocks) != number) {
      block.reject("id must be " + std::to_string(number) + ", its place in the list");
    }
    const Names names = names_of(block, gpu);
    const Json::array_t& operations = block.list("ops");
    for (std::size_t i = 0; i < operations.size(); ++i) {
      const PlanElement one = block.child(operations[i], "op", i);
      const PlanPlace place{static_cast<int>(gpu), static_cast<int>(number), static_cast<int>(i)};
      if (one.text("name") != "pipeline") {
        read_operation(one, names, place);
        continue;
      }
      // A pass of a pipeline moves a part of what its operations name; all passes move the whole.
      const Json::array_t& inner = one.list("ops");
      for (std::size_t j = 0; j < inner.size(); ++j) {
        read_operation(one.child(inner[j], "op", j), names, place);
      }
    }
  }

  void read_operation(const PlanElement& element, const Names& names, const PlanPlace& place) {
    if (++operations_ > most_steps) {
      element.reject("the plan has more than " + std::to_string(most_steps) + " operations");
    }
    const std::string name = element.text("name");
    if (needs_switch(name)) {
      element.reject(
          name +
          " loads or stores in several gpus at once through a switch, which is no message of a schedule");
    }
    PlanOperation one;
    one.rule = plan_rule(name);
    if (one.rule == nullptr) {
      element.reject(unknown_name("operation", name, plan_operation_names()));
    }
    one.place = place;
    const Channel type =
        element.has("channel_type") ? channel_of(element, "channel_type") : Channel::memory;
    one.is_port = type == Channel::port;
    if (type == Channel::other) element.reject("channel_type must be memory or port");
    read_channels(element, names, type, one);
    if (element.has("tbg_info")) {
      const PlanElement group = element.child(element.at("tbg_info"), "tbg_info", 0);
      one.is_shared = group.size("tb_id", 0, most_blocks) > 0;
    }
    if (element.has("displacement")) one.displacement = element.offsets("displacement");
    read_control(element, one);
    if (one.rule->moves) {
      one.sources = chunks(element, "src_buff", names, type, place);
      one.destinations = chunks(element, "dst_buff", names, type, place);
      require_chunks(element, one);
    }
    plan_.gpus[static_cast<std::size_t>(place.gpu)]
        .blocks[static_cast<std::size_t>(place.block)]
        .operations.push_back(std::move(one));
  }

  static void read_channels(const PlanElement& element, const Names& names, Channel type,
                            PlanOperation& one) {
    if (!element.has("channel_ids")) return;
    const auto found = names.channels.find(type);
    for (const std::size_t id : element.sizes("channel_ids", most_steps)) {
      if (found == names.channels.end() || id >= found->second.size()) {
        element.reject("channel_ids has " + std::to_string(id) + ", but its thread block has " +
                       std::to_string(found == names.channels.end() ? 0 : found->second.size()) +
                       " channels of this type");
      }
      one.channels.push_back(found->second[id]);
    }
  }

  void read_control(const PlanElement& element, PlanOperation& one) const {
    const PlanControl control = one.rule->control;
    if (control == PlanControl::barrier) {
      one.barrier = element.size("barrier_id", 0, largest_number);
      one.barrier_blocks = element.size("num_threadblocks", 1, most_blocks);
    }
    if (control != PlanControl::acquire && control != PlanControl::release) return;
    const PlanGpu& gpu = plan_.gpus[static_cast<std::size_t>(one.place.gpu)];
    if (gpu.semaphores.empty()) element.reject("the gpu has no semaphores");
    one.semaphores = element.sizes("semaphore_ids", gpu.semaphores.size() - 1);
  }

  static std::vector<PlanChunks> chunks(const PlanElement& element, const char* key,
                                        const Names& names, Channel type, const PlanPlace& place) {
    std::vector<PlanChunks> list;
    const Json::array_t& values = element.list(key);
    for (std::size_t i = 0; i < values.size(); ++i) {
      const PlanElement one = element.child(values[i], key, i);
      PlanChunks chunks{static_cast<std::size_t>(place.gpu),
                        {'i', one.size("index", 0, largest_number)},
                        one.size("size", 1, most_cells)};
      if (one.has("buffer_id")) {
        const auto found = names.buffers.find(type);
        const std::size_t count = found == names.buffers.end() ? 0 : found->second.size();
        const std::size_t id = one.size("buffer_id", 0, most_steps);
        if (id >= count) {
          one.reject("buffer_id " + std::to_string(id) + ": its thread block has " +
                     std::to_string(count) + " remote buffers for this type of channel");
        }
        chunks.gpu = found->second[id].gpu;
        chunks.place.buffer = found->second[id].buffer;
      } else {
        chunks.place.buffer = buffer_of(one, "type");
      }
      list.push_back(chunks);
    }
    return list;
  }

  // As many sources as destinations, or one for all; those that are added are equally long.
  static void require_chunks(const PlanElement& element, const PlanOperation& one) {
    const std::size_t sources = one.sources.size();
    const std::size_t destinations = one.destinations.size();
    if (sources == 0 || destinations == 0) {
      element.reject("src_buff and dst_buff must not be empty");
    }
    if (!one.rule->adds && sources != 1 && sources != destinations) {
      element.reject("it has " + std::to_string(sources) + " sources for " +
                     std::to_string(destinations) + " destinations");
    }
    const auto own = static_cast<std::size_t>(one.place.gpu);
    for (std::size_t i = 0; i < std::max(sources, destinations); ++i) {
      const PlanChunks& source = one.sources[one.rule->adds || i >= sources ? 0 : i];
      const PlanChunks& destination = one.destinations[std::min(i, destinations - 1)];
      const PlanChunks& added = one.sources[std::min(i, sources - 1)];
      if (source.count != destination.count || added.count != source.count) {
        element.reject("its sources and destinations differ in size");
      }
      if (!one.rule->adds && source.gpu != own && destination.gpu != own) {
        element.reject("source and destination are both at other gpus");
      }
    }
    if (one.rule->adds && one.sources.front().gpu != own) {
      element.reject("its first source must be at its own gpu");
    }
    if (one.rule->signals && one.channels.size() < destinations) {
      element.reject("it has " + std::to_string(one.channels.size()) + " channels for " +
                     std::to_string(destinations) + " destinations");
    }
  }

  const PlanElement root_;
  ExecutionPlan plan_;
  std::vector<RemoteBuffer> remote_;  // of the GPU that is read
  std::size_t scratch_ = 0;
  std::size_t blocks_ = 0;
  std::size_t operations_ = 0;
};

Json parse(const std::string& text, const std::string& place) {
  const Json::parser_callback_t is_shallow = [&](int depth, Json::parse_event_t, Json&) {
    if (depth <= deepest) return true;
    throw std::invalid_argument(place + ": its objects and lists are more than " +
                                std::to_string(deepest) + " deep");
  };
  try {
    return Json::parse(text, is_shallow);
  } catch (const Json::parse_error& error) {
    const auto end = text.begin() + static_cast<std::ptrdiff_t>(std::min(error.byte, text.size()));
    throw std::invalid_argument(place + ": torn or malformed JSON in line " +
                                std::to_string(1 + std::count(text.begin(), end, '\n')));
  } catch (const Json::exception&) {  // the parser throws no other but for a number
    throw std::invalid_argument(place + ": a number is too large");
  }
}

}  // namespace

ExecutionPlan parse_execution_plan(const std::string& text, const std::string& name,
                                   const std::optional<Operation>& asked) {
  const std::string place = shown_path(name);
  return PlanParser(parse(text, place), place).plan(asked);
}

MscclProgram read_execution_plan(std::istream& in, const std::string& name,
                                 const std::optional<Operation>& asked) {
  return program_of(parse_execution_plan(program_text(in, shown_path(name)), name, asked));
}

}  // namespace allport
