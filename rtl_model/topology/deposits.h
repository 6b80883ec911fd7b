// SPDX-License-Identifier: Apache-2.0
// What deposits ask of a fabric: every router of their way leaves a copy with its processor.
#pragma once

#include <string>

#include "rtl_model/topology/topology.h"

namespace allport {

/// Why `topology` has no deposits, in words without an end; empty if it has: a router without a
/// processor cannot receive.
std::string deposit_fault(const Topology& topology);

}  // namespace allport
