// SPDX-License-Identifier: Apache-2.0
#include "rtl_model/systemc/erring_links.h"

#include <algorithm>

namespace allport {

ErringLinks::ErringLinks(const RouterConfig& config, const Topology& topology,
                         const LinkErrors& errors, std::uint64_t seed)
    : config_(config),
      errors_(errors),
      ports_(static_cast<std::size_t>(config.external_ports)),
      drawn_(errors.rate, seed, config.external_ports),
      nacks_q_(1 + config.link_delay) {
  for (std::size_t i = 0; i < topology.router_count(); ++i) {
    const NodeId node = node_id(i);
    for (int output = 0; output < config.external_ports; ++output) {
      Link link;
      link.router = topology.place_in_file(node);
      link.replay = config.replay_cycles_at(node, output);
      link.delay = config.link_delay_at(node, output);
      links_.push_back(link);
    }
  }
  reset(0);
}

void ErringLinks::reset(std::uint64_t trial) {
  drawn_.begin_trial(trial);
  for (Link& link : links_) {
    link.discards_until_q = 0;
    link.counts = {};
  }
  nacks_q_.clear();
  lost_credits_.clear();
  hits_.assign(errors_.listed.size(), false);
  losses_.assign(errors_.lost_credits.size(), false);
}

bool ErringLinks::is_hit(const Link& link, const FlitError& error) {
  const auto found = std::lower_bound(errors_.listed.begin(), errors_.listed.end(), error);
  if (found != errors_.listed.end() && *found == error) {
    hits_[static_cast<std::size_t>(found - errors_.listed.begin())] = true;
    return true;
  }
  return errors_.rate > 0 && drawn_.hit(link.router, index(error.channel.port), error.cycle);
}

ErringLinks::Meeting ErringLinks::meet(std::uint32_t node, int output, Cycle now) {
  Link& link = links_[place(node, output)];
  Meeting meeting;
  if (now >= link.discards_until_q) {
    const Channel channel{node_id(node), port_id(static_cast<std::size_t>(output))};
    if (!config_.retry || !is_hit(link, {channel, now})) return {};
    meeting.is_hit = true;
    meeting.nack = now + 1 + link.delay;
    link.discards_until_q = now + link.replay;
    ++link.counts.errors;
    // The last cycle for which the replay has the output is that of the decision whose flit would
    // come last before the second D cycles from the error are over.
    const Cycle until = now + 2 * link.replay - config_.flight_at(node_id(node), output);
    nacks_q_.put(meeting.nack, Nack{node, output, until});
  }
  ++link.counts.discarded;
  meeting.again = now + link.replay;
  return meeting;
}

const std::vector<ErringLinks::Nack>& ErringLinks::nacks(Cycle now) {
  for (const Nack& nack : nacks_q_.on(now)) ++links_[place(nack.node, nack.output)].counts.replays;
  return nacks_q_.on(now);
}

std::optional<Cycle> ErringLinks::next_nack(Cycle now) const {
  for (Cycle cycle = std::max<Cycle>(now, 0); cycle <= now + static_cast<Cycle>(nacks_q_.reach());
       ++cycle) {
    if (!nacks_q_.on(cycle).empty()) return cycle;
  }
  return std::nullopt;
}

bool ErringLinks::loses_credit(std::uint32_t node, int output, int vc, Cycle now) {
  const Channel channel{node_id(node), port_id(static_cast<std::size_t>(output))};
  for (std::size_t i = 0; i < errors_.lost_credits.size(); ++i) {
    const LostCredit& lost = errors_.lost_credits[i];
    const bool is_its = lost.channel == channel && lost.vc == vc;
    const bool is_due = lost.is_next ? lost.cycle <= now : lost.cycle == now;
    if (losses_[i] || !is_its || !is_due) continue;
    losses_[i] = true;
    lost_credits_.push_back({channel, vc, now});
    return true;
  }
  return false;
}

}  // namespace allport
