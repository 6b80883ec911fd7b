// SPDX-License-Identifier: Apache-2.0
// This is the rule of contention (docs/router.md, section 9), once for everything that observes it:
// it says which message keeps a flit off an output, and whether that is contention. Nothing here
// has a state of its own.
#pragma once

#include <functional>
#include <vector>

#include "rtl_model/base/bits.h"
#include "rtl_model/systemc/router_state.h"
#include "testbench/observe/monitors/route_log.h"
#include "tlm/message/message_log.h"

namespace allport {

/// The message that keeps the front flit of `stalled`, which is in the buffer `input_vc`, off
/// `output` of `router` in its last evaluated cycle; no_message: none does (a credit is missing, or
/// something else that the switching mode demands, or another output of its input was chosen).
/// `credits` gives those of an output VC in that cycle. It may be called before or after the tails
/// of the cycle release their virtual channels.
template <class Credits>
MessageId holding_message(const RouterState& router, const RouterState::Stalled& stalled,
                          int input_vc, int output, const Credits& credits) {
  const int output_vc = router.output_vc(input_vc, output);
  if ((router.owned(input_vc) >> output & 1U) == 0) {
    const MessageId owner = router.owner_message(output_vc);
    if (owner != no_message) return owner;  // otherwise its tail leaves in this cycle
  } else if ((stalled.unready >> output & 1U) != 0 || credits(output_vc) == 0) {
    return no_message;
  }
  return router.driver(output);
}

/// A loss: `waiting` is kept off `output` of the router of `node` by `holding`.
struct Loss {
  NodeId node{};
  int output = 0;
  MessageId waiting = no_message;
  MessageId holding = no_message;
};

/// Calls `use(loss, input_vc)` for every branch of a front flit that another message kept off its
/// output in the last evaluated cycle of `router`; `input_vc` is the buffer of the flit. `credits`:
/// as for holding_message().
template <class Credits, class Use>
void for_each_loss(const RouterState& router, const Credits& credits, const Use& use) {
  for (const RouterState::Stalled& stalled : router.stalled()) {
    const int input_vc = router.config().channel_vc(stalled.input, stalled.vc);
    const MessageId waiting = router.front(input_vc).message;
    for (const int output : bits(stalled.branches)) {
      const MessageId holding = holding_message(router, stalled, input_vc, output, credits);
      if (holding != no_message) use(Loss{router.node(), output, waiting, holding}, input_vc);
    }
  }
}

/// Whether a loss is contention.
using IsContention = std::function<bool(const Loss&)>;

/// Whether two messages of one sender reach `output` of `node` by the same way; the routes of both,
/// as the routing names them, must lead over it.
bool share_way(const MessageRecord& a, const MessageRecord& b, NodeId node, int output,
               const Routing& routing);

/// The same for the channels that two messages have taken so far; both have reached `node`.
bool share_way(const std::vector<Channel>& a, const std::vector<Channel>& b, NodeId node);

/// Distinguishes contention from a queue. Log, routing and routes must outlive it.
class ContentionRule {
 public:
  /// `taken`: the channels that messages took; null: they take those that the routing names.
  ContentionRule(const MessageLog& log, const Routing& routing, const RouteLog* taken = nullptr)
      : log_(&log), routing_(&routing), taken_(taken) {}

  /// A message never contends with itself, nor with one of the same sender and message class that
  /// came by the same way; a join has many senders.
  bool is_contention(const Loss& loss) const {
    if (loss.waiting == loss.holding) return false;
    const MessageRecord& waiting = (*log_)[loss.waiting];
    const MessageRecord& holding = (*log_)[loss.holding];
    if (waiting.source != holding.source) return true;
    if (waiting.message_class != holding.message_class) return true;
    if (is_join(waiting.kind) || is_join(holding.kind)) return true;
    return taken_ != nullptr
               ? !share_way(taken_->of(loss.waiting), taken_->of(loss.holding), loss.node)
               : !share_way(waiting, holding, loss.node, loss.output, *routing_);
  }
  const MessageLog& log() const { return *log_; }

 private:
  const MessageLog* log_;
  const Routing* routing_;
  const RouteLog* taken_;
};

}  // namespace allport
