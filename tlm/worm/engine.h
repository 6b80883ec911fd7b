// SPDX-License-Identifier: Apache-2.0
// The fabric of docs/router.md moved worm by worm instead of flit by flit: unicast wormhole
// messages on any topology, with any V, B, d and k. Every head and tail is on its ejection channel
// in the very cycle of the flit-level model, for every decision of a router is made by the same
// rule in the same cycle; but a flit that follows another one costs nothing. Time is driven from
// outside, moment by moment (worm_calendar.h). Plain C++: no kernel, no node.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "rtl_model/topology/router_config.h"
#include "tlm/worm/calendar.h"
#include "tlm/worm/convoy.h"
#include "tlm/worm/state.h"

namespace allport {

/// A message to be sent.
struct WormRequest {
  MessageId message = no_message;
  NodeId source{};
  NodeId destination{};
  TieMask ties = 0;
  int flits = 1;
  Cycle start = 0;  ///< its head may be on the injection channel from this cycle on
};

/// The tail of a worm is on ejection channel `port` of its destination.
struct WormReception {
  MessageId message = no_message;
  std::uint32_t destination = 0;
  int port = 0;
  Cycle injected = 0;  ///< head on the injection channel
  Cycle head = 0;      ///< on the ejection channel
  Cycle tail = 0;      ///< on the ejection channel
};

/// Hears what happens on the channels, at the moment it happens.
class WormListener {
 public:
  virtual ~WormListener() = default;
  /// The tail of `message` is on the injection channel of `node` in cycle `now`.
  virtual void on_sent(NodeId node, MessageId message, Cycle now) = 0;
  virtual void on_received(const WormReception& reception) = 0;
};

/// Hears of contention (docs/router.md): `waiting` was kept off output `output` of `node` by
/// `holding` for `cycles` cycles from `first` on; told when it is over.
class WormContentionListener {
 public:
  virtual ~WormContentionListener() = default;
  virtual void on_contention(NodeId node, int output, MessageId waiting, MessageId holding,
                             Cycle first, Cycle cycles) = 0;
};

class WormEngine {
 public:
  /// `config`: validated; `config` and `routing` must outlive the engine.
  WormEngine(const RouterConfig& config, const Routing& routing, WormListener& listener);
  ~WormEngine();

  void reset();
  void observe(WormContentionListener* observer) { contention_ = observer; }
  /// Whether the listener is to be told of what is sent.
  void tell_of_sent(bool wanted) { tells_of_sent_ = wanted; }
  bool tells_of_sent() const { return tells_of_sent_; }

  /// Queues a message on its injection channel, behind those already there. `start` is not before
  /// the present cycle.
  void send(const WormRequest& request);
  /// The first moment at which anything happens; WormCalendar::never: none.
  Cycle next_moment() const { return calendar_->next_moment(); }
  /// Lets it happen. The moments of reception call the listener; those of injection do where
  /// somebody listens to what is sent.
  void pass(Cycle moment);

  /// The injection channel that a message takes.
  int injection_port(NodeId source, NodeId destination, TieMask ties) const;
  std::uint64_t flit_hops() const { return flit_hops_; }
  /// Whether no message is under way or queued.
  bool is_idle() const { return messages_ == 0; }
  /// Passages thought about since the start: what the work is measured in.
  std::uint64_t decisions() const { return decisions_; }

 private:
  using What = WormEvent::What;
  struct Memory;
  struct Queued {  // a message on its way to the injection channel
    WormRequest request;
    std::uint32_t next = 0;
  };
  struct Injection {  // one injection channel
    std::uint32_t first = 0;
    std::uint32_t last = 0;
    WormIndex passage = 0;  // sending now
  };
  struct Asked {  // a head and the VC it asks for
    WormIndex passage = 0;
    int vc = 0;
  };

  // worm_engine.cpp: worms come and go
  void start_message(std::uint32_t injection, Cycle now);
  WormIndex make_worm(const WormRequest& request, std::uint32_t injection);
  void free_worm(std::uint32_t worm);
  WormIndex allocate_passages(std::uint32_t count);
  void lay_passages(const WormRequest& request, WormIndex first, std::uint32_t count);
  void receive_all(Cycle now);

  // worm_flow.cpp: flits move
  void happen(WormEvent event, WormPhase phase, Cycle now);
  void change_arrivals(WormIndex id, What what, Cycle now);
  void change_credits(WormIndex id, What what, Cycle now);
  void run_timer(WormIndex id, WormPhase phase, Cycle now);
  void wake(WormIndex id, Cycle now);
  void note(WormIndex id, Cycle now);
  void note(WormIndex id);
  void decide_injections(Cycle now);
  void decide_routers(Cycle now);
  void decide(WormIndex id, Cycle now);
  bool can_move(const Passage& passage, Cycle now);
  void start(WormIndex id, Cycle now);
  void stop(WormIndex id, Cycle now);
  void set_timer(WormIndex id, Cycle now);
  void leave_with_head(WormIndex id, Cycle now);
  void finish(WormIndex id, Cycle now);
  void tell_arrival(WormIndex id, What what, Cycle now);
  void tell_credit(const Passage& passage, What what, Cycle now);
  void tell_used(const Passage& passage, Cycle now);
  void count_decision(std::uint32_t worm);
  bool has_endless_credits(const Passage& passage) const {
    return passage.is_last && config_.buffer_depth_flits > 1;
  }

