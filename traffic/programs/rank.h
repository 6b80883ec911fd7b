// SPDX-License-Identifier: Apache-2.0
// All ranks run one program, with real data: each computes, sends and receives by (source, tag). A
// host, if there is one, runs a program of its own, and no processor copies what it sends. As every
// reception names its sender, the results do not depend on who is faster; so the program is run
// once, and what each rank does becomes a graph of tasks, which any machine may time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <vector>

#include "traffic/tasks/task_graph.h"

namespace allport {

using Values = std::vector<std::int32_t>;

/// How long things take, and how messages travel.
struct ProgramCosts {
  double cycle_us = 1;          ///< one cycle in microseconds
  int value_bytes = 4;          ///< what a value occupies in a message, in bytes
  bool forwards = false;        ///< processors forward from neighbour to neighbour of a hypercube
  double copy_us = 0;           ///< what the receiver spends on a message, in microseconds
  double copy_us_per_byte = 0;  ///< and on each of its bytes
  HostModel host{};  ///< what a transfer of the host takes, in cycles, where there is one
};

class Conversation;

/// One rank, or the host, as its program sees it. All calls are for the thread that runs it.
class Rank {
 public:
  /// The messages of a rank that others may forward.
  static constexpr std::uint32_t most_forwarded = 4096;

  Rank(Conversation& all, std::uint32_t rank) : all_(all), rank_(rank) {}

  std::uint32_t rank() const { return rank_; }
  std::uint32_t size() const;
  /// The rank of the host, if there is one.
  std::uint32_t host() const { return size(); }
  /// Works for so long; fractions of a cycle add up.
  void compute(double microseconds);
  /// Sends `values`, at least one byte, to another rank; goes on when the message is prepared.
  /// `value_bytes`: what each of them occupies; 0: as the costs say.
  void send(std::uint32_t to, const Values& values, std::uint32_t tag = 0, int value_bytes = 0);
  /// The oldest message of `from` with `tag` that has not been received; waits for one.
  Values receive(std::uint32_t from, std::uint32_t tag = 0);

 private:
  Conversation& all_;
  std::uint32_t rank_;
  double microseconds_ = 0;   // of all that it has computed
  std::uint64_t cycles_ = 0;  // the same, as recorded
};

using RankProgram = std::function<void(Rank&)>;

/// Lets `ranks` ranks run `program`, and the host `host_program`, unless that is null; returns what
/// they did, a chain of tasks for each. A message that processors forward becomes a receive and a
/// send of processor 1 of every rank between.
/// Throws std::runtime_error, one sentence, when all that are left wait for messages, when they
/// send more than 2^24, or when there are no threads for so many ranks, and whatever the first rank
/// that fails throws.
TaskGraph record(std::uint32_t ranks, const ProgramCosts& costs, const RankProgram& program,
                 const RankProgram& host_program = nullptr);

}  // namespace allport
