// SPDX-License-Identifier: Apache-2.0
// The results of a run are plain data: Simulation writes them, and the reports read them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "rtl_model/base/ids.h"
#include "rtl_model/router/link_errors.h"
#include "testbench/results/explanation.h"
#include "testbench/results/message_name.h"

namespace allport {

/// One message received by one node; cycles from the trial's start.
struct Delivery {
  NodeId source{};  ///< the message's own sender
  NodeId destination{};
  int message = 0;  ///< its order at the sender
  Cycle head = 0;   ///< cycle of the head on the ejection channel
  Cycle tail = 0;
};

/// A message kept off a channel by another one (docs/router.md, contention).
struct ContentionEvent {
  int trial = 0;
  Cycle cycle = 0;    ///< first cycle lost
  Cycle cycles = 0;   ///< number of cycles lost
  Channel channel{};  ///< external port, or internal port for reception contention
  MessageName waiting;
  MessageName holding;
};

struct Contention {
  std::vector<ContentionEvent> list;  ///< by trial, cycle, channel, waiting, holding
  std::size_t events = 0;             ///< may exceed list.size() (see is_truncated)
  Cycle blocked_cycles = 0;
  bool is_truncated =
      false;  ///< synthetic traffic: the list stops at ContentionMonitor::max_listed
};

/// One edge of a deadlock's cycle: `message` waits, at output `channel`, for `held_by`.
struct DeadlockWait {
  MessageName message;
  std::string waits_for;  ///< `vc`, `credit`, `buffer`, `join` or `take`
  MessageName held_by;
  Channel channel{};  ///< output of a router; from external_ports on: an ejection channel
  int vc = 0;
  std::size_t flit = 0;    ///< which of Deadlock::flits waits
  Cycle since = 0;         ///< the first cycle of the wait
  bool is_queued = false;  ///< whether it is in the queue of its processor: the channel is then
                           ///< that of injection
};

/// An edge of the wait-for graph; `held_by` may be the waiting message itself, further on.
struct WaitEdge {
  /// As in DeadlockWait, or `processor`: that of the node of `channel` has not sent its
  /// contribution to the join `held_by`; or `lost`: a credit of `channel` that was lost, and
  /// `held_by` is the waiting message.
  std::string waits_for;
  MessageName held_by;
  Channel channel{};  ///< as in DeadlockWait; for `buffer` and at a processor an input
  int vc = 0;
  Cycle since = 0;  ///< the first cycle of this wait (testbench/observe/monitors/standstill.h)
  bool is_in_cycle = false;  ///< whether it is one of Deadlock::waits
};

/// Whether the channel of such a wait is an input: it is for a turn in a buffer.
bool is_at_input(const std::string& waits_for);

/// A flit in a buffer or an injection queue, and all that it waits for at once: it leaves when
/// every wait is over. It is being replicated if it has more than one wait, or has taken branches.
struct WaitingFlit {
  MessageName message;
  Channel input{};  ///< channel of its buffer; from external_ports on: an injection channel
  int vc = 0;
  std::vector<PortId> taken;  ///< outputs by which a copy has gone
  std::vector<WaitEdge> waits;
  bool is_queued = false;  ///< whether it is still in that channel's queue, at its processor
};

/// A credit that did not come back to its sender.
struct CreditLoss {
  int trial = 0;
  Channel channel{};  ///< the sender's output
  int vc = 0;
  Cycle cycle = 0;  ///< in which the sender would have seen it
};

struct Deadlock {
  int trial = 0;
  Cycle cycle = 0;                      ///< when nothing moves: docs/router.md, section 9
  std::vector<DeadlockWait> waits;      ///< cycle of waits: each is held by the message of the next
  std::size_t stuck_messages = 0;       ///< messages that can never be delivered
  std::vector<MessageName> messages{};  ///< those messages
  std::vector<WaitingFlit>
      flits{};  ///< the whole wait-for graph: by node, input and VC, then queue
  std::vector<CreditLoss> lost_credits{};  ///< those of its trial
  Cycle last_movement = 0;                 ///< the last cycle in which a flit moved
  std::size_t delivered_messages = 0;      ///< all others of its trial
  std::vector<MessageName> delivered{};    ///< the first of these
};

/// Counts by latency: entry i counts those of 2^i .. 2^(i+1) - 1 cycles, entry 0 also those of
/// none.
using LatencyHistogram = std::vector<std::size_t>;
void count_latency(LatencyHistogram& histogram, Cycle latency);

struct LatencySummary {
  Cycle max = 0;
  double mean = 0;
  /// Whether anything was received, which takes a cycle at least.
  bool is_known() const { return max > 0; }
};

/// A mean over trials, and how far it may be from the true mean.
struct MeanEstimate {
  double mean = 0;
  /// Half the width of Student's 95 % confidence interval around `mean`; none for a single value.
  std::optional<double> half_width;
};

/// One destination's latency in the last trial.
struct DestinationLatency {
  NodeId node{};
  Cycle cycles = 0;
};

/// The latencies of one of a trial's collectives, over all trials.
struct CollectiveLatency {
  LatencySummary latency;        ///< of the destinations that received
  std::size_t destinations = 0;  ///< over trials
  std::size_t missing = 0;       ///< those of them that received nothing

