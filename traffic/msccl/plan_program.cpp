// SPDX-License-Identifier: Apache-2.0
// This file finds out what the operations of an execution plan do. What a thread block does by
// itself are steps of a thread block of the same number; each message is a thread block of its own
// at either end, whose only step waits for the operation that moves the data.
#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "rtl_model/base/words.h"
#include "traffic/msccl/plan_operation.h"

namespace allport {

namespace {

// A thing that thread blocks do several times, such as signals on a channel.
struct Times {
  std::vector<MscclStepPlace> steps;
  std::vector<PlanPlace> places;
  void add(const MscclStepPlace& step, const PlanPlace& place) {
    steps.push_back(step);
    places.push_back(place);
  }
  bool is_of_one_block() const {
    return std::all_of(places.begin(), places.end(),
                       [&](const PlanPlace& one) { return one.block == places.front().block; });
  }
};

class Unfolding {
 public:
  explicit Unfolding(const ExecutionPlan& plan) : plan_(plan) {
    program_.name = plan.name;
    program_.operation = plan.operation;
    program_.chunks = plan.chunks;
    program_.parts = plan.parts;
    program_.in_place = plan.in_place;
    program_.gpus.resize(plan.gpus.size());
    for (std::size_t gpu = 0; gpu < plan.gpus.size(); ++gpu) {
      program_.gpus[gpu].scratch = plan.gpus[gpu].scratch;
      program_.gpus[gpu].blocks.resize(plan.gpus[gpu].blocks.size());
    }
  }

  MscclProgram program() {
    for (const PlanGpu& gpu : plan_.gpus) {
      for (const PlanBlock& block : gpu.blocks) {
        pending_.clear();
        port_pending_.clear();
        for (const PlanOperation& one : block.operations) carry_out(one);
      }
    }
    join_signals();
    require_waits();
    join_semaphores();
    join_barriers();
    join_packets();
    return std::move(program_);
  }

 private:
  using ChannelKey = std::tuple<std::size_t, bool, std::size_t>;  // gpu, whether a port, number
  using Key = std::pair<std::size_t, std::size_t>;                // gpu, number
  struct PacketRead {
    MscclStepPlace step;
    PlanPlace place;
    PlanChunks chunks;
  };
  struct Arrival {  // at a barrier
    MscclStepPlace arrive;
    MscclStepPlace leave;
  };
  struct Barrier {
    std::map<std::size_t, std::vector<Arrival>> of_blocks;
    std::size_t wanted = 0;
    PlanPlace first{};
  };

  void wait(const MscclStepPlace& waiting, const MscclStepPlace& awaited) {
    program_.waits.push_back({awaited, waiting});
  }
  void fault(const PlanPlace& place, const std::string& why) {
    program_.faults.push_back(msccl_place(place) + ": " + why);
  }

  static MscclStep step(MscclAction action, const ChunkPlace& source, const ChunkPlace& destination,
                        std::size_t count, const PlanPlace& origin) {
    MscclStep one{action, source, destination, count};
    one.origin = origin;
    return one;
  }
  static MscclStep idle(const PlanPlace& origin) {
    return step(MscclAction::nothing, {}, {}, 0, origin);
  }

  // The next step of the thread block of `origin`, which waits for what it has put.
  MscclStepPlace add_own(const PlanPlace& origin, MscclStep one) {
    const auto gpu = static_cast<std::size_t>(origin.gpu);
    const auto block = static_cast<std::size_t>(origin.block);
    std::vector<MscclStep>& steps = program_.gpus[gpu].blocks[block].steps;
    steps.push_back(std::move(one));
    const MscclStepPlace place{gpu, block, steps.size() - 1};
    for (const MscclStepPlace& before : pending_) wait(place, before);
    pending_.clear();
    return place;
  }
  // The only step of a thread block of its own.
  MscclStepPlace add_alone(std::size_t gpu, MscclThreadBlock block) {
    program_.gpus[gpu].blocks.push_back(std::move(block));
    return {gpu, program_.gpus[gpu].blocks.size() - 1, 0};
  }

  // Sends `from` to `to` once `after` has run; what comes is put there, or added to what is there
  // already. Returns the end of it.
  MscclStepPlace send(const PlanOperation& one, const PlanChunks& from, const PlanChunks& to,
                      bool adds, const MscclStepPlace& after) {
    const int channel = channels_++;
    MscclStep sending = step(MscclAction::send, from.place, {}, from.count, one.place);
    sending.displacement = one.displacement;
    const MscclAction action = adds ? MscclAction::receive_reduce_copy : MscclAction::receive;
    MscclStep receiving = step(action, to.place, to.place, to.count, one.place);
    const MscclStepPlace sent =
        add_alone(from.gpu, {static_cast<int>(to.gpu), -1, channel, {std::move(sending)}});
    wait(sent, after);
    last_sent_ = sent;
    return add_alone(to.gpu, {-1, static_cast<int>(from.gpu), channel, {std::move(receiving)}});
  }

