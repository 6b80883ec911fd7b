// SPDX-License-Identifier: Apache-2.0
// This file writes execution plans. A message is put into scratch of its own at its receiver, which
// waits for the signal behind it and copies it, or adds it, to where it belongs. A step that
// depends on one of another thread block acquires a semaphore that this one releases.
#include <algorithm>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <ostream>
#include <tuple>
#include <utility>

#include "traffic/msccl/chunk_layout.h"
#include "traffic/msccl/execution_plan.h"

namespace allport {

namespace {

using Json = nlohmann::ordered_json;

Json chunks(const ChunkPlace& place, std::size_t count) {
  return {{"type", std::string(1, place.buffer)}, {"index", place.offset}, {"size", count}};
}

class PlanWriter {
 public:
  explicit PlanWriter(const MscclProgram& program) : program_(program), gpus_(program.gpus.size()) {
    for (std::size_t gpu = 0; gpu < gpus_.size(); ++gpu)
      gpus_[gpu].scratch = program.gpus[gpu].scratch;
    connect();
    land();
    number_semaphores();
  }

  Json plan() const {
    const auto* const coll = std::find_if(
        msccl_collective_names.begin(), msccl_collective_names.end(),
        [&](const MscclCollectiveName& one) { return one.operation == program_.operation; });
    // The names of MSCCL++ have no `_`.
    const bool has_other_name = program_.operation == Operation::reduce_scatter;
    Json json{{"name", program_.name},
              {"collective", has_other_name ? "reducescatter" : std::string(coll->name)},
              {"protocol", "Simple"},
              {"inplace", program_.in_place},
              {"reuse_resources", false}};
    if (program_.parts > 1) json["parts"] = program_.parts;
    json["gpus"] = Json::array();
    for (std::size_t gpu = 0; gpu < gpus_.size(); ++gpu) json["gpus"].push_back(gpu_json(gpu));
    json["num_threads_per_block"] = 1024;
    json["use_double_scratch_buffer"] = false;
    json["buffer_alignment"] = 16;
    json["min_message_size"] = 0;
    json["max_message_size"] = std::numeric_limits<std::uint64_t>::max();
    return json;
  }

 private:
  using StepKey = std::tuple<std::size_t, std::size_t, std::size_t>;  // gpu, thread block, step
  struct Gpu {
    std::size_t scratch = 0;
    std::vector<std::size_t> peers;             // by memory channel
    std::vector<std::size_t> channels;          // by thread block: its channel, if it has a peer
    std::map<std::size_t, std::size_t> remote;  // by GPU: the number of its scratch
    std::size_t semaphores = 0;
  };

  const std::vector<MscclThreadBlock>& blocks(std::size_t gpu) const {
    return program_.gpus[gpu].blocks;
  }

  // Both ends of a connection get their channels together, so that the n-th of a pair meet.
  void connect() {
    std::map<std::tuple<std::size_t, std::size_t, int>, std::size_t> receivers;  // thread blocks
    for (std::size_t gpu = 0; gpu < gpus_.size(); ++gpu) {
      gpus_[gpu].channels.resize(blocks(gpu).size());
      for (std::size_t i = 0; i < blocks(gpu).size(); ++i) {
        const MscclThreadBlock& block = blocks(gpu)[i];
        if (block.receives_from < 0) continue;
        receivers[{static_cast<std::size_t>(block.receives_from), gpu, block.channel}] = i;
      }
    }
    for (std::size_t gpu = 0; gpu < gpus_.size(); ++gpu) {
      for (std::size_t i = 0; i < blocks(gpu).size(); ++i) {
        const MscclThreadBlock& block = blocks(gpu)[i];
        if (block.sends_to < 0) continue;
        const auto peer = static_cast<std::size_t>(block.sends_to);
        const std::size_t other = receivers.at({gpu, peer, block.channel});
        gpus_[gpu].channels[i] = gpus_[gpu].peers.size();
        gpus_[gpu].peers.push_back(peer);
        gpus_[gpu].remote.emplace(peer, gpus_[gpu].remote.size());
        gpus_[peer].channels[other] = gpus_[peer].peers.size();
        gpus_[peer].peers.push_back(gpu);
        receiver_of_[{gpu, i}] = {peer, other};
      }
    }
  }

  // Gives each message its place.
  void land() {
    for (const auto& [sender, receiver] : receiver_of_) {
      const std::vector<MscclStep>& sends = blocks(sender.first)[sender.second].steps;
      const std::vector<MscclStep>& receives = blocks(receiver.first)[receiver.second].steps;
      std::size_t next = 0;
      for (std::size_t i = 0; i < sends.size(); ++i) {
        if (sends[i].action != MscclAction::send) continue;
        while (!allport::receives(receives[next].action)) ++next;
        const ChunkPlace place{'s', gpus_[receiver.first].scratch};
        gpus_[receiver.first].scratch += sends[i].count;
        landing_[{sender.first, sender.second, i}] = place;
        landing_[{receiver.first, receiver.second, next++}] = place;
      }
    }
  }

  void number_semaphores() {
    for (std::size_t gpu = 0; gpu < gpus_.size(); ++gpu) {
      for (std::size_t i = 0; i < blocks(gpu).size(); ++i) {
        const std::vector<MscclStep>& steps = blocks(gpu)[i].steps;
        for (std::size_t j = 0; j < steps.size(); ++j) {
          if (steps[j].depends_block < 0) continue;
          const std::size_t id = gpus_[gpu].semaphores++;
          acquired_[{gpu, i, j}] = id;
          released_[{gpu, static_cast<std::size_t>(steps[j].depends_block),
                     static_cast<std::size_t>(steps[j].depends_step)}]
              .push_back(id);
        }
      }
    }
  }

