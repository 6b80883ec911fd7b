// SPDX-License-Identifier: Apache-2.0
// ErringLinks is what goes wrong on the external channels of a fabric, and the retry that repairs
// it (docs/router.md, link-level retry). Each channel has a receiving end, which discards the flit
// in error and all that comes for D cycles with it, and a sending end, which repeats them, each D
// cycles later, while its output is busy. So the replay line needs no registers here: what is
// discarded goes back on the wire, to arrive once more.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "rtl_model/router/link_errors.h"
#include "rtl_model/router/router_config.h"
#include "rtl_model/systemc/channel.h"

namespace allport {

class ErringLinks {
 public:
  /// A nack that its sender sees: `output` of the router of `node` is busy before cycle `until`.
  struct Nack {
    std::uint32_t node;
    int output;
    Cycle until;
  };
  /// What a flit on a channel meets.
  struct Meeting {
    bool is_hit = false;  ///< it is in error
    Cycle nack = 0;       ///< the cycle in which its sender sees the nack
    Cycle again = 0;      ///< the cycle in which it comes again; 0: it is not discarded
  };
  /// What was seen on a channel since reset.
  struct Counts {
    std::uint64_t errors = 0;
    std::uint64_t replays = 0;    ///< nacks that the sender has seen
    std::uint64_t discarded = 0;  ///< flits
  };
  struct Loss {  ///< of a credit
    Channel channel;
    int vc;
    Cycle cycle;
  };

  /// `config` must outlive it. Flits err only if its channels have retry.
  ErringLinks(const RouterConfig& config, const Topology& topology, const LinkErrors& errors,
              std::uint64_t seed);

  /// Returns to the state after reset, in trial `trial` of the run.
  void reset(std::uint64_t trial);

  /// A flit is on the channel of external `output` of the router of `node`, at its far end, in
  /// cycle `now`: to be called once for each flit.
  Meeting meet(std::uint32_t node, int output, Cycle now);
  /// The nacks that senders see in cycle `now`, which ends with clear().
  const std::vector<Nack>& nacks(Cycle now);
  void clear(Cycle now) { nacks_q_.clear(now); }
  /// The first cycle from `now` on in which one is seen; none: no nack is on its way.
  std::optional<Cycle> next_nack(Cycle now) const;
  /// Whether the credit for VC `vc` of `output` that is on the wire in cycle `now` is lost.
  bool loses_credit(std::uint32_t node, int output, int vc, Cycle now);

  Counts counts(Channel channel) const {
    return links_[place(static_cast<std::uint32_t>(index(channel.node)),
                        static_cast<int>(index(channel.port)))]
        .counts;
  }
  /// The credits lost since reset, in the order in which they were.
  const std::vector<Loss>& lost_credits() const { return lost_credits_; }
  const LinkErrors& errors() const { return errors_; }
  /// Which of the listed errors have hit a flit, and which of the credits named there were lost,
  /// since reset.
  const std::vector<bool>& hits() const { return hits_; }
  const std::vector<bool>& losses() const { return losses_; }

 private:
  struct Link {
    std::size_t router = 0;  // the place of its sender, as errors are drawn
    Cycle replay = 0;        // D
    Cycle delay = 0;         // d
    Cycle discards_until_q = 0;
    Counts counts;
  };

  std::size_t place(std::uint32_t node, int output) const {
    return static_cast<std::size_t>(node) * ports_ + static_cast<std::size_t>(output);
  }
  bool is_hit(const Link& link, const FlitError& error);

  const RouterConfig& config_;
  const LinkErrors errors_;
  const std::size_t ports_;
  DrawnErrors drawn_;
  std::vector<Link> links_;  // by router and external output
  DelayLine<Nack> nacks_q_;
  std::vector<Loss> lost_credits_;
  std::vector<bool> hits_;
  std::vector<bool> losses_;
};

}  // namespace allport
