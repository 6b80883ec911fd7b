// SPDX-License-Identifier: Apache-2.0
// The state of a large fabric lies in no cache, and to reach it costs more than what is done with
// it. Who goes through a list of what has something to do fetches what the next items need
// meanwhile, in steps: what a step looks at, the step before it has fetched
// (docs/decisions/0008-state-lies-together.md).
#pragma once

#include <cstddef>

namespace allport {

/// Fetches the `bytes` from `first` on into the cache. It may be null.
inline void fetch(const void* first, std::ptrdiff_t bytes = 1) {
  constexpr std::ptrdiff_t line = 64;
  const char* const begin = static_cast<const char*>(first);
  for (std::ptrdiff_t at = 0; at < bytes; at += line) __builtin_prefetch(begin + at);
}

/// Calls `act(item)` for each of `items` in turn and, if `is_large`, before that `fetch(item,
/// step)` for the steps 0 .. `steps` - 1; of the first items, before which there is no time for
/// all, for the last steps or none.
template <int steps, class Items, class Fetch, class Act>
void walk_ahead(const Items& items, bool is_large, Fetch fetch, Act act) {
  constexpr int apart = 2;  // items between two steps
  const std::size_t count = items.size();
  if (!is_large) {
    for (std::size_t i = 0; i < count; ++i) act(items[i]);
    return;
  }
  for (std::size_t i = 0; i < count; ++i) {
    for (int step = 0; step < steps; ++step) {
      const std::size_t ahead = i + static_cast<std::size_t>(apart * (steps - step));
      if (ahead < count) fetch(items[ahead], step);
    }
    act(items[i]);
  }
}

}  // namespace allport
