// SPDX-License-Identifier: Apache-2.0
// CollectivePlans says what each rank sends and receives in a collective that programs call by
// name, in the order in which it does so: a plan is made of the planned algorithms, and kept for
// the next call.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "rtl_model/router/router_config.h"
#include "rtl_model/topology/routing.h"
#include "traffic/schedule/collective.h"

namespace allport {

/// A message that a rank sends or receives in a collective.
struct CollectiveAct {
  bool sends = false;      ///< otherwise it receives
  bool adds = false;       ///< whether what it receives is added to what it has
  std::uint32_t peer = 0;  ///< the other rank
  TieMask ties = 0;        ///< of the header of what it sends
  int step = 0;
  int order = 0;  ///< among what it sends in the step
};

class CollectivePlans {
 public:
  /// `nodes[r]` is the node of rank r. All references must outlive the plans.
  CollectivePlans(const Routing& routing, const RouterConfig& router, std::vector<NodeId> nodes)
      : routing_(routing), router_(router), nodes_(std::move(nodes)) {}

  /// The algorithm of this name; empty: the fabric's usual one for `operation`.
  std::string name_of(Operation operation, std::string_view algorithm) const;

  /// What `rank` does in `operation` (bcast, reduce or barrier) from or to rank `root`, by the
  /// algorithm of this name; empty: the fabric's usual one. Throws std::invalid_argument, one
  /// sentence, if there is no such algorithm for the fabric, or if it is not made of unicasts of
  /// the whole vector, and if a node has no rank.
  const std::vector<CollectiveAct>& acts(Operation operation, std::uint32_t root,
                                         std::string_view algorithm, std::uint32_t rank);

 private:
  using ByRank = std::vector<std::vector<CollectiveAct>>;
  ByRank plan(Operation operation, std::uint32_t root, const std::string& name) const;

  const Routing& routing_;
  const RouterConfig& router_;
  const std::vector<NodeId> nodes_;
  std::map<std::tuple<Operation, std::uint32_t, std::string>, ByRank> plans_;
};

}  // namespace allport
