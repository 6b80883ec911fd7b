// SPDX-License-Identifier: Apache-2.0
#include "tlm/worm/store.h"

#include <algorithm>

namespace allport {

namespace {

std::uint32_t count(int number) { return static_cast<std::uint32_t>(number); }

}  // namespace

WormFrame::WormFrame(const RouterConfig& given, const Routing& routes, std::int64_t limit)
    : config(given),
      routing(routes),
      reception_limit(limit),
      nodes(static_cast<std::uint32_t>(routes.topology().router_count())),
      first_external(count(std::max(given.vcs, given.classes))),
      first_injection(first_external + nodes * count(given.external_ports * given.vcs)),
      first_ejection(first_injection + nodes * count(given.internal_ports * given.classes)),
      ejects_at_will_(given.buffer_depth > given.ejection_flight() && limit == 0 &&
                      !buffers_messages(given.switching)) {
  for (int port = 0; port < given.external_ports; ++port) {
    hops_.push_back(count(given.exit_delay() + given.hop_cycles(port)));
  }
}

WormStore::WormStore(const RouterConfig& given, const Routing& routes, std::int64_t limit)
    : WormFrame(given, routes, limit),
      passages(1),
      channels(first_ejection + std::size_t{nodes} * count(given.internal_ports * given.classes)),
      narrow(given.has_narrow_channels() ? std::size_t{nodes} * count(given.external_ports) : 1),
      first_vcs_(no_channel()),
      next_vcs_{first_external, first_injection, first_ejection} {
  calendar = &present_calendar;
}

void WormStore::reset() {
  passages.assign(1, Passage{});
  branches.clear();
  junctions.assign(1, WormJunction{});
  const std::array<WormIndex, 3> firsts{first_external, first_injection, first_ejection};
  for (std::size_t kind = 0; kind < firsts.size(); ++kind) {
    channels.clear(firsts[kind], next_vcs_[kind]);
  }
  if (next_vcs_ != firsts) first_vcs_.clear();
  next_vcs_ = firsts;
  narrow.clear();
  worms.clear();
  noted.clear();
  present_calendar.clear();
  activity.reset();
  for (auto& list : free_passages_) list.clear();
  free_worms_.clear();
}

WormIndex WormStore::number_vcs(std::uint32_t channel) {
  const bool is_external = channel < injection_channel(0, 0);
  const std::size_t kind = is_external ? 0 : channel < ejection_channel(0, 0) ? 1 : 2;
  const WormIndex first = next_vcs_[kind];
  next_vcs_[kind] += count(is_external ? config.vcs : config.classes);
  first_vcs_[channel] = first;
  return first;
}

void WormStore::await_demands(WormIndex id, const Passage& from, Cycle now) {
  const Passage& passage = passages[id];
  if (passage.sent > 0 || !buffers_messages(config.switching)) return;
  const WormChannel& out = channels[passage.out];
  Cycle due = now;
  if (out.returning > 0) {
    const Cycle lacking = out.used + passage.length - config.buffer_depth;
    due = std::max(due, now + (lacking + out.returning - 1) / out.returning);
  }
  if (from.is_arriving && !has_flits(passage, from)) {
    due = std::max(due, now + passage.length - from.arrived);
  }
  if (due == now) return;
  calendar->post(due, passage.is_first ? WormPhase::injection : WormPhase::switching,
                 {id, WormEvent::What::demanded});
}

WormIndex WormStore::allocate_passages(std::uint32_t count) {
  if (count >= free_passages_.size()) free_passages_.resize(count + 1);
  std::vector<WormIndex>& free = free_passages_[count];
  if (!free.empty()) {
    const WormIndex first = free.back();
    free.pop_back();
    return first;
  }
  const auto first = static_cast<WormIndex>(passages.size());
  passages.resize(passages.size() + count);
  return first;
}

std::uint32_t WormStore::allocate_worm() {
  if (free_worms_.empty()) {
    worms.emplace_back();
    return static_cast<std::uint32_t>(worms.size() - 1);
  }
  const std::uint32_t worm = free_worms_.back();
  free_worms_.pop_back();
  return worm;
}

}  // namespace allport
