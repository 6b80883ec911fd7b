// SPDX-License-Identifier: Apache-2.0
#include "testbench/simulation/found_wave.h"

#include <algorithm>
#include <set>
#include <vector>

#include "testbench/observe/monitors/contention_monitor.h"
#include "testbench/observe/waves/wave_names.h"
#include "testbench/results/named_message.h"

namespace allport {

namespace {

constexpr Cycle run_end = WaveWindow::no_end;

/// The cycles and routers of a finding.
struct Extent {
  Cycle first = run_end;
  Cycle last = 0;
  std::set<NodeId> nodes;
};

/// A message received by one node.
struct Receipt {
  MessageId message = no_message;
  std::size_t passage = 0;  ///< its place among the message's passages
};

class FoundWaves {
 public:
  FoundWaves(const RunPlan& plan, const Simulation& simulation, const Results& results,
             const PassageLog& passages)
      : plan_(plan), simulation_(simulation), results_(results), passages_(passages) {}

  std::optional<FoundWave> contention(std::size_t number);
  std::optional<FoundWave> deadlock();
  std::optional<FoundWave> message(const MessageName& name);
  std::optional<FoundWave> slowest();
  std::optional<MessageName> nearest(const MessageName& name) const;

 private:
  const MessageRecord& record(MessageId id) const { return simulation_.message(id); }
  bool is_external(Channel channel) const {
    return index(channel.port) < plan_.routing.topology().port_count();
  }
  std::optional<NodeId> beyond(Channel channel) const {
    if (!is_external(channel)) return std::nullopt;
    return plan_.routing.topology().neighbour(channel.node, channel.port);
  }
  // The cycle in which the receiver has the message, or its tail if it may take it over later.
  Cycle has(Receipt receipt) const {
    const SimulationConfig& config = plan_.simulation;
    const Cycle tail = passages_.of(receipt.message)[receipt.passage].tail;
    if (config.model.receive_occupies) return tail;
    return tail + config.model.takeover(config.tr, record(receipt.message).flits);
  }
  template <class Visit>
  void each_message(const Visit& visit) const {
    for (std::uint64_t i = 0; i < results_.messages; ++i) visit(static_cast<MessageId>(i));
  }
  template <class Visit>
  void each_receipt(const Visit& visit) const;
  bool is_measured(Cycle created) const;
  void add_contender(const MessageName& name, const ContentionEvent& event);
  void add_receipt(Receipt receipt);
  MessageId add_stuck(const MessageName& name);
  FoundWave found(std::optional<WaveFocus> focus) const;
  FoundWave found_message(MessageId message, const std::string& marker) const;

