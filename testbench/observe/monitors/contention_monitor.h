// SPDX-License-Identifier: Apache-2.0
// The contention monitor observes contention (docs/router.md, section 9; the rule is in
// contention_rule.h). Ejection channels are counted separately. There is one event per channel,
// waiting and holding message.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "rtl_model/router/router_parts.h"
#include "rtl_model/systemc/observers.h"
#include "testbench/observe/monitors/contention_rule.h"
#include "testbench/results/results.h"
#include "tlm/worm/listeners.h"

namespace allport {

/// The name of a message in results.
MessageName message_name(const MessageRecord& record);

class ContentionMonitor final : public StallObserver, public HearsInParts {
 public:
  /// The most events that a list of a pattern, of tasks or of a network that is driven has.
  static constexpr std::size_t max_listed = 100000;

  /// The routers of each of `parts` may be heard of in a thread of its own.
  explicit ContentionMonitor(const ContentionRule& rule, const RouterParts& parts = {})
      : rule_(rule), parts_(parts), heard_(static_cast<std::size_t>(parts.size())) {}
  ContentionMonitor(const ContentionMonitor&) = delete;
  ContentionMonitor& operator=(const ContentionMonitor&) = delete;
  ~ContentionMonitor() override = default;

  void on_stalled(const RouterState& router, Cycle first, Cycle cycles) override;

  /// Counts a loss of `cycles` cycles from `first` on if it is contention; returns whether it is.
  bool count(const RouterConfig& config, const Loss& loss, Cycle first, Cycle cycles);

  /// Counts what is heard of worms, or remembers it.
  void hear(const RouterConfig& config, const WormContention& wait) {
    const Loss loss{wait.node, wait.output, wait.waiting, wait.holding};
    const bool is_contention = count(config, loss, wait.first, wait.cycles);
    if (!is_contention && wait.input_vc >= 0) remember(config, loss, wait.input_vc, wait.first);
  }

  /// Remembers a loss that is not contention, of the flit in the buffer `input_vc`, from `first`
  /// on.
  void remember(const RouterConfig& config, const Loss& loss, int input_vc, Cycle first);

  /// The first cycle since reset of the loss of the flit in the buffer `input_vc`, whether or not
  /// it is contention; none if there was no loss.
  std::optional<Cycle> first_loss(const RouterConfig& config, const Loss& loss, int input_vc) const;

  const ContentionRule& rule() const { return rule_; }

  void reset();
  /// Takes over what `other` has seen, whose log has the same messages.
  void take_over(const ContentionMonitor& other);
  /// Adds what was seen since reset to `contention` and `reception`, as events of `trial`, sorted;
  /// each list grows to at most `max_listed` entries.
  void report(int trial, std::size_t max_listed, Contention& contention,
              Contention& reception) const;

 private:
  struct Key {
    std::uint32_t node;
    std::uint32_t output;
    MessageId waiting;
    MessageId holding;
    bool operator==(const Key& other) const {
      return node == other.node && output == other.output && waiting == other.waiting &&
             holding == other.holding;
    }
  };
  struct KeyHash {
    std::size_t operator()(const Key& key) const;
  };
  struct Event {
    Cycle cycle = 0;
    Cycle cycles = 0;
    bool is_reception = false;
    std::uint32_t port = 0;
  };

  struct Recent {
    Key key;
    Event* event = nullptr;
  };

  /// A wait that is not contention: for a message itself or for another one of the same sender.
  struct Queued {
    MessageId waiting = no_message;
    MessageId holding = no_message;
    Cycle first = 0;
  };

  /// What was heard of the routers of one part.
  struct Heard {
    Recent& recent_of(const Key& key) { return recent[KeyHash()(key) & (recent.size() - 1)]; }
    void forget_recent() { std::fill(recent.begin(), recent.end(), Recent{}); }
    void note_displaced();

    std::unordered_map<Key, Event, KeyHash> events;
    std::vector<Recent> recent = std::vector<Recent>(512);  // by hash, because most stalls go on
    std::size_t displaced = 0;                         // of losses that went on, since it has grown
    std::unordered_map<std::uint64_t, Queued> queued;  // the last one by node, buffer and output
  };

  Event* event(const RouterConfig& config, const Loss& loss, Cycle first);

  const ContentionRule rule_;
  RouterParts parts_;
  std::vector<Heard> heard_;  // by part
};

}  // namespace allport
