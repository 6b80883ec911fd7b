// SPDX-License-Identifier: Apache-2.0
// A ProcessorLog keeps what each processor did: the order in which it prepared its messages, and
// when it had nothing to prepare. What a message waited for there is a range of that, so that a
// queue is looked at once, and not again for each message in it.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

#include "tlm/message/message_log.h"

namespace allport {

class ProcessorLog {
 public:
  /// What a message waits for at its processor.
  struct Queue {
    MessageId last = no_message;   ///< in the way just before its processor begins it
    MessageId first = no_message;  ///< in the way when it is created
    std::uint32_t messages = 0;    ///< in the way one after another
  };

  /// `log` must outlive it, and not grow any more.
  ProcessorLog(const MessageLog& log, std::size_t nodes);

  /// What is in the way of what `node` sent of `message`, which it did not begin at once.
  Queue queue(MessageId message, NodeId node) const;
  /// Calls `visit(blamed, first, cycles)` for the cycles from the creation of what `node` sent of
  /// `message` until it begins to prepare it, or until cycle `end`, the last ones first, as long as
  /// it returns true: the message that it prepares meanwhile, or, while it has nothing to prepare,
  /// the one of the same collective that is due next.
  template <class Visit>
  void visit_waits(MessageId message, NodeId node, Cycle end, Visit visit) const {
    const MessageRecord& waiting = log_.sent(message, node);
    end = std::min(end, waiting.begun);
    if (end <= waiting.created) return;
    for (std::size_t at = stretch_at(message, node, end - 1); end > waiting.created; --at) {
      const Cycle from = std::max(stretches_[at].from, waiting.created);
      if (!visit(blamed(stretches_[at], waiting.collective), from, end - from)) return;
      end = from;
    }
  }

 private:
  /// The number of a sending: those of a node stand in the order in which it began them.
  using Place = std::uint32_t;
  /// What a processor does from a cycle on until the next one: it prepares the message at `place`,
  /// or has nothing to prepare until it begins that one.
  struct Stretch {
    Cycle from = 0;
    Place place = 0;
    bool is_idle = false;
  };
  /// From a stretch to the next one, what is in the way changes for messages of a collective by
  /// `more` messages more than for others.
  struct Exception {
    int collective = 0;
    std::uint32_t stretch = 0;
    std::int32_t more = 0;  // of all up to this one of the collective

    friend bool operator<(const Exception& a, const Exception& b) {
      return std::pair(a.collective, a.stretch) < std::pair(b.collective, b.stretch);
    }
  };

  void sort_sendings(const std::vector<Sending>& sendings, std::size_t nodes);
  void add_stretches(Place first, Place end);
  void add_changes(std::size_t stretch);
  void sum_up();
  Place place_of(MessageId message, NodeId node) const;
  std::size_t stretch_at(MessageId message, NodeId node, Cycle now) const;
  MessageId blamed(const Stretch& stretch, int collective) const;
  std::int32_t exceptions_before(int collective, std::size_t stretch) const;
  const MessageRecord& record(Place place) const {
    return log_.sent(order_[place].message, order_[place].node);
  }

  const MessageLog& log_;
  std::vector<Sending> order_;  // by place
  std::vector<Place> places_;   // by message; of a join it is nothing
  std::unordered_map<std::uint64_t, Place> contribution_places_;
  std::vector<std::pair<int, Place>> by_collective_;
  std::vector<Stretch> stretches_;          // of one node after the other, without a gap
  std::vector<std::uint32_t> first_ones_;   // by node: its first stretch
  std::vector<std::uint32_t> begun_after_;  // by place: stretches before it is begun
  std::vector<std::uint32_t> changes_;      // by stretch: changes up to it, the exceptions apart
  std::vector<Exception> exceptions_;
};

}  // namespace allport
