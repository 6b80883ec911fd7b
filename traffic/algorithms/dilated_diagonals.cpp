// SPDX-License-Identifier: Apache-2.0
#include "traffic/algorithms/dilated_diagonals.h"

#include <algorithm>
#include <utility>

namespace allport {

namespace {

int modulo(int value, int count) { return ((value % count) + count) % count; }

// With a single column there is no other column to take.
int row_parts_per_side(int columns) { return columns == 1 ? 1 : 2; }

StepIndex row_steps(int columns, int rows) {
  return ceil_logarithm(2 * row_parts_per_side(columns) + 1, rows);
}

// A row's holder may be off the diagonal; the source, with one row, is not.
StepIndex align_steps(int columns, int rows) {
  if (columns == 1) return 0;
  const int targets = std::max(1, columns / rows);
  return ceil_logarithm(3, rows == 1 ? targets : targets + 1);
}

StepIndex spread_steps(int columns, int rows) { return ceil_logarithm(5, std::min(columns, rows)); }

}  // namespace

StepIndex diagonal_steps(int columns, int rows) {
  return row_steps(columns, rows) + align_steps(columns, rows) + spread_steps(columns, rows);
}

DilatedDiagonals::DilatedDiagonals(const Routing& routing, NodeId source,
                                   const Selection& selection)
    : routing_(routing),
      torus_(static_cast<const Grid&>(routing.topology())),
      source_(source),
      selection_(selection),
      columns_(static_cast<int>(selection.columns.size())),
      rows_(static_cast<int>(selection.rows.size())),
      has_message_(torus_.node_count()),
      orders_(torus_.node_count()) {
  has_message_[index(source)] = true;
}

void DilatedDiagonals::plan() {
  visit_rows();
  align();
  spread();
}

// The farther part of a side is reached through the next column, so that all four ports are used.
void DilatedDiagonals::visit_rows() {
  struct Holder {
    int column;
    Interval rows;
  };
  const int parts_per_side = row_parts_per_side(columns_);
  std::vector<Holder> holders{{0, {0, (rows_ - 1) / 2, rows_ / 2}}};
  const StepIndex steps = row_steps(columns_, rows_);
  for (StepIndex left = steps; left > 0; --left) {
    ++step_;
    const std::size_t senders = holders.size();
    for (std::size_t i = 0; i < senders; ++i) {
      Holder holder = holders[i];
      const Place from{holder.column, modulo(holder.rows.at, rows_)};
      for (const Handover& one : cut(holder.rows, parts_per_side, left == 1)) {
        const int rows_on = one.part.at - holder.rows.at;
        const int columns_on = !one.is_far ? 0 : rows_on > 0 ? 1 : -1;
        send(from, columns_on, rows_on);
        holders.push_back({modulo(holder.column + columns_on, columns_), one.part});
      }
      holders[i] = holder;
    }
  }
  for (const Holder& holder : holders) {
    row_holders_.push_back({holder.column, modulo(holder.rows.at, rows_)});
  }
}

void DilatedDiagonals::align() {
  const StepIndex steps = align_steps(columns_, rows_);
  for (const Place holder : row_holders_) align_row(holder, steps);
  step_ += steps;
}

// The positions of the interval are those of the diagonal columns, to the right and to the left of
// the holder at position 0; each column is on the side on which it is nearer.
void DilatedDiagonals::align_row(Place holder, StepIndex steps) {
  const std::vector<int> targets = diagonal_columns(holder);
  const int count = static_cast<int>(targets.size());
  const int width = torus_.sides()[0];
  int right_at_most = 0;
  int left_at_most = 0;
  for (const int target : targets) {
    const int up = columns_up(holder.column, target);
    if (2 * up <= width) ++right_at_most;
    if (2 * (width - up) <= width) ++left_at_most;
  }
  const int right = std::clamp((count + 1) / 2, count - left_at_most, right_at_most);
  const auto column = [&](int position) {
    if (position == 0) return holder.column;
    const int number = position > 0 ? position - 1 : count + position;
    return targets[static_cast<std::size_t>(number)];
  };
  const StepIndex begin = step_;
  std::vector<Interval> intervals{{0, count - right, right}};
  for (StepIndex left = steps; left > 0; --left) {
    ++step_;
    const std::size_t senders = intervals.size();
    for (std::size_t i = 0; i < senders; ++i) {
      Interval interval = intervals[i];
      for (const Handover& one : cut(interval, 1, left == 1)) {
        const int from = column(interval.at);
        const int on = modulo(column(one.part.at) - from, columns_);
        send({from, holder.row}, one.part.at > interval.at ? on : on - columns_, 0);
        intervals.push_back(one.part);
      }
      intervals[i] = interval;
    }
  }
  step_ = begin;
}

// Diagonal c: c columns right of the main one, which closes after max(columns, rows) nodes.
void DilatedDiagonals::spread() {
  const int diagonals = std::min(columns_, rows_);
  std::vector<Interval> intervals{{0, (diagonals - 1) / 2, diagonals / 2}};
  for (StepIndex left = spread_steps(columns_, rows_); left > 0; --left) {
    ++step_;
    const std::size_t senders = intervals.size();
    for (std::size_t i = 0; i < senders; ++i) {
      Interval interval = intervals[i];
      for (const Handover& one : cut(interval, 2, left == 1)) {
        for (int k = 0; k < std::max(columns_, rows_); ++k) {
          const Place from{modulo(k + interval.at, columns_), k % rows_};
          spread_from(from, one.part.at - interval.at, one.is_far);
        }
        intervals.push_back(one.part);
      }
      intervals[i] = interval;
    }
  }
}

// A message goes along the row, or for the farther part along the column: down leads to later
// diagonals. A message half around (2 or 4 nodes, when the opposite port is free) goes the shorter
// way.
void DilatedDiagonals::spread_from(Place holder, int by, bool is_far) {
  const Place to = is_far ? Place{holder.column, modulo(holder.row - by, rows_)}
                          : Place{modulo(holder.column + by, columns_), holder.row};
  if (has_message_[index(node(to))]) return;
  if (2 * by == (is_far ? rows_ : columns_)) return send_shortest(holder, to);
  is_far ? send(holder, 0, -by) : send(holder, by, 0);
}

void DilatedDiagonals::plan_gaps() {
  ++step_;
  const int width = torus_.sides()[0];
  const int height = torus_.sides()[1];
  const auto gap_above = [](const std::vector<int>& chosen, int i, int side) {
    const auto next = static_cast<std::size_t>(i) + 1;
    return (next < chosen.size() ? chosen[next] : side) > chosen[next - 1] + 1;
  };
  for (int row = 0; row < rows_; ++row) {
    const bool above = gap_above(selection_.rows, row, height);
    for (int column = 0; column < columns_; ++column) {
      const Place from{column, row};
      if (gap_above(selection_.columns, column, width)) send_by(from, 1, 0);
      if (!above) continue;
      send_by(from, 0, 1);
      if (gap_above(selection_.columns, modulo(column - 1, columns_), width)) send_by(from, -1, 1);
    }
  }
}

std::vector<int> DilatedDiagonals::diagonal_columns(Place place) const {
  std::vector<int> list;
  for (int k = place.row; k < std::max(columns_, rows_); k += rows_) {
    if (k % columns_ != place.column) list.push_back(k % columns_);
  }
  std::sort(list.begin(), list.end(), [&](int a, int b) {
    return modulo(a - place.column, columns_) < modulo(b - place.column, columns_);
  });
  return list;
}

int DilatedDiagonals::columns_up(int from, int to) const {
  const auto place = [&](int column) {
    return selection_.columns[static_cast<std::size_t>(column)];
  };
  return modulo(place(to) - place(from), torus_.sides()[0]);
}

// The displacement over the given numbers of selected columns and rows, in the direction of their
// signs.
void DilatedDiagonals::send(Place from, int columns_on, int rows_on) {
  const auto distance = [](const std::vector<int>& chosen, int at, int on, int side) {
    const int count = static_cast<int>(chosen.size());
    const int to = chosen[static_cast<std::size_t>(modulo(at + on, count))];
    const int up = modulo(to - chosen[static_cast<std::size_t>(at)], side);
    return on >= 0 ? up : up - side;
  };
  send_by(from, distance(selection_.columns, from.column, columns_on, torus_.sides()[0]),
          distance(selection_.rows, from.row, rows_on, torus_.sides()[1]));
}

void DilatedDiagonals::send_by(Place from, int x, int y) {
  const std::vector<int> displacement{x, y};
  const NodeId to = torus_.shifted(node(from), displacement);
  const std::optional<TieMask> ties = routing_.ties_of(node(from), to, displacement);
  if (!ties) is_minimal_ = false;
  append(node(from), to, ties.value_or(0));
}

void DilatedDiagonals::send_shortest(Place from, Place to) { append(node(from), node(to), 0); }

NodeId DilatedDiagonals::node(Place place) const {
  return torus_.shifted(source_, {selection_.columns[static_cast<std::size_t>(place.column)],
                                  selection_.rows[static_cast<std::size_t>(place.row)]});
}

void DilatedDiagonals::append(NodeId from, NodeId to, TieMask ties) {
  Unicast unicast;
  unicast.u = from;
  unicast.v = to;
  unicast.step = step_;
  unicast.order = orders_[index(from)]++;
  set_ties(unicast, ties, routing_);
  has_message_[index(to)] = true;
  schedule_.unicasts.push_back(std::move(unicast));
}

Schedule DilatedDiagonals::take() {
  schedule_.sort();
  return std::move(schedule_);
}

}  // namespace allport
