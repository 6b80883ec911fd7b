// SPDX-License-Identifier: Apache-2.0
// The messages that routers on pins have (docs/bring-your-own-router.md), the one in SystemVerilog
// among them: no joins, and trees on hypercubes only, whose heads need no mask.
#pragma once

#include <string>

#include "rtl_model/topology/routing.h"
#include "rtl_model/topology/switching.h"

namespace allport {

/// As kind_fault(), for routers on pins.
std::string pin_kind_fault(MessageKind kind, Switching switching, const Routing& routing);

}  // namespace allport
