// SPDX-License-Identifier: Apache-2.0
// This workload carries a graph of tasks out (docs/programs.md). A task is ready when the tasks
// that it waits for have ended, or started, and its cycle has come. A processor does one thing at a
// time; when it is free it takes the first ready task of the graph that is its own, and so does a
// port where ports prepare messages. A receive is posted as soon as it is ready, and keeps its
// processor busy only in the model of --receive occupies, once it has its message.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <queue>
#include <string>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "rtl_model/router/router_config.h"
#include "rtl_model/topology/routing.h"
#include "tlm/message/message.h"
#include "tlm/processor/host_channel.h"
#include "tlm/processor/in_order.h"
#include "tlm/processor/processor_rule.h"
#include "tlm/processor/timekeeper.h"
#include "traffic/planning/node_model.h"
#include "traffic/tasks/matching.h"
#include "traffic/tasks/rank_times.h"
#include "traffic/tasks/task_check.h"
#include "traffic/tasks/task_graph.h"
#include "traffic/tasks/task_standstill.h"

namespace allport {

/// The machine that tasks run on; all references must outlive it.
struct TaskMachine {
  const NodeConfig& node;
  const NodeModel& model;
  const RouterConfig& router;
  const Routing& routing;
  MessagePool& pool;
};

class TaskWorkload final : public Timekeeper {
 public:
  TaskWorkload(const TaskMachine& machine, MessageBytes bytes) : machine_(machine), bytes_(bytes) {}

  /// Loads the tasks of the coming runs; `nodes[r]` is the node of rank r, for all ranks.
  /// task_fault() must find nothing. The graph must outlive the runs. `host`: the channel of the
  /// host, if the graph has one.
  void load(const TaskGraph& graph, std::vector<NodeId> nodes, HostLink* host = nullptr);
  bool is_complete() const { return ended_ == graph_->tasks.size(); }
  std::size_t count() const { return graph_->tasks.size(); }
  std::size_t ended() const { return ended_; }
  /// The cycle in which the last task ended.
  Cycle makespan() const;
  /// Messages that no receive has taken.
  std::uint64_t unreceived() const { return matching_.waiting_messages(); }
  /// The times of a rank, when the run is over.
  RankTimes times(std::size_t rank) const { return ranks_[rank].clock.times(); }
  /// The calls of one collective of the graph: from the first begin to the last end.
  struct CallTimes {
    Cycle first = never;
    Cycle last = 0;
    std::size_t open = 0;  ///< ranks whose call has not ended
  };
  const CallTimes& calls(std::size_t collective) const { return calls_[collective]; }
  /// What keeps the tasks from ending, when nothing moves any more.
  TaskStandstill standstill() const { return find_standstill(*graph_, states_, takers_); }
  /// A receive whose message was longer than it may be, the first of the graph; empty: none.
  std::string problem() const;

  // Timekeeper
  void reset() override;
  void on_arrival(NodeId node, tlm::tlm_generic_payload& message, Cycle now) override;
  bool observes_sent() const override { return machine_.model.send_blocks; }
  void on_sent(NodeId node, tlm::tlm_generic_payload& message, Cycle now) override;
  Cycle act(NodeId node, Cycle now, ProcessorHands& hands) override;

 private:
  // What happens at a rank: in a cycle first messages come, then tasks end, then tasks are ready.
  enum class What : std::uint8_t { arrival, end, ready };
  struct Event {
    Cycle cycle = 0;
    std::uint64_t key = 0;  // of an arrival: sender and order; otherwise the task
    What what = What::ready;
    std::uint32_t held = 0;  // of an arrival: the place of its message
    bool operator>(const Event& other) const {
      if (cycle != other.cycle) return cycle > other.cycle;
      return what != other.what ? what > other.what : key > other.key;
    }
  };
  template <class Item>
  using Heap = std::priority_queue<Item, std::vector<Item>, std::greater<>>;
  struct Ready {  // a task that a processor or port can take
    std::uint32_t turn = 0;
    std::uint32_t came = UINT32_MAX;  // of a receive: when its message came, among all
    std::uint32_t number = 0;
    bool operator>(const Ready& other) const {
      return std::tie(turn, came, number) > std::tie(other.turn, other.came, other.number);
    }
  };
  struct Worker {  // a processor, or a port that prepares messages
    bool is_busy = false;
    Heap<Ready> ready;
  };
  struct Rank {
    Heap<Event> events;
    std::vector<Worker> workers;  // the processors, then the ports
    RankClock clock;
  };
  struct TooLong {  // a message that its receive has no room for
    std::uint32_t receive = UINT32_MAX;
    std::uint32_t send = 0;
  };
  struct Turn {  // of a rank to act
    Rank& rank;
    Cycle now = 0;
    ProcessorHands& hands;
  };