  void carry_out(const PlanOperation& one) {
    const MscclStepPlace begin = add_own(one.place, idle(one.place));
    if (one.is_shared && one.rule->moves) return;
    switch (one.rule->control) {
      case PlanControl::barrier:
        note_barrier(one, begin);
        return;
      case PlanControl::signal:
        for (const std::size_t channel : one.channels) signal(one, channel, begin);
        return;
      case PlanControl::wait:
        for (const std::size_t channel : one.channels)
          waits_[key(one, channel)].add(begin, one.place);
        return;
      case PlanControl::flush:
        for (const std::size_t channel : one.channels) flush(channel);
        return;
      case PlanControl::acquire:
        for (const std::size_t id : one.semaphores) acquired_[of(one, id)].add(begin, one.place);
        return;
      case PlanControl::release:
        for (const std::size_t id : one.semaphores) released_[of(one, id)].add(begin, one.place);
        return;
      case PlanControl::none:
        break;
    }
    if (!one.rule->moves) return;
    if (one.rule->adds) return add(one, begin);
    for (std::size_t i = 0; i < one.destinations.size(); ++i) {
      const std::size_t source = one.sources.size() == 1 ? 0 : i;
      move(one, source, i, begin);
    }
  }

  static Key of(const PlanOperation& one, std::size_t number) {
    return {static_cast<std::size_t>(one.place.gpu), number};
  }
  static ChannelKey key(const PlanOperation& one, std::size_t channel) {
    return {static_cast<std::size_t>(one.place.gpu), one.is_port, channel};
  }
  static bool is_own(const PlanOperation& one, const PlanChunks& chunks) {
    return chunks.gpu == static_cast<std::size_t>(one.place.gpu);
  }

  void note_packets(const PlanChunks& chunks, const MscclStepPlace& writer) {
    for (std::size_t i = 0; i < chunks.count; ++i) {
      packets_[{chunks.gpu, chunks.place.offset + i}].push_back(writer);
    }
  }

  // A port channel carries its operations out behind the thread block, which waits for them only
  // where it flushes the channel; a memory channel's are those of the thread block itself.
  void end_put(const PlanOperation& one, std::size_t channel, const MscclStepPlace& end) {
    if (one.is_port) {
      port_pending_[channel].push_back(end);
    } else {
      pending_.push_back(end);
    }
  }
  void signal(const PlanOperation& one, std::size_t channel, MscclStepPlace when) {
    if (one.is_port) {
      const MscclStepPlace after = when;
      when = add_alone(when.gpu, {-1, -1, 0, {idle(one.place)}});
      wait(when, after);
      std::vector<MscclStepPlace>& before = port_pending_[channel];
      for (const MscclStepPlace& put : before) wait(when, put);
      before.assign(1, when);
    } else {
      when = add_own(one.place, idle(one.place));
    }
    signals_[key(one, channel)].add(when, one.place);
  }
  void flush(std::size_t channel) {
    const std::vector<MscclStepPlace> before = std::exchange(port_pending_[channel], {});
    pending_.insert(pending_.end(), before.begin(), before.end());
  }

  void move(const PlanOperation& one, std::size_t source, std::size_t destination,
            const MscclStepPlace& begin) {
    const PlanChunks& from = one.sources[source];
    const PlanChunks& to = one.destinations[destination];
    const bool reads_packets =
        one.rule->packets_from >= 0 && static_cast<int>(source) >= one.rule->packets_from;
    if (is_own(one, from) && is_own(one, to)) {
      const MscclStepPlace copied =
          add_own(one.place, step(MscclAction::copy, from.place, to.place, to.count, one.place));
      if (reads_packets) reads_.push_back({copied, one.place, from});
      if (one.rule->packets_to >= 0) note_packets(to, copied);
      return;
    }
    const MscclStepPlace end = send(one, from, to, false, begin);
    if (reads_packets) reads_.push_back({last_sent_, one.place, from});
    if (!is_own(one, from)) {  // a get: the thread block goes on when it has come
      pending_.push_back(end);
      return;
    }
    if (one.rule->sends_packets) note_packets(to, end);
    const std::size_t channel = destination < one.channels.size() ? one.channels[destination] : 0;
    end_put(one, channel, end);
    if (one.rule->signals) signal(one, channel, begin);
    if (one.rule->flushes) flush(channel);
  }

