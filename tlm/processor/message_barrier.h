// SPDX-License-Identifier: Apache-2.0
// A MessageBarrier keeps collectives apart by barriers made of messages: a node enters the barrier
// after a collective when it has left the previous barrier and has what it receives in the
// collective; the next collective starts when its sources have left the barrier. The messages that
// the nodes send to enter and to leave are a collective of their own (Operation::barrier).
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
  /// A barrier, by the number of the collective before it, and a node.
  using Place = std::pair<std::size_t, NodeId>;

  explicit MessageBarrier(const sc_core::sc_module_name& name);

  /// Arms it for a run of `sources.size()` collectives with a barrier between each two.
  /// `is_receiver[c][v]`: node v receives something in collective c. `enter(b, v)` lets node v
  /// begin barrier b, `start(c)` starts collective c; the caller starts collective 0. Both are
  /// called one delta cycle after the event that allows them.
  void arm(std::vector<std::vector<NodeId>> sources, std::vector<std::vector<bool>> is_receiver,
           std::function<void(std::size_t, NodeId)> enter, std::function<void(std::size_t)> start);
  /// Notes that `node` has what it receives in `collective`.
  void complete(std::size_t collective, NodeId node);
  /// Notes that `node` has received all that `barrier` sends it: it leaves now or as soon as it has
  /// entered.
  void release(std::size_t barrier, NodeId node);

  /// A sentence if a node left before all had entered; otherwise empty.
  const std::string& finding() const { return finding_; }

 private:
  enum class State : std::uint8_t { outside, at_the_door, inside };

  void act();
  void leave(std::size_t barrier, NodeId node);
  void enter_if_ready(NodeId node);
  bool is_over(std::size_t barrier) const;

  std::vector<std::vector<NodeId>> sources_;    // by collective
  std::vector<std::vector<bool>> is_complete_;  // by collective, then node
  std::vector<std::size_t> entered_;            // number of nodes that have entered, by barrier
  std::vector<std::size_t> left_;               // number of barriers left, by node
  std::vector<State> state_;                    // state at the next barrier, by node
  std::vector<bool> is_released_;               // whether it may leave the next barrier, by node
  std::function<void(std::size_t, NodeId)> enter_;
  std::function<void(std::size_t)> start_;
  std::set<Place> entering_;       // nodes that are about to enter
  std::set<std::size_t> leaving_;  // barriers that a node left
  std::size_t started_ = 0;        // the last collective started
  std::string finding_;
  sc_core::sc_event change_;
};

}  // namespace allport
