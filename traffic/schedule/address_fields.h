// SPDX-License-Identifier: Apache-2.0
// An address field is the list D of destinations in the header of a multicast's message: those that
// its receiver is to reach in turn, itself not among them [Robinson93, figure 4, step 6].
// AddressFields says how many flits these lists add to the messages of a schedule.
#pragma once

#include <cstddef>
#include <vector>

#include "traffic/schedule/schedule.h"

namespace allport {

class AddressFields {
 public:
  /// Messages have no such field.
  AddressFields() = default;
  /// `schedule` is a multicast by unicasts to `destinations` on a fabric of `nodes`; an address
  /// takes `flits` flits, as limits::address_flits allows. Relays are in no list. Throws
  /// std::invalid_argument, one sentence, unless every node receives once at most, and no message
  /// goes in a circle: otherwise the lists are not known when it is planned.
  AddressFields(const Schedule& schedule, std::size_t nodes,
                const std::vector<NodeId>& destinations, int flits);

  bool is_empty() const { return flits_.empty(); }
  /// The flits of the list in the header of the message of `unicast`.
  int flits_of(const Unicast& unicast) const {
    return flits_.empty() ? 0 : flits_[index(unicast.v)];
  }
  /// The flits of the longest list.
  int longest() const;

 private:
  std::vector<int> flits_;  // by receiver; empty: there are no such fields
};

}  // namespace allport
