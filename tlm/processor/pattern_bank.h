// SPDX-License-Identifier: Apache-2.0
// Many processors under synthetic traffic, each as a PatternNode. All messages point to the same
// bytes: nothing on their way could change them.
#pragma once

#include <optional>
#include <vector>

#include "tlm/processor/processor_bank.h"
#include "traffic/patterns/synthetic_traffic.h"

namespace allport {

class PatternBank final : public ProcessorBank {
 public:
  using ProcessorBank::ProcessorBank;

  void reset() override;
  /// `node` starts sending what `messages` draws; each message is delayed at its injection port by
  /// a draw of 0 .. jitter_max cycles from a generator of its own (docs/user-guide.md, jitter).
  void start(NodeId node, const MessageSource& messages, std::uint64_t jitter_seed,
             Cycle jitter_max);

 protected:
  Cycle next_ready(std::uint32_t node) const override;
  tlm::tlm_generic_payload& take_next(std::uint32_t node) override;
  void on_message(std::uint32_t, tlm::tlm_generic_payload&) override {}

 private:
  struct Sender {
    std::optional<MessageSource> messages;
    std::optional<Start> next;
    SplitMix64 jitter{0};
    int order = 0;
  };

  std::vector<Sender> senders_;  // by node
  std::vector<unsigned char> bytes_;
  Cycle jitter_max_ = 0;
};

}  // namespace allport
