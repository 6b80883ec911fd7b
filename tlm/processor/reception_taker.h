// SPDX-License-Identifier: Apache-2.0
// A ReceptionTaker takes messages out of the reception buffers of nodes (docs/router.md, reception
// limits).
#pragma once

#include <cstdint>

#include "rtl_model/base/ids.h"

namespace allport {

/// A message that `node` has received by ejection channel `port`.
struct Received {
  NodeId node{};
  int port = 0;
  int message_class = 0;
  std::int64_t flits = 0;
};

class ReceptionTaker {
 public:
  virtual ~ReceptionTaker() = default;
  /// The node takes it in cycle `at`, the present one or a later one.
  virtual void take(const Received& one, Cycle at) = 0;
};

}  // namespace allport
