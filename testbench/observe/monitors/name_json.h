// SPDX-License-Identifier: Apache-2.0
// These functions name messages in JSON.
#pragma once

#include "rtl_model/topology/topology.h"
#include "testbench/results/json.h"
#include "testbench/results/message_name.h"

namespace allport {

/// `u` and `v`; `v` is null for a message to all.
Json name_json(const MessageName& name, const Topology& topology);
/// The same with `order`, its place in the program of `u`, and for a join with `join`: kind, root,
/// free dimensions and tag.
Json ordered_name_json(const MessageName& name, const Topology& topology);

}  // namespace allport