  // The sum comes together in its first destination, or in scratch of its own.
  void add(const PlanOperation& one, const MscclStepPlace& begin) {
    const auto gpu = static_cast<std::size_t>(one.place.gpu);
    PlanChunks sum = one.destinations.front();
    const bool is_kept = sum.gpu == gpu;
    if (!is_kept) {
      sum = {gpu, {'s', program_.gpus[gpu].scratch}, sum.count};
      program_.gpus[gpu].scratch += sum.count;
    }
    const PlanChunks& first = one.sources.front();
    MscclStepPlace last = begin;
    if (!(first.place == sum.place)) {
      last =
          add_own(one.place, step(MscclAction::copy, first.place, sum.place, sum.count, one.place));
    }
    for (std::size_t i = 1; i < one.sources.size(); ++i) {
      const PlanChunks& source = one.sources[i];
      if (!is_own(one, source)) {  // all are asked for at once, and added as the list has them
        const MscclStepPlace received = send(one, source, sum, true, begin);
        wait(received, last);
        last = received;
        continue;
      }
      const MscclStepPlace before = last;
      last = add_own(one.place,
                     step(MscclAction::reduce, source.place, sum.place, sum.count, one.place));
      wait(last, before);
      const bool is_packet =
          one.rule->packets_from >= 0 && static_cast<int>(i) >= one.rule->packets_from;
      if (is_packet) reads_.push_back({last, one.place, source});
    }
    pending_.push_back(last);
    const MscclStepPlace done = add_own(one.place, idle(one.place));
    for (std::size_t i = is_kept ? 1 : 0; i < one.destinations.size(); ++i) {
      const PlanChunks& to = one.destinations[i];
      if (is_own(one, to)) {
        const MscclStepPlace copied =
            add_own(one.place, step(MscclAction::copy, sum.place, to.place, to.count, one.place));
        if (one.rule->packets_to == static_cast<int>(i)) note_packets(to, copied);
        continue;
      }
      const MscclStepPlace end = send(one, sum, to, false, done);
      if (one.rule->sends_packets) note_packets(to, end);
      end_put(one, 0, end);
    }
  }

  void note_barrier(const PlanOperation& one, const MscclStepPlace& arrive) {
    Barrier& barrier = barriers_[of(one, one.barrier)];
    if (barrier.of_blocks.empty()) {
      barrier.first = one.place;
      barrier.wanted = one.barrier_blocks;
    }
    const MscclStepPlace leave = add_own(one.place, idle(one.place));
    barrier.of_blocks[static_cast<std::size_t>(one.place.block)].push_back({arrive, leave});
  }

  const std::vector<std::size_t>& peers(std::size_t gpu, bool is_port) const {
    return is_port ? plan_.gpus[gpu].port_peers : plan_.gpus[gpu].memory_peers;
  }
  // The channel at the other end: the n-th to a GPU is the n-th of that GPU to this one.
  bool find_other_end(const ChannelKey& channel, ChannelKey& other) const {
    const auto [gpu, is_port, number] = channel;
    const std::vector<std::size_t>& own = peers(gpu, is_port);
    const std::size_t peer = own[number];
    auto left = std::count(own.begin(), own.begin() + static_cast<std::ptrdiff_t>(number), peer);
    const std::vector<std::size_t>& others = peers(peer, is_port);
    for (std::size_t i = 0; i < others.size(); ++i) {
      if (others[i] != gpu || left-- > 0) continue;
      other = {peer, is_port, i};
      return true;
    }
    return false;
  }

  const Times& times_of(const std::map<ChannelKey, Times>& all, const ChannelKey& channel) const {
    const auto found = all.find(channel);
    return found == all.end() ? never_ : found->second;
  }
  // The k-th wait on a channel is for the k-th signal on its other end.
  void join_signals() {
    for (const auto& [channel, waits] : waits_) {
      ChannelKey other;
      const Times& signals = find_other_end(channel, other) ? times_of(signals_, other) : never_;
      if (!waits.is_of_one_block() || !signals.is_of_one_block()) {
        fault(
            waits.places.front(),
            "several thread blocks signal or wait on one channel, so that it is open who waits for what");
        continue;
      }
      const std::size_t both = std::min(waits.steps.size(), signals.steps.size());
      for (std::size_t i = 0; i < both; ++i) wait(waits.steps[i], signals.steps[i]);
      if (waits.steps.size() == both) continue;
      const auto [gpu, is_port, number] = channel;
      fault(waits.places[both], "it waits for signal number " + std::to_string(both + 1) +
                                    " of gpu " + std::to_string(peers(gpu, is_port)[number]) +
                                    " on this channel, which signals " + counted(both, "time"));
    }
  }

