// SPDX-License-Identifier: Apache-2.0
// This header lists the figures of [Jeon01].
#pragma once

#include "testbench/studies/reproduce/figure.h"

namespace allport {

Figure jeon_1();       ///< Ho and Kao's broadcast
Figure jeon_2();       ///< reachable sets
Figure jeon_4();       ///< replication tree
Figure jeon_6a();      ///< broadcast times, 4 bytes
Figure jeon_6b();      ///< broadcast times, 64 KB
Figure jeon_orders();  ///< how times grow: tree, Hamiltonian path, SBT, HK
Figure jeon_sync();    ///< broadcasts at once, and one by one

}  // namespace allport
