// SPDX-License-Identifier: Apache-2.0
// This header lists the figures of [Hou98].
#pragma once

#include "testbench/studies/reproduce/figure.h"

namespace allport {

Figure hou_2();       ///< virtual channels of a torus
Figure hou_3();       ///< broadcasts on a 4x4 torus
Figure hou_5();       ///< the Z_block
Figure hou_6();       ///< a torus of Z_blocks
Figure hou_7();       ///< the DCF block
Figure hou_edn();     ///< readings of EDN
Figure hou_8();       ///< latency over message length, no start-up
Figure hou_9();       ///< the same with start-up
Figure hou_timing();  ///< timing analysis
Figure hou_steps();   ///< steps, lower bound and contention

}  // namespace allport
