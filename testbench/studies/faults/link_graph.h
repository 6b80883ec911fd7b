// SPDX-License-Identifier: Apache-2.0
// A LinkGraph is a fabric as its links: two neighbours and all channels between them. It says which
// nodes are cut off without some of them, and how few cut any off. Every search gives up at an
// interrupt (testbench/processes/interrupt.h).
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "rtl_model/topology/topology.h"
#include "testbench/studies/faults/link_sets.h"

namespace allport {

/// Two neighbours, `u` the one with the smaller number.
struct FabricLink {
  NodeId u;
  NodeId v;
};

/// Links without which nodes are cut off: of the parts whose nodes have ways to each other, they
/// are in all but the largest.
struct LinkCut {
  LinkSet links;
  std::vector<NodeId> cut_off;  ///< ascending; nodes with a processor
};

/// Cuts from which no link can be left out.
struct LinkCuts {
  std::size_t count = 0;
  std::vector<LinkCut> list;  ///< fewest links first, then most nodes; not all of them, if many
};

class LinkGraph {
 public:
  /// Of at most this many routers: each set of links looks at all of them.
  static constexpr std::size_t most_routers = 4096;

  /// Throws std::invalid_argument, a clause, if the fabric is larger.
  explicit LinkGraph(const Topology& topology);

  const Topology& topology() const { return topology_; }
  const std::vector<FabricLink>& links() const { return links_; }
  /// `0-1,4-5`, as --missing-links takes them.
  std::string in_words(const LinkSet& links) const;

  std::vector<std::string> names(const std::vector<NodeId>& nodes) const;

  /// The nodes that are cut off without `missing`; empty: none.
  std::vector<NodeId> cut_off(const LinkSet& missing) const;
  /// A cut with the fewest links: the least of the flows between the first node and any other.
  LinkCut smallest_cut() const;
  /// All cuts of 1 .. `most_links` links, which is 1 or 2; `most` of them in the list.
  LinkCuts cuts(std::size_t most_links, std::size_t most) const;

 private:
  struct Arc {
    std::size_t to;
    std::size_t link;
  };
  using Arcs = std::vector<std::vector<Arc>>;
  /// A link without which nodes are cut off, and how many.
  struct Cutting {
    std::size_t link;
    std::size_t nodes;
  };
  class Flow;

  std::vector<Cutting> cutting(const LinkSet& missing) const;
  std::vector<Cutting> bridges(const LinkSet& missing) const;
  std::vector<Cutting> one_way_bridges(const LinkSet& missing) const;

  const Topology& topology_;
  std::vector<FabricLink> links_;
  std::vector<std::vector<Channel>> channels_;  // of each link
  Arcs out_;                                    // of each router
  Arcs in_;
  bool is_two_way_ = true;  // whether every link leads both ways
};

}  // namespace allport
