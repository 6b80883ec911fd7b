// SPDX-License-Identifier: Apache-2.0
// A JoinChecker checks the bytes that joins yield. In the order of ports there is one right result.
// In the order of arrival there still is one, unless float32 are added: then every order of the
// additions is within a bound of the sum (Higham, Accuracy and Stability of Numerical Algorithms,
// 2nd ed., section 4.2), all receivers have the same bytes, and the checker counts how many lanes
// differ from the order of ports.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <tuple>
#include <vector>

#include "rtl_model/topology/routing.h"
#include "testbench/results/results.h"
#include "tlm/message/message_log.h"

namespace allport {

class JoinChecker {
 public:
  using Bytes = std::vector<unsigned char>;

  JoinChecker(const MessageLog& log, const Routing& routing, CombineOrder order)
      : log_(log), routing_(routing), order_(order) {}

  /// Forgets the joins of the last trial.
  void reset() { joins_.clear(); }
  /// Whether join `id` may yield `bytes`, which a receiver has: all nodes have contributed, and it
  /// is what their contributions yield.
  bool is_right(MessageId id, const Bytes& bytes);
  /// Adds what the joins of this trial yielded to `results`, in the order of arrival.
  void add_to(CombineResults& results) const;

 private:
  struct Join {
    Bytes by_port;   // what it yields in the order of ports
    Bytes received;  // what the first receiver has; the same, unless it is in another order
  };

  bool may_yield(MessageId id, const Join& join) const;
  bool is_possible_sum(MessageId id, std::size_t at, float sum) const;

  const MessageLog& log_;
  const Routing& routing_;
  const CombineOrder order_;
  std::map<MessageId, Join> joins_;
};

}  // namespace allport
