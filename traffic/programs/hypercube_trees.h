// SPDX-License-Identifier: Apache-2.0
// These functions are what ranks of a hypercube do together, as [Ranka88] has it: tree expansion
// and tree collapse over the spanning binomial tree of rank 0, and places on a mesh by Gray codes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "traffic/programs/rank.h"

namespace allport {

/// Tree expansion: rank 0 has `values`, everybody returns them; the highest dimension first.
Values expand(Rank& self, Values values, std::uint32_t tag);

/// Tree collapse: rank 0 returns the sum of everybody's `value`, everybody else a part of it. An
/// addition takes `addition_us` microseconds.
std::int32_t collapse(Rank& self, std::int32_t value, std::uint32_t tag, double addition_us);

/// A grid of 2^a x 2^b x .. places, wrapped around, on as many ranks of a hypercube: neighbours are
/// one hop apart.
struct GrayGrid {
  std::vector<std::uint32_t> extents;  ///< by dimension, each a power of two

  /// The grid of `dimensions` for `ranks`, a power of two, whose extents differ by a factor of two
  /// at most; the last dimensions have the larger ones.
  static GrayGrid of(std::uint32_t ranks, std::size_t dimensions);
  std::uint32_t size() const;
  std::uint32_t rank(const std::vector<std::uint32_t>& place) const;
  std::vector<std::uint32_t> place(std::uint32_t rank) const;
};

/// A 2^r x 2^c mesh, wrapped around, on the 2^(r+c) ranks of a hypercube: neighbours are one hop
/// apart. [Ranka88, fig. 4]
struct GrayMesh {
  std::uint32_t rows = 1;     ///< a power of two
  std::uint32_t columns = 1;  ///< a power of two

  /// The squarest mesh of `ranks`, a power of two; of two, the one with more columns.
  static GrayMesh of(std::uint32_t ranks);
  std::uint32_t rank(std::uint32_t row, std::uint32_t column) const;
  std::uint32_t row(std::uint32_t rank) const;
  std::uint32_t column(std::uint32_t rank) const;
};

}  // namespace allport
