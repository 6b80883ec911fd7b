// SPDX-License-Identifier: Apache-2.0
#include "testbench/observe/monitors/contention_monitor.h"

#include <algorithm>
#include <tuple>

#include "rtl_model/base/run_end.h"

namespace allport {

MessageName message_name(const MessageRecord& record) {
  MessageName name{record.source, record.destination, record.order};
  if (goes_to_all(record.kind)) name.v.reset();
  if (is_join(record.kind)) name.join = JoinName{record.kind, record.group, record.join.tag()};
  return name;
}

std::size_t ContentionMonitor::KeyHash::operator()(const Key& key) const {
  std::uint64_t hash = static_cast<std::uint64_t>(key.node) << 8 ^ key.output;
  hash = hash * 0x9e3779b97f4a7c15U ^ static_cast<std::uint64_t>(key.waiting);
  hash = hash * 0x9e3779b97f4a7c15U ^ static_cast<std::uint64_t>(key.holding);
  return (hash * 0x9e3779b97f4a7c15U) >> 17;
}

void ContentionMonitor::on_stalled(const RouterState& router, Cycle first, Cycle cycles) {
  const RouterConfig& config = router.config();
  const auto credits = [&](int output_vc) { return router.credits(output_vc); };
  for_each_loss(router, credits, [&](const Loss& loss, int input_vc) {
    if (!count(config, loss, first, cycles)) remember(config, loss, input_vc, first);
  });
}

// The event to which a loss belongs, begun in cycle `first` unless it exists; null: the loss is not
// contention. For losses that go on the rule is applied once.
ContentionMonitor::Event* ContentionMonitor::event(const RouterConfig& config, const Loss& loss,
                                                   Cycle first) {
  const Key key{static_cast<std::uint32_t>(index(loss.node)),
                static_cast<std::uint32_t>(loss.output), loss.waiting, loss.holding};
  Heard& heard = heard_[parts_.of(loss.node)];
  Recent& recent = heard.recent_of(key);
  if (recent.event != nullptr && recent.key == key) return recent.event;
  if (!rule_.is_contention(loss)) return nullptr;
  const auto [found, is_new] = heard.events.try_emplace(key);
  Event& event = found->second;
  if (is_new) {
    event.cycle = first;
    event.is_reception = !config.is_external(loss.output);
    event.port = static_cast<std::uint32_t>(event.is_reception ? loss.output - config.external_ports
                                                               : loss.output);
  } else {
    heard.note_displaced();
  }
  heard.recent_of(key) = {key, &event};
  return &event;
}

// A loss that goes on was not found where it was put: another one has its place. Where that happens
// often, more go on at once than there are places.
void ContentionMonitor::Heard::note_displaced() {
  constexpr std::size_t most = std::size_t{1} << 16U;
  if (++displaced < recent.size() || recent.size() >= most) return;
  recent.assign(2 * recent.size(), Recent{});
  displaced = 0;
}

bool ContentionMonitor::count(const RouterConfig& config, const Loss& loss, Cycle first,
                              Cycle cycles) {
  Event* event = this->event(config, loss, first);
  if (event == nullptr) return false;
  // A message may wait twice at a channel that its way crosses twice; of two waits of a worm, that
  // which is over first is heard of first.
  event->cycle = std::min(event->cycle, first);
  event->cycles = sum_of_times(event->cycles, cycles);
  return true;
}

namespace {

std::uint64_t place_of(const RouterConfig& config, const Loss& loss, int input_vc) {
  const auto channel_vcs = static_cast<std::uint64_t>(config.channel_vcs());
  const std::uint64_t buffer =
      index(loss.node) * channel_vcs + static_cast<std::uint64_t>(input_vc);
  return buffer * static_cast<std::uint64_t>(config.ports()) +
         static_cast<std::uint64_t>(loss.output);
}

}  // namespace

// Each place keeps one wait, however many messages pass: a deadlock needs only the last one.
void ContentionMonitor::remember(const RouterConfig& config, const Loss& loss, int input_vc,
                                 Cycle first) {
  Queued& queued = heard_[parts_.of(loss.node)].queued[place_of(config, loss, input_vc)];
  if (queued.waiting == loss.waiting && queued.holding == loss.holding) return;
  queued = {loss.waiting, loss.holding, first};
}

std::optional<Cycle> ContentionMonitor::first_loss(const RouterConfig& config, const Loss& loss,
                                                   int input_vc) const {
  const Heard& heard = heard_[parts_.of(loss.node)];
  const auto event =
      heard.events.find({static_cast<std::uint32_t>(index(loss.node)),
                         static_cast<std::uint32_t>(loss.output), loss.waiting, loss.holding});
  if (event != heard.events.end()) return event->second.cycle;
  const auto queued = heard.queued.find(place_of(config, loss, input_vc));
  if (queued == heard.queued.end() || queued->second.waiting != loss.waiting ||
      queued->second.holding != loss.holding) {
    return std::nullopt;
  }
  return queued->second.first;
}

void ContentionMonitor::reset() {
  for (Heard& heard : heard_) {
    if (!heard.events.empty()) heard.forget_recent();
    heard.events.clear();
    heard.queued.clear();
  }
}

void ContentionMonitor::take_over(const ContentionMonitor& other) {
  parts_ = other.parts_;
  heard_ = other.heard_;
  for (Heard& heard : heard_) heard.forget_recent();  // it leads to events
}

namespace {

auto name_key(const MessageName& name) {
  const std::int64_t v = name.v ? static_cast<std::int64_t>(index(*name.v)) : -1;
  return std::make_tuple(index(name.u), v, name.order);
}

// Messages of several collectives may have one name: then the shorter event is first.
bool is_before(const ContentionEvent& a, const ContentionEvent& b) {
  const auto key = [](const ContentionEvent& event) {
    return std::make_tuple(event.cycle, index(event.channel.node), index(event.channel.port),
                           name_key(event.waiting), name_key(event.holding), event.cycles);
  };
  return key(a) < key(b);
}

void append(const std::vector<ContentionEvent>& events, std::size_t max_listed, Contention& to) {
  to.events += events.size();
  for (const ContentionEvent& event : events) {
    to.blocked_cycles = sum_of_times(to.blocked_cycles, event.cycles);
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
  for (const Heard& heard : heard_) {
    for (const auto& [key, event] : heard.events) {
      ContentionEvent entry;
      entry.trial = trial;
      entry.cycle = event.cycle;
      entry.cycles = event.cycles;
      entry.channel = {node_id(key.node), port_id(event.port)};
      entry.waiting = message_name(rule_.log()[key.waiting]);
      entry.holding = message_name(rule_.log()[key.holding]);
      (event.is_reception ? internal : external).push_back(entry);
    }
  }
  std::sort(external.begin(), external.end(), is_before);
  std::sort(internal.begin(), internal.end(), is_before);
  append(external, max_listed, contention);
  append(internal, max_listed, reception);
}

}  // namespace allport
