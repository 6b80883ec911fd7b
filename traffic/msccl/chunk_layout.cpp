// SPDX-License-Identifier: Apache-2.0
#include "traffic/msccl/chunk_layout.h"

#include <algorithm>

namespace allport {

namespace {

// One chunk, or row of chunks, of each GPU becomes those of all, or the other way round.
bool has_small_input(Operation operation) {
  return operation == Operation::allgather || operation == Operation::gather;
}
bool has_small_output(Operation operation) {
  return operation == Operation::reduce_scatter || operation == Operation::scatter;
}

}  // namespace

ChunkLayout::ChunkLayout(const MscclProgram& program, const Collective& goal)
    : program_(program),
      operation_(goal.operation()),
      own_(goal.part_count()),
      input_size_(has_small_input(operation_) ? own_ : program.chunks),
      output_size_(has_small_output(operation_) ? own_ : program.chunks) {}

std::size_t ChunkLayout::input_at(std::size_t gpu) const {
  return program_.in_place && has_small_input(operation_) ? gpu * own_ : 0;
}

std::size_t ChunkLayout::output_at(std::size_t gpu) const {
  if (!program_.in_place) return input_size_;
  return has_small_output(operation_) ? gpu * own_ : 0;
}

std::size_t ChunkLayout::cell_count(std::size_t gpu) const {
  const std::size_t data =
      program_.in_place ? std::max(input_size_, output_size_) : input_size_ + output_size_;
  return data + program_.gpus[gpu].scratch;
}

std::size_t ChunkLayout::size_of(std::size_t gpu, char buffer) const {
  if (buffer == 's') return program_.gpus[gpu].scratch;
  return buffer == 'i' ? input_size_ : output_size_;
}

std::optional<std::size_t> ChunkLayout::cell(std::size_t gpu, const ChunkPlace& place) const {
  if (place.offset >= size_of(gpu, place.buffer)) return std::nullopt;
  if (place.buffer == 's') {
    return cell_count(gpu) - program_.gpus[gpu].scratch + place.offset;
  }
  return (place.buffer == 'i' ? input_at(gpu) : output_at(gpu)) + place.offset;
}

BlockId ChunkLayout::input_block(std::size_t gpu, std::size_t i) const {
  if (has_small_input(operation_)) return static_cast<BlockId>(gpu * own_ + i);
  const bool is_of_pairs = operation_ == Operation::alltoall;
  return static_cast<BlockId>(is_of_pairs ? gpu * input_size_ + i : i);
}

BlockId ChunkLayout::output_block(std::size_t gpu, std::size_t i) const {
  if (has_small_output(operation_)) return static_cast<BlockId>(gpu * own_ + i);
  if (operation_ != Operation::alltoall) return static_cast<BlockId>(i);
  const std::size_t sender = i / own_;
  return static_cast<BlockId>((sender * program_.gpus.size() + gpu) * own_ + i % own_);
}

}  // namespace allport
