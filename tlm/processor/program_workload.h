// SPDX-License-Identifier: Apache-2.0
// A ProgramWorkload runs a Program for each rank, in a thread of its own. A thread runs when its
// processor acts, so that it knows all that has come in the cycle.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "tlm/message/message.h"
#include "tlm/processor/collective_calls.h"
#include "tlm/processor/collective_plans.h"
#include "tlm/processor/host_channel.h"
#include "tlm/processor/in_order.h"
#include "tlm/processor/program.h"
#include "tlm/processor/task_workload.h"
#include "tlm/processor/timekeeper.h"
#include "traffic/tasks/matching.h"
#include "traffic/tasks/rank_times.h"

namespace allport {

class ProgramWorkload final : public Timekeeper {
 public:
  explicit ProgramWorkload(const TaskMachine& machine);
  ~ProgramWorkload() override;

  /// Loads the programs of the coming run, by rank; `nodes[r]` is the node of rank r. The planner
  /// plans their collectives. Programs and planner must outlive the run. `host` is the channel of
  /// the host, which runs `host_program`; both are null if there is no host.
  void load(const std::vector<Program*>& programs, const std::vector<NodeId>& nodes,
            CollectivePlanner& planner, HostLink* host = nullptr, Program* host_program = nullptr);
  std::size_t count() const { return ranks_.size(); }
  /// The programs that have returned.
  std::size_t ended() const { return ended_; }
  RankTimes times(std::size_t rank) const;
  /// The cycle in which the last program ended.
  Cycle makespan() const;
  /// What is wrong with what the programs did, the gravest first: collectives that they do not call
  /// alike, an exception, a collective that some do not call, a message that nobody receives;
  /// empty: nothing. `is_over`: whether all that could move has moved; else messages may still be
  /// received.
  std::string finding(bool is_over) const;
  /// Messages that no program has received.
  std::uint64_t unreceived() const { return matching_.waiting_messages(); }
  /// Who waits for whom, when nothing moves any more and programs have not ended: the circle, or
  /// the chain to who does not wait, comes last; before it the other programs, of which the first
  /// eight are named and the rest counted.
  TaskStandstill standstill() const;

  // Timekeeper
  void reset() override;
  void on_arrival(NodeId node, tlm::tlm_generic_payload& message, Cycle now) override;
  bool observes_sent() const override { return machine_.model.send_blocks; }
  void on_sent(NodeId node, tlm::tlm_generic_payload& message, Cycle now) override;
  Cycle act(NodeId node, Cycle now, ProcessorHands& hands) override;

 private:
  class Rank;
  static constexpr std::uint32_t no_call = UINT32_MAX;
  struct Envelope {  // what a receive needs to know of a message beside its bytes
    std::uint32_t from = 0;
    std::uint32_t to = 0;
    std::uint32_t tag = 0;
    std::size_t bytes = 0;
    std::uint32_t call = no_call;  // number of the collective in calls_
    std::uint32_t place = 0;       // of the collective among those of the rank
    std::uint32_t ticket = Matching::none;
    bool is_of_collective() const { return call != no_call; }
  };
  struct Held {  // a message that has come
    Envelope envelope;
    std::vector<unsigned char> bytes;
    tlm::tlm_generic_payload* message = nullptr;  // null: it came from its own rank, or is over
  };

  /// The ticket of a message that its rank sends now, as its `order`-th. From now on it is under
  /// way.
  std::uint32_t send(const Envelope& envelope, int order, Cycle now) {
    ++under_way_count_;
    const auto receiver = static_cast<std::uint32_t>(place_of(envelope.to));
    return matching_.send(Matching::context(receiver, envelope.is_of_collective()), envelope.from,
                          envelope.tag, {now, static_cast<std::uint32_t>(order)});
  }

  void end_services();
  std::string lonely_call() const;
  std::string unreceived_message() const;
  static std::string name_of(std::uint32_t rank);
  std::uint32_t hold(Held held);
  Cycle flits(std::size_t bytes) const;
  Cycle takeover(std::size_t bytes) const;
  static std::uint64_t key(std::uint32_t from, int order) {
    return std::uint64_t{from} << 32 | static_cast<std::uint32_t>(order);
  }

  /// The place of `rank` in ranks_.
  std::size_t place_of(std::uint32_t rank) const { return rank == Processor::host ? size_ : rank; }

  const TaskMachine machine_;
  std::vector<std::unique_ptr<Rank>> ranks_;  // the host, if there is one, last
  std::uint32_t size_ = 0;                    // ranks without the host
  std::vector<std::uint32_t> rank_at_;        // by node: its place in ranks_
  std::vector<NodeId> nodes_;                 // by place
  HostLink* host_ = nullptr;
  std::unique_ptr<CollectivePlans> plans_;
  CollectiveCalls calls_;
  ProcessorHands* hands_ = nullptr;
  std::unordered_map<std::uint64_t, Envelope> under_way_;  // by sender and order
  std::vector<Held> held_;
  std::vector<std::uint32_t> free_held_;
  Matching matching_;
  std::vector<std::string> problems_;  // exceptions, in the order in which they came
  std::size_t ended_ = 0;
  std::size_t serving_ = 0;            // ranks that wait in receive_or_end
  std::uint64_t under_way_count_ = 0;  // messages sent that have not come
};

}  // namespace allport
