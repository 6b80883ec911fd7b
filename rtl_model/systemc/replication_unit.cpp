// SPDX-License-Identifier: Apache-2.0
#include "rtl_model/systemc/replication_unit.h"

#include <algorithm>

namespace allport {

void ReplicationUnit::reset() { std::fill(taken_q_.begin(), taken_q_.end(), 0); }

}  // namespace allport
