// SPDX-License-Identifier: Apache-2.0
// These rules say which virtual channels a head may be given on its next channel.
#pragma once

#include <cstdint>

#include "rtl_model/router/router_config.h"
#include "rtl_model/router/vc_choice.h"
#include "tlm/worm/state.h"

namespace allport {

/// The VCs that a head of `message_class` may be given which came in on `input` of the router of
/// `here` and goes on by `hop`, one bit each; 0: those of the class that it came by.
inline std::uint16_t candidates_of(const Routing& routing, const RouterConfig& config, NodeId here,
                                   const Hop& hop, int input, int message_class) {
  const auto from = static_cast<std::size_t>(input);
  const VcClass behind_lower = routing.requested_class(here, hop, from, VcClass::h_or_l);
  const VcClass behind_upper = routing.requested_class(here, hop, from, VcClass::p);
  if (behind_lower != behind_upper) return 0;
  return static_cast<std::uint16_t>(
      class_vcs(config, static_cast<int>(index(hop.port)), behind_lower, message_class));
}

/// Settles the candidates of `passage`, if they are those of the class by which its head comes: on
/// VC `vc` of external output `output` of the router before.
inline void settle_candidates(Passage& passage, const RouterConfig& config, int output, int vc) {
  if (passage.candidates != 0) return;
  passage.candidates = static_cast<std::uint16_t>(
      class_vcs(config, passage.output, class_of(config, vc), config.message_class(output, vc)));
}

}  // namespace allport
