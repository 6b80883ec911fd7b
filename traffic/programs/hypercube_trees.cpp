// SPDX-License-Identifier: Apache-2.0
#include "traffic/programs/hypercube_trees.h"

namespace allport {

namespace {

std::uint32_t gray(std::uint32_t number) { return number ^ number >> 1; }

std::uint32_t of_gray(std::uint32_t code) {
  std::uint32_t number = code;
  for (std::uint32_t shift = 1; shift < 32; shift *= 2) number ^= number >> shift;
  return number;
}

// The lowest bit that is set, and for 0 the number of ranks.
std::uint32_t lowest_bit(std::uint32_t rank, std::uint32_t ranks) {
  return rank == 0 ? ranks : rank & (~rank + 1);
}

}  // namespace

Values expand(Rank& self, Values values, std::uint32_t tag) {
  const std::uint32_t own = lowest_bit(self.rank(), self.size());
  if (self.rank() != 0) values = self.receive(self.rank() ^ own, tag);
  for (std::uint32_t bit = own / 2; bit > 0; bit /= 2) self.send(self.rank() | bit, values, tag);
  return values;
}

std::int32_t collapse(Rank& self, std::int32_t value, std::uint32_t tag, double addition_us) {
  const std::uint32_t own = lowest_bit(self.rank(), self.size());
  for (std::uint32_t bit = 1; bit < own; bit *= 2) {
    value += self.receive(self.rank() | bit, tag).front();
    self.compute(addition_us);
  }
  if (self.rank() != 0) self.send(self.rank() ^ own, {value}, tag);
  return value;
}

GrayGrid GrayGrid::of(std::uint32_t ranks, std::size_t dimensions) {
  GrayGrid grid{std::vector<std::uint32_t>(dimensions, 1)};
  for (std::size_t d = dimensions; grid.size() < ranks; --d) {
    if (d == 0) d = dimensions;
    grid.extents[d - 1] *= 2;
  }
  return grid;
}

std::uint32_t GrayGrid::size() const {
  std::uint32_t ranks = 1;
  for (const std::uint32_t extent : extents) ranks *= extent;
  return ranks;
}

std::uint32_t GrayGrid::rank(const std::vector<std::uint32_t>& place) const {
  std::uint32_t rank = 0;
  for (std::size_t d = 0; d < extents.size(); ++d) rank = rank * extents[d] + gray(place[d]);
  return rank;
}

std::vector<std::uint32_t> GrayGrid::place(std::uint32_t rank) const {
  std::vector<std::uint32_t> place(extents.size());
  for (std::size_t d = extents.size(); d > 0; --d) {
    place[d - 1] = of_gray(rank % extents[d - 1]);
    rank /= extents[d - 1];
  }
  return place;
}

GrayMesh GrayMesh::of(std::uint32_t ranks) {
  const GrayGrid grid = GrayGrid::of(ranks, 2);
  return {grid.extents[0], grid.extents[1]};
}

std::uint32_t GrayMesh::rank(std::uint32_t row, std::uint32_t column) const {
  return gray(row % rows) * columns + gray(column % columns);
}
std::uint32_t GrayMesh::row(std::uint32_t rank) const { return of_gray(rank / columns); }
std::uint32_t GrayMesh::column(std::uint32_t rank) const { return of_gray(rank % columns); }

}  // namespace allport
