// SPDX-License-Identifier: Apache-2.0
#include "traffic/algorithms/grid_lines.h"

#include <utility>

namespace allport {

int Lines::reach(NodeId node, const Way& way) const {
  if (grid_.wraps()) return longest(way);
  return way.sign > 0 ? side(way.dimension) - 1 - place(node, way.dimension)
                      : place(node, way.dimension);
}

int Lines::longest(const Way& way) const {
  const int side = this->side(way.dimension);
  if (!grid_.wraps()) return side - 1;
  return way.sign > 0 ? side / 2 : (side - 1) / 2;
}

NodeId Lines::on(NodeId node, const Way& way, int distance) const {
  std::vector<int> offset(dimensions(), 0);
  offset[way.dimension] = way.sign * distance;
  return grid_.shifted(node, offset);
}

Unicast Lines::move(NodeId node, std::size_t dimension, int offset) const {
  Unicast unicast;
  unicast.u = node;
  unicast.v = on(node, {dimension, 1}, offset);
  const bool is_negative_tie = grid_.wraps() && 2 * offset == -side(dimension);
  if (is_negative_tie) {
    std::vector<int> displacement(dimensions(), 0);
    displacement[dimension] = offset;
    unicast.displacement = std::move(displacement);
  }
  return unicast;
}

bool Lines::passes(NodeId node, const Way& way, int distance) const {
  if (grid_.wraps()) return distance < reach(node, way);
  const int at = place(node, way.dimension);
  const int begins = at - way.sign * distance;
  return begins >= 0 && begins < side(way.dimension) && reach(node, way) > 0;
}

Box::Box(const Lines& lines, NodeId node) : lines_(lines) {
  for (std::size_t i = 0; i < lines.dimensions(); ++i) places_.push_back({lines.place(node, i)});
}

Box& Box::widen(std::size_t dimension) {
  places_[dimension].clear();
  for (int i = 0; i < lines_.side(dimension); ++i) places_[dimension].push_back(i);
  return *this;
}

Box& Box::widen_below(std::size_t dimension) {
  for (std::size_t i = 0; i < dimension; ++i) widen(i);
  return *this;
}

Box& Box::widen_above(std::size_t dimension) {
  for (std::size_t i = dimension + 1; i < places_.size(); ++i) widen(i);
  return *this;
}

Box& Box::set(std::size_t dimension, std::vector<int> places) {
  places_[dimension] = std::move(places);
  return *this;
}

std::vector<std::size_t> Box::nodes() const {
  std::vector<std::size_t> list{0};
  for (std::size_t dimension = places_.size(); dimension-- > 0;) {
    std::vector<std::size_t> wider;
    wider.reserve(list.size() * places_[dimension].size());
    for (const std::size_t above : list) {
      for (const int place : places_[dimension]) {
        wider.push_back(above * static_cast<std::size_t>(lines_.side(dimension)) +
                        static_cast<std::size_t>(place));
      }
    }
    list = std::move(wider);
  }
  return list;
}

}  // namespace allport
