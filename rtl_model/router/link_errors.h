// SPDX-License-Identifier: Apache-2.0
// The errors of external channels (docs/router.md, link-level retry): which flits come in error and
// which credits are lost. Both are told by place and cycle, or drawn from these, so that they are
// the same in every model of the fabric and in whatever order its routers are computed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <tuple>
#include <vector>

#include "rtl_model/base/ids.h"
#include "rtl_model/base/split_mix.h"
#include "rtl_model/router/router_config.h"
#include "rtl_model/topology/topology.h"

namespace allport {

/// The flit that is on a channel, at its receiving end, in a cycle is in error.
struct FlitError {
  Channel channel{};  ///< its sender's output
  Cycle cycle = 0;

  friend bool operator<(const FlitError& a, const FlitError& b) {
    return std::tie(a.channel.node, a.channel.port, a.cycle) <
           std::tie(b.channel.node, b.channel.port, b.cycle);
  }
  friend bool operator==(const FlitError& a, const FlitError& b) { return !(a < b) && !(b < a); }
};

/// A credit of a virtual channel that does not come back to the sender.
struct LostCredit {
  Channel channel{};  ///< its sender's output
  int vc = 0;
  Cycle cycle = 0;       ///< the sender would see it in this cycle
  bool is_next = false;  ///< or in a later one: the first credit from that cycle on is lost
};

struct LinkErrors {
  std::vector<FlitError> listed{};  ///< ascending, each once
  double rate = 0;                  ///< of all flits on external channels, 0 .. most_rate
  std::vector<LostCredit> lost_credits{};

  static constexpr double most_rate = 0.5;
  bool has_flit_errors() const { return !listed.empty() || rate > 0; }
  bool has_any() const { return has_flit_errors() || !lost_credits.empty(); }
};

/// Throws std::invalid_argument, one sentence, unless a channel begins at output `channel.port` of
/// the router of `channel.node`.
void require_channel(const Topology& topology, Channel channel);

/// The same unless all is in range, at channels that are there, and flits err where the routers
/// have retry.
void require_errors(const LinkErrors& errors, const RouterConfig& config, const Topology& topology);

/// Which flits a rate hits.
class DrawnErrors {
 public:
  /// `rate`: 0 .. LinkErrors::most_rate; `ports`: most external ports of a router.
  DrawnErrors(double rate, std::uint64_t seed, int ports)
      : threshold_(static_cast<std::uint64_t>(rate * 0x1p64)),
        seed_(seed),
        ports_(static_cast<std::uint64_t>(ports)) {}

  void begin_trial(std::uint64_t trial) { trial_ = trial; }
  /// `router`: the place of the sender in its file, or its number.
  bool hit(std::size_t router, std::size_t output, Cycle cycle) const {
    const std::uint64_t place = router * ports_ + output;
    const std::uint64_t seed = node_seed(seed_, trial_, place) * 1000003U;
    return SplitMix64(seed + static_cast<std::uint64_t>(cycle)).next() < threshold_;
  }

 private:
  std::uint64_t threshold_;
  std::uint64_t seed_;
  std::uint64_t ports_;
  std::uint64_t trial_ = 0;
};

}  // namespace allport
