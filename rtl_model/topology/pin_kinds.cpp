// SPDX-License-Identifier: Apache-2.0
#include "rtl_model/topology/pin_kinds.h"

#include "rtl_model/topology/router_config.h"

namespace allport {

std::string pin_kind_fault(MessageKind kind, Switching switching, const Routing& routing) {
  if (is_join(kind)) return "the pins of a router have no joins";
  if (kind == MessageKind::tree && !routing.topology().is_hypercube()) {
    return "tree worms on pins are for hypercubes; " + routing.topology().name() + " is not one";
  }
  return kind_fault(kind, switching, routing);
}

}  // namespace allport
