// SPDX-License-Identifier: Apache-2.0
// This is the broadcast of [Tseng97], reconstructed, over the diagonals of a torus, here of the
// torus formed by selected columns and rows of a larger one. It has three phases: a node in each
// row, the main diagonal, all diagonals. The messages of a step share no channel.
#pragma once

#include <vector>

#include "rtl_model/topology/grid.h"
#include "rtl_model/topology/routing.h"
#include "traffic/algorithms/interval_cut.h"
#include "traffic/schedule/schedule.h"

namespace allport {

/// Selected columns and rows of a torus, as ascending offsets from those of the source; 0 is one of
/// them. The number of columns is a multiple of the number of rows, or the other way round.
struct Selection {
  std::vector<int> columns;
  std::vector<int> rows;
};

/// The number of steps of the three phases with these numbers of columns and rows.
StepIndex diagonal_steps(int columns, int rows);

class DilatedDiagonals {
 public:
  DilatedDiagonals(const Routing& routing, NodeId source, const Selection& selection);

  /// Plans the three phases, after which every selected node has the message.
  void plan();
  /// Plans one more step from every selected node at (x, y) to the nodes between them: (x+1, y),
  /// (x, y+1) and (x-1, y+1), if their columns and rows are not selected.
  void plan_gaps();
  /// Whether every route planned is minimal.
  bool is_minimal() const { return is_minimal_; }
  /// The schedule planned so far, sorted.
  Schedule take();

 private:
  // A selected node, by the numbers of its column and row in the selection.
  struct Place {
    int column;
    int row;
  };

  void visit_rows();
  void align();
  void align_row(Place holder, StepIndex steps);
  void spread();
  void spread_from(Place holder, int by, bool is_far);
  // Columns of the main diagonal in `row`, from `column` upwards, without `column` itself.
  std::vector<int> diagonal_columns(Place place) const;
  int columns_up(int from, int to) const;
  void send(Place from, int columns_on, int rows_on);
  void send_by(Place from, int x, int y);
  void send_shortest(Place from, Place to);
  NodeId node(Place place) const;
  void append(NodeId from, NodeId to, TieMask ties);

  const Routing& routing_;
  const Grid& torus_;
  NodeId source_;
  Selection selection_;
  int columns_;
  int rows_;
  std::vector<Place> row_holders_;  // after the first phase
  std::vector<bool> has_message_;
  std::vector<int> orders_;  // messages in each node's program so far
  StepIndex step_ = 0;       // the step being planned
  bool is_minimal_ = true;
  Schedule schedule_;
};

}  // namespace allport
