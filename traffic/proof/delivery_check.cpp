// SPDX-License-Identifier: Apache-2.0
#include "traffic/proof/delivery_check.h"

#include <algorithm>

namespace allport {

namespace {

std::string senders_of(NodeId node, const UnicastList& receptions, const Routing& routing) {
  std::string words;
  for (const Unicast* unicast : receptions) {
    const std::vector<NodeId> reached = receivers(*unicast, routing);
    if (std::find(reached.begin(), reached.end(), node) == reached.end()) continue;
    words += words.empty() ? ": " : ", ";
    words += "from " + routing.topology().node_name(unicast->u) + " in step ";
    words += std::to_string(unicast->step);
    if (words.size() > 100) return words + ", ...";
  }
  return words;
}

}  // namespace

UnicastList planned_receptions(const UnicastList& unicasts) {
  UnicastList list;
  for (const Unicast* unicast : unicasts) {
    const bool is_contribution = is_join(unicast->kind) && unicast->u != unicast->v;
    if (!is_contribution) list.push_back(unicast);
  }
  return list;
}

Finding check_exactly_once(const UnicastList& receptions, const CheckRequest& request) {
  const Routing& routing = request.routing;
  const std::size_t node_count = routing.topology().node_count();
  std::vector<std::size_t> counts(node_count);
  std::vector<bool> is_source(node_count);
  std::vector<bool> is_destination(node_count);
  for (const Unicast* unicast : receptions) {
    for (const NodeId node : receivers(*unicast, routing)) ++counts[index(node)];
  }
  for (const NodeId node : request.sources) is_source[index(node)] = true;
  for (const NodeId node : request.destinations) is_destination[index(node)] = true;

  Finding finding;
  for (std::size_t i = 0; i < node_count; ++i) {
    const std::string node = "node " + routing.topology().node_name(node_id(i));
    if (counts[i] > (is_source[i] ? 0 : 1)) {
      const bool is_listed = finding.first.size() < 10;
      finding.add(node + (is_source[i] ? ", a source," : "") + " receives " +
                  std::to_string(counts[i]) + (counts[i] == 1 ? " time" : " times") +
                  (is_listed ? senders_of(node_id(i), receptions, routing) : ""));
    } else if (counts[i] == 0 && is_destination[i] && !is_source[i]) {
      finding.add(node + ", a destination, never receives");
    }
  }
  return finding;
}

}  // namespace allport
