// SPDX-License-Identifier: Apache-2.0
// This is the rule by which a head requests a virtual channel of an output (docs/router.md, VC
// allocation), the same in every model of the router. Virtual channels of an output are sets of
// bits, VC 0 lowest.
#pragma once

#include <algorithm>
#include <cstdint>

#include "rtl_model/router/round_robin.h"
#include "rtl_model/router/router_config.h"

namespace allport {

/// The virtual channels of `output`.
inline std::uint32_t all_vcs(const RouterConfig& config, int output) {
  return (1U << config.vcs_of(output)) - 1;
}

/// The virtual channels of `output` that messages of `message_class` may be given, those of joins
/// and trees alone not counted.
inline std::uint32_t message_class_vcs(const RouterConfig& config, int output, int message_class) {
  const int count = config.is_external(output) ? config.vcs_of_class() : 1;
  return ((1U << count) - 1) << message_class * count;
}

/// The virtual channels of `output` that a worm of `vc_class` may be given, a message of
/// `message_class`.
inline std::uint32_t class_vcs(const RouterConfig& config, int output, VcClass vc_class,
                               int message_class = 0) {
  const std::uint32_t all = message_class_vcs(config, output, message_class);
  if (!config.is_external(output)) return all;
  const bool is_own = vc_class == VcClass::join || vc_class == VcClass::tree;
  if (is_own && config.join_vcs > 0) {
    const bool is_second = vc_class == VcClass::tree && config.join_vcs > 1;
    return (is_second ? 2U : 1U) << config.vcs_of_class();
  }
  if (vc_class == VcClass::first) return all & ~(all - 1);
  if (config.layers == 1 || vc_class == VcClass::either) return all;
  const int count = config.vcs_of_layer();
  return ((1U << count) - 1) << (message_class * config.vcs_of_class() +
                                 layer_of(vc_class) * count);
}

/// The VC class of virtual channel `vc`, one of unicasts, of an external channel.
inline VcClass class_of(const RouterConfig& config, int vc) {
  if (config.layers == 1) return VcClass::h_or_l;
  const int place = config.classes == 1 ? vc : vc % config.vcs_of_class();  // in its message class
  return class_of_layer(std::min(place / config.vcs_of_layer(), config.layers - 1));
}

/// The virtual channels of the external `output` that a head of `message_class` may be given under
/// adaptive routing if it may leave by each of `useful`: the escape channel, the first of the
/// message class, only at the highest of these [Duato93].
inline std::uint32_t adaptive_vcs(const RouterConfig& config, int output, PortMask useful,
                                  int message_class = 0) {
  const std::uint32_t all = message_class_vcs(config, output, message_class);
  return useful >> output == 1 ? all : all & (all - 1);
}

/// Whether virtual channel `vc` of `output` is adaptive under adaptive routing, that is, no escape
/// channel. Such a channel is free only once all of its credits are back, those of this cycle
/// included: the buffer beyond holds one message at a time, as [Duato93] demands.
inline bool is_adaptive_vc(const RouterConfig& config, int output, int vc) {
  return config.is_external(output) && vc % config.vcs_of_class() != 0;
}

/// The virtual channels of an output that nobody owns.
struct UnownedVcs {
  std::uint32_t free = 0;      ///< those that a head can be given
  std::uint32_t draining = 0;  ///< adaptive ones that lack credits for that
};

/// The candidate that a head requests: the first free one from its pointer on. If none is `free`,
/// the one that it waits for: the first candidate from its pointer on.
constexpr int choose_vc(std::uint32_t candidates, std::uint32_t free, int pointer) {
  const std::uint32_t possible = candidates & free;
  return round_robin_choice(possible != 0 ? possible : candidates, pointer);
}

/// The same where channels may drain: these are no candidates, since a head waits for an owner.
constexpr int choose_vc(std::uint32_t candidates, UnownedVcs vcs, int pointer) {
  return choose_vc(candidates & ~vcs.draining, vcs.free, pointer);
}

}  // namespace allport
