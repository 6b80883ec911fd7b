// SPDX-License-Identifier: Apache-2.0
// Json keeps its keys in the order in which they were written.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "rtl_model/base/ids.h"
#include "rtl_model/topology/topology.h"

namespace allport {

using Json = nlohmann::ordered_json;

/// The text of a JSON file.
std::string json_text(const Json& json);

/// A node as a user knows it: by its number in the whole fabric. Nothing else may put nodes into
/// JSON.
Json node_json(NodeId node, const Topology& topology);
Json nodes_json(const std::vector<NodeId>& nodes, const Topology& topology);
/// `node` and `port`.
Json channel_json(Channel channel, const Topology& topology);

}  // namespace allport
