// SPDX-License-Identifier: Apache-2.0
// A SpanningTree has the links over which trees and joins go where routing is by a table: one from
// each router but the root to the router above it. A tree worm takes the links that lead away from
// its source, a join those that lead towards its root (docs/router.md, trees and joins of tables).
// Links beyond which no router has a processor are used by neither.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "rtl_model/base/ids.h"
#include "rtl_model/topology/topology.h"

namespace allport {

class SpanningTree {
 public:
  /// The link of a router to the one above it.
  struct Link {
    static constexpr std::uint32_t nowhere = std::numeric_limits<std::uint32_t>::max();
    std::uint32_t above = nowhere;  ///< nowhere: it is the root, or not in the tree
    std::uint8_t up = 0;            ///< output port that leads there
    std::uint8_t down = 0;          ///< output port of the router above that leads back
  };

  /// How a router is joined to a neighbour in the tree.
  struct Branch {
    PortId output{};          ///< by which flits go there
    PortId input{};           ///< on which those from there come
    std::uint32_t first = 0;  ///< the routers beyond have the places first .. end - 1, or, if the
    std::uint32_t end = 0;    ///< neighbour is the one above, all others
  };

  /// `links`, by router, are edges of `topology` that lead from all routers of the tree to `root`.
  SpanningTree(const Topology& topology, NodeId root, const std::vector<Link>& links);

  /// The branches of `router` beyond which there are processors, that to the router above last.
  const Branch* begin(NodeId router) const { return branches_.data() + begins_[index(router)]; }
  const Branch* end(NodeId router) const { return branches_.data() + begins_[index(router) + 1]; }
  /// The branch of `here` beyond which `there` lies, another router; one of the two has a
  /// processor, or there are processors on both sides.
  const Branch& towards(NodeId here, NodeId there) const;
  /// The outputs by which `here` sends a tree worm of `source` on, and the inputs on which it
  /// expects contributions to a join with this root: all branches but the one towards it.
  PortMask outputs(NodeId here, NodeId source) const;
  PortMask inputs(NodeId here, NodeId root) const;

 private:
  bool is_beyond(const Branch& branch, NodeId here, NodeId there) const;

  std::vector<std::uint32_t> places_;  // of routers, each before those below it
  std::vector<std::uint32_t> begins_;  // by router: its first branch
  std::vector<Branch> branches_;
};

}  // namespace allport
