// SPDX-License-Identifier: Apache-2.0
// put_in_order() sorts what is usually sorted already.
#pragma once

#include <algorithm>

namespace allport {

/// Sorts first .. last by `before`, equal elements as they stood; in one pass if they are in order.
template <class Iterator, class Before>
void put_in_order(Iterator first, Iterator last, Before before) {
  if (!std::is_sorted(first, last, before)) std::stable_sort(first, last, before);
}

}  // namespace allport
