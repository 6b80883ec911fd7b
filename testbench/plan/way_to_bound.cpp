// SPDX-License-Identifier: Apache-2.0
#include "testbench/plan/way_to_bound.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "rtl_model/base/stop_flag.h"
#include "testbench/plan/message_lengths.h"
#include "testbench/plan/plan_theory.h"

namespace allport {

namespace {

using Amount = long double;  // of flits or cycles, where they are shared

// Sums of shares are rounded: what may be a whole number counts as that.
constexpr Amount rounding = 1e-9L;
Cycle rounded_up(Amount amount) { return static_cast<Cycle>(std::ceil(amount - rounding)); }
Cycle rounded_down(Amount amount) { return static_cast<Cycle>(std::floor(amount + rounding)); }

// The part of a cycle that neither follows another flit nor is covered by the steps.
Excess part_of(const PathStretch& stretch) {
  switch (stretch.cause) {
    case Cause::receive:
      return Excess::receipts;
    case Cause::prepare:
    case Cause::processor:
      return Excess::startups;
    case Cause::hop:
    case Cause::pipeline:
      return Excess::hops;
    case Cause::jitter:
      return Excess::random;
    default:
      return stretch.blamed ? Excess::contention : Excess::routers;
  }
}

// Whether flits follow one another on a channel: those of the message, or at its injection port
// those of the messages before it.
bool is_transfer(Cause cause) {
  return cause == Cause::length || cause == Cause::width || cause == Cause::port;
}

// What is known of a step.
struct Step {
  Cycle transfer = 0;   // cycles of the critical path in which flits follow one another
  Amount unfilled = 0;  // those of them that are due to flits which cannot be divided
  Amount through = 0;   // cycles that the flits of the step fill where the bound counts
  Cycle stored = 0;     // cycles in which routers store the messages whole
  Amount shared = 0;    // what flits fill of `transfer`
  Cycle filled = 0;     // the same in whole cycles
};
using Steps = std::map<StepIndex, Step>;

// The messages of the collective that has the critical path.
class PathMessages {
 public:
  PathMessages(const RunPlan& plan, const PlannedCollective& collective,
               const std::vector<PathMessage>& path)
      : plan_(plan),
        collective_(collective),
        lengths_(collective, plan.simulation),
        end_(path.back().account.destination) {
    if (collective.goal != nullptr) blocks_ = block_lengths(collective, plan.simulation);
    std::set<NodeId> senders;
    for (const PathMessage& one : path) senders.insert(one.account.source);
    for (const Unicast& unicast : collective.schedule.unicasts) {
      if (collective.is_one_message() || senders.count(unicast.u) == 0) continue;
      by_name_.emplace(std::pair(unicast.u, unicast.order), &unicast);
    }
  }

  // Null: it is the one message that carries the collective out, or of another collective.
  const Unicast* find(NodeId source, int order) const {
    const auto found = by_name_.find({source, order});
    return found == by_name_.end() ? nullptr : found->second;
  }

  // The share of its flits that would not be there if blocks could be divided at will.
  Amount unfilled_share(const Unicast& unicast) const {
    if (!blocks_) return 0;
    const auto flits = static_cast<Amount>(blocks_->flits_of(unicast));
    Amount even = 0;
    for (const BlockId block : unicast.blocks) even += even_length(block);
    return flits == 0 ? 0 : std::max<Amount>(0, 1 - even / flits);
  }

  // The cycles for which the flits of each step fill what `through` is.
  void add_through(const Bottleneck& through, Steps& steps) const {
    for (const Unicast& unicast : collective_.schedule.unicasts) {
      heed_stop();
      const std::size_t times = times_through(through, unicast);
      if (times == 0) continue;
      const auto flits = static_cast<Amount>(lengths_.flits_of(unicast));
      const StepIndex step = collective_.is_one_message() ? 1 : unicast.step;
      steps[step].through += static_cast<Amount>(times) * flits / through.rate;
    }
  }

  // Where blocks have fewer flits than parts.
  void tell_short_blocks(WayToBound& way) const {
    if (!blocks_ || collective_.goal->has_pair_lengths()) return;
    const int flits = whole_length(0);
    const auto parts = static_cast<int>(collective_.goal->part_count());
    if (flits >= parts) return;
    way.block_flits = flits;
    way.block_parts = parts;
  }