  // What nobody waits for may come after the end, and the next run would take the signal for its
  // own.
  void require_waits() {
    for (const auto& [channel, signals] : signals_) {
      ChannelKey other;
      const Times& waits = find_other_end(channel, other) ? times_of(waits_, other) : never_;
      if (signals.steps.size() <= waits.steps.size()) continue;
      const auto [gpu, is_port, number] = channel;
      fault(signals.places[waits.steps.size()],
            "nobody waits for this signal: gpu " + std::to_string(peers(gpu, is_port)[number]) +
                " waits " + counted(waits.steps.size(), "time") + " on its end of the channel");
    }
  }

  void join_semaphores() {
    for (const auto& [semaphore, acquired] : acquired_) {
      const std::size_t first = plan_.gpus[semaphore.first].semaphores[semaphore.second];
      const Times& released = released_[semaphore];
      if (!acquired.is_of_one_block()) {
        fault(acquired.places.front(), "several thread blocks acquire one semaphore");
        continue;
      }
      for (std::size_t i = first; i < acquired.steps.size(); ++i) {
        const std::size_t needed = i - first + 1;
        if (needed > released.steps.size()) {
          fault(acquired.places[i], "it acquires a semaphore that is not released so often");
          break;
        }
        if (released.is_of_one_block()) {
          wait(acquired.steps[i], released.steps[needed - 1]);
        } else if (needed == released.steps.size()) {
          for (const MscclStepPlace& one : released.steps) wait(acquired.steps[i], one);
        } else {
          fault(acquired.places[i],
                "it is open which of several thread blocks has released the semaphore");
        }
      }
    }
  }

  void join_barriers() {
    for (const auto& [place, barrier] : barriers_) {
      const std::size_t times = barrier.of_blocks.begin()->second.size();
      const bool is_whole =
          barrier.of_blocks.size() == barrier.wanted &&
          std::all_of(barrier.of_blocks.begin(), barrier.of_blocks.end(),
                      [&](const auto& block) { return block.second.size() == times; });
      if (!is_whole) {
        fault(barrier.first, "barrier " + std::to_string(place.second) + " is for " +
                                 std::to_string(barrier.wanted) + " thread blocks, and " +
                                 std::to_string(barrier.of_blocks.size()) +
                                 " come to it, or not equally often");
        continue;
      }
      for (std::size_t i = 0; i < times; ++i) {
        const MscclStepPlace hub = add_alone(place.first, {-1, -1, 0, {idle(barrier.first)}});
        for (const auto& [block, arrivals] : barrier.of_blocks) {
          wait(hub, arrivals[i].arrive);
          wait(arrivals[i].leave, hub);
        }
      }
    }
  }

  // A packet is read when it has come, so what is read must be written once.
  void join_packets() {
    for (const PacketRead& read : reads_) {
      for (std::size_t i = 0; i < read.chunks.count; ++i) {
        const std::size_t cell = read.chunks.place.offset + i;
        const auto found = packets_.find({read.chunks.gpu, cell});
        if (found == packets_.end()) {
          fault(read.place,
                "it reads packets at s[" + std::to_string(cell) + "], which nothing puts there");
          return;
        }
        if (found->second.size() > 1) {
          fault(read.place, "it reads packets at s[" + std::to_string(cell) +
                                "], where several are put, so that it is open which it reads");
          return;
        }
        wait(read.step, found->second.front());
      }
    }
  }

  const ExecutionPlan& plan_;
  MscclProgram program_;
  int channels_ = 0;  // one for each message
  MscclStepPlace last_sent_{};
  // Of the thread block that is looked at: the ends of what it has put, which its next step waits
  // for, and those of its port channels, which it does not.
  std::vector<MscclStepPlace> pending_;
  std::map<std::size_t, std::vector<MscclStepPlace>> port_pending_;
  const Times never_;
  std::map<ChannelKey, Times> signals_;
  std::map<ChannelKey, Times> waits_;
  std::map<Key, Times> released_;
  std::map<Key, Times> acquired_;
  std::map<Key, Barrier> barriers_;
  std::map<Key, std::vector<MscclStepPlace>> packets_;  // by cell of scratch: who writes it
  std::vector<PacketRead> reads_;
};

}  // namespace

MscclProgram program_of(const ExecutionPlan& plan) { return Unfolding(plan).program(); }

}  // namespace allport
