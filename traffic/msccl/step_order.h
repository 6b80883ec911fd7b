// SPDX-License-Identifier: Apache-2.0
// A StepOrder says which step of an MSCCL program comes before which: the steps of a thread block
// follow each other, a step follows the one that it depends on, and the n-th receive from a GPU on
// a channel follows that GPU's n-th send to it on this channel; besides, steps wait as the program
// says (MscclProgram::waits). The order in which steps run on a
// fabric depends on its speed; here a message takes one unit of time, and all else none.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "traffic/msccl/msccl_program.h"
#include "traffic/proof/schedule_check.h"

namespace allport {

/// A step by its number among all steps of the program: GPU by GPU, thread block by thread block.
using StepId = std::uint32_t;
constexpr StepId no_step = static_cast<StepId>(-1);

class StepOrder {
 public:
  /// Finds the order. What stands in its way is added to `findings`: sends and receives that do not
  /// match, dependencies on what does not signal, waits in a circle. `program` must outlive it.
  StepOrder(const MscclProgram& program, Finding& findings);

  std::size_t size() const { return steps_.size(); }
  const MscclStep& step(StepId id) const { return *steps_[id].step; }
  std::size_t gpu(StepId id) const { return steps_[id].gpu; }
  /// `gpu 3, tb 0, step 2`
  std::string describe(StepId id) const;
  /// The send that receive `id` receives from.
  StepId sender(StepId id) const { return steps_[id].sender; }
  /// The receive that send `id` sends to.
  StepId receiver(StepId id) const { return steps_[id].receiver; }

  /// All steps, each after those that it waits for: earlier ones first, of those of one time in the
  /// order of GPUs and thread blocks. It is shorter than the program if there are findings.
  const std::vector<StepId>& in_order() const { return in_order_; }
  /// The time at which `id` runs; a thread block goes on one unit of time after a send.
  int time(StepId id) const { return steps_[id].time; }
  /// Whether `first` always comes before `second`. Throws std::invalid_argument when the answers
  /// to all questions together are too much work.
  bool is_before(StepId first, StepId second) const;

 private:
  struct Step {
    const MscclStep* step = nullptr;
    std::uint32_t gpu = 0;
    std::uint32_t block = 0;
    std::uint32_t number = 0;
    StepId after = no_step;  // the step that it depends on
    StepId sender = no_step;
    StepId receiver = no_step;
    std::uint32_t place = 0;  // in in_order_
    int time = 0;
  };

  void number_steps();
  void match(Finding& findings);
  void join(const std::vector<StepId>& sends, const std::vector<StepId>& receives,
            Finding& findings);
  void require_peers(Finding& findings) const;
  void depend(Finding& findings);
  void add_waits();
  std::string dependence_fault(const Step& one) const;
  void sort(Finding& findings);
  void add_circle(std::vector<bool> is_done, Finding& findings) const;
  template <class Use>
  void for_each_before(StepId id, const Use& use) const;

  const MscclProgram& program_;
  std::vector<Step> steps_;
  std::vector<std::vector<StepId>> first_of_block_;  // by GPU and thread block
  std::vector<std::uint32_t> first_wait_;            // by step, and one more: its first of waits_
  std::vector<StepId> waits_;                        // the steps that a step waits for besides
  std::vector<StepId> in_order_;
  mutable std::vector<std::uint32_t> seen_;  // by step: the question in which it was seen last
  mutable std::uint32_t question_ = 0;
  mutable std::size_t work_ = 0;
};

}  // namespace allport