  Json gpu_json(std::size_t number) const {
    const Gpu& gpu = gpus_[number];
    const ChunkLayout layout(program_, goal_);
    Json json{{"id", number},
              {"input_chunks", layout.input_size()},
              {"output_chunks", layout.output_size()},
              {"scratch_chunks", gpu.scratch},
              {"threadblocks", Json::array()}};
    for (std::size_t i = 0; i < blocks(number).size(); ++i) {
      json["threadblocks"].push_back(block_json(number, i));
    }
    json["channels"] = Json::array();
    if (!gpu.peers.empty()) {
      json["channels"].push_back({{"channel_type", "memory"}, {"connected_to", gpu.peers}});
    }
    std::vector<std::size_t> remote(gpu.remote.size());
    for (const auto& [peer, id] : gpu.remote) remote[id] = peer;
    json["remote_buffers"] = Json::array();
    for (const std::size_t peer : remote) {
      json["remote_buffers"].push_back(
          {{"rank", peer}, {"type", "s"}, {"access_channel_types", {"memory"}}});
    }
    json["semaphores"] = Json::array();
    for (std::size_t i = 0; i < gpu.semaphores; ++i) {
      json["semaphores"].push_back({{"init_value", 0}});
    }
    return json;
  }

  Json block_json(std::size_t gpu, std::size_t number) const {
    const MscclThreadBlock& block = blocks(gpu)[number];
    Json json{{"id", number}, {"ops", Json::array()}, {"channels", Json::array()}};
    for (std::size_t i = 0; i < block.steps.size(); ++i) {
      add_operations({gpu, number, i}, block.steps[i], json["ops"]);
    }
    if (block.sends_to >= 0 || block.receives_from >= 0) {
      json["channels"].push_back(
          {{"channel_type", "memory"}, {"channel_ids", {gpus_[gpu].channels[number]}}});
    }
    json["remote_buffer_refs"] = Json::array();
    if (block.sends_to >= 0) {
      const std::size_t id = gpus_[gpu].remote.at(static_cast<std::size_t>(block.sends_to));
      json["remote_buffer_refs"].push_back(
          {{"access_channel_type", "memory"}, {"remote_buffer_ids", {id}}});
    }
    return json;
  }

  static Json on_channel(const char* name) {
    return {{"name", name}, {"channel_ids", {0}}, {"channel_type", "memory"}};
  }
  static Json copy_of(const ChunkPlace& from, const MscclStep& step) {
    return {{"name", "copy"},
            {"src_buff", {chunks(from, step.count)}},
            {"dst_buff", {chunks(step.destination, step.count)}}};
  }
  static Json sum_of(const ChunkPlace& added, const MscclStep& step) {
    return {{"name", "re"},
            {"src_buff", {chunks(step.destination, step.count), chunks(added, step.count)}},
            {"dst_buff", {chunks(step.destination, step.count)}},
            {"reduce_op", "sum"}};
  }

  // Between two operations the threads of a thread block meet.
  void add_operations(const StepKey& key, const MscclStep& step, Json& operations) const {
    const auto add = [&](Json one) {
      if (!operations.empty()) operations.push_back({{"name", "nop"}});
      operations.push_back(std::move(one));
    };
    if (const auto found = acquired_.find(key); found != acquired_.end()) {
      add({{"name", "sem_acquire"}, {"semaphore_ids", {found->second}}});
    }
    switch (step.action) {
      case MscclAction::send: {
        const ChunkPlace& to = landing_.at(key);
        Json put{{"name", "put"},
                 {"src_buff", {chunks(step.source, step.count)}},
                 {"dst_buff", {{{"buffer_id", 0}, {"index", to.offset}, {"size", step.count}}}},
                 {"channel_type", "memory"}};
        if (!step.displacement.empty()) put["displacement"] = step.displacement;
        add(std::move(put));
        add(on_channel("signal"));
        break;
      }
      case MscclAction::receive:
        add(on_channel("wait"));
        add(copy_of(landing_.at(key), step));
        break;
      case MscclAction::receive_reduce_copy:
        add(on_channel("wait"));
        add(sum_of(landing_.at(key), step));
        break;
      case MscclAction::copy:
        add(copy_of(step.source, step));
        break;
      case MscclAction::reduce:
        add(sum_of(step.source, step));
        break;
      default:  // to_msccl makes no other steps but those that do nothing
        break;
    }
    if (const auto found = released_.find(key); found != released_.end()) {
      add({{"name", "sem_release"}, {"semaphore_ids", found->second}});
    }
  }

  const MscclProgram& program_;
  const Collective goal_ = msccl_collective(program_, NodeId{});
  std::vector<Gpu> gpus_;
  std::map<std::pair<std::size_t, std::size_t>, std::pair<std::size_t, std::size_t>> receiver_of_;
  std::map<StepKey, ChunkPlace> landing_;  // of sends and receives
  std::map<StepKey, std::size_t> acquired_;
  std::map<StepKey, std::vector<std::size_t>> released_;
};

}  // namespace

LongestBlock write_execution_plan(std::ostream& out, const MscclProgram& program) {
  const Json plan = PlanWriter(program).plan();
  out << plan.dump(2) << "\n";
  LongestBlock longest;
  for (const Json& gpu : plan.at("gpus")) {
    for (const Json& block : gpu.at("threadblocks")) {
      const std::size_t operations = block.at("ops").size();
      if (operations > longest.operations) longest = {gpu.at("id"), block.at("id"), operations};
    }
  }
  return longest;
}

}  // namespace allport
