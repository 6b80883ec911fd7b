// SPDX-License-Identifier: Apache-2.0
// These functions cut the spans of cycles in which something waits where its reason changes.
#pragma once

#include <algorithm>

#include "testbench/observe/explain/waits.h"

namespace allport {

/// The part of `span` from cycle `from` on; `span` keeps the rest.
inline Waits::Span cut_from(Waits::Span& span, Cycle from) {
  const Waits::Span part{std::max(span.from, std::min(from, span.to + 1)), span.to, span.lag};
  span.to = part.from - 1;
  return part;
}

/// The last cycle of `span`, which keeps the others.
inline Waits::Span cut_last(Waits::Span& span) { return cut_from(span, span.to); }

/// Appends cycles that blame nobody.
inline void alone(Cause cause, FabricChannels::Number place, const Waits::Span& span,
                  Waits::List& waits) {
  if (span.is_empty()) return;
  waits.push_back({cause, no_message, place, span.from + span.lag, span.to - span.from + 1, cause,
                   0, span.lag});
}

}  // namespace allport
