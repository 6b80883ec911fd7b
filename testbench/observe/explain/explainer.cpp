// SPDX-License-Identifier: Apache-2.0
#include "testbench/observe/explain/explainer.h"

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <tuple>
#include <utility>

#include "testbench/observe/explain/accounts.h"
#include "testbench/observe/explain/channel_uses.h"
#include "testbench/observe/explain/patience.h"
#include "testbench/observe/monitors/contention_monitor.h"
#include "testbench/results/named_message.h"

namespace allport {

/// What is looked at while a trial is explained.
struct Explainer::Trial : ExplainedTrial {
  Trial(int of_run, const Movement& movement, const Routing& routing, const MessageLog& log,
        Cycle tr)
      : ExplainedTrial(movement, routing, log, tr), number(of_run), roots(waits, log) {}

  const int number;
  Roots roots;
};

void Explainer::begin_run() {
  explanation_ = {};
  longest_ = -1;
  roots_.clear();
  waits_.clear();
  sources_.assign(channels_.nodes(), {});
  for (std::size_t i = 0; i < sources_.size(); ++i) sources_[i].source = node_id(i);
}

void Explainer::reset() {
  movement_.reset();
  receptions_.clear();
}

void Explainer::receive(const Reception& reception) {
  receptions_.push_back(reception);
  if (request_.message) note_nearest(reception);
}

bool Explainer::is_asked_for(const Reception& reception) const {
  const MessageRecord& record = log_[reception.message];
  return names(*request_.message, record.kind, record.source, reception.receiver, record.order);
}

void Explainer::note_nearest(const Reception& reception) {
  const MessageName& name = *request_.message;
  const MessageRecord& record = log_[reception.message];
  const auto& nearest = explanation_.nearest;
  const bool is_nearer =
      !nearest || distance(name, record.source, reception.receiver, record.order) <
                      distance(name, nearest->u, *nearest->v, nearest->order);
  if (is_nearer) explanation_.nearest = {record.source, reception.receiver, record.order};
}

// Of the message that `trial` walked last.
MessageAccount Explainer::account_of(const Reception& reception, const Trial& trial) const {
  const MessageRecord& message = log_[reception.message];
  const NodeId sender = trial.walk.sender();
  const MessageRecord& record = log_.sent(reception.message, sender);
  const MessageRoute& way = trial.walk.way();
  MessageAccount account;
  account.source = message.source;
  account.destination = reception.receiver;
  if (is_join(message.kind)) account.contributor = sender;
  account.order = message.order;
  account.collective = record.collective;
  account.flits = record.flits;
  account.hops = static_cast<int>(way.size()) - 2;
  account.created = record.created;
  account.prepared = record.prepared();
  account.injected = trial.history.sent(way[0], 0);
  account.head = reception.head;
  account.tail = reception.tail;
  account.has = reception.has;
  return account;
}

// In an order that does not depend on the model: by cycle, then sender, place and receiver.
void Explainer::sort_receptions() {
  const auto key = [this](const Reception& one) {
    const MessageRecord& record = log_[one.message];
    return std::tuple(one.has, record.source, record.collective, record.order, one.receiver);
  };
  std::sort(receptions_.begin(), receptions_.end(),
            [&](const Reception& a, const Reception& b) { return key(a) < key(b); });
}

void Explainer::explain(int trial, const std::vector<PlannedCollective>& collectives,
                        Cycle cycles) {
  Trial now(trial, movement_, routing_, log_, tr_);
  sort_receptions();
  if (request_.causes) {
    const Patience patience(stop_);
    for (const Reception& reception : receptions_) {
      if (!add(reception, now)) ++explanation_.unexplained;
    }
    find_path(collectives, now);
  }
  finish(now, cycles, {0, cycles});
}

// Whether each reception is among the slowest 1 % of the messages created in `window`; none is, if
// an interrupt comes before that is known.
std::vector<bool> Explainer::slowest_of(const MeasurementWindow& window, Trial& trial) const try {
  std::vector<std::size_t> measured;
  std::vector<Cycle> latencies(receptions_.size());
  for (std::size_t i = 0; i < receptions_.size(); ++i) {
    Patience::heed();
    const Cycle created = log_[receptions_[i].message].created;
    if (!window.contains(created)) continue;
    measured.push_back(i);
    latencies[i] = receptions_[i].has - trial.created_of(receptions_[i], log_);
  }
  std::stable_sort(measured.begin(), measured.end(),
                   [&](std::size_t a, std::size_t b) { return latencies[a] > latencies[b]; });
  std::vector<bool> is_slow(receptions_.size(), false);
  for (std::size_t i = 0; i < (measured.size() + 99) / 100; ++i) is_slow[measured[i]] = true;
  return is_slow;
} catch (const Stopped&) {
  return std::vector<bool>(receptions_.size(), false);
}

void Explainer::explain_pattern(const MeasurementWindow& window, Cycle cycles) {
  Trial now(0, movement_, routing_, log_, tr_);
  explain_window(window, now);
  finish(now, cycles, request_.every > 0 ? MeasurementWindow{0, cycles} : window);
}

void Explainer::explain_ranks(Cycle cycles) {
  Trial now(0, movement_, routing_, log_, tr_);
  explain_window({0, cycles + 1}, now);
  finish(now, cycles, {0, cycles});
}

void Explainer::explain_so_far(Cycle now) {
  Trial trial(0, movement_, routing_, log_, tr_);
  explain_window({0, now + 1}, trial);
  finish(trial, now, {0, now}, &receptions_);
}

void Explainer::explain_window(const MeasurementWindow& window, Trial& now) {
  sort_receptions();
  if (request_.causes) {
    const Patience patience(stop_);
    const std::vector<bool> is_slow = slowest_of(window, now);
    for (std::size_t i = 0; i < receptions_.size(); ++i) {
      const Reception& reception = receptions_[i];
      const Cycle created = log_[reception.message].created;
      const bool is_measured = window.contains(created);
      if (is_measured) {
        const std::optional<CauseSum> causes = add(reception, now);
        if (!causes) {
          ++explanation_.unexplained;
        } else if (is_slow[i]) {
          ++explanation_.slowest.receipts;
          explanation_.slowest.causes.add(*causes);
        }
      } else if (request_.message && is_asked_for(reception)) {
        const Waits::List* const waits = now.explain_in_time(reception);
        if (waits == nullptr) continue;
        MessageAccount account = account_of(reception, now);
        account.causes = causes_of(*waits);
        list(reception, account, *waits);
      }
    }
  }
}

void Explainer::finish(Trial& trial, Cycle cycles, const MeasurementWindow& span,
                       const std::vector<Reception>* told) {
  if (request_.causes) {
    const Patience patience(stop_);
    for (UnfinishedMessage& one : unfinished_messages(trial, log_, cycles, told)) {
      one.trial = trial.number;
      explanation_.unfinished.push_back(std::move(one));
    }
  }
  add_roots(trial);
  if (request_.channels) add_channels(trial, cycles, span);
}

void Explainer::add_roots(Trial& trial) {
  const Patience patience(stop_);
  for (const auto& [root, count] : trial.roots.sums()) {
    const Place place = channels_.is_external(root.place) ? root.place : physical(root.place);
    roots_[{place, root.cause}] += count;
  }
}

// All of them or, after an interrupt, none.
void Explainer::add_channels(Trial& trial, Cycle cycles, const MeasurementWindow& span) try {
  const Patience patience(stop_);
  const std::size_t rows = channel_use_count(channels_, span, request_.every);
  if (rows + explanation_.channels.size() > max_channel_uses) {
    explanation_.missing_uses = rows;
    return;
  }
  for (ChannelUse& use : channel_uses(trial, log_, cycles, span, request_.every)) {
    use.trial = trial.number;
    explanation_.channels.push_back(use);
  }
} catch (const Stopped&) {
}

// The causes of its latency; none: an interrupt left no time.
std::optional<CauseSum> Explainer::add(const Reception& reception, Trial& trial) {
  const Waits::List* const found = trial.explain_in_time(reception);
  if (found == nullptr) return std::nullopt;
  const Waits::List& waits = *found;
  MessageAccount account = account_of(reception, trial);
  account.trial = trial.number;
  account.causes = causes_of(waits);
  add_waits(waits, trial);
  ++explanation_.receipts;
  explanation_.causes.add(account.causes);
  SourceWaits& source = sources_[index(account.contributor.value_or(account.source))];
  ++source.receipts;
  source.causes.add(account.causes);
  count_ties(account);
  const auto hops = static_cast<std::size_t>(account.hops);
  if (hops >= explanation_.by_hops.size()) explanation_.by_hops.resize(hops + 1);
  ++explanation_.by_hops[hops].receipts;
  explanation_.by_hops[hops].causes.add(account.causes);
  list(reception, account, waits);
  return account.causes;
}

void Explainer::count_ties(const MessageAccount& account) {
  const Topology& topology = routing_.topology();
  if (!topology.wraps() || account.contributor) return;  // ties of joins always go +
  for (std::size_t i = 0; i < topology.dimension_count(); ++i) {
    const int apart = std::abs(topology.coordinate(account.source, i) -
                               topology.coordinate(account.destination, i));
    if (2 * apart != topology.sides()[i]) continue;
    ++explanation_.tied;
    return;
  }
}

// Adds the waits to the channels at which they were spent, and to their roots.
void Explainer::add_waits(const Waits::List& list, Trial& trial) {
  for (const Wait& wait : list) {
    const bool is_blaming = wait.blamed != no_message;
    if (is_blaming || row_of(wait.cause).waits_unblamed) {
      waits_[physical(wait.place)].add(wait.cause, wait.all_cycles(), is_blaming);
    }
    trial.roots.add(wait);
  }
}

// The first virtual channel of the same physical one.
Explainer::Place Explainer::physical(Place channel) const {
  return channels_.is_processor(channel) ? channel : channels_.first_of(channel);
}

// Of the slowest messages that are asked for, now and then the others are dropped.
void Explainer::list(const Reception& reception, const MessageAccount& account,
                     const Waits::List& waits) {
  if (request_.message ? !is_asked_for(reception) : request_.listed == 0) return;
  explanation_.messages.push_back(account);
  explanation_.messages.back().blames = blames_of(waits, log_);
  if (explanation_.messages.size() / 2 > request_.listed) drop_quick_ones();
}

void Explainer::drop_quick_ones() {
  std::vector<MessageAccount>& messages = explanation_.messages;
  if (request_.message || request_.listed == ExplainRequest::all) return;
  std::stable_sort(messages.begin(), messages.end(), [](const auto& a, const auto& b) {
    return a.has - a.created > b.has - b.created;
  });
  if (messages.size() > request_.listed) messages.resize(request_.listed);
}

void Explainer::find_path(const std::vector<PlannedCollective>& collectives, Trial& trial) try {
  const Reception* last = nullptr;
  const auto key = [&](const Reception& reception) {
    const MessageRecord& record = log_[reception.message];
    return std::tuple(-reception.completes, record.source, record.order, reception.receiver);
  };
  Patience::heed();
  std::vector<std::vector<bool>> owed(collectives.size());
  for (std::size_t i = 0; i < collectives.size(); ++i) {
    owed[i].resize(channels_.nodes(), false);
    for (const NodeId node : collectives[i].destinations) owed[i][index(node)] = true;
  }
  for (const Reception& one : receptions_) {
    const auto collective = static_cast<std::size_t>(log_[one.message].collective);
    if (one.completes < 0 || !owed[collective][index(one.receiver)]) continue;
    if (last == nullptr || key(one) < key(*last)) last = &one;
  }
  if (last == nullptr || last->completes <= longest_) return;
  std::vector<PathMessage> path;
  const Dependencies dependencies(receptions_, collectives, log_);
  for (const Reception* at = last; at != nullptr;) {
    Waits::List list = trial.explain(*at);
    const NodeId sender = trial.walk.sender();
    const MessageId depends = cut_idle(at->message, sender, log_, trial.processors, list);
    path.push_back(path_message(*at, list, trial));
    path.back().account.trial = trial.number;
    at = dependencies.before(depends, sender);
  }
  std::reverse(path.begin(), path.end());
  explanation_.path = std::move(path);
  longest_ = last->completes;
} catch (const Stopped&) {  // the path of an earlier trial stays
}

Explanation Explainer::result() {
  drop_quick_ones();
  Explanation result = std::move(explanation_);
  for (const auto& [root, cycles] : roots_) {
    result.roots.push_back({root.second, resource_of(channels_, root.first), cycles});
  }
  std::stable_sort(result.roots.begin(), result.roots.end(),
                   [](const auto& a, const auto& b) { return a.cycles > b.cycles; });
  std::vector<Place> places;
  for (const auto& [channel, causes] : waits_) places.push_back(channel);
  std::sort(places.begin(), places.end());
  for (const Place channel : places) {
    result.by_channel.push_back({resource_of(channels_, channel), waits_.at(channel)});
  }
  std::stable_sort(
      result.by_channel.begin(), result.by_channel.end(),
      [](const auto& a, const auto& b) { return a.causes.total() > b.causes.total(); });
  for (const SourceWaits& source : sources_) {
    if (source.receipts > 0) result.by_source.push_back(source);
  }
  return result;
}

void Explainer::show(const std::vector<PlannedCollective>* collectives, Cycle cycles,
                     const std::function<void(const ShownTrial&)>& show) const {
  ExplainedTrial trial(movement_, routing_, log_, tr_);
  std::optional<Dependencies> dependencies;
  if (collectives != nullptr) dependencies.emplace(receptions_, *collectives, log_);
  show({trial, receptions_, dependencies ? &*dependencies : nullptr, log_, tr_, cycles});
}

PathMessage Explainer::path_message(const Reception& reception, const Waits::List& repeated,
                                    const Trial& trial) const {
  const Waits::List list = Waits::put_together(trial.walk.one_by_one(repeated));
  PathMessage message;
  message.account = account_of(reception, trial);
  // Whether a model was followed cycle by cycle or in one step does not show.
  FabricChannels::Number before = 0;  // the place of the wait before
  for (auto wait = list.rbegin(); wait != list.rend(); before = wait++->place) {
    const bool is_blaming = wait->blamed != no_message;
    message.account.causes.add(wait->cause, wait->cycles, is_blaming);
    PathStretch stretch{wait->cause, wait->first, wait->cycles, resource_of(channels_, wait->place),
                        std::nullopt};
    if (is_blaming) stretch.blamed = message_name(log_[wait->blamed]);
    if (!message.stretches.empty() && wait->place == before) {
      PathStretch& last = message.stretches.back();
      if (last.cause == stretch.cause && last.blamed == stretch.blamed) {
        last.cycles += stretch.cycles;
        continue;
      }
    }
    message.stretches.push_back(stretch);
  }
  return message;
}

}  // namespace allport
