// SPDX-License-Identifier: Apache-2.0
// A ClosedLoopWorkload keeps a number of requests of each node under way (docs/guide/traffic.md,
// "A closed loop"): who receives a request sends a reply, and who has its reply makes the next
// request in the same cycle.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <queue>
#include <tuple>
#include <vector>

#include "rtl_model/base/split_mix.h"
#include "tlm/message/message.h"
#include "tlm/processor/plain_messages.h"
#include "tlm/processor/processor_rule.h"
#include "tlm/processor/reception_taker.h"
#include "traffic/patterns/synthetic_traffic.h"

namespace allport {

class ClosedLoopWorkload final : public Workload {
 public:
  /// The workload of `nodes` nodes, whose replies have the message class `reply_class`, and
  /// requests 0. All references must outlive it. `taker`, if it is not null, takes the messages out
  /// of reception buffers: a reply when its node has it, a request when its reply is prepared.
  ClosedLoopWorkload(const NodeConfig& config, MessagePool& pool, MessageBytes bytes,
                     std::size_t nodes, int reply_class, ReceptionTaker* taker);

  /// Has every node make the first requests of the loop of `traffic`, which must outlive the trial.
  /// Each message is delayed at its injection port by a draw of 0 .. jitter_max cycles
  /// (docs/guide/randomness.md).
  void start(const SyntheticTraffic& traffic, Cycle jitter_max);

  /// A request whose reply has come.
  struct RoundTrip {
    Cycle made = 0;
    Cycle replied = 0;  ///< when its node had the reply
  };
  const std::vector<RoundTrip>& round_trips() const { return round_trips_; }
  /// The requests made in cycles `from` .. `to` - 1, whatever became of them.
  std::uint64_t made_in(Cycle from, Cycle to) const;

  // Workload
  void reset() override;
  Cycle next_ready(NodeId node) const override;
  tlm::tlm_generic_payload& take_next(NodeId node, Cycle now) override;
  void on_message(NodeId node, tlm::tlm_generic_payload& message, Cycle now) override;
  bool depends_on_receptions() const override { return true; }

 private:
  struct Waiting {  // a message that is to be prepared
    Cycle ready = 0;
    std::uint64_t number = 0;  // in the order in which a node came to know of them
    NodeId destination{};
    bool is_reply = false;
    Cycle made = 0;      // the request, its own or the one that it replies to
    Received request{};  // of a reply
    bool operator>(const Waiting& other) const {
      return std::tie(ready, number) > std::tie(other.ready, other.number);
    }
  };
  struct Sent {
    bool is_reply = false;
    Cycle made = 0;  // as above
  };
  struct Party {
    SplitMix64 destinations{0};
    SplitMix64 jitter{0};
    std::priority_queue<Waiting, std::vector<Waiting>, std::greater<>> waiting;
    std::uint64_t known = 0;  // messages so far, those that wait included
    std::vector<Sent> sent;   // by order
  };
  void make_request(NodeId node, Cycle now);

  const NodeConfig& config_;
  PlainMessages messages_;
  const SyntheticTraffic* traffic_ = nullptr;  // of the trial
  const int reply_class_;
  ReceptionTaker* const taker_;
  Cycle jitter_max_ = 0;
  std::vector<Party> parties_;  // by node
  std::vector<Cycle> made_;     // when requests were made
  std::vector<RoundTrip> round_trips_;
};

}  // namespace allport
