// SPDX-License-Identifier: Apache-2.0
#include "traffic/msccl/step_order.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <queue>
#include <stdexcept>
#include <tuple>
#include <utility>

#include "rtl_model/base/circle.h"

namespace allport {

namespace {

constexpr std::size_t most_work = std::size_t{1} << 30;  // steps looked at to answer all questions

std::string to_gpu(std::size_t gpu, int channel) {
  return "gpu " + std::to_string(gpu) + " on channel " + std::to_string(channel);
}

}  // namespace

StepOrder::StepOrder(const MscclProgram& program, Finding& findings) : program_(program) {
  for (const std::string& fault : program.faults) findings.add(fault);
  number_steps();
  require_peers(findings);
  if (!findings.ok()) return;
  match(findings);
  depend(findings);
  add_waits();
  if (findings.ok()) sort(findings);
  seen_.resize(steps_.size());
}

std::string StepOrder::describe(StepId id) const {
  const PlanPlace& origin = steps_[id].step->origin;
  if (origin.gpu >= 0) return msccl_place(origin);
  return msccl_place(steps_[id].gpu, steps_[id].block, steps_[id].number);
}

void StepOrder::number_steps() {
  for (std::uint32_t gpu = 0; gpu < program_.gpus.size(); ++gpu) {
    std::vector<StepId>& first = first_of_block_.emplace_back();
    for (std::uint32_t block = 0; block < program_.gpus[gpu].blocks.size(); ++block) {
      first.push_back(static_cast<StepId>(steps_.size()));
      const std::vector<MscclStep>& steps = program_.gpus[gpu].blocks[block].steps;
      for (std::uint32_t i = 0; i < steps.size(); ++i) {
        steps_.push_back({&steps[i], gpu, block, i});
      }
    }
  }
}

void StepOrder::require_peers(Finding& findings) const {
  for (StepId id = 0; id < steps_.size(); ++id) {
    const Step& one = steps_[id];
    const MscclThreadBlock& block = program_.gpus[one.gpu].blocks[one.block];
    if (sends(one.step->action) && block.sends_to < 0) {
      findings.add(describe(id) + ": it sends, but its thread block has no peer to send to");
    }
    if (receives(one.step->action) && block.receives_from < 0) {
      findings.add(describe(id) +
                   ": it receives, but its thread block has no peer to receive from");
    }
  }
}

void StepOrder::match(Finding& findings) {
  using Connection = std::tuple<int, int, int>;  // sender, receiver, channel
  struct Ends {
    std::vector<StepId> sends, receives;
    int sender_block = -1, receiver_block = -1;
  };
  std::map<Connection, Ends> connections;
  const auto take = [&](int& block, const Step& one, const char* does, StepId id) {
    const int number = static_cast<int>(one.block);
    if (block >= 0 && block != number) {
      findings.add(describe(id) + ": it " + does + " the same peer on the same channel as tb " +
                   std::to_string(block) + "; one thread block must do so alone");
    }
    if (block < 0) block = number;
  };
  for (StepId id = 0; id < steps_.size(); ++id) {
    const Step& one = steps_[id];
    const MscclThreadBlock& block = program_.gpus[one.gpu].blocks[one.block];
    const int gpu = static_cast<int>(one.gpu);
    if (sends(one.step->action)) {
      Ends& ends = connections[{gpu, block.sends_to, block.channel}];
      take(ends.sender_block, one, "sends to", id);
      ends.sends.push_back(id);
    }
    if (receives(one.step->action)) {
      Ends& ends = connections[{block.receives_from, gpu, block.channel}];
      take(ends.receiver_block, one, "receives from", id);
      ends.receives.push_back(id);
    }
  }
  for (const auto& [connection, ends] : connections) join(ends.sends, ends.receives, findings);
}

void StepOrder::join(const std::vector<StepId>& sends, const std::vector<StepId>& receives,
                     Finding& findings) {
  const std::size_t both = std::min(sends.size(), receives.size());
  for (std::size_t i = 0; i < both; ++i) {
    Step& send = steps_[sends[i]];
    Step& receive = steps_[receives[i]];
    send.receiver = receives[i];
    receive.sender = sends[i];
    if (send.step->count == receive.step->count) continue;
    findings.add(describe(sends[i]) + ": it sends " + std::to_string(send.step->count) +
                 " chunks, but " + describe(receives[i]) + " receives " +
                 std::to_string(receive.step->count));
  }
  if (sends.size() == receives.size()) return;
  const bool lacks_receive = sends.size() > both;
  const StepId id = lacks_receive ? sends[both] : receives[both];
  const Step& one = steps_[id];
  const MscclThreadBlock& block = program_.gpus[one.gpu].blocks[one.block];
  const int peer = lacks_receive ? block.sends_to : block.receives_from;
  findings.add(describe(id) + ": it is number " + std::to_string(both + 1) +
               (lacks_receive ? " to send to " : " to receive from ") +
               to_gpu(static_cast<std::size_t>(peer), block.channel) + ", which " +
               (lacks_receive ? "receives " : "sends ") + std::to_string(both) + " times there");
}

std::string StepOrder::dependence_fault(const Step& one) const {
  const std::vector<MscclThreadBlock>& blocks = program_.gpus[one.gpu].blocks;
  const MscclStep& step = *one.step;
  const auto block = static_cast<std::size_t>(step.depends_block);
  const std::string on = "it depends on tb " + std::to_string(step.depends_block) + ", step " +
                         std::to_string(step.depends_step) + ", ";
  const bool is_there = block < blocks.size() && step.depends_step >= 0 &&
                        static_cast<std::size_t>(step.depends_step) < blocks[block].steps.size();
  if (!is_there) return on + "which is not there";
  if (blocks[block].steps[static_cast<std::size_t>(step.depends_step)].signals) return {};
  return on + "which does not signal that it has run: it has no hasdep=\"1\"";
}

void StepOrder::depend(Finding& findings) {
  for (StepId id = 0; id < steps_.size(); ++id) {
    Step& one = steps_[id];
    if (one.step->depends_block < 0) continue;
    if (const std::string fault = dependence_fault(one); !fault.empty()) {
      findings.add(describe(id) + ": " + fault);
      continue;
    }
    const auto block = static_cast<std::size_t>(one.step->depends_block);
    one.after = first_of_block_[one.gpu][block] + static_cast<StepId>(one.step->depends_step);
  }
}

void StepOrder::add_waits() {
  const auto id_of = [this](const MscclStepPlace& place) {
    return first_of_block_[place.gpu][place.block] + static_cast<StepId>(place.step);
  };
  first_wait_.assign(steps_.size() + 1, 0);
  for (const MscclWait& one : program_.waits) ++first_wait_[id_of(one.after) + 1];
  std::partial_sum(first_wait_.begin(), first_wait_.end(), first_wait_.begin());
  waits_.resize(program_.waits.size());
  std::vector<std::uint32_t> next(first_wait_.begin(), first_wait_.end() - 1);
  for (const MscclWait& one : program_.waits) waits_[next[id_of(one.after)]++] = id_of(one.before);
}

// Calls `use(step, time that passes after it)` for each step that `id` waits for.
template <class Use>
void StepOrder::for_each_before(StepId id, const Use& use) const {
  const Step& one = steps_[id];
  if (one.number > 0) use(id - 1, sends(steps_[id - 1].step->action) ? 1 : 0);
  if (one.after != no_step) use(one.after, 0);
  if (one.sender != no_step) use(one.sender, 1);
  for (std::uint32_t i = first_wait_[id]; i < first_wait_[id + 1]; ++i) use(waits_[i], 0);
}

void StepOrder::sort(Finding& findings) {
  std::vector<std::uint32_t> missing(steps_.size());
  std::vector<std::vector<StepId>> dependents(steps_.size());
  using Turn = std::tuple<int, std::uint32_t, std::uint32_t, StepId>;  // time, gpu, block
  std::priority_queue<Turn, std::vector<Turn>, std::greater<>> ready;
  const auto push = [&](StepId id) {
    ready.emplace(steps_[id].time, steps_[id].gpu, steps_[id].block, id);
  };
  for (StepId id = 0; id < steps_.size(); ++id) {
    for_each_before(id, [&](StepId before, int) {
      dependents[before].push_back(id);
      ++missing[id];
    });
    if (missing[id] == 0) push(id);
  }
  std::vector<bool> is_done(steps_.size());
  while (!ready.empty()) {
    const StepId id = std::get<3>(ready.top());
    ready.pop();
    is_done[id] = true;
    steps_[id].place = static_cast<std::uint32_t>(in_order_.size());
    in_order_.push_back(id);
    for (const StepId next : dependents[id]) {
      if (--missing[next] > 0) continue;
      for_each_before(next, [&](StepId before, int passes) {
        steps_[next].time = std::max(steps_[next].time, steps_[before].time + passes);
      });
      push(next);
    }
  }
  if (in_order_.size() < steps_.size()) add_circle(std::move(is_done), findings);
}

// Goes back from a step that never runs to what it waits for, until a step comes again.
void StepOrder::add_circle(std::vector<bool> is_done, Finding& findings) const {
  const auto first = std::find(is_done.begin(), is_done.end(), false) - is_done.begin();
  const auto awaited = [&](StepId id) {
    StepId last = no_step;
    for_each_before(id, [&](StepId before, int) {
      if (!is_done[before]) last = before;
    });
    return last;
  };
  const std::vector<StepId> way = follow_waits(static_cast<StepId>(first), awaited).vertices;
  std::string circle = describe(way.front()) + ": it waits in a circle";
  constexpr std::size_t most = 4;  // steps that the sentence names
  for (std::size_t i = 1; i < std::min(way.size(), most); ++i) {
    circle += std::string(i == 1 ? " for " : ", that for ") + describe(way[i]);
  }
  if (way.size() > most) circle += " and " + std::to_string(way.size() - most) + " more";
  findings.add(circle);
}

// Looks back from `second`, nearest steps first, through those that come after `first`.
bool StepOrder::is_before(StepId first, StepId second) const {
  if (first == second) return false;
  const Step& a = steps_[first];
  const Step& b = steps_[second];
  if (a.gpu == b.gpu && a.block == b.block) return a.number < b.number;
  ++question_;
  std::vector<StepId> queue{second};
  bool is_found = false;
  for (std::size_t i = 0; i < queue.size() && !is_found; ++i) {
    for_each_before(queue[i], [&](StepId before, int) {
      const Step& one = steps_[before];
      is_found = is_found || before == first ||
                 (one.gpu == a.gpu && one.block == a.block && one.number >= a.number);
      if (one.place <= a.place || seen_[before] == question_) return;
      seen_[before] = question_;
      queue.push_back(before);
    });
  }
  if ((work_ += queue.size()) > most_work) {
    throw std::invalid_argument(
        "the steps depend on each other in so long ways that the order of reads and writes cannot be proved");
  }
  return is_found;
}

}  // namespace allport
