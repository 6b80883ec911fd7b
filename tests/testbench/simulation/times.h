// SPDX-License-Identifier: Apache-2.0
// This header lists times of processors and lengths of messages with which formulas are compared.
#pragma once

#include "rtl_model/base/ids.h"

namespace allport::test {

struct Times {
  Cycle ts, tr;
  int flits;
};

constexpr Times all_times[] = {{0, 0, 1}, {0, 0, 16}, {5, 3, 16}, {50, 0, 16}, {1, 100, 7}};

}  // namespace allport::test
