// SPDX-License-Identifier: Apache-2.0
// A TieBreak says which way a sender sends a message round a ring whose two ways are equally long.
// Routers do not know the rule: the head of a message says which way each tie goes.
#pragma once

#include <cstdint>
#include <string>

#include "rtl_model/topology/topology.h"

namespace allport {

struct TieBreak {
  enum class Rule {
    positive,   ///< the + direction
    negative,   ///< the - direction
    alternate,  ///< in each dimension, + at senders of even coordinate, - at the others
    random,     ///< a bit for each message and dimension
  };
  Rule rule = Rule::positive;
  std::uint64_t seed = 0;  ///< of `random`

  /// `alternate`, `random:7`
  std::string in_words() const;
  /// The tie mask of message `number`, 0, 1, .. of `from`, which goes to `to`: a bit is set where
  /// exactly half a ring is crossed in the - direction.
  TieMask ties(const Topology& topology, NodeId from, NodeId to, int number) const;

 private:
  TieMask negative(const Topology& topology, NodeId from, int number) const;
};

}  // namespace allport
