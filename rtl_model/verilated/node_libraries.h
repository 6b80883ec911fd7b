// SPDX-License-Identifier: Apache-2.0
// NodeLibraries are the model libraries of the routers of a fabric: one for all of them or, where
// parameters of the RTL say at which node it stands, one for each set of their values.
#pragma once

#include <cstddef>
#include <list>
#include <map>
#include <vector>

#include "rtl_model/topology/topology.h"
#include "rtl_model/verilated/model_library.h"

namespace allport {

class NodeLibraries {
 public:
  /// What is added to the parameters of the RTL at a node; empty: nothing is, at any node.
  using Parameters = std::map<NodeId, std::vector<RtlParameter>>;

  /// Builds what the cache does not have. Throws as ModelLibrary does.
  NodeLibraries(const RtlSource& source, const Parameters& parameters, const BuildHooks& hooks);

  /// Each library once.
  std::list<ModelLibrary>& all() { return libraries_; }
  const std::list<ModelLibrary>& all() const { return libraries_; }
  /// The places of circular logic in any of them, each once.
  std::vector<std::string> circles() const;
  /// The library of the router at `node`, which must be among those with parameters, if any are.
  const ModelLibrary& at(NodeId node) const;

 private:
  std::list<ModelLibrary> libraries_;
  std::map<NodeId, const ModelLibrary*> by_node_;  // empty: there is one for all
};

}  // namespace allport