  bool is_known() const { return destinations > missing; }
};

/// A distribution over messages; percentiles are nearest ranks.
struct LatencyDistribution {
  double mean = 0;
  Cycle p50 = 0;
  Cycle p95 = 0;
  Cycle p99 = 0;
  Cycle max = 0;
};

/// The load of the external channels over the measurement window, in flits per cycle: the flits
/// that routers decided to send on them in its cycles.
struct ChannelLoad {
  double mean = 0;
  double max = 0;
  Channel busiest{};                 ///< the first one with the load `max`
  std::vector<std::uint64_t> flits;  ///< by node, then port
  Cycle cycles = 0;                  ///< length of the window
};

/// Synthetic traffic, over the measurement window (testbench/observe/monitors/traffic_monitor.h).
/// Rates are in flits per node and cycle.
struct TrafficResults {
  double offered = 0;                   ///< flits of the messages that started
  double accepted = 0;                  ///< flits ejected
  double queue_growth = 0;              ///< flits that piled up at the sources
  std::vector<NodeId> growing_sources;  ///< nodes whose own queue grew, ascending
  LatencyDistribution latency;  ///< time from the start of a message until the receiver has it
  LatencyDistribution network_latency;  ///< time from its head on the injection channel
  ChannelLoad channel_load;
  /// Cycles that a processor needs at least for the messages that start in a cycle, on average.
  double processor_load = 0;
  /// Whether the queue of a source, or of all together, grew, or processors cannot prepare all.
  bool saturated = false;
  /// `--cycles` of a run that would tell, if a queue grew by what may be chance or an empty network
  /// that fills; 0: this one tells.
  Cycle telling_cycles = 0;
  LatencyHistogram latency_histogram;  ///< of messages

  /// Whether a message that started in the window was received.
  bool has_latency() const { return !latency_histogram.empty(); }
  bool is_telling() const { return telling_cycles == 0; }
};

/// A closed loop: the requests made in the measurement window.
struct ClosedLoopResults {
  std::uint64_t requests = 0;    ///< requests made in the window
  std::uint64_t unanswered = 0;  ///< those of them that got no reply
  double throughput = 0;         ///< requests made in the window per node and cycle
  LatencyDistribution
      round_trip;  ///< from the request to the cycle in which its node has the reply
  LatencyHistogram round_trip_histogram;

  /// Whether a request of the window got its reply.
  bool has_round_trip() const { return !round_trip_histogram.empty(); }
};

/// Collectives that start at random, over the measurement window
/// (testbench/observe/monitors/load_monitor.h). Rates of collectives are per source and cycle.
struct LoadResults {
  std::size_t collectives = 0;          ///< collectives that started in the window
  std::size_t unfinished = 0;           ///< those of them that a destination never had
  double offered = 0;                   ///< rate of the collectives that started
  double accepted = 0;                  ///< rate of the collectives that completed
  double accepted_flits = 0;            ///< flits of them ejected, per node and cycle
  double under_way = 0;                 ///< collectives started and not completed, on average
  double growth = 0;                    ///< rate at which such collectives piled up
  std::vector<NodeId> growing_sources;  ///< nodes whose own collectives piled up, ascending
  LatencyDistribution latency;     ///< of deliveries: from the start until a destination has it
  LatencyDistribution completion;  ///< of collectives: from the start until the last one has it
  bool saturated = false;          ///< whether those of a source, or all together, piled up
  /// As in TrafficResults.
  Cycle telling_cycles = 0;
  LatencyHistogram latency_histogram;  ///< of deliveries

