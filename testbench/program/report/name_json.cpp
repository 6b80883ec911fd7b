// SPDX-License-Identifier: Apache-2.0
#include "testbench/program/report/name_json.h"

namespace allport {

Json channel_json(Channel channel) {
  return {{"node", index(channel.node)}, {"port", index(channel.port)}};
}

Json name_json(const MessageName& name) {
  Json json{{"u", index(name.u)}, {"v", nullptr}};
  if (name.v) json["v"] = index(*name.v);
  return json;
}

Json ordered_name_json(const MessageName& name) {
  Json json = name_json(name);
  json["order"] = name.order;
  return json;
}

}  // namespace allport