 private:
  // The flits of all parts of the block that `part` is of.
  int whole_length(BlockId part) const {
    const auto parts = static_cast<BlockId>(collective_.goal->part_count());
    int flits = 0;
    for (BlockId i = 0; i < parts; ++i) flits += blocks_->flits(part - part % parts + i);
    return flits;
  }
  // The flits that a block would have if they were shared evenly among those that have any.
  Amount even_length(BlockId block) const {
    if (blocks_->flits(block) == 0) return 0;
    const Collective& goal = *collective_.goal;
    const bool is_cut = goal.is_cut();
    const auto flits = static_cast<Amount>(is_cut ? plan_.simulation.flits : whole_length(block));
    const std::size_t blocks = is_cut ? goal.block_count() : goal.part_count();
    return flits / std::min(flits, static_cast<Amount>(blocks));
  }

  // How often the message of `unicast` goes through what the bound counts.
  std::size_t times_through(const Bottleneck& through, const Unicast& unicast) const {
    using Kind = Bottleneck::Kind;
    switch (through.kind) {
      case Kind::last_receiver:
      case Kind::node: {
        const NodeId node = through.kind == Kind::node ? through.node : end_;
        return through.sends ? unicast.u == node : is_received(unicast, node);
      }
      case Kind::nodes:
        return 1;
      case Kind::channels:
        return collective_.is_one_message() ? 1
               : goes_to_all(unicast.kind)  ? receivers(unicast, plan_.routing).size()
                                            : channels(unicast, plan_.routing).size();
      case Kind::cut:
        break;
    }
    if (collective_.is_one_message()) return leads_away(through, unicast.u, unicast.v);
    if (goes_to_all(unicast.kind)) return 0;
    std::size_t times = 0;
    for (const Channel channel : channels(unicast, plan_.routing)) {
      const NodeId there = *plan_.routing.topology().neighbour(channel.node, channel.port);
      times += leads_away(through, channel.node, there);
    }
    return times;
  }
  bool is_received(const Unicast& unicast, NodeId node) const {
    if (collective_.is_one_message() || unicast.kind == MessageKind::unicast) {
      return unicast.v == node;
    }
    const std::vector<NodeId> all = receivers(unicast, plan_.routing);
    return std::find(all.begin(), all.end(), node) != all.end();
  }
  static std::size_t leads_away(const Bottleneck& cut, NodeId from, NodeId to) {
    return cut.near[index(from)] && !cut.near[index(to)] ? 1 : 0;
  }

  const RunPlan& plan_;
  const PlannedCollective& collective_;
  const MessageLengths lengths_;
  std::optional<BlockLengths> blocks_;  // none: messages are whole
  const NodeId end_;                    // of the path
  std::map<std::pair<NodeId, int>, const Unicast*> by_name_;
};

class Split {
 public:
  Split(const RunPlan& plan, const PlannedCollective& collective, const LowerBound& bound,
        const Results& results)
      : bound_(bound),
        latency_(results.latency.max),
        path_(results.explanation->path),
        messages_(plan, collective, path_) {
    for (const PathMessage& one : path_) add(one);
    if (plan.simulation.skew > 0) (*this)[Excess::random] += latency_ - total_;
    total_ += plan.simulation.skew > 0 ? latency_ - total_ : 0;
  }

  // Whether its cycles are those of the largest latency.
  bool is_whole() const { return total_ == latency_ && latency_ >= bound_.cycles; }

  // By step, from step 1 on.
  std::vector<Cycle> transfers() const {
    std::vector<Cycle> list;
    for (const auto& [number, step] : steps_) {
      if (number < 1) continue;
      list.resize(std::max(list.size(), static_cast<std::size_t>(number)), 0);
      list[static_cast<std::size_t>(number) - 1] = step.transfer;
    }
    return list;
  }

  // `through` is what the bound of the collective itself counts.
  WayToBound take(const Bottleneck& through) {
    messages_.add_through(through, steps_);
    const Cycle covered = cover();
    fill(covered);
    WayToBound way{bound_.cycles, std::string(bound_.binds), latency_};
    messages_.tell_short_blocks(way);
    add_steps(way);
    for (const ExcessRow& row : excess_rows) {
      if ((*this)[row.part] > 0) add(way, {row.part, (*this)[row.part]});
    }
    std::stable_sort(way.parts.begin(), way.parts.end(),
                     [](const auto& a, const auto& b) { return a.cycles > b.cycles; });
    return way;
  }

