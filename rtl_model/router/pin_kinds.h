// SPDX-License-Identifier: Apache-2.0
// This header says which messages routers on pins have (docs/bring-your-own-router.md), the one in
// SystemVerilog among them. Without the header fields of groups there are no joins, and trees on
// hypercubes only, whose heads need no mask.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "rtl_model/router/switching.h"
#include "rtl_model/topology/routing.h"

namespace allport {

/// What the headers on the pins say of groups: nothing, the free dimensions of a tree, or what
/// joins need as well.
enum class PinGroups : std::uint8_t { none, trees, joins };

/// Which messages follow a table in RTL, in words.
inline constexpr std::string_view kinds_by_table =
    "routers in RTL that follow a table take unicasts and deposits";

/// As kind_fault(), for routers on pins.
std::string pin_kind_fault(MessageKind kind, Switching switching, const Routing& routing,
                           PinGroups groups = PinGroups::none);

}  // namespace allport
