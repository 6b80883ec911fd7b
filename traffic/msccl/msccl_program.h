// SPDX-License-Identifier: Apache-2.0
// An MscclProgram is what an MSCCL XML file says: for each GPU thread blocks, and for each thread
// block the steps that it takes one after another. It is plain data; msccl_file reads and writes
// it, StepOrder, ChunkFlow and from_msccl find out what it means, and to_msccl makes it of a
// schedule. An execution plan of MSCCL++ becomes one too (execution_plan.h).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "traffic/schedule/collective.h"

namespace allport {

/// What a step does; the names in the file are those of msccl_step_names.
enum class MscclAction : std::uint8_t {
  send,
  receive,
  receive_copy_send,
  receive_reduce_send,
  receive_reduce_copy,
  receive_reduce_copy_send,
  reduce,
  copy,
  nothing
};

/// In the order of MscclAction.
constexpr std::array<std::string_view, 9> msccl_step_names{"s",    "r",  "rcs", "rrs", "rrc",
                                                           "rrcs", "re", "cpy", "nop"};

struct MscclCollectiveName {
  std::string_view name;
  Operation operation;
};

/// What the attribute `coll` may be; the first name of an operation is the one that is written.
constexpr std::array<MscclCollectiveName, 11> msccl_collective_names{
    {{"allreduce", Operation::allreduce},
     {"allgather", Operation::allgather},
     {"alltoall", Operation::alltoall},
     {"reduce_scatter", Operation::reduce_scatter},
     {"reducescatter", Operation::reduce_scatter},
     {"broadcast", Operation::bcast},
     {"bcast", Operation::bcast},
     {"reduce", Operation::reduce},
     {"gather", Operation::gather},
     {"scatter", Operation::scatter},
     {"barrier", Operation::barrier}}};

/// The `coll` of a program that does not say what it achieves.
constexpr std::string_view msccl_custom = "custom";

/// The operation called `name`, the value of `key` in a file; `asked` where that is custom. Calls
/// `reject`, which must throw, with a sentence for any other name, and for custom if nothing is
/// asked for that a program can carry out.
Operation msccl_operation(std::string_view key, const std::string& name,
                          const std::optional<Operation>& asked,
                          const std::function<void(const std::string&)>& reject);

bool sends(MscclAction action);
bool receives(MscclAction action);
/// Whether it reads chunks of its own GPU, at the step's source.
bool reads_source(MscclAction action);
/// Whether it adds what it has read or received to other chunks.
bool reduces(MscclAction action);
/// Whether it writes chunks of its own GPU, at the step's destination.
bool writes(MscclAction action);

/// The first of a row of chunks.
struct ChunkPlace {
  char buffer = 'i';  ///< `i` input, `o` output, `s` scratch
  std::size_t offset = 0;
  bool operator==(const ChunkPlace& other) const {
    return buffer == other.buffer && offset == other.offset;
  }
};

/// Where an operation of an execution plan stands. No such place has gpu -1.
struct PlanPlace {
  int gpu = -1;
  int block = 0;
  int operation = 0;
};

struct MscclStep {
  MscclAction action = MscclAction::nothing;
  ChunkPlace source{};
  ChunkPlace destination{};
  std::size_t count = 0;   ///< chunks
  int depends_block = -1;  ///< thread block of the same GPU; -1: it depends on none
  int depends_step = -1;
  bool signals = false;  ///< whether other thread blocks may depend on it
  /// Of a message that takes an exact tie in the - direction, as in Unicast.
  std::vector<int> displacement{};
  PlanPlace origin{};  ///< of a step that a plan's operation became
};

struct MscclThreadBlock {
  int sends_to = -1;       ///< GPU; -1: it sends nothing
  int receives_from = -1;  ///< GPU; -1: it receives nothing
  int channel = 0;
  std::vector<MscclStep> steps{};
};

struct MscclGpu {
  std::size_t scratch = 0;  ///< chunks of its scratch buffer
  std::vector<MscclThreadBlock> blocks{};
};

struct MscclStepPlace {
  std::size_t gpu = 0;
  std::size_t block = 0;
  std::size_t step = 0;
};

/// Step `after` runs after step `before`, of any GPU.
struct MscclWait {
  MscclStepPlace before;
  MscclStepPlace after;
};

struct MscclProgram {
  std::string name;
  Operation operation = Operation::allreduce;
  std::size_t chunks = 1;  ///< `nchunksperloop`
  std::size_t parts = 1;   ///< of a vector: the chunks that each of its blocks is cut into
  bool in_place = true;
  std::vector<MscclGpu> gpus{};
  /// Of an execution plan: what its signals, semaphores, barriers and packets make wait.
  std::vector<MscclWait> waits{};
  std::vector<std::string> faults{};  ///< of these
};

/// `gpu 3, tb 0, step 2`, or `gpu 3, tb 0, op 2` of an execution plan.
std::string msccl_place(std::size_t gpu, std::size_t block, std::size_t step);
std::string msccl_place(const PlanPlace& place);

/// The collective of `program`, whose blocks or parts of blocks are its chunks: a message in
/// `chunks` pieces, a vector of `chunks` / `parts` blocks, or `chunks` / GPUs parts of each block.
/// `root` is ignored if it has none.
Collective msccl_collective(const MscclProgram& program, NodeId root);

/// The GPUs that may be the root: those that send and never receive, or, of a gather or reduce,
/// those that receive and never send. Empty for the collectives without a root.
std::vector<NodeId> possible_roots(const MscclProgram& program);

}  // namespace allport
