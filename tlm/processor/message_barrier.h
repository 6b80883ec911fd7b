// SPDX-License-Identifier: Apache-2.0
// Keeps collectives apart by barriers made of messages: a node enters the barrier behind a
// collective when it has left the barrier before and has what it receives in the collective; the
// next collective starts when its sources have left. What the nodes send to enter and to leave is a
// collective of its own (Operation::barrier).
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <systemc>
#include <utility>
#include <vector>

#include "rtl_model/base/ids.h"
#include "rtl_model/systemc/language.h"

namespace allport {

class MessageBarrier : public sc_core::sc_module {
 public:
  /// Behind which collective, and at which node.
  using Place = std::pair<std::size_t, NodeId>;

  explicit MessageBarrier(const sc_core::sc_module_name& name);

  /// Arms it for a run of `sources.size()` collectives with a barrier between each two.
  /// `is_receiver[c][v]`: node v receives something in collective c. `enter(b, v)` lets node v
  /// begin barrier b, `start(c)` starts collective c; collective 0 is started by the caller. Both
  /// are called one delta cycle after what allows them.
  void arm(std::vector<std::vector<NodeId>> sources, std::vector<std::vector<bool>> is_receiver,
           std::function<void(std::size_t, NodeId)> enter, std::function<void(std::size_t)> start);
  /// `node` has what it receives in `collective`.
  void complete(std::size_t collective, NodeId node);
  /// `node` has received all that `barrier` sends it: it leaves, now or as soon as it has entered.
  void release(std::size_t barrier, NodeId node);

  /// Empty, or a sentence: a node left before all had entered.
  const std::string& finding() const { return finding_; }

 private:
  enum class State : std::uint8_t { outside, at_the_door, inside };

  void act();
  void leave(std::size_t barrier, NodeId node);
  void enter_if_ready(NodeId node);
  bool is_over(std::size_t barrier) const;

  std::vector<std::vector<NodeId>> sources_;    // by collective
  std::vector<std::vector<bool>> is_complete_;  // by collective, then node
  std::vector<std::size_t> entered_;            // how many nodes have, by barrier
  std::vector<std::size_t> left_;               // how many barriers, by node
  std::vector<State> state_;                    // as to the next one, by node
  std::vector<bool> is_released_;               // from the next one, by node
  std::function<void(std::size_t, NodeId)> enter_;
  std::function<void(std::size_t)> start_;
  std::set<Place> entering_;       // to be let in
  std::set<std::size_t> leaving_;  // barriers that somebody left
  std::size_t started_ = 0;        // the last collective that was
  std::string finding_;
  sc_core::sc_event change_;
};

}  // namespace allport
