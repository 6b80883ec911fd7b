// SPDX-License-Identifier: Apache-2.0
// A ChunkLayout says where the buffers of an MSCCL program lie in the memory of a GPU, which chunks
// of its input it holds before, and which its output must hold in the end. In place, input and
// output overlap: they are the same, or the smaller one lies in the larger one at GPU * its size.
#pragma once

#include <cstddef>
#include <optional>

#include "traffic/msccl/msccl_program.h"

namespace allport {

class ChunkLayout {
 public:
  /// `goal` is the program's (msccl_collective). Both must outlive the layout.
  ChunkLayout(const MscclProgram& program, const Collective& goal);

  std::size_t input_size() const { return input_size_; }
  std::size_t output_size() const { return output_size_; }
  /// Number of cells of `gpu`, one for each chunk of its memory.
  std::size_t cell_count(std::size_t gpu) const;
  /// The cell of `place` at `gpu`; none: the buffer has no such chunk.
  std::optional<std::size_t> cell(std::size_t gpu, const ChunkPlace& place) const;
  /// The chunks of the buffer that `place` is in.
  std::size_t size_of(std::size_t gpu, char buffer) const;

  /// The block that chunk `i` of the input of `gpu` is.
  BlockId input_block(std::size_t gpu, std::size_t i) const;
  /// The block that chunk `i` of the output of `gpu` is to be.
  BlockId output_block(std::size_t gpu, std::size_t i) const;

 private:
  std::size_t input_at(std::size_t gpu) const;
  std::size_t output_at(std::size_t gpu) const;

  const MscclProgram& program_;
  Operation operation_;
  std::size_t own_;  // chunks that a GPU contributes to, or gets of, each other one
  std::size_t input_size_;
  std::size_t output_size_;
};

}  // namespace allport