  const Task& task(std::uint32_t number) const { return graph_->tasks[number]; }
  bool has_ports() const { return machine_.model.startup_per_port; }
  std::uint32_t turn_of(std::uint32_t number) const {
    return task(number).turn == no_task ? number : task(number).turn;
  }
  bool is_prepared_by_port(const Task& task) const { return worker_of(task) >= cpus_[task.rank]; }
  bool only_hands_over(const TaskDependency& one) const;
  void settle_order();
  TieMask ties_of(std::uint32_t number) const;
  std::size_t flits(const Task& send) const;
  std::size_t place_of(std::uint32_t send) const {  // in sends_
    return first_send_[task(send).rank] + order_[send];
  }
  std::size_t worker_of(const Task& task) const;
  Cycle takeover(std::uint32_t held) const;
  void add_ready(Rank& rank, std::uint32_t number, Cycle now);
  void release(Rank& rank, std::uint32_t number, Cycle now, bool at_start);
  void happen(const Turn& turn, const Event& event);
  void arrive(const Turn& turn, std::uint32_t held);
  void ready(const Turn& turn, std::uint32_t number);
  void enqueue(Rank& rank, std::uint32_t number);
  void note_sent(std::uint32_t number, Cycle now);
  void match(const Turn& turn, std::uint32_t receive, std::uint32_t held);
  void end(const Turn& turn, std::uint32_t number);
  bool start_all(const Turn& turn);
  void start(const Turn& turn, std::uint32_t number);
  void note_call(std::uint32_t number, Cycle now);
  void start_send(const Turn& turn, std::uint32_t number);
  void start_transfer(const Turn& turn, std::uint32_t number);
  void end_transfer(const Turn& turn, std::uint32_t number);
  tlm::tlm_generic_payload& message_of(std::uint32_t number, Cycle now);
  int name_of(std::uint32_t send) const;
  void send_message(const Turn& turn, std::uint32_t number, Cycle preparation);
  std::uint32_t send_of(const MessageExtension& message) const;
  std::uint32_t hold(tlm::tlm_generic_payload* message, std::uint32_t send);

  const TaskMachine machine_;
  const MessageBytes bytes_;
  const TaskGraph* graph_ = nullptr;
  HostLink* host_ = nullptr;
  std::vector<NodeId> nodes_;              // by rank, then that of the host
  std::vector<std::uint32_t> rank_at_;     // by node
  std::vector<std::uint16_t> cpus_;        // by rank: number of processors
  std::vector<std::uint32_t> first_send_;  // by rank: its first place in sends_
  std::vector<std::uint32_t> sends_;       // the sends of each rank, in the order of the graph
  std::vector<std::uint32_t> order_;       // by task: its place among the sends of its rank
  Dependents dependents_;                  // on the end or start of a task
  Dependents followers_;                   // on that a send of a port has what it waits for
  Dependents queued_;                      // at a port, on the start of a send of its program
  std::vector<std::uint32_t> waits_;       // by task: the entries for it in the first two
  std::vector<std::uint32_t> queues_;      // and in the last one
  // By task: twice the collective whose call begins with it, and 1 where it is over with it.
  std::vector<std::uint32_t> call_of_;
  bool has_names_ = false;  // whether sends have orders of their own
  // Of a run:
  std::vector<std::uint32_t> open_;    // by task: what it still waits for
  std::vector<std::uint32_t> ahead_;   // by task: what is before it at its port
  std::vector<std::uint32_t> opened_;  // empty between calls
  TaskStates states_;                  // by task
  std::vector<Rank> ranks_;
  std::vector<std::uint32_t> sent_;  // with has_names_: the send of each message, by its id
  std::uint32_t sending_ = no_task;  // the send whose message has no entry yet
  struct Held {                      // a message that has come
    tlm::tlm_generic_payload* message = nullptr;  // null: it came from its own rank, or is over
    std::uint32_t send = 0;
    std::uint32_t came = 0;  // its number among all that have come
  };
  std::vector<Held> held_;
  std::uint32_t came_ = 0;
  std::vector<std::uint32_t> free_held_;
  std::unordered_map<std::uint32_t, std::uint32_t> taken_;  // by receive: its message, held
  bool has_any_ = false;  // whether a receive takes messages of any rank or tag
  TaskTakers takers_;     // with has_any_
  TooLong too_long_;
  Matching matching_;
  std::vector<std::uint32_t> tickets_;  // by place in sends_
  std::vector<CallTimes> calls_;        // by collective
  std::size_t ended_ = 0;
  unsigned char shared_ = 0;
};

}  // namespace allport
