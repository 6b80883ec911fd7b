// SPDX-License-Identifier: Apache-2.0
#include "testbench/monitors/contention_monitor.h"

#include <algorithm>
#include <tuple>

namespace allport {

MessageName message_name(const MessageRecord& record) {
  MessageName name{record.source, record.destination, record.order};
  if (goes_to_all(record.kind)) name.v.reset();
  return name;
}

MessageId holding_message(const Router& router, const Router::Stalled& stalled, int output) {
  const RouterConfig& config = router.config();
  const int input_vc = config.channel_vc(stalled.input, stalled.vc);
  const int output_vc = config.channel_vc(output, router.vc_allocator.vc(input_vc, output));
  const bool has_vc = (router.vc_allocator.owned(input_vc) >> output & 1U) != 0;
  if (!has_vc) return router.vc_allocator.owner_message(output_vc);
  if (!router.may_cross(input_vc, output_vc)) return no_message;
  return router.crossbar.driver(output);
}

std::size_t ContentionMonitor::KeyHash::operator()(const Key& key) const {
  std::uint64_t hash = static_cast<std::uint64_t>(key.node) << 8 ^ key.output;
  hash = hash * 0x9e3779b97f4a7c15U ^ static_cast<std::uint64_t>(key.waiting);
  hash = hash * 0x9e3779b97f4a7c15U ^ static_cast<std::uint64_t>(key.holding);
  return (hash * 0x9e3779b97f4a7c15U) >> 17;
}

void ContentionMonitor::on_stalled(const Router& router, Cycle first, Cycle cycles) {
  const RouterConfig& config = router.config();
  for (const Router::Stalled& stalled : router.stalled()) {
    const MessageId waiting =
        router.input_buffer.front(config.channel_vc(stalled.input, stalled.vc)).message;
    for (PortMask rest = stalled.branches; rest != 0; rest &= rest - 1) {
      const int output = __builtin_ctzll(rest);
      const MessageId holding = holding_message(router, stalled, output);
      if (holding == no_message || holding == waiting) continue;
      count(config, {router.node(), output, waiting, holding}, first, cycles);
    }
  }
}

ContentionMonitor::Event& ContentionMonitor::event(const Key& key) {
  Recent& recent = recent_[KeyHash()(key) % recent_.size()];
  if (recent.event == nullptr || !(recent.key == key)) recent = {key, &events_[key]};
  return *recent.event;
}

// Two messages of one source at that source's router are queued, not contending.
void ContentionMonitor::count(const RouterConfig& config, const Loss& loss, Cycle first,
                              Cycle cycles) {
  const NodeId source = log_[loss.waiting].source;
  if (source == loss.node && source == log_[loss.holding].source) return;
  const Key key{static_cast<std::uint32_t>(index(loss.node)),
                static_cast<std::uint32_t>(loss.output), loss.waiting, loss.holding};
  Event& event = this->event(key);
  if (event.cycles == 0) {
    event.cycle = first;
    event.is_reception = !config.is_external(loss.output);
    event.port = static_cast<std::uint32_t>(event.is_reception ? loss.output - config.external_ports
                                                               : loss.output);
  }
  event.cycles += cycles;
}

std::optional<Cycle> ContentionMonitor::first_loss(const Loss& loss) const {
  const auto found =
      events_.find({static_cast<std::uint32_t>(index(loss.node)),
                    static_cast<std::uint32_t>(loss.output), loss.waiting, loss.holding});
  if (found == events_.end()) return std::nullopt;
  return found->second.cycle;
}

void ContentionMonitor::reset() {
  events_.clear();
  recent_.fill({});
}

namespace {

auto name_key(const MessageName& name) {
  const std::int64_t v = name.v ? static_cast<std::int64_t>(index(*name.v)) : -1;
  return std::make_tuple(index(name.u), v, name.order);
}

bool is_before(const ContentionEvent& a, const ContentionEvent& b) {
  return std::make_tuple(a.cycle, index(a.channel.node), index(a.channel.port), name_key(a.waiting),
                         name_key(a.holding)) <
         std::make_tuple(b.cycle, index(b.channel.node), index(b.channel.port), name_key(b.waiting),
                         name_key(b.holding));
}

void append(const std::vector<ContentionEvent>& events, std::size_t max_listed, Contention& to) {
  to.events += events.size();
  for (const ContentionEvent& event : events) {
    to.blocked_cycles += event.cycles;
    if (to.list.size() < max_listed) {
      to.list.push_back(event);
    } else {
      to.is_truncated = true;
    }
  }
}

}  // namespace

void ContentionMonitor::report(int trial, std::size_t max_listed, Contention& contention,
                               Contention& reception) const {
  std::vector<ContentionEvent> external;
  std::vector<ContentionEvent> internal;
  for (const auto& [key, event] : events_) {
    ContentionEvent entry;
    entry.trial = trial;
    entry.cycle = event.cycle;
    entry.cycles = event.cycles;
    entry.channel = {node_id(key.node), port_id(event.port)};
    entry.waiting = message_name(log_[key.waiting]);
    entry.holding = message_name(log_[key.holding]);
    (event.is_reception ? internal : external).push_back(entry);
  }
  std::sort(external.begin(), external.end(), is_before);
  std::sort(internal.begin(), internal.end(), is_before);
  append(external, max_listed, contention);
  append(internal, max_listed, reception);
}

}  // namespace allport
