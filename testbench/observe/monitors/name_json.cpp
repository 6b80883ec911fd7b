// SPDX-License-Identifier: Apache-2.0
#include "testbench/observe/monitors/name_json.h"

#include <utility>

#include "rtl_model/topology/group_routes.h"

namespace allport {

Json name_json(const MessageName& name, const Topology& topology) {
  Json json{{"u", node_json(name.u, topology)}, {"v", nullptr}};
  if (name.v) json["v"] = node_json(*name.v, topology);
  return json;
}

Json ordered_name_json(const MessageName& name, const Topology& topology) {
  Json json = name_json(name, topology);
  json["order"] = name.order;
  if (!name.join) return json;
  Json free = Json::array();
  DimensionMask rest = free_dimensions(topology, name.join->free);
  for (; rest != 0; rest &= rest - 1) free.push_back(__builtin_ctz(rest));
  json["join"] = {{"kind", to_string(name.join->kind)},
                  {"root", node_json(name.u, topology)},
                  {"free", std::move(free)},
                  {"tag", name.join->tag}};
  return json;
}

}  // namespace allport
