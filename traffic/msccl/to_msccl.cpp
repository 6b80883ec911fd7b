// SPDX-License-Identifier: Apache-2.0
#include "traffic/msccl/to_msccl.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <stdexcept>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "traffic/msccl/msccl_program.h"
#include "traffic/schedule/block_flow.h"

namespace allport {

namespace {

// Chunks side by side.
struct ChunkRun {
  ChunkPlace first{};
  std::size_t count = 0;
};

// ChunkPlaces says where each node of a schedule keeps its blocks, as chunks of an MSCCL program:
// in place, but for an all-to-all, whose blocks on their way lie in the scratch buffer.
class ChunkPlaces {
 public:
  ChunkPlaces(const Collective& goal, MscclProgram& program);

  // The place of `block` at `gpu`, made when it is asked for first.
  ChunkPlace of(std::size_t gpu, BlockId block);
  // The places of `blocks`, in their order, as few runs as possible.
  std::vector<ChunkRun> runs(std::size_t gpu, const std::vector<BlockId>& blocks);
  // Room for `chunks` in the scratch buffer of `gpu`.
  ChunkPlace reserve(std::size_t gpu, std::size_t chunks);

 private:
  const Collective& goal_;
  MscclProgram& program_;
  std::vector<std::unordered_map<BlockId, ChunkPlace>> on_their_way_;  // by GPU
};

ChunkPlaces::ChunkPlaces(const Collective& goal, MscclProgram& program)
    : goal_(goal), program_(program), on_their_way_(goal.node_count()) {}

ChunkPlace ChunkPlaces::reserve(std::size_t gpu, std::size_t chunks) {
  std::size_t& scratch = program_.gpus[gpu].scratch;
  scratch += chunks;
  return {'s', scratch - chunks};
}

ChunkPlace ChunkPlaces::of(std::size_t gpu, BlockId block) {
  const Operation operation = goal_.operation();
  if (operation != Operation::alltoall) {
    const bool is_gathered = operation == Operation::allgather || operation == Operation::gather;
    return {is_gathered ? 'o' : 'i', block};
  }
  const std::size_t parts = goal_.part_count();
  const std::size_t pair = block / parts;
  const std::size_t sender = pair / goal_.node_count();
  const std::size_t receiver = pair % goal_.node_count();
  if (sender == gpu) return {'i', receiver * parts + block % parts};
  if (receiver == gpu) return {'o', sender * parts + block % parts};
  const auto [place, is_new] = on_their_way_[gpu].emplace(block, ChunkPlace{});
  if (is_new) place->second = reserve(gpu, 1);
  return place->second;
}

std::vector<ChunkRun> ChunkPlaces::runs(std::size_t gpu, const std::vector<BlockId>& blocks) {
  std::vector<ChunkRun> runs;
  for (const BlockId block : blocks) {
    const ChunkPlace place = of(gpu, block);
    if (!runs.empty()) {
      ChunkPlace next = runs.back().first;
      next.offset += runs.back().count;
      if (next == place) {
        ++runs.back().count;
        continue;
      }
    }
    runs.push_back({place, 1});
  }
  return runs;
}

// The steps of one end of a message: what they wait for, gathering, the send or receive, sharing
// out.
struct Group {
  std::size_t gpu = 0;
  std::size_t block = 0;             // thread block
  std::vector<std::uint32_t> after;  // groups that it waits for
  std::vector<MscclStep> steps{};
  std::size_t last = 0;     // number of its last step in the thread block
  bool is_awaited = false;  // whether other groups wait for it
};

// Message i has the groups 2i, of its sender, and 2i + 1, of its receiver.
std::uint32_t sending(std::size_t message) { return static_cast<std::uint32_t>(2 * message); }
std::uint32_t receiving(std::size_t message) { return static_cast<std::uint32_t>(2 * message + 1); }

class Writer {
 public:
  Writer(const Schedule& schedule, const Collective& goal, const std::string& name)
      : unicasts_(schedule.unicasts),
        goal_(goal),
        flow_(schedule, goal),
        program_{name,
                 goal.operation(),
                 chunk_count(goal),
                 goal.is_cut() ? goal.part_count() : 1,
                 goal.operation() != Operation::alltoall,
                 std::vector<MscclGpu>(goal.node_count())},
        places_(goal, program_),
        groups_(2 * unicasts_.size()) {}

