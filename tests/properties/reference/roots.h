// SPDX-License-Identifier: Apache-2.0
// Roots goes from a lost cycle along those whom it blames to where the waiting comes from.
#pragma once

#include "tests/properties/reference/history.h"
#include "tests/properties/reference/waits.h"

namespace allport::reference {

class Roots {
 public:
  explicit Roots(const History& history) : history_(history), waits_(history) {}

  /// The last wait of the chain that begins at `wait`.
  Wait root_of(Wait wait) const;

 private:
  Wait next(const Wait& wait) const;
  Wait of_blamed_front(const Wait& wait) const;
  Wait of_owner(const Wait& wait) const;
  Wait of_next_flit(const Wait& wait, int sequence) const;
  Wait of_unsent_flit(const Wait& wait, int sequence) const;
  Wait of_first_on_port(const Wait& wait) const;

  const History& history_;
  const Waits waits_;
};

}  // namespace allport::reference
