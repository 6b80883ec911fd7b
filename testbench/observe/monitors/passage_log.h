// SPDX-License-Identifier: Apache-2.0
// A PassageLog keeps which channels, external and ejection ones, each message of a trial went out
// on, and when.
#pragma once

#include <vector>

#include "rtl_model/systemc/observers.h"

namespace allport {

/// A message on an output channel of a router.
struct ChannelPassage {
  Channel channel{};  ///< from external_ports on: an ejection channel
  Cycle head = 0;     ///< cycle of the head on the channel
  Cycle tail = -1;    ///< cycle of the tail on the channel; -1: it was never there
};

class PassageLog final : public FlitObserver {
 public:
  void on_sent(NodeId node, int output, const Flit& flit, Cycle on_channel) override;

  /// The passages of `message`, in the order of their heads.
  const std::vector<ChannelPassage>& of(MessageId message) const;

 private:
  std::vector<std::vector<ChannelPassage>> passages_;  // by message
};

}  // namespace allport