  /// Whether a collective that started in the window was received, and whether one was completed.
  bool has_latency() const { return !latency_histogram.empty(); }
  bool has_completion() const { return collectives > unfinished; }
  bool is_telling() const { return telling_cycles == 0; }
};

/// What a rank of a run of tasks did; `compute`, `communicate` and `wait` are `end` together.
struct RankResults {
  NodeId node{};
  Cycle compute = 0;      ///< cycles in which one of its processors computes
  Cycle communicate = 0;  ///< cycles in which none does and a message keeps one, or a port, busy
  Cycle wait = 0;         ///< the other cycles up to `end`
  Cycle end = 0;          ///< the cycle in which its last task ended
};

/// The calls of one kind of collective, those that are over. A call lasts from the cycle in which
/// its first rank begins it to the one in which its last rank has ended it.
struct CallResults {
  std::size_t calls = 0;
  double mean = 0;  ///< cycles
  Cycle max = 0;
  /// The calls with a bandwidth (traffic/theory/bandwidth.h), and what they have in bytes per
  /// cycle: their means, and the best of the bus.
  std::size_t measured = 0;
  double algorithm = 0;
  double bus = 0;
  double best_bus = 0;

  /// Whether one of them is over.
  bool is_over() const { return calls > 0; }
};

/// What the host of a machine did in a run of tasks or programs.
struct HostResults {
  std::uint64_t transfers = 0;  ///< to ranks and from them
  std::uint64_t bytes = 0;      ///< of these
  Cycle busy = 0;               ///< cycles in which its channel carried them
  Cycle end = 0;                ///< the cycle in which its last task or its program ended
};

/// A run of tasks.
struct TaskResults {
  Cycle makespan = 0;  ///< the cycle in which the last task ended
  std::size_t tasks = 0;
  std::size_t unended = 0;          ///< tasks that did not end
  bool waits_in_circle = false;     ///< whether what kept them is a circle
  std::vector<std::string> waits;   ///< what kept them, in words; empty: all ended
  std::vector<RankResults> ranks;   ///< by rank
  std::vector<CallResults> calls;   ///< by TaskGraph::uses
  std::optional<HostResults> host;  ///< none: there was no host
  std::uint64_t unreceived = 0;     ///< messages that no task or program received
};

/// What joins yielded whose operands were combined in the order of their arrival, over trials.
struct CombineResults {
  std::uint64_t lanes = 0;            ///< lanes of their results, each join counted once
  std::uint64_t differing_lanes = 0;  ///< those that are not what the order of ports yields
  /// Most numbers of float32 from such a lane to that of the order of ports, itself included.
  std::uint64_t largest_difference = 0;
  std::vector<std::uint64_t> checksums;  ///< of all results of a trial, by trial

  /// How many different results the trials had.
  std::size_t distinct_results() const;
};

/// What came in error on an external channel, over trials.
struct ChannelErrors {
  Channel channel{};            ///< its sender's output
  std::uint64_t errors = 0;     ///< flits that were in error
  std::uint64_t replays = 0;    ///< that its sender began
  std::uint64_t discarded = 0;  ///< flits that its receiver discarded
};

/// What went wrong on external channels, over trials.
struct LinkErrorResults {
  std::vector<ChannelErrors> channels;  ///< those with errors, by node, then port
  std::vector<CreditLoss> lost_credits;
  std::vector<FlitError> missed;           ///< of those that were listed: they hit nothing
  std::vector<LostCredit> missed_credits;  ///< no credit was there to be lost

