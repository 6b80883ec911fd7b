// SPDX-License-Identifier: Apache-2.0
// A TaskGraph is a program as a graph: what each rank computes, sends and receives, and which tasks
// wait for which. It is plain data: a file of tasks, a GOAL file or a trace becomes one
// (traffic/tasks/), and processors carry it out (tlm/processor/task_workload.h).
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "rtl_model/base/ids.h"
#include "traffic/schedule/collective.h"
#include "traffic/tasks/host_model.h"

namespace allport {

enum class TaskKind : std::uint8_t { compute, send, receive };

/// The peer of a receive that takes a message of any rank.
constexpr std::uint32_t any_rank = UINT32_MAX;
/// No task, where one is named, and no rank.
constexpr std::uint32_t no_task = UINT32_MAX;
constexpr std::uint32_t no_rank = UINT32_MAX;
/// The tag of a receive that takes a message of any tag.
constexpr std::uint32_t any_tag = UINT32_MAX;
/// The order of a send that nobody gave one.
constexpr std::uint32_t no_order = UINT32_MAX;
/// The bytes of a receive that takes a message of any length.
constexpr std::uint64_t any_length = UINT64_MAX;
/// The network interface of a task that leaves the choice to the router's rule.
constexpr std::uint16_t any_nic = UINT16_MAX;
/// The ties of a send whose ways round rings nobody chose.
constexpr TieMask default_ties = UINT32_MAX;

/// Where a task was written.
struct TaskOrigin {
  std::uint32_t file = 0;  ///< index into TaskGraph::files
  std::uint32_t line = 0;  ///< 1, 2, ...; 0: no line
};

struct Task {
  TaskKind kind = TaskKind::compute;
  /// Whether its message is one of a collective: these are matched apart from all others.
  bool is_of_collective = false;
  std::uint16_t cpu = 0;           ///< which processor of its rank does it: 0, 1, ...
  std::uint16_t nic = any_nic;     ///< the injection port of a send, modulo the number of ports
  std::uint8_t message_class = 0;  ///< of a send
  std::uint32_t rank = 0;          ///< 0 .. ranks - 1
  std::uint32_t peer = any_rank;   ///< send: to; receive: from
  std::uint32_t tag = any_tag;     ///< what a receive matches beside the rank and the collective; a
                                   ///< send has one
  TieMask ties = default_ties;     ///< of a send: its ways round rings
  /// Send: the number by which its message is called; none: its place among the sends of its rank.
  std::uint32_t order = no_order;
  /// Compute: cycles; send: bytes; receive: the most bytes that its message may have.
  std::uint64_t amount = 0;
  Cycle at = 0;  ///< the cycle before which it does not start
  /// Its place where a rank takes the first that is ready; no_task: its number. Of one place,
  /// receives take their messages over in the order in which these came.
  std::uint32_t turn = no_task;
  TaskOrigin origin{};
};

/// Task `task` does not start before task `on`, of the same rank, has ended or has started.
struct TaskDependency {
  std::uint32_t task = 0;
  std::uint32_t on = 0;
  bool on_start = false;
  /// Whether `on` is a send, and `task` comes after it in the program of their rank. Where ports
  /// prepare messages the rank only hands it over: there `task` waits until `on` has what it waits
  /// for, and for its start only at the same port. A send that blocks keeps its rank all the same,
  /// unless on_start.
  bool is_order = false;
};

/// What became of the collectives of one kind.
struct CollectiveUse {
  std::string operation;
  std::string algorithm;  ///< `chain` for a prefix sum
  std::string fabric;     ///< fabric that it was planned on; empty for a prefix sum
  std::uint64_t members = 0;
  std::uint64_t times = 0;
  std::uint64_t messages = 0;
  std::uint64_t bytes = 0;
};

/// A collective between ranks, whose messages have tags of their own that nobody wrote.
struct TaskCollective {
  std::string name;
  std::uint32_t first_tag = 0;
  std::uint32_t tags = 0;
  std::shared_ptr<const std::vector<std::uint32_t>> ranks;
  std::uint32_t use = 0;  ///< index into TaskGraph::uses
  /// Length of the message or vector, or of each block; 0: it has none, or they differ. Then, and
  /// for a prefix sum, it has no bandwidth.
  std::uint64_t bytes = 0;
  Operation operation = Operation::barrier;
  /// A rank's call: the computation with which it begins, and the one with which it is over, each
  /// when it starts.
  struct Call {
    std::uint32_t begin = 0;
    std::uint32_t end = 0;
  };
  std::vector<Call> calls{};  ///< of each of `ranks`
};

struct TaskGraph {
  std::uint32_t ranks = 0;
  /// The host, which is rank `ranks` of tasks and peers: what its transfers take; none: there is no
  /// host.
  std::optional<HostModel> host{};
  std::vector<Task> tasks;  ///< a rank takes the first that is ready, by turn
  std::vector<TaskDependency> dependencies;
  std::vector<std::string> files;  ///< names of the files that it was read from
  std::vector<TaskCollective> collectives;
  std::vector<CollectiveUse> uses;  ///< of these, in the order in which they appear

  /// The ranks, and the host.
  std::uint32_t parties() const { return ranks + (host ? 1 : 0); }
  bool is_host(std::uint32_t rank) const { return host.has_value() && rank == ranks; }
  /// Whether the message of a send or a receive goes over the host's channel.
  bool uses_host(const Task& task) const { return is_host(task.rank) || is_host(task.peer); }
};

}  // namespace allport
