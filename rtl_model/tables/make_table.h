// SPDX-License-Identifier: Apache-2.0
// A routing table is asked for by a rule or a file (docs/router.md, routing by tables). Whatever it
// comes from, it is proved before anybody has it.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "rtl_model/topology/routing_table.h"
#include "rtl_model/topology/tie_break.h"
#include "rtl_model/topology/topology.h"

namespace allport {

struct TableRequest {
  /// `dimension`, `dimension:ascending` (hypercubes), `updown`, `updown:ROOT`, `shortest`,
  /// `fattree`, `dragonfly`, or the name of a file.
  std::string rule;
  /// What is in the file (table_file.h); null: it is a rule.
  std::shared_ptr<const std::string> text{};
  std::shared_ptr<const Topology> topology;
  TieBreak ties{};  ///< of `dimension` on rings and tori: not random
  /// V / C: virtual channels of a message class, 1..16; 0: what the rule takes by itself. On rings
  /// and tori `dimension` has one layer with 1 and two with more; `shortest` takes up to so many.
  int vcs = 0;
  std::vector<Channel> missing{};            ///< channels that are not there, sorted
  std::vector<std::string> missing_nodes{};  ///< names in the whole fabric of nodes that have gone
  // Of a graph, by router:
  std::vector<std::string> groups{};         ///< of `dragonfly`; an empty name: it has none
  std::vector<std::optional<int>> levels{};  ///< of `fattree`, 0 the lowest
};

/// Whether `rule` is one by which a table is made, whatever its arguments; otherwise it is a file.
bool is_table_rule(const std::string& rule);

/// The table, proved. Throws std::invalid_argument with one sentence for a rule that the fabric or
/// the ties do not fit, what is wrong with the file, and what the proof finds.
std::shared_ptr<const RoutingTable> make_table(const TableRequest& request);

/// The table of a fabric for which none is chosen, whatever the rule of `request`: that of
/// up*/down* where it has a way between all nodes, else that of shortest ways. Throws as make_table
/// does.
std::shared_ptr<const RoutingTable> make_default_table(TableRequest request);

}  // namespace allport
