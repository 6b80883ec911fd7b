// SPDX-License-Identifier: Apache-2.0
// A DeadlockDrawing draws a deadlock by Graphviz. Ellipses are messages, boxes are their flits that
// wait for another message, and arrows lead to the message that is waited for. A box with a double
// border is a flit that is being replicated: it waits for all its arrows at once. The circle is
// red.
#pragma once

#include <optional>
#include <string>

#include "testbench/files/output_file.h"
#include "testbench/plan/plan_run.h"
#include "testbench/results/results.h"

namespace allport {

/// The text of the drawing, in the language of Graphviz.
std::string deadlock_graph(const Deadlock& deadlock, const RunPlan& plan);

/// The file of `--deadlock`, `path`; empty: none. It is .dot or .gv, or a picture, .svg or .png,
/// which Graphviz draws from the graph in a file .dot beside it.
class DeadlockDrawing {
 public:
  /// Throws std::invalid_argument, one sentence, when the option is wrong, a file cannot be written
  /// or the picture cannot be drawn here.
  explicit DeadlockDrawing(const std::string& path);
  /// Without a deadlock nothing is written. Throws std::runtime_error, one sentence, when writing
  /// or drawing fails.
  void commit(const Results& results, const RunPlan& plan);

 private:
  std::string picture_;  // empty: the graph alone
  std::string graph_;
  std::string format_;
  std::optional<OutputFile> picture_file_;
  std::optional<OutputFile> graph_file_;
};

}  // namespace allport
