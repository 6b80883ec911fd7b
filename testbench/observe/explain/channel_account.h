// SPDX-License-Identifier: Apache-2.0
// A ChannelAccount collects what the virtual channels of one physical channel do (docs/explain.md,
// section 5).
#pragma once

#include <array>
#include <cstddef>
#include <utility>
#include <vector>

#include "testbench/observe/explain/history.h"
#include "testbench/observe/monitors/measurement_window.h"
#include "testbench/results/explanation.h"
#include "tlm/message/message_log.h"

namespace allport {

class ChannelAccount {
 public:
  /// A list for each stretch of the cycles that are looked at.
  using Uses = std::vector<std::vector<ChannelUse>>;

  /// Both references must outlive it. The run has `cycles` cycles, of which those of `span` are
  /// looked at. `every`: length of a stretch; 0: the span is one.
  ChannelAccount(const History& history, const MessageLog& log, Cycle cycles,
                 const MeasurementWindow& span, Cycle every)
      : history_(history),
        log_(log),
        cycles_(cycles),
        span_(span),
        every_(every > 0 ? every : span.cycles()) {}

  /// Adds a message on one of the virtual channels; those of one come in their order.
  void add(CrossingIndex crossing);
  /// Adds a head that waits for the channel from cycle `first` on and never gets it.
  void add_waiting(Cycle first) { waiting_.push_back({first, cycles_}); }
  /// Adds the channel `spot` to `uses`, and forgets it.
  void write(const Resource& resource, Uses& uses);

 private:
  /// Where several virtual channels do something, the first of these counts.
  enum class State { used, lost, no_credit, empty };
  static constexpr std::size_t state_count = 4;
  /// Cycles, and in a steady state again `every` cycles later, and so on, `times` times in all.
  struct Stretch {
    Cycle from = 0;
    Cycle to = 0;  // behind it
    Cycle times = 1;
    Cycle every = 1;

    Cycle end() const { return to + (times - 1) * every; }
    friend bool operator<(const Stretch& a, const Stretch& b) { return a.from < b.from; }
  };
  using States = std::array<std::vector<Stretch>, state_count>;
  /// The next flit of a crossing, and the cycle from which on the channel is free for it.
  struct Flow {
    CrossingIndex crossing = 0;
    int flit = 0;
    Cycle free = 0;
  };
  /// What is done in some cycles, and on a narrow channel the cycles in which flits are sent.
  struct Parts {
    std::vector<std::pair<State, Stretch>> states;
    std::vector<Stretch> sent;

    void put(State state, const Stretch& stretch) {
      if (stretch.from < stretch.to) states.emplace_back(state, stretch);
    }
    void clear() {
      states.clear();
      sent.clear();
    }
    bool is_later(const Parts& other, Cycle later) const;
  };

  NodeId sender_of(const Crossing& at) const { return history_.channels().sender(at.channel).node; }
  bool put_row(Flow& flow, Parts& parts) const;
  bool put_period(Flow& flow, Cycle period, Parts& parts, Lookups& seen) const;
  void skip_steady_state(Flow& flow);
  void add_gap(CrossingIndex crossing, int flit, const Stretch& gap, Parts& parts) const;
  void take(const Parts& parts, Cycle times, Cycle every);
  void count_steady_states(Uses& uses);
  void count_segment(const std::vector<std::pair<State, Stretch>>& active, const Stretch& segment,
                     Uses& uses);
  void count_states(States& states, Cycle times, Uses& uses) const;
  void count(State state, const Stretch& stretch, Uses& uses) const;
  void count_flits(const Stretch& sent, Uses& uses) const;
  void count_waiting(Uses& uses) const;
  // The number of the stretch of `cycle`, which is in the span.
  std::size_t stretch_of(Cycle cycle) const {
    return static_cast<std::size_t>((cycle - span_.from) / every_);
  }
  Cycle begin_of(std::size_t stretch) const {
    return span_.from + static_cast<Cycle>(stretch) * every_;
  }
  Cycle next_stretch(Cycle cycle) const {
    return cycle < span_.from ? span_.from : begin_of(stretch_of(cycle) + 1);
  }
  ChannelUse& at(Uses& uses, Cycle cycle) const { return uses[stretch_of(cycle)].back(); }

  const History& history_;
  const MessageLog& log_;
  const Cycle cycles_;
  const MeasurementWindow span_;
  const Cycle every_;
  States states_;
  Parts row_;                     // one at a time, so that its memory is used again
  bool is_steady_ = false;        // something in them is repeated
  std::vector<Stretch> waiting_;  // heads that wait for it
  std::vector<Cycle> heads_;      // when heads went out on it
  std::vector<Stretch> sent_;     // when flits did, if it is narrow
};

}  // namespace allport
