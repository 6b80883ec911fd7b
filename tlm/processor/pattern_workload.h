// SPDX-License-Identifier: Apache-2.0
// A PatternWorkload is synthetic traffic: a generator draws the cycles in which the messages of a
// node start and the destinations to which they go; they queue without bound. A node forgets what
// it receives.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "rtl_model/base/split_mix.h"
#include "tlm/message/message.h"
#include "tlm/processor/plain_messages.h"
#include "tlm/processor/processor_rule.h"
#include "traffic/patterns/synthetic_traffic.h"

namespace allport {

class PatternWorkload final : public Workload {
 public:
  /// The workload of `nodes` nodes. Shared bytes are zeros. All references must outlive it.
  PatternWorkload(const NodeConfig& config, MessagePool& pool, MessageBytes bytes,
                  std::size_t nodes);

  /// Makes `node` send the messages that `messages` draws; each one is delayed at its injection
  /// port by a draw of 0 .. jitter_max cycles from a generator of its own
  /// (docs/guide/randomness.md).
  void start(NodeId node, const MessageSource& messages, std::uint64_t jitter_seed,
             Cycle jitter_max);
  /// No node starts a message after cycle `now`.
  void end(Cycle now);

  // Workload
  void reset() override;
  Cycle next_ready(NodeId node) const override;
  tlm::tlm_generic_payload& take_next(NodeId node, Cycle now) override;
  void on_message(NodeId, tlm::tlm_generic_payload&, Cycle) override {}
  bool depends_on_receptions() const override { return false; }

 private:
  struct Sender {
    std::optional<MessageSource> messages;
    std::optional<Start> next;
    SplitMix64 jitter{0};
    int order = 0;
  };
  std::optional<Start> next_of(Sender& sender) const;
  std::size_t bytes_of(const Start& start) const;

  const NodeConfig& config_;
  PlainMessages messages_;
  std::size_t nodes_;
  std::vector<Sender> senders_;  // by node
  Cycle jitter_max_ = 0;
  Cycle last_start_ = never;
};

}  // namespace allport
