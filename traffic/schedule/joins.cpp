// SPDX-License-Identifier: Apache-2.0
#include "traffic/schedule/joins.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "rtl_model/topology/group_routes.h"

namespace allport {

bool has_joins(const Schedule& schedule) {
  return std::any_of(schedule.unicasts.begin(), schedule.unicasts.end(),
                     [](const Unicast& one) { return is_join(one.kind); });
}

std::vector<PlannedJoin> joins_of(const Schedule& schedule) {
  std::vector<PlannedJoin> joins;
  std::map<std::tuple<MessageKind, NodeId, DimensionMask, std::uint16_t>, std::size_t> numbers;
  for (std::uint32_t i = 0; i < schedule.unicasts.size(); ++i) {
    const Unicast& line = schedule.unicasts[i];
    if (!is_join(line.kind)) continue;
    const auto [place, is_new] =
        numbers.try_emplace({line.kind, line.v, line.free, line.join.bits()}, joins.size());
    if (is_new) joins.push_back({line.kind, line.v, line.free, line.join, 0, {}});
    PlannedJoin& join = joins[place->second];
    join.lines.push_back(i);
    if (line.u == line.v) join.step = line.step;
  }
  return joins;
}

bool need_own_vcs(std::size_t joins, std::size_t trees, const Routing& routing) {
  if (routing.table() != nullptr) return joins > 0;
  if (routing.topology().wraps()) return joins + trees > 0;
  return joins > 0 && joins + trees > 1;
}

std::string describe(const PlannedJoin& join, const Topology& topology) {
  std::string words = std::string(to_string(join.kind)) + " to " + topology.node_name(join.root);
  if (join.free != 0) {
    words += " over " + dimensions_in_words(free_dimensions(topology, join.free));
  }
  return words + " (tag " + std::to_string(join.join.tag()) + ")";
}

}  // namespace allport