  std::uint64_t errors() const;
  std::uint64_t replays() const;
  std::uint64_t discarded() const;
};

/// Who simulated, where several threads were asked for: like the time that it took, nothing of it
/// is a result.
struct ThreadUse {
  int threads = 1;             ///< that could take part
  std::uint64_t cycles = 0;    ///< that routers decided, over trials
  std::uint64_t together = 0;  ///< those of them that several threads did
  std::string whole{};         ///< why none was; empty: some were, or there was one thread
};

struct Results {
  LatencySummary latency;              ///< over the destinations of all trials that received
  std::vector<LatencySummary> trials;  ///< one per trial
  /// With skew, one per trial: the cycle in which the last node that sends starts; empty where
  /// barriers start collectives.
  std::vector<Cycle> last_starts;
  std::vector<DestinationLatency> by_destination;  ///< of the last trial, by node
  std::vector<CollectiveLatency> by_collective;    ///< in the order of a trial's collectives
  LatencyHistogram latency_histogram;  ///< of destinations, over all trials; empty for a pattern
  std::size_t destinations = 0;        ///< over collectives and trials; 0 for a pattern
  std::size_t missing = 0;  ///< destinations that received nothing, over collectives and trials
  int steps = 0;            ///< largest number of steps over the trials
  Cycle cycles = 0;         ///< sum over trials of the last reception, or of the deadlock
  std::uint64_t flit_hops = 0;
  std::uint64_t messages = 0;
  /// Receptions of a whole message by a processor that had it already, over trials.
  std::uint64_t repeated_deliveries = 0;
  Contention contention;
  Contention reception;
  std::optional<Deadlock> deadlock;
  std::optional<TrafficResults> traffic;  ///< of a load: the messages of the pattern beside it
  std::optional<ClosedLoopResults> closed_loop;  ///< none: it was no closed loop
  std::optional<LoadResults> load;               ///< none: collectives did not start at random
  std::optional<TaskResults> tasks;              ///< none: it was not a run of tasks
  std::optional<CombineResults> combine;  ///< none: operands are combined in the order of ports
  std::string broken_invariant;  ///< empty, or a sentence: a router or checker found itself wrong
  std::string overrun;  ///< empty, or a sentence: it would have gone on beyond the end of a run
  bool was_interrupted = false;
  std::string digest;                      ///< FNV-1a over the deliveries, 16 hex digits
  std::vector<Delivery> deliveries;        ///< of the last trial, sorted
  std::optional<Explanation> explanation;  ///< none: it was not asked for
  double wall_seconds = 0;                 ///< time of the simulation proper
  double startup_seconds = 0;              ///< time of elaboration
  std::optional<LinkErrorResults>
      link_errors{};  ///< none: channels have no retry, and lose nothing
  ThreadUse threads{};

  /// The mean completion, `latency.completion` of the JSON: over the trials that ended, the mean of
  /// the largest latency of each. None for a pattern, for collectives that start at random, without
  /// destinations, and if no trial ended.
  std::optional<MeanEstimate> completion() const;
  /// The same of the largest latencies counted from `last_starts`; none without skew.
  std::optional<MeanEstimate> completion_after_last_start() const;

  /// Whether a message was received whose latency counts.
  bool has_latency() const {
    if (load) return load->has_latency();
    return traffic ? traffic->has_latency() : destinations > missing;
  }
  // Of `link_errors`:
  bool has_link_errors() const { return link_errors.has_value(); }
  std::uint64_t flit_errors() const { return link_errors ? link_errors->errors() : 0; }
  std::uint64_t replays() const { return link_errors ? link_errors->replays() : 0; }
  std::uint64_t discarded_flits() const { return link_errors ? link_errors->discarded() : 0; }
  std::size_t lost_credits() const { return link_errors ? link_errors->lost_credits.size() : 0; }
  /// Whether collectives or tasks ran, with a pattern beside them or without.
  bool is_of_more_than_a_pattern() const { return !traffic || tasks || load; }
  bool is_complete() const {
    const bool has_ended = !tasks || tasks->unended == 0;
    const bool is_cut = was_interrupted || !overrun.empty();
    return !deadlock && has_ended && broken_invariant.empty() && !is_cut;
  }
};

}  // namespace allport