  MscclProgram write() {
    if (const std::string fault = flow_.program_fault(); !fault.empty()) {
      throw std::invalid_argument(fault);
    }
    for (std::size_t gpu = 0; gpu < goal_.node_count(); ++gpu) plan_sends(gpu);
    if (goal_.is_reduction()) {
      order_sums();
    } else {
      order_moves();
    }
    copy_own();
    for (const std::uint32_t group : in_order_) prune(groups_[group]);
    place_groups();
    for (const std::uint32_t group : in_order_) append(groups_[group]);
    return std::move(program_);
  }

 private:
  static std::size_t chunk_count(const Collective& goal) {
    return goal.operation() == Operation::alltoall ? goal.block_count() / goal.node_count()
                                                   : goal.block_count();
  }

  // The thread block of GPU `owner` for this peer, made when it is asked for first.
  std::size_t thread_block(std::size_t owner, std::size_t peer, bool sends) {
    std::vector<MscclThreadBlock>& blocks = program_.gpus[owner].blocks;
    const auto [place, is_new] = blocks_.emplace(std::tuple{owner, peer, sends}, blocks.size());
    if (is_new) {
      const int number = static_cast<int>(peer);
      blocks.push_back({sends ? number : -1, sends ? -1 : number, 0, {}});
    }
    return place->second;
  }

  void plan_sends(std::size_t gpu) {
    const UnicastIndices& program = flow_.program(node_id(gpu));
    for (std::size_t i = 0; i < program.size(); ++i) {
      const std::uint32_t message = program[i];
      const std::size_t receiver = index(unicasts_[message].v);
      Group& send = groups_[sending(message)];
      Group& receive = groups_[receiving(message)];
      send.gpu = gpu;
      send.block = thread_block(gpu, receiver, true);
      if (i > 0) send.after.push_back(sending(program[i - 1]));
      receive.gpu = receiver;
      receive.block = thread_block(receiver, gpu, false);
      write_send(unicasts_[message], send);
      write_receive(unicasts_[message], receive);
      in_order_.push_back(sending(message));
      in_order_.push_back(receiving(message));
    }
  }

  static MscclStep step(MscclAction action, ChunkPlace source, ChunkPlace destination,
                        std::size_t count) {
    return {action, source, destination, count};
  }

  void write_send(const Unicast& unicast, Group& group) {
    const std::vector<ChunkRun> runs = places_.runs(group.gpu, unicast.blocks.values());
    ChunkPlace from = runs.front().first;
    if (runs.size() > 1) {
      from = places_.reserve(group.gpu, unicast.blocks.size());
      ChunkPlace to = from;
      for (const ChunkRun& run : runs) {
        group.steps.push_back(step(MscclAction::copy, run.first, to, run.count));
        to.offset += run.count;
      }
    }
    group.steps.push_back(step(MscclAction::send, from, from, unicast.blocks.size()));
    group.steps.back().displacement = unicast.displacement;
  }

  void write_receive(const Unicast& unicast, Group& group) {
    const std::vector<ChunkRun> runs = places_.runs(group.gpu, unicast.blocks.values());
    if (runs.size() == 1) {
      const MscclAction action =
          unicast.adds ? MscclAction::receive_reduce_copy : MscclAction::receive;
      group.steps.push_back(step(action, runs[0].first, runs[0].first, runs[0].count));
      return;
    }
    ChunkPlace from = places_.reserve(group.gpu, unicast.blocks.size());
    group.steps.push_back(step(MscclAction::receive, from, from, unicast.blocks.size()));
    for (const ChunkRun& run : runs) {
      const MscclAction action = unicast.adds ? MscclAction::reduce : MscclAction::copy;
      group.steps.push_back(step(action, from, run.first, run.count));
      from.offset += run.count;
    }
  }

  void order_moves() {
    for (std::uint32_t i = 0; i < unicasts_.size(); ++i) {
      for (const std::uint32_t reception : flow_.waits_for(i)) {
        groups_[sending(i)].after.push_back(receiving(reception));
      }
    }
  }