  // worm_allocation.cpp: heads get virtual channels
  void ask(WormIndex id);
  void note_output(WormIndex channel);
  int choose_vc(const Passage& asking) const;
  void allocate(WormIndex channel, Cycle now);
  void grant(WormIndex id, int vc, Cycle now);
  void wait_for(Passage& waiting, MessageId holding, Cycle now);

  // worm_competition.cpp: flits of several virtual channels share a channel
  void enter(WormIndex id);
  bool is_alone(const Passage& passage) const;
  void run_alone_or_compete(WormIndex id, Cycle now);
  void leave(WormIndex id);
  void note_router(std::uint32_t node);
  void note_competitors(std::uint32_t node, Cycle now);
  void compete(std::uint32_t node, Cycle now);
  void choose_winners(Cycle now);
  void let_inputs_choose();
  void let_outputs_choose();
  void lose(const Passage& loser, MessageId holding, Cycle now);
  void move_one(WormIndex id, Cycle now);
  void turn_pointers(const Passage& passage);

  // worm_convoy.cpp: worms that move in step are found
  void look_for_convoys(Cycle now);
  bool gather(std::uint32_t worm, Cycle now);
  bool add_member(std::uint32_t worm, Cycle now);
  bool add_neighbours(const Passage& passage, Cycle now);
  void put_off(std::uint32_t worm);
  void watch_convoys(Cycle now);
  void mark(const WormConvoy& convoy, std::uint32_t id);
  void dissolve(std::uint32_t id);
  // worm_convoy_sleep.cpp: and sleep
  bool fall_asleep(std::uint32_t id, Cycle period, Cycle now);
  void disturb(WormIndex id, Cycle now);
  void disturb_output(WormIndex channel, Cycle now);
  void wake_convoy(std::uint32_t id, Cycle now);
  void catch_up(WormConvoy& convoy, std::uint32_t id, Cycle from, Cycle now);
  void restart(const WormConvoy& convoy, Cycle now);
  bool belongs(const WormEvent& event, std::uint32_t convoy) const;
  template <class Visit>
  void visit_passages(const WormConvoy& convoy, Visit visit);

  const RouterConfig& config_;
  const Routing& routing_;
  WormListener& listener_;
  WormContentionListener* contention_ = nullptr;
  const std::uint32_t nodes_;
  const WormIndex first_injection_;  // virtual channels: external ones, injection, ejection
  const WormIndex first_ejection_;
  const int hop_cycles_;  // 1 + d

  WormCalendar present_calendar_;
  WormCalendar past_calendar_;  // of a convoy that catches up
  WormCalendar* calendar_ = &present_calendar_;
  std::vector<WormConvoy> convoys_;  // 0: none
  std::vector<std::uint32_t> free_convoys_;
  std::vector<std::uint32_t> watched_convoys_;
  std::vector<std::uint32_t> restless_worms_;  // decided upon again and again
  std::vector<std::uint32_t> gathered_;
  std::uint32_t catching_up_ = 0;  // the convoy that does; 0: none
  std::size_t live_convoys_ = 0;
  std::unique_ptr<Memory> memory_;
  WormChannel* channels_ = nullptr;
  Injection* injections_ = nullptr;
  std::vector<Passage> passages_;
  std::vector<std::vector<WormIndex>> free_passages_;  // by count
  std::vector<Worm> worms_;
  std::vector<std::uint32_t> free_worms_;
  std::vector<Queued> queue_;
  std::uint32_t free_queued_ = 0;

  // V > 1 only: per channel, and per router
  struct Share {
    std::uint8_t competing_in = 0;   // passages that could move a flit from here
    std::uint8_t competing_out = 0;  // or to here
    std::uint8_t input_pointer = 0;
    std::uint8_t output_pointer = 0;
    std::uint32_t convoy = 0;  // whose worms use it
  };
  std::vector<Share> shares_;
  std::vector<WormIndex> competing_;  // per router: the first
  std::vector<std::uint8_t> router_is_noted_;

  std::vector<WormIndex> noted_;
  std::vector<WormIndex> noted_outputs_;
  std::vector<std::uint32_t> noted_routers_;
  std::vector<Asked> asked_;
  std::vector<WormIndex> competitors_;
  std::vector<WormIndex> outcomes_;
  std::vector<WormIndex> winners_;  // per input port of the router that is looked at
  std::vector<WormReception> receptions_;
  std::vector<std::uint32_t> finished_worms_;
  bool tells_of_sent_ = false;
  std::uint64_t flit_hops_ = 0;
  std::uint64_t messages_ = 0;  // under way and queued
  std::uint64_t decisions_ = 0;
};

template <class Visit>
void WormEngine::visit_passages(const WormConvoy& convoy, Visit visit) {
  for (const std::uint32_t worm : convoy.worms) {
    const Worm& member = worms_[worm];
    for (WormIndex id = member.first_passage; id < member.first_passage + member.passages; ++id) {
      visit(id);
    }
  }
}

}  // namespace allport