  const RunPlan& plan_;
  const Simulation& simulation_;
  const Results& results_;
  const PassageLog& passages_;
  Extent extent_;
};

FoundWave FoundWaves::found(std::optional<WaveFocus> focus) const {
  FoundWave found;
  found.wave.nodes.assign(extent_.nodes.begin(), extent_.nodes.end());
  found.wave.from = extent_.first;
  found.wave.to = extent_.last;
  found.focus = std::move(focus);
  return found;
}

FoundWave FoundWaves::found_message(MessageId message, const std::string& marker) const {
  const MessageRecord& its = record(message);
  const std::string name = wave_text(message_name(its));
  const auto cycle = [](Cycle at) { return "cycle " + std::to_string(at); };
  const char* const end =
      plan_.simulation.model.receive_occupies ? "its tail is there in " : "it is received in ";
  const std::string row =
      cycle(extent_.first) + ": " + name + " is created; " +
      (its.injected < 0 ? "it is not injected" : "its head is injected in " + cycle(its.injected)) +
      "; " + (extent_.last == run_end ? "it is not received" : end + cycle(extent_.last));
  return found(WaveFocus{extent_.first, marker + " " + name, row, {}});
}

// Until one of the two messages has left the channel.
std::optional<FoundWave> FoundWaves::contention(std::size_t number) {
  if (number > results_.contention.list.size()) return std::nullopt;
  const ContentionEvent& event = results_.contention.list[number - 1];
  extent_.first = event.cycle;
  extent_.last = run_end;
  extent_.nodes.insert(event.channel.node);
  extent_.nodes.insert(*beyond(event.channel));
  add_contender(event.waiting, event);
  add_contender(event.holding, event);
  return found(WaveFocus{event.cycle, "contention " + std::to_string(number), "", event});
}

// Adds the router from which a message of this name came to that of the event.
void FoundWaves::add_contender(const MessageName& name, const ContentionEvent& event) {
  each_message([&](MessageId id) {
    if (!(message_name(record(id)) == name)) return;
    std::optional<NodeId> before;
    for (const ChannelPassage& passage : passages_.of(id)) {
      if (beyond(passage.channel) == event.channel.node) before = passage.channel.node;
      if (passage.channel != event.channel) continue;
      if (passage.tail >= 0 && passage.tail < event.cycle) return;  // another one of this name
      if (passage.tail >= 0) extent_.last = std::min(extent_.last, passage.tail);
      break;
    }
    if (before) extent_.nodes.insert(*before);
  });
}

// Of the circle of waits; where a processor has not sent, of all that wait.
std::optional<FoundWave> FoundWaves::deadlock() {
  if (!results_.deadlock) return std::nullopt;
  const Deadlock& deadlock = *results_.deadlock;
  extent_.last = deadlock.cycle;
  for (const WaitingFlit& flit : deadlock.flits) {
    for (const WaitEdge& wait : flit.waits) {
      if (!deadlock.waits.empty() && !wait.is_in_cycle) continue;
      extent_.first = std::min(extent_.first, wait.since);
      extent_.nodes.insert(wait.channel.node);
      extent_.nodes.insert(flit.input.node);
    }
  }
  return found(std::nullopt);
}

template <class Visit>
void FoundWaves::each_receipt(const Visit& visit) const {
  each_message([&](MessageId id) {
    const std::vector<ChannelPassage>& passages = passages_.of(id);
    for (std::size_t i = 0; i < passages.size(); ++i) {
      if (!is_external(passages[i].channel) && passages[i].tail >= 0) visit(Receipt{id, i});
    }
  });
}

// Adds the way back from the receiver.
void FoundWaves::add_receipt(Receipt receipt) {
  const std::vector<ChannelPassage>& passages = passages_.of(receipt.message);
  NodeId here = passages[receipt.passage].channel.node;
  extent_.nodes.insert(here);
  for (std::size_t i = receipt.passage; i-- > 0;) {
    if (beyond(passages[i].channel) != here) continue;
    here = passages[i].channel.node;
    extent_.nodes.insert(here);
  }
  extent_.first = std::min(extent_.first, record(receipt.message).created);
  extent_.last = std::max(extent_.last, has(receipt));
}

// Adds messages of this name that were not received, and returns the first.
MessageId FoundWaves::add_stuck(const MessageName& name) {
  MessageId first = no_message;
  each_message([&](MessageId id) {
    const MessageName its = message_name(record(id));  // a user does not say which join
    if (its.u != name.u || its.v != name.v || its.order != name.order) return;
    if (first == no_message) first = id;
    extent_.first = std::min(extent_.first, record(id).created);
    extent_.last = run_end;
    extent_.nodes.insert(record(id).source);
    for (const ChannelPassage& passage : passages_.of(id)) {
      extent_.nodes.insert(passage.channel.node);
      if (const auto node = beyond(passage.channel)) extent_.nodes.insert(*node);
    }
  });
  return first;
}

std::optional<FoundWave> FoundWaves::message(const MessageName& name) {
  MessageId message = no_message;
  each_receipt([&](Receipt receipt) {
    const MessageRecord& its = record(receipt.message);
    const NodeId receiver = passages_.of(receipt.message)[receipt.passage].channel.node;
    if (!names(name, its.kind, its.source, receiver, its.order)) return;
    if (message == no_message) message = receipt.message;
    add_receipt(receipt);
  });
  if (message == no_message) message = add_stuck(name);
  if (message == no_message) return std::nullopt;
  return found_message(message, "message");
}

// Whether the latencies of messages created in this cycle count.
bool FoundWaves::is_measured(Cycle created) const {
  const auto is_in_window_of = [created](const auto& work) {
    return created >= work.warmup && created < work.cycles;
  };
  if (plan_.load() != nullptr) return is_in_window_of(plan_.load()->load);
  return plan_.traffic() == nullptr || plan_.kind().has_ranks() ||
         is_in_window_of(*plan_.traffic());
}

std::optional<FoundWave> FoundWaves::slowest() {
  std::optional<Receipt> slowest;
  Cycle longest = -1;
  Cycle earliest = 0;
  each_receipt([&](Receipt receipt) {
    const Cycle created = record(receipt.message).created;
    const Cycle received = has(receipt);
    if (!is_measured(created) || received - created < longest) return;
    if (received - created == longest && received >= earliest) return;
    longest = received - created;
    earliest = received;
    slowest = receipt;
  });
  if (!slowest) return std::nullopt;
  add_receipt(*slowest);
  return found_message(slowest->message, "slowest message");
}

std::optional<MessageName> FoundWaves::nearest(const MessageName& name) const {
  std::optional<MessageName> nearest;
  each_receipt([&](Receipt receipt) {
    const MessageRecord& its = record(receipt.message);
    const NodeId receiver = passages_.of(receipt.message)[receipt.passage].channel.node;
    const bool is_nearer = !nearest || distance(name, its.source, receiver, its.order) <
                                           distance(name, nearest->u, *nearest->v, nearest->order);
    if (is_nearer) nearest = {its.source, receiver, its.order};
  });
  return nearest;
}

}  // namespace

FoundWaveResults find_wave(const WaveOn& wanted, const RunPlan& plan, const Simulation& simulation,
                           const Results& results, const PassageLog& passages) {
  FoundWaves waves(plan, simulation, results, passages);
  FoundWaveResults outcome;
  switch (wanted.kind) {
    case WaveOn::Kind::contention:
      outcome.found = waves.contention(wanted.number);
      break;
    case WaveOn::Kind::deadlock:
      outcome.found = waves.deadlock();
      break;
    case WaveOn::Kind::message:
      outcome.found = waves.message(wanted.message);
      if (!outcome.found) outcome.nearest = waves.nearest(wanted.message);
      break;
    case WaveOn::Kind::slowest:
      outcome.found = waves.slowest();
      break;
  }
  if (!outcome.found) return outcome;
  WaveOptions& wave = outcome.found->wave;
  wave.from = std::max(Cycle{0}, wave.from - wanted.margin);
  const bool ends_before = wave.to < results.cycles && wanted.margin < results.cycles - wave.to;
  wave.to = ends_before ? wave.to + wanted.margin : run_end;
  return outcome;
}

}  // namespace allport
