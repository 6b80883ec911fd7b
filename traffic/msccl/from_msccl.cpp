// SPDX-License-Identifier: Apache-2.0
#include "traffic/msccl/from_msccl.h"

#include <algorithm>
#include <cstdint>
#include <deque>
#include <limits>
#include <stdexcept>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "traffic/msccl/chunk_flow.h"
#include "traffic/schedule/schedule.h"

namespace allport {

namespace {

// A node of a schedule has one sum of each block: a message of step t carries what the node has
// received of the block in earlier steps, each reception added to the sum, or in its place.
// SumSteps finds the steps of an MSCCL program's messages, and which of them add, so that each
// carries exactly what it carries in the program.
class SumSteps {
 public:
  // Sets `step` and `adds` of `unicasts`, one for each message of `flow`; each comes with its time
  // as its step. Throws std::invalid_argument naming GPU, thread block and step when there are no
  // such steps. All references must outlive it.
  SumSteps(const StepOrder& order, const ChunkFlow& flow, const Collective& goal,
           std::vector<Unicast>& unicasts);

 private:
  // What happens to one block at one node, by number of message; sends in the node's program.
  struct Events {
    std::vector<std::uint32_t> sends;
    std::vector<ValueId> sent;  // what each send carries, and, if it must be held, the result
    std::vector<std::uint32_t> receptions;
  };
  struct Bound {  // the later one's step is at least the earlier one's and `distance` more
    std::uint32_t later;
    StepIndex distance;
  };

  [[noreturn]] void refuse(StepId step, BlockId block) const;
  Events& events(std::size_t node, BlockId block);
  void collect(const Collective& goal);
  void note_use(ValueId id);
  void choose_adding();
  void bound(std::uint32_t earlier, std::uint32_t later, StepIndex distance);
  void bound_events(const Events& events);
  void raise();
  void verify(const Events& events, std::size_t node) const;

