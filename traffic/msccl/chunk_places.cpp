// SPDX-License-Identifier: Apache-2.0
#include "traffic/msccl/chunk_places.h"

namespace allport {

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

}  // namespace allport
