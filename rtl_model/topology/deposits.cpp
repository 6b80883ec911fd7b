// SPDX-License-Identifier: Apache-2.0
#include "rtl_model/topology/deposits.h"

namespace allport {

std::string deposit_fault(const Topology& topology) {
  if (topology.router_count() == topology.node_count()) return {};
  return "a deposit leaves a copy at every router of its way, and routers of " + topology.name() +
         " have no processor";
}

}  // namespace allport
