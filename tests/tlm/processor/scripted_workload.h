// SPDX-License-Identifier: Apache-2.0
// A ScriptedWorkload is a workload written by a test: each node sends what it is given, in order.
#pragma once

#include <cstddef>
#include <deque>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "rtl_model/systemc/cycle_clock.h"
#include "tests/support/worm.h"
#include "tlm/message/message.h"
#include "tlm/processor/workload.h"

namespace allport::test {

class ScriptedWorkload final : public Workload {
 public:
  /// `clock` counts the cycles of receptions, if there are any.
  explicit ScriptedWorkload(MessagePool& pool, const CycleClock* clock = nullptr,
                            bool depends_on_receptions = false)
      : pool_(pool), clock_(clock), depends_on_receptions_(depends_on_receptions) {}

  /// `from` sends 8 bytes to `to`; they may be prepared from cycle `ready` on.
  void add(std::size_t from, Cycle ready, std::size_t to) { sends_[from].push_back({ready, to}); }
  /// Makes `node` answer the messages from nodes that do not answer, the last message first.
  void answer(std::size_t node) { answering_.insert(node); }

  // Workload
  void reset() override { sends_.clear(); }
  Cycle next_ready(NodeId node) const override {
    const auto found = sends_.find(index(node));
    return found == sends_.end() || found->second.empty() ? never : found->second.front().first;
  }
  tlm::tlm_generic_payload& take_next(NodeId node, Cycle now) override {
    auto& sends = sends_[index(node)];
    tlm::tlm_generic_payload& message = pool_.allocate(8);
    message.set_address(sends.front().second);
    note(begun[index(node)], std::to_string(sends.front().second), now);
    sends.pop_front();
    return message;
  }
  void on_message(NodeId node, tlm::tlm_generic_payload& message, Cycle) override {
    const std::size_t source = index(message_extension(message)->source);
    note(has[index(node)], std::to_string(source), clock_->cycle());
    const bool is_answered = answering_.count(index(node)) > 0 && answering_.count(source) == 0;
    if (is_answered) sends_[index(node)].push_front({0, source});
  }
  bool depends_on_receptions() const override { return depends_on_receptions_; }

  std::map<std::size_t, std::string> begun;  ///< by node: destinations, each with its cycle
  std::map<std::size_t, std::string> has;    ///< by node: sources, each with its cycle

 private:
  MessagePool& pool_;
  const CycleClock* clock_;
  bool depends_on_receptions_;
  std::map<std::size_t, std::deque<std::pair<Cycle, std::size_t>>> sends_;
  std::set<std::size_t> answering_;
};

}  // namespace allport::test
