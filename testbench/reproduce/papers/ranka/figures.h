// SPDX-License-Identifier: Apache-2.0
// This header lists the figures of [Ranka88].
#pragma once

#include "testbench/reproduce/figure.h"

namespace allport {

Figure ranka_4();  ///< networks mapped into a hypercube
Figure ranka_5();  ///< communication rates of an NCUBE

}  // namespace allport
