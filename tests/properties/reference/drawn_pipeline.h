// SPDX-License-Identifier: Apache-2.0
// Random delays of routers with a pipeline (docs/router.md, pipelined routers), which a third of
// all cases have. They are drawn apart, so that all else of a case is drawn as without them.
#pragma once

#include <cstdint>
#include <string>

#include "tests/support/draw.h"

namespace allport::test {

/// Gives a reference::Config, or the parameters of a router under test, the delays of case `seed`:
/// mostly 0 or 1 each and not all 0, sometimes up to 4.
template <class Parameters>
void draw_pipeline(std::uint64_t seed, Parameters& parameters) {
  Draw draw(seed ^ 0xd1b54a32d192ed03U);
  if (draw.below(3) > 0) return;
  const bool is_deep = draw.below(4) == 0;
  const int stages = 1 + draw.below(7);  // a bit each
  parameters.route_delay = is_deep ? draw.below(5) : stages & 1;
  parameters.vc_delay = is_deep ? draw.below(5) : stages >> 1 & 1;
  parameters.crossbar_delay = is_deep ? draw.below(5) : stages >> 2;
}

/// Gives `to` the delays of `from`.
template <class From, class To>
void copy_pipeline(const From& from, To& to) {
  to.route_delay = from.route_delay;
  to.vc_delay = from.vc_delay;
  to.crossbar_delay = from.crossbar_delay;
}

/// ` a 1 v 0 x 2`; empty if there is no pipeline.
template <class Parameters>
std::string pipeline_in_words(const Parameters& of) {
  if (of.route_delay + of.vc_delay + of.crossbar_delay == 0) return "";
  return " a " + std::to_string(of.route_delay) + " v " + std::to_string(of.vc_delay) + " x " +
         std::to_string(of.crossbar_delay);
}

}  // namespace allport::test
