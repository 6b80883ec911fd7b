// SPDX-License-Identifier: Apache-2.0
// ChunkPlaces says where each node of a schedule keeps its blocks, as chunks of an MSCCL program:
// in place, but for an all-to-all, whose blocks on their way lie in the scratch buffer.
#pragma once

#include <cstddef>
#include <unordered_map>
#include <vector>

#include "traffic/msccl/msccl_program.h"

namespace allport {

/// Chunks side by side.
struct ChunkRun {
  ChunkPlace first{};
  std::size_t count = 0;
};

class ChunkPlaces {
 public:
  ChunkPlaces(const Collective& goal, MscclProgram& program);

  /// The place of `block` at `gpu`, made when it is asked for first.
  ChunkPlace of(std::size_t gpu, BlockId block);
  /// The places of `blocks`, in their order, as few runs as possible.
  std::vector<ChunkRun> runs(std::size_t gpu, const std::vector<BlockId>& blocks);
  /// Room for `chunks` in the scratch buffer of `gpu`.
  ChunkPlace reserve(std::size_t gpu, std::size_t chunks);

 private:
  const Collective& goal_;
  MscclProgram& program_;
  std::vector<std::unordered_map<BlockId, ChunkPlace>> on_their_way_;  // by GPU
};

}  // namespace allport