 private:
  Cycle& operator[](Excess part) { return cycles_[static_cast<std::size_t>(part)]; }

  void add(const PathMessage& message);
  void add_transfer(const PathMessage& message, const PathStretch* stretch, Cycle cycles);
  Cycle cover();
  void fill(Cycle covered);
  void add_steps(WayToBound& way) const;
  // Cycles of one part from two sources are one part.
  static void add(WayToBound& way, ExcessPart more) {
    for (ExcessPart& one : way.parts) {
      if (one.part != more.part) continue;
      one.cycles += more.cycles;
      return;
    }
    way.parts.push_back(std::move(more));
  }

  const LowerBound& bound_;
  const Cycle latency_;
  const std::vector<PathMessage>& path_;
  PathMessages messages_;
  Steps steps_;
  std::array<Cycle, excess_count> cycles_{};  // of the path, but for what the steps have
  Cycle total_ = 0;
};

void Split::add(const PathMessage& message) {
  // With store-and-forward, flits follow one another in every router.
  Cycle room = message.account.flits - 1;
  for (const PathStretch& stretch : message.stretches) {
    total_ += stretch.cycles;
    if (!is_transfer(stretch.cause)) {
      (*this)[part_of(stretch)] += stretch.cycles;
      continue;
    }
    Cycle cycles = stretch.cycles;
    if (stretch.cause == Cause::length) {
      cycles = std::min(cycles, room);
      room -= cycles;
    }
    add_transfer(message, &stretch, cycles);
  }
  // The first flit takes a cycle, on the ejection channel.
  --(*this)[Excess::hops];
  add_transfer(message, nullptr, 1);
}

// `stretch`: those of which `cycles` are; what it has beyond is stored. Null: it is none.
void Split::add_transfer(const PathMessage& message, const PathStretch* stretch, Cycle cycles) {
  const Unicast* const own = messages_.find(message.account.source, message.account.order);
  const Unicast* sent = own;
  if (stretch != nullptr && stretch->blamed) {
    sent = messages_.find(stretch->blamed->u, stretch->blamed->order);
    if (sent == nullptr) sent = own;
  }
  Step& step = steps_[sent == nullptr ? 1 : sent->step];
  step.transfer += cycles;
  if (sent != nullptr) {
    step.unfilled += static_cast<Amount>(cycles) * messages_.unfilled_share(*sent);
  }
  if (stretch != nullptr) step.stored += stretch->cycles - cycles;
}

// Takes what the bound counts away from the cycles of the path, each from its like. Where the path
// has fewer, the rest is taken from what it has besides. Returns the cycles of flits taken.
Cycle Split::cover() {
  Cycle rest = 0;
  const auto take = [](Cycle& from, Cycle most) {
    const Cycle taken = std::min(from, most);
    from -= taken;
    return taken;
  };
  const auto cover_part = [&](Excess part, Cycle counted) {
    rest += counted - take((*this)[part], counted);
  };
  cover_part(Excess::startups, bound_.of.startups);
  cover_part(Excess::receipts, bound_.of.receipts);
  cover_part(Excess::hops, bound_.of.hops);
  Cycle transfer = 0;
  for (const auto& [number, step] : steps_) transfer += step.transfer;
  const Cycle covered = std::min(transfer, bound_.of.flits + rest);
  rest += bound_.of.flits - covered;
  for (auto& [number, step] : steps_) rest -= take(step.stored, rest);
  for (const Excess part : {Excess::contention, Excess::routers, Excess::hops, Excess::startups,
                            Excess::receipts, Excess::random}) {
    rest -= take((*this)[part], rest);
  }
  return covered;
}

// Shares the cycles that flits fill where the bound counts among the steps: those of a step first
// among its own, what is more among all. `covered` are filled at least.
void Split::fill(Cycle covered) {
  Amount all = 0;
  Amount more = 0;
  for (auto& [number, step] : steps_) {
    step.shared = std::min(static_cast<Amount>(step.transfer), step.through);
    more += step.through - step.shared;
  }
  Cycle count = 0;
  for (auto& [number, step] : steps_) {
    const Amount taken = std::min(static_cast<Amount>(step.transfer) - step.shared, more);
    more -= taken;
    all += step.shared += taken;
    step.filled = std::clamp<Cycle>(rounded_up(all) - count, 0, step.transfer);
    count += step.filled;
  }
  (*this)[Excess::unneeded] += std::max<Cycle>(count - covered, 0);
  Cycle rest = std::max<Cycle>(covered - count, 0);
  for (auto& [number, step] : steps_) {
    const Cycle taken = std::min(rest, step.transfer - step.filled);
    step.filled += taken;
    rest -= taken;
  }
}

void Split::add_steps(WayToBound& way) const {
  ExcessPart idle{Excess::idle_ports};
  ExcessPart unfilled{Excess::unfilled};
  ExcessPart pipeline{Excess::pipeline};
  const auto add_step = [](ExcessPart& part, const Step& step, StepIndex number, Cycle cycles) {
    if (cycles == 0) return;
    part.cycles += cycles;
    part.steps.push_back({number, cycles, step.transfer});
  };
  Amount all = 0;
  for (const auto& [number, step] : steps_) {
    const Cycle empty = step.transfer - step.filled;
    if (step.through == 0) {
      add_step(pipeline, step, number, empty + step.stored);
      continue;
    }
    all += std::min(step.unfilled, static_cast<Amount>(step.transfer) - step.shared);
    const Cycle longer = std::clamp<Cycle>(rounded_down(all) - unfilled.cycles, 0, empty);
    add_step(unfilled, step, number, longer);
    add_step(idle, step, number, empty - longer);
    add_step(pipeline, step, number, step.stored);
  }
  for (ExcessPart* const part : {&idle, &unfilled, &pipeline}) {
    if (part->cycles > 0) way.parts.push_back(std::move(*part));
  }
}

// Why what `plan` carries out has no lower bound; empty: it has.
std::string why_unbounded(const RunPlan& plan) {
  if (!plan.is_scheduled()) return plan.kind().no_bound;
  if (!plan.simulation.model.is_default()) {
    return "A run under a node model of its own has no lower bound: the bounds know ts and tr only.";
  }
  for (const std::vector<PlannedCollective>& trial : plan.trials()) {
    for (const PlannedCollective& one : trial) {
      if (one.is_barrier) continue;
      if (one.has_joins()) {
        return "Joins have no lower bound: routers add, and the bounds count what nodes send.";
      }
      if (one.sources.size() != 1 && one.goal == nullptr) {
        return "A schedule with several sources has no lower bound.";
      }
    }
  }
  return {};
}

const PlannedCollective& path_collective(const RunPlan& plan, const MessageAccount& account) {
  return plan.trials()
      .at(static_cast<std::size_t>(account.trial))
      .at(static_cast<std::size_t>(account.collective));
}

std::string split(const RunPlan& plan, Results& results) {
  if (std::string why = why_unbounded(plan); !why.empty()) return why;
  Explanation& explanation = *results.explanation;
  if (!results.is_complete() || !results.has_latency() || explanation.path.empty()) {
    return "The run is not complete, so that its way to the lower bound is not known.";
  }
  const std::optional<LowerBound> bound = lower_bound_of(plan);
  const PlannedCollective& one = path_collective(plan, explanation.path.back().account);
  const std::optional<LowerBound> own = lower_bound_of(plan, one);
  Split parts(plan, one, *bound, results);
  if (!parts.is_whole()) return "The critical path is not known, since an interrupt came before.";
  explanation.to_bound = parts.take(own->through);
  return {};
}

}  // namespace

void tell_way_to_bound(const RunPlan& plan, Results& results, StopFlag stop) {
  if (!results.explanation) return;
  try {
    const Stoppable heeds(stop);
    results.explanation->no_bound = plan.request.explain.causes
                                        ? split(plan, results)
                                        : "The causes of the latencies were not asked for.";
  } catch (const Stopped&) {
    results.explanation->no_bound = "The lower bound is not known: interrupted.";
  }
}

std::vector<Cycle> transfers_by_step(const RunPlan& plan, const Results& results) {
  if (!results.explanation || !results.explanation->to_bound) return {};
  const std::vector<PathMessage>& path = results.explanation->path;
  const PlannedCollective& one = path_collective(plan, path.back().account);
  return Split(plan, one, LowerBound{}, results).transfers();
}

}  // namespace allport