  const StepOrder& order_;
  const ChunkFlow& flow_;
  std::vector<Unicast>& unicasts_;
  std::size_t blocks_;
  std::unordered_map<std::uint64_t, Events> events_;  // by node and block
  std::vector<bool> is_added_;
  std::vector<bool> is_copied_;
  std::vector<std::vector<Bound>> bounds_;  // by earlier message
};

SumSteps::SumSteps(const StepOrder& order, const ChunkFlow& flow, const Collective& goal,
                   std::vector<Unicast>& unicasts)
    : order_(order),
      flow_(flow),
      unicasts_(unicasts),
      blocks_(goal.block_count()),
      is_added_(unicasts.size()),
      is_copied_(unicasts.size()),
      bounds_(unicasts.size()) {
  collect(goal);
  choose_adding();
  std::vector<std::uint32_t> last(goal.node_count(), std::numeric_limits<std::uint32_t>::max());
  for (std::uint32_t i = 0; i < unicasts_.size(); ++i) {
    std::uint32_t& before = last[index(unicasts_[i].u)];
    if (before < i) bound(before, i, 0);  // sums are sent in the order of steps
    before = i;
  }
  for (const auto& [place, events] : events_) bound_events(events);
  raise();
  for (const auto& [place, events] : events_) verify(events, place / blocks_);
}

void SumSteps::refuse(StepId step, BlockId block) const {
  throw std::invalid_argument(
      order_.describe(step) + ": a schedule has one sum of block " + std::to_string(block) +
      " at each node, and here the gpu keeps two apart or gives up a part of one");
}

SumSteps::Events& SumSteps::events(std::size_t node, BlockId block) {
  return events_[static_cast<std::uint64_t>(node) * blocks_ + block];
}

void SumSteps::collect(const Collective& goal) {
  const std::vector<ChunkMessage>& messages = flow_.messages();
  for (std::uint32_t i = 0; i < messages.size(); ++i) {
    for (const ValueId id : messages[i].values) {
      const BlockId block = flow_.value(id).block;
      Events& at_sender = events(index(unicasts_[i].u), block);
      at_sender.sends.push_back(i);
      at_sender.sent.push_back(id);
      events(index(unicasts_[i].v), block).receptions.push_back(i);
      note_use(id);
    }
  }
  for (std::size_t node = 0; node < goal.node_count(); ++node) {
    for (const ValueId id : flow_.results(node)) {
      events(node, flow_.value(id).block).sent.push_back(id);
      note_use(id);
    }
  }
}

// What is used without the node's own contribution began with a reception in its place.
void SumSteps::note_use(ValueId id) {
  const ChunkValue& value = flow_.value(id);
  for (std::size_t i = 0; i < value.messages.size(); ++i) {
    (value.has_own || i > 0 ? is_added_ : is_copied_)[value.messages[i]] = true;
  }
}

void SumSteps::choose_adding() {
  for (std::uint32_t i = 0; i < unicasts_.size(); ++i) {
    const StepId receiver = order_.receiver(flow_.messages()[i].send);
    if (is_added_[i] && is_copied_[i]) refuse(receiver, unicasts_[i].blocks.front());
    const bool is_used = is_added_[i] || is_copied_[i];
    unicasts_[i].adds = is_used ? is_added_[i] : reduces(order_.step(receiver).action);
  }
}

void SumSteps::bound(std::uint32_t earlier, std::uint32_t later, StepIndex distance) {
  bounds_[earlier].push_back({later, distance});
}

// A reception comes before the first send that contains it, and not before the send before that.
void SumSteps::bound_events(const Events& events) {
  std::unordered_set<std::uint32_t> seen;
  for (std::size_t i = 0; i < events.sent.size(); ++i) {
    const std::vector<std::uint32_t>& contained = flow_.value(events.sent[i]).messages;
    std::uint32_t first = std::numeric_limits<std::uint32_t>::max();
    for (const std::uint32_t message : contained) {
      if (!seen.insert(message).second) continue;
      if (i > 0) bound(events.sends[i - 1], message, 0);
      if (i < events.sends.size()) bound(message, events.sends[i], 1);
      // What is added to a reception comes after it.
      if (first < message && !unicasts_[first].adds) bound(first, message, 1);
      first = std::min(first, message);
    }
  }
}

void SumSteps::raise() {
  std::deque<std::uint32_t> changed;
  for (std::uint32_t i = 0; i < unicasts_.size(); ++i) changed.push_back(i);
  const StepIndex most = static_cast<StepIndex>(2 * unicasts_.size()) + 2;
  for (; !changed.empty(); changed.pop_front()) {
    const std::uint32_t i = changed.front();
    for (const Bound& one : bounds_[i]) {
      StepIndex& step = unicasts_[one.later].step;
      if (step >= unicasts_[i].step + one.distance) continue;
      step = unicasts_[i].step + one.distance;
      if (step > most) {
        refuse(flow_.messages()[one.later].send, unicasts_[one.later].blocks.front());
      }
      changed.push_back(one.later);
    }
  }
}

// Carries out the schedule for one block at one node, and compares what is sent.
void SumSteps::verify(const Events& events, std::size_t node) const {
  std::vector<std::uint32_t> receptions = events.receptions;
  std::stable_sort(receptions.begin(), receptions.end(),
                   [&](auto a, auto b) { return unicasts_[a].step < unicasts_[b].step; });
  bool has_own = true;
  std::vector<std::uint32_t> messages;
  Contributions sum{node_id(node)};
  auto next = receptions.begin();
  for (std::size_t i = 0; i < events.sent.size(); ++i) {
    const ChunkValue& value = flow_.value(events.sent[i]);
    const bool is_last = i == events.sends.size();
    for (; next != receptions.end(); ++next) {
      const Unicast& one = unicasts_[*next];
      if (!is_last && one.step >= unicasts_[events.sends[i]].step) break;
      const StepId receiver = order_.receiver(flow_.messages()[*next].send);
      const ChunkMessage& message = flow_.messages()[*next];
      const auto sent = std::find_if(message.values.begin(), message.values.end(), [&](ValueId id) {
        return flow_.value(id).block == value.block;
      });
      const Contributions& brought = flow_.value(*sent).contributions;
      if (!one.adds && brought.missing(sum)) refuse(receiver, value.block);
      if (one.adds && brought.common(sum)) refuse(receiver, value.block);
      if (one.adds) {
        sum.add(brought);
        messages.push_back(*next);
      } else {
        sum = brought;
        has_own = false;
        messages = {*next};
      }
    }
    std::sort(messages.begin(), messages.end());
    if (has_own == value.has_own && messages == value.messages) continue;
    refuse(is_last ? order_.receiver(flow_.messages()[receptions.back()].send)
                   : flow_.messages()[events.sends[i]].send,
           value.block);
  }
}

// The unicast of each message, with the time of its send as its step.
std::vector<Unicast> unicasts_of(const StepOrder& order, const ChunkFlow& flow, std::size_t gpus) {
  std::vector<int> sends(gpus);
  std::vector<Unicast> unicasts;
  for (const ChunkMessage& message : flow.messages()) {
    Unicast unicast;
    unicast.u = node_id(order.gpu(message.send));
    unicast.v = node_id(order.gpu(order.receiver(message.send)));
    unicast.order = sends[index(unicast.u)]++;
    unicast.step = static_cast<StepIndex>(order.time(message.send) + 1);
    unicast.displacement = order.step(message.send).displacement;
    for (const ValueId id : message.values) unicast.blocks.push_back(flow.value(id).block);
    std::vector<BlockId> sorted = unicast.blocks.values();
    std::sort(sorted.begin(), sorted.end());
    const auto twice = std::adjacent_find(sorted.begin(), sorted.end());
    if (twice != sorted.end()) {
      throw std::invalid_argument(order.describe(message.send) + ": it sends block " +
                                  std::to_string(*twice) +
                                  " twice, but a message of a schedule carries a block once");
    }
    unicasts.push_back(std::move(unicast));
  }
  return unicasts;
}

}  // namespace

Schedule from_msccl(const MscclProgram& program, const Collective& goal, Finding& findings) {
  const StepOrder order(program, findings);
  if (!findings.ok()) return {};
  const ChunkFlow flow(program, goal, order, findings);
  if (!findings.ok()) return {};
  Schedule schedule;
  schedule.unicasts = unicasts_of(order, flow, program.gpus.size());
  if (goal.is_reduction()) SumSteps(order, flow, goal, schedule.unicasts);
  if (goal.operation() == Operation::bcast && goal.block_count() == 1) {
    for (Unicast& unicast : schedule.unicasts) unicast.blocks.clear();  // the whole message
  }
  schedule.sort();
  return schedule;
}

}  // namespace allport
