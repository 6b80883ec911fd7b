// SPDX-License-Identifier: Apache-2.0
// A processor under synthetic traffic: its messages start in the cycles, and go to the
// destinations, that a generator draws; they queue without bound. What it receives it forgets.
#pragma once

#include "tlm/processor/node.h"
#include "traffic/patterns/synthetic_traffic.h"

namespace allport {

/// A message of the configured length has the bytes that were asked for; a longer one fills its
/// flits.
std::size_t payload_bytes(const Start& start, const NodeConfig& config);

class PatternNode final : public Node {
 public:
  using Node::Node;

  void reset() override;
  /// Starts sending what `messages` draws; each message is delayed at its injection port by a draw
  /// of 0 .. jitter_max cycles from a generator of its own (docs/user-guide.md, jitter).
  void start(const MessageSource& messages, std::uint64_t jitter_seed, Cycle jitter_max);

 protected:
  std::optional<Cycle> next_ready() const override;
  tlm::tlm_generic_payload& take_next() override;
  void on_message(tlm::tlm_generic_payload&) override {}

 private:
  std::optional<MessageSource> messages_;
  std::optional<Start> next_;
  SplitMix64 jitter_{0};
  Cycle jitter_max_ = 0;
  int order_ = 0;
};

}  // namespace allport
