// SPDX-License-Identifier: Apache-2.0
// The rows of the table of algorithms stand beside what plans them: those of NAME.cpp are what its
// NAME_rows() returns. traffic/CMakeLists.txt lists these files in the order of the table.
#pragma once

#include "rtl_model/base/powers.h"
#include "traffic/algorithms/algorithms.h"

namespace allport {

using Rows = std::vector<Algorithm>;

/// A row: what every algorithm has stands in order, what few have is set by name.
class Row {
 public:
  /// A broadcast or, of another `operation`, a collective of all nodes, in the steps of its phases.
  Row(std::string_view name, std::string_view summary, std::string_view paper,
      const Fabrics& fabrics, Schedule (*plan)(const PlanRequest&),
      Operation operation = Operation::bcast)
      : row_{name, summary, paper, fabrics, Destinations::all, Steps::by_phases, plan, operation} {}

  Row& destinations(Destinations sets) { return set(row_.destinations, sets); }
  Row& steps(Steps steps) { return set(row_.steps, steps); }
  /// A multicast: to any destinations, in steps by a rule.
  Row& multicasts() { return destinations(Destinations::any).steps(Steps::by_rule); }
  Row& kind(MessageKind kind) { return set(row_.kind, kind); }
  Row& vector(Vector vector) { return set(row_.vector, vector); }
  Row& own_parts(PartCounts (*parts)(const Topology&)) { return set(row_.own_parts, parts); }
  Row& is_synthesized() { return set(row_.is_synthesized, true); }
  Row& is_in_network() { return set(row_.is_in_network, true); }
  Row& knows_missing_nodes() { return set(row_.knows_missing_nodes, true); }
  Row& visits_lists() { return set(row_.visits_lists, true); }
  Row& takes_chain() { return set(row_.takes_chain, true); }
  Row& takes_block() { return set(row_.takes_block, true); }

  operator Algorithm() const { return row_; }

 private:
  template <class Field>
  Row& set(Field& field, Field value) {
    field = value;
    return *this;
  }

  Algorithm row_;
};

// The fabrics that several files of algorithms are for.
inline bool is_any(const Topology&) { return true; }
inline bool is_hypercube(const Topology& topology) { return topology.is_hypercube(); }
inline bool is_grid(const Topology& topology) {
  return !topology.is_hypercube() && !topology.is_graph();
}
inline bool is_regular(const Topology& topology) { return !topology.is_graph(); }
inline bool has_no_switches(const Topology& topology) {
  return topology.router_count() == topology.node_count();
}
inline bool is_mesh(const Topology& topology) { return topology.kind() == TopologyKind::mesh; }
inline bool is_torus(const Topology& topology) { return topology.wraps(); }
inline bool is_ring(const Topology& topology) {
  return topology.dimension_count() == 1 && !topology.is_hypercube() && topology.wraps();
}
inline bool has_power_of_two_nodes(const Topology& topology) {
  return is_power_of_two(topology.node_count());
}

inline constexpr Fabrics all_fabrics{"all fabrics", is_any};
inline constexpr Fabrics regular_fabrics{"hypercubes, rings, tori and meshes", is_regular};
inline constexpr Fabrics without_switches{"all fabrics without switches", has_no_switches};
inline constexpr Fabrics hypercubes{"hypercubes", is_hypercube};
inline constexpr Fabrics grids{"rings, tori and meshes", is_grid};
inline constexpr Fabrics meshes{"meshes", is_mesh};
inline constexpr Fabrics tori{"rings and tori", is_torus};
inline constexpr Fabrics rings{"rings", is_ring};
inline constexpr Fabrics of_2k_nodes{"fabrics of 2^k nodes", has_power_of_two_nodes};

}  // namespace allport