  // At one node all that concerns one block goes by steps: in each, the sends before the
  // receptions.
  void order_sums() {
    struct Event {
      std::tuple<std::size_t, BlockId> place;  // node and block
      std::tuple<StepIndex, bool, std::size_t, int> when;
      std::uint32_t group;
    };
    std::vector<Event> events;
    for (std::uint32_t i = 0; i < unicasts_.size(); ++i) {
      const Unicast& one = unicasts_[i];
      for (const BlockId block : one.blocks) {
        events.push_back({{index(one.u), block}, {one.step, false, 0, one.order}, sending(i)});
        events.push_back(
            {{index(one.v), block}, {one.step, true, index(one.u), one.order}, receiving(i)});
      }
    }
    std::sort(events.begin(), events.end(), [](const Event& a, const Event& b) {
      return std::tie(a.place, a.when) < std::tie(b.place, b.when);
    });
    const Event* reception = nullptr;  // the last one of the same place
    for (std::size_t i = 0; i < events.size(); ++i) {
      const bool is_first = i == 0 || events[i].place != events[i - 1].place;
      if (is_first) reception = nullptr;
      std::vector<std::uint32_t>& after = groups_[events[i].group].after;
      const bool receives = std::get<1>(events[i].when);
      if (receives && !is_first) after.push_back(events[i - 1].group);
      if (!receives && reception != nullptr) after.push_back(reception->group);
      if (receives) reception = &events[i];
    }
  }

  // What a node has for itself is part of its output too, which in place it is already.
  void copy_own() {
    if (program_.in_place) return;
    const std::size_t parts = goal_.part_count();
    for (std::size_t gpu = 0; gpu < goal_.node_count(); ++gpu) {
      const std::size_t at = gpu * parts;
      program_.gpus[gpu].blocks.push_back(
          {-1, -1, 0, {step(MscclAction::copy, {'i', at}, {'o', at}, parts)}});
    }
  }

  // Groups of one thread block follow each other anyway.
  void prune(Group& group) {
    std::vector<std::uint32_t>& after = group.after;
    std::sort(after.begin(), after.end());
    after.erase(std::unique(after.begin(), after.end()), after.end());
    after.erase(
        std::remove_if(after.begin(), after.end(),
                       [&](std::uint32_t other) { return groups_[other].block == group.block; }),
        after.end());
    for (const std::uint32_t other : after) groups_[other].is_awaited = true;
  }

  // Each step can wait for one other; a group that waits for more begins with steps that do
  // nothing.
  static std::size_t idle_steps(const Group& group) {
    return std::max<std::size_t>(group.after.size(), 1) - 1;
  }

  void place_groups() {
    std::map<std::pair<std::size_t, std::size_t>, std::size_t> lengths;
    for (const std::uint32_t number : in_order_) {
      Group& group = groups_[number];
      std::size_t& length = lengths[{group.gpu, group.block}];
      length += idle_steps(group) + group.steps.size();
      group.last = length - 1;
    }
  }

  void append(const Group& group) {
    std::vector<MscclStep>& steps = program_.gpus[group.gpu].blocks[group.block].steps;
    const std::size_t first = steps.size();
    steps.resize(first + idle_steps(group), {MscclAction::nothing, {'i', 0}, {'o', 0}, 0});
    steps.insert(steps.end(), group.steps.begin(), group.steps.end());
    steps.back().signals = group.is_awaited;
    for (std::size_t i = 0; i < group.after.size(); ++i) {
      const Group& other = groups_[group.after[i]];
      steps[first + i].depends_block = static_cast<int>(other.block);
      steps[first + i].depends_step = static_cast<int>(other.last);
    }
  }

  const std::vector<Unicast>& unicasts_;
  const Collective& goal_;
  BlockFlow flow_;
  MscclProgram program_;
  ChunkPlaces places_;
  std::vector<Group> groups_;
  std::vector<std::uint32_t> in_order_;
  std::map<std::tuple<std::size_t, std::size_t, bool>, std::size_t> blocks_;
};

}  // namespace

MscclProgram to_msccl(const Schedule& schedule, const Collective& goal, const std::string& name) {
  if (!schedule.has_unicasts_only()) {
    throw std::invalid_argument(name +
                                " sends worms to several nodes, which MSCCL has no word for");
  }
  if (goal.neighbours() != nullptr) {
    throw std::invalid_argument(name + " is an exchange among neighbours, " +
                                std::string(to_string(goal.operation())) +
                                ", which MSCCL has no word for");
  }
  if (goal.operation() == Operation::bcast && goal.receivers().size() + 1 < goal.node_count()) {
    throw std::invalid_argument(
        name +
        " goes to some nodes only, but a broadcast of MSCCL goes to all; give the destinations 'all'");
  }
  Schedule whole = schedule;
  for (Unicast& unicast : whole.unicasts) {
    if (unicast.blocks.empty()) unicast.blocks = {0};
  }
  return Writer(whole, goal, name).write();
}

}  // namespace allport
