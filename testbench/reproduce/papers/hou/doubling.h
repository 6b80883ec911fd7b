// SPDX-License-Identifier: Apache-2.0
// doubling_claim() is on what [Hou98] says of recursive doubling on tori.
#pragma once

#include "testbench/reproduce/claim.h"

namespace allport {

/// The one-port process that was extended to tori: judged by `utorus`, counted by channels, and by
/// classes of virtual channels, which are the channels of [Hou98, fig. 2].
Claim doubling_claim();

}  // namespace allport
