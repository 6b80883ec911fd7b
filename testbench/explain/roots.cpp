// SPDX-License-Identifier: Apache-2.0
#include "testbench/explain/roots.h"

#include <algorithm>
#include <functional>
#include <tuple>

namespace allport {

namespace {

constexpr std::size_t most_known = std::size_t{1} << 16;   // roots that are remembered
constexpr std::size_t most_blamed = std::size_t{1} << 18;  // stretches that are kept

}  // namespace

Roots::Roots(const Waits& waits, const MessageLog& log)
    : waits_(waits), history_(waits.history()), log_(log), known_(most_known) {}

// The place where the root of `step` is remembered until that of another step needs it.
Roots::Known& Roots::known(const Step& step) {
  const std::uint64_t who = std::uint64_t{step.holding} << 32 | step.place;
  const std::uint64_t what =
      static_cast<std::uint64_t>(step.looked) << 5 | static_cast<std::uint64_t>(step.found);
  const std::uint64_t mixed = (who ^ what * 0x9e3779b97f4a7c15U) * 0xbf58476d1ce4e5b9U;
  return known_[static_cast<std::size_t>(mixed >> 40) % most_known];
}

void Roots::add(const Wait& wait) {
  if (wait.blamed == no_message) return;
  const Cycle from = wait.first - wait.lag;
  blamed_.push_back({wait.found, wait.holding, wait.place, from, from + wait.cycles});
  if (blamed_.size() == most_blamed) flush();
}

// Many messages wait for the same one: each cycle in which it is in the way is looked at once.
void Roots::flush() {
  std::sort(blamed_.begin(), blamed_.end(), [](const Blamed& a, const Blamed& b) {
    return std::tie(a.holding, a.found, a.place, a.from) <
           std::tie(b.holding, b.found, b.place, b.from);
  });
  for (auto first = blamed_.begin(); first != blamed_.end();) {
    const auto end = std::find_if(first, blamed_.end(), [&](const Blamed& one) {
      return one.holding != first->holding || one.found != first->found ||
             one.place != first->place;
    });
    count_waiting(first, end);
    first = end;
  }
  blamed_.clear();
}

// Stretches of cycles in which one message is in the way of several others.
void Roots::count_waiting(std::vector<Blamed>::const_iterator first,
                          std::vector<Blamed>::const_iterator end) {
  std::vector<Cycle> ends;  // of those that wait, a heap with the earliest first
  Step step{first->found, first->holding, first->place, first->from, true};
  while (first != end || !ends.empty()) {
    if (ends.empty()) step.looked = std::max(step.looked, first->from);
    for (; first != end && first->from <= step.looked; ++first) {
      ends.push_back(first->to);
      std::push_heap(ends.begin(), ends.end(), std::greater<>());
    }
    const Cycle to = first != end ? std::min(ends.front(), first->from) : ends.front();
    count_cycles(step, to, static_cast<Cycle>(ends.size()));
    step.looked = to;
    while (!ends.empty() && ends.front() <= step.looked) {
      std::pop_heap(ends.begin(), ends.end(), std::greater<>());
      ends.pop_back();
    }
  }
}

// The cycles of `step` before cycle `to`, in each of which `waiting` messages wait.
void Roots::count_cycles(Step step, Cycle to, Cycle waiting) {
  while (step.looked < to) {
    const Cycle sent = count_sent(step, to, waiting);
    step.looked += sent;
    if (sent > 0) continue;
    count(of(step), waiting);
    ++step.looked;
  }
}

// The owner of a channel, or the first message of a port, sends flits from this cycle on, up to
// cycle `to`: the channel is the root. Returns the number of these cycles.
Cycle Roots::count_sent(const Step& step, Cycle to, Cycle waiting) {
  if (step.found != Cause::channel && step.found != Cause::port) return 0;
  const int sent = history_.sent_by(step.holding, step.looked);
  if (sent == 0 || history_.sent(step.holding, sent - 1) != step.looked) return 0;
  const Cycle row = history_.sent_in_row_from(step.holding, sent - 1);
  const Cycle cycles = std::min(row, to - step.looked);
  count({step.found, history_[step.holding].channel}, waiting * cycles);
  return cycles;
}

std::vector<std::pair<Root, Cycle>> Roots::sums() {
  flush();
  std::vector<std::pair<Root, Cycle>> list;
  for (const auto& [key, cycles] : sums_) {
    list.push_back(
        {{static_cast<Cause>(key & 0xff), static_cast<FabricChannels::Number>(key >> 8)}, cycles});
  }
  std::sort(list.begin(), list.end(),
            [](const auto& a, const auto& b) { return key_of(a.first) < key_of(b.first); });
  return list;
}

// Only steps that lead on are remembered.
Root Roots::of(const Step& first) {
  passed_.clear();
  Root root{first.found, first.place};
  bool is_circle = false;
  for (std::optional<Step> step = first; step;) {
    if (const Known& before = known(*step); before.step == *step) {
      root = before.root;
      break;
    }
    root = {step->found, step->place};
    const std::optional<Step> behind = next(*step, root);
    if (!behind) break;
    is_circle = std::find(passed_.begin(), passed_.end(), *step) != passed_.end();
    if (is_circle) {
      root = {passed_.back().found, passed_.back().place};
      break;
    }
    passed_.push_back(*step);
    step = behind;
  }
  if (!is_circle) {
    for (const Step& one : passed_) known(one) = {one, root};
  }
  return root;
}

std::vector<Root> Roots::chain(const Wait& wait, Cycle now) {
  std::vector<Root> chain{{wait.cause, wait.place}};
  std::vector<Step> passed;
  for (std::optional<Step> step = Step{wait.found, wait.holding, wait.place, now - wait.lag, true};
       step && std::find(passed.begin(), passed.end(), *step) == passed.end();) {
    passed.push_back(*step);
    const Root own{step->found, step->place};
    if (!(chain.back() == own)) chain.push_back(own);
    Root root = own;
    step = next(*step, root);
    if (!step && !(root == own)) chain.push_back(root);
  }
  return chain;
}

std::optional<Roots::Step> Roots::next(const Step& step, Root& root) {
  if (!step.blames) return std::nullopt;
  switch (step.found) {
    case Cause::behind:
    case Cause::credit:
    case Cause::mode:
      return behind_front(step, root);
    case Cause::channel:
      return behind_owner(step, root);
    case Cause::port:
      return behind_port(step, root);
    default:
      return std::nullopt;
  }
}

std::optional<Roots::Step> Roots::last_wait() const {
  if (found_.empty()) return std::nullopt;
  const Wait& wait = found_.back();
  return Step{wait.found, wait.holding, wait.place, wait.first - wait.lag,
              wait.blamed != no_message};
}

std::optional<Roots::Step> Roots::at_front(CrossingIndex front, int flit, Cycle now) {
  found_.clear();
  waits_.in_buffer(front, flit, {now, now, 0}, Way(), found_);
  return last_wait();
}

std::optional<Roots::Step> Roots::at_processor(CrossingIndex injection, int flit, Cycle now) {
  found_.clear();
  waits_.for_credit(injection, flit, {now, now, 0}, Way(), found_);
  return last_wait();
}

// The front flit of a buffer is in the way.
std::optional<Roots::Step> Roots::behind_front(const Step& step, Root& root) {
  const History::Front front = history_.front(history_[step.holding].channel, step.looked);
  if (history_.left(front.crossing, front.flit) > step.looked) {
    return at_front(front.crossing, front.flit, step.looked);
  }
  const int output = history_.last_output(front.crossing, front.flit);
  root.place = history_[history_.branch(front.crossing, output)].channel;
  return std::nullopt;
}

// The owner of a channel is in the way: its next flit for this channel is looked for upstream.
std::optional<Roots::Step> Roots::behind_owner(const Step& step, Root& root) {
  const Cycle now = step.looked;
  root.place = history_[step.holding].channel;
  const int flit = history_.sent_by(step.holding, now);
  if (flit > history_.sent_by(step.holding, now - 1)) return std::nullopt;
  CrossingIndex at = history_[step.holding].from;
  while (history_[at].from != 0 && history_.sent(at, flit) > now) at = history_[at].from;
  if (history_.sent(at, flit) > now) {  // it is still at its processor
    const bool is_moving = history_.sent_by(at, now) > history_.sent_by(at, now - 1);
    const bool awaits_ack = flit == 1 && history_.config().switching == Switching::circuit;
    if (is_moving || awaits_ack) return std::nullopt;
    return at_processor(at, flit, now);
  }
  if (history_.arrived(at, flit) > now) return std::nullopt;
  const History::Front front = history_.front(history_[at].channel, now);
  if (history_.left(front.crossing, front.flit) == now) return std::nullopt;
  return at_front(front.crossing, front.flit, now);
}

// The first message of an injection port is in the way.
std::optional<Roots::Step> Roots::behind_port(const Step& step, Root& root) {
  const Cycle now = step.looked;
  const int flit = history_.sent_by(step.holding, now);
  if (flit > history_.sent_by(step.holding, now - 1)) return std::nullopt;
  const MessageRecord& record = log_[history_[step.holding].message];
  if (flit == 0 && now < record.prepared()) {
    root = {Cause::processor, history_.channels().processor(record.source)};
    return std::nullopt;
  }
  const bool awaits_ack = flit == 1 && history_.config().switching == Switching::circuit;
  if (awaits_ack) root.cause = Cause::ack;
  if (flit == 0 && now < record.ready()) root.cause = Cause::jitter;
  if (awaits_ack || root.cause == Cause::jitter) return std::nullopt;
  return at_processor(step.holding, flit, now);
}

}  // namespace allport
