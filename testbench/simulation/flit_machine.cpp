// SPDX-License-Identifier: Apache-2.0
#include "testbench/simulation/flit_machine.h"

#include <map>
#include <string>

#include "testbench/observe/explain/flit_movement.h"

namespace allport {

namespace {

std::unique_ptr<NetworkInterface> interface_of(const MachineParts& parts, Fabric& fabric,
                                               NodeId node) {
  const std::string name = "network_interface_" + std::to_string(index(node));
  const int flit_bytes = parts.node.flit_bytes;
  if (parts.limits.has_any() || parts.router.classes > 1) {
    return std::make_unique<LimitedInterface>(name.c_str(), fabric, node, parts.log, parts.pool,
                                              flit_bytes, parts.limits);
  }
  return std::make_unique<NetworkInterface>(name.c_str(), fabric, node, parts.log, parts.pool,
                                            flit_bytes);
}

}  // namespace

FlitMachine::FlitMachine(const MachineParts& parts, Watch& watch,
                         const RouterReplacement& replace_routers)
    : fabric_("fabric", parts.router, parts.routing, CycleClock::finest_period(), parts.stop,
              FabricPace::kernel,
              RouterParts(parts.routing.topology().router_count(), parts.threads)),
      log_(parts.log),
      verdicts_(fabric_, parts.log, interfaces_) {
  const std::size_t nodes = parts.routing.topology().node_count();
  if (parts.keeper != nullptr) {
    timed_ = std::make_unique<TimedProcessors>("processors", fabric_, *parts.keeper, nodes, nodes);
  }
  for (std::size_t i = 0; i < nodes && !is_set(parts.stop); ++i) {
    const NodeId node = node_id(i);
    const std::string number = std::to_string(i);
    interfaces_.push_back(interface_of(parts, fabric_, node));
    interfaces_.back()->observe(parts.observer);
    if (timed_) {
      timed_->socket(node).bind(interfaces_.back()->socket);
      continue;
    }
    nodes_.push_back(std::make_unique<Node>(("node_" + number).c_str(), parts.node, fabric_,
                                            *parts.workload, node));
    nodes_.back()->socket.bind(interfaces_.back()->socket);
  }
  if (replace_routers && !is_set(parts.stop)) replace_routers(fabric_);
  fabric_.observe(watch);
  if (parts.reception_limit > 0) fabric_.limit_reception(parts.reception_limit);
  if (parts.router.retry || parts.errors.has_any()) fabric_.err(parts.errors, parts.seed);
}

FlitMachine::~FlitMachine() = default;

void FlitMachine::begin_run() {
  fabric_.begin_run();
  met_errors_.clear();
  met_losses_.clear();
}

namespace {

void add_lost_credits(const ErringLinks& links, int trial, std::vector<CreditLoss>& lost) {
  for (const ErringLinks::Loss& one : links.lost_credits()) {
    lost.push_back({trial, one.channel, one.vc, one.cycle});
  }
}

// Notes which of `all`, in whose places `met` is set, have been met in the run, in `ever`; returns
// those that have not.
template <class Item>
std::vector<Item> unmet(const std::vector<Item>& all, const std::vector<bool>& met,
                        std::vector<bool>& ever) {
  ever.resize(all.size(), false);
  std::vector<Item> rest;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (met[i]) ever[i] = true;
    if (!ever[i]) rest.push_back(all[i]);
  }
  return rest;
}

}  // namespace

void FlitMachine::add_link_errors(int trial, LinkErrorResults& results) {
  const ErringLinks& links = *fabric_.erring_links();
  std::map<Channel, ChannelErrors> channels;
  for (const ChannelErrors& one : results.channels) channels[one.channel] = one;
  for (const Channel channel : fabric_.routing().topology().channels()) {
    const ErringLinks::Counts& counts = links.counts(channel);
    if (counts.errors == 0) continue;
    ChannelErrors& sum = channels[channel];
    sum.channel = channel;
    sum.errors += counts.errors;
    sum.replays += counts.replays;
    sum.discarded += counts.discarded;
  }
  results.channels.clear();
  for (const auto& [channel, sum] : channels) results.channels.push_back(sum);
  add_lost_credits(links, trial, results.lost_credits);
  results.missed = unmet(links.errors().listed, links.hits(), met_errors_);
  results.missed_credits = unmet(links.errors().lost_credits, links.losses(), met_losses_);
}

std::optional<Deadlock> FlitMachine::find_deadlock() {
  std::optional<Deadlock> deadlock = verdicts_.deadlock();
  if (deadlock && fabric_.erring_links() != nullptr) {
    add_lost_credits(*fabric_.erring_links(), 0, deadlock->lost_credits);
  }
  return deadlock;
}

ThreadUse FlitMachine::thread_use() const {
  const Fabric::Decided& decided = fabric_.decided();
  ThreadUse use{fabric_.parts().size(), decided.cycles, decided.together};
  if (use.threads > 1 && use.together == 0) use.whole = fabric_.why_whole();
  return use;
}

void FlitMachine::record(Movement& movement) {
  movement_ = std::make_unique<FlitMovement>(fabric_, log_, movement);
  fabric_.observe(*movement_);
}

void FlitMachine::count(CrossingCounter& counter) {
  crossings_.emplace(counter, fabric_.config().exit_delay());
  fabric_.observe(*crossings_);
}

void FlitMachine::end_count() {
  fabric_.dismiss(*crossings_);
  crossings_.reset();
}

void FlitMachine::reset(std::uint64_t trial) {
  fabric_.reset(trial);
  verdicts_.reset();
  if (movement_) movement_->reset();
  for (const auto& interface : interfaces_) interface->reset();
  for (const auto& node : nodes_) node->reset();
  if (timed_) timed_->reset();
}

}  // namespace allport
