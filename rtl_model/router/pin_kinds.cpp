// SPDX-License-Identifier: Apache-2.0
#include "rtl_model/router/pin_kinds.h"

#include "rtl_model/router/router_config.h"

namespace allport {

std::string pin_kind_fault(MessageKind kind, Switching switching, const Routing& routing,
                           PinGroups groups) {
  if (is_join(kind) && groups != PinGroups::joins) return "the pins of a router have no joins";
  if (routing.table() != nullptr && has_group(kind)) return std::string(kinds_by_table);
  const bool needs_mask = kind == MessageKind::tree && !routing.topology().is_hypercube();
  if (needs_mask && groups == PinGroups::none) {
    return "tree worms on pins are for hypercubes; " + routing.topology().name() + " is not one";
  }
  return kind_fault(kind, switching, routing);
}

}  // namespace allport
