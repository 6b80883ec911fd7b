// SPDX-License-Identifier: Apache-2.0
// A PlanOperation is an operation of an execution plan of MSCCL++, with what its numbers refer to
// already looked up; plan_json.h reads them, and plan_program.cpp finds out what they do.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "traffic/msccl/msccl_program.h"

namespace allport {

/// What an operation does beside moving data.
enum class PlanControl : std::uint8_t { none, barrier, signal, wait, flush, acquire, release };

/// What the operation of a name does.
struct PlanRule {
  std::string_view name;
  PlanControl control = PlanControl::none;
  bool moves = false;          ///< whether it has sources and destinations
  bool adds = false;           ///< its sources, into its first destination
  int packets_from = -1;       ///< the first of its sources that is in packets; -1: none is
  int packets_to = -1;         ///< the only local destination that is in packets; -1: none is
  bool sends_packets = false;  ///< whether its remote destinations are in packets
  bool signals = false;        ///< whether it signals on the channels of its destinations
  bool flushes = false;
};

/// The rule of the operation called `name`; null if no operation is, or if it needs a switch.
const PlanRule* plan_rule(std::string_view name);
/// Whether it is one of those that need a switch, such as `gstore`.
bool needs_switch(std::string_view name);
/// All names, for messages.
std::vector<std::string_view> plan_operation_names();

/// A row of chunks at some GPU.
struct PlanChunks {
  std::size_t gpu = 0;
  ChunkPlace place{};
  std::size_t count = 0;
};

struct PlanOperation {
  const PlanRule* rule = nullptr;
  PlanPlace place{};
  bool is_port = false;               ///< whether its channels are port channels, else memory
  std::vector<std::size_t> channels;  ///< of the GPU, of that type
  std::vector<PlanChunks> sources;
  std::vector<PlanChunks> destinations;
  std::vector<std::size_t> semaphores;
  std::size_t barrier = 0;
  std::size_t barrier_blocks = 0;
  /// Whether another thread block of its group does it: they share the bytes, and the first of them
  /// stands for all.
  bool is_shared = false;
  std::vector<int> displacement;
};

struct PlanBlock {
  std::vector<PlanOperation> operations;
};

struct PlanGpu {
  std::size_t scratch = 0;
  std::vector<std::size_t> memory_peers;  ///< by memory channel: the GPU at its other end
  std::vector<std::size_t> port_peers;
  std::vector<std::size_t> semaphores;  ///< by number: what it is at first
  std::vector<PlanBlock> blocks;
};

struct ExecutionPlan {
  std::string name;
  Operation operation = Operation::allreduce;
  std::size_t chunks = 1;  ///< as MscclProgram has them
  std::size_t parts = 1;
  bool in_place = true;
  std::vector<PlanGpu> gpus;
};

/// Reads a plan; throws as read_execution_plan does.
ExecutionPlan parse_execution_plan(const std::string& text, const std::string& name,
                                   const std::optional<Operation>& asked);

/// What `plan` does.
MscclProgram program_of(const ExecutionPlan& plan);

}  // namespace allport
