// SPDX-License-Identifier: Apache-2.0
// A lone worm is one whose channels nobody else uses while it is under way, and whose way crosses
// none of them twice. Nothing can stop it, so where its flits are in any cycle follows from its way
// and its start, and nothing is done for it until its tail is received: then its channels and their
// pointers are set to what it leaves behind. A worm that is about to use one of its channels ends
// that first: the lone worm goes on like any other one (WormEngine::go_on).
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "tlm/worm/store.h"
#include "tlm/worm/switch_allocation.h"
#include "tlm/worm/unit.h"

namespace allport {

class LoneWorms : private WormUnit {
 public:
  LoneWorms(WormStore& store, WormSwitchAllocation& competition);
  LoneWorms(const LoneWorms&) = delete;
  ~LoneWorms() = default;
  LoneWorms& operator=(const LoneWorms& other);
  void reset();

  /// Whether it is known who uses which channel.
  bool is_kept() const { return is_kept_; }
  /// None is lone any more, and from now on it is not known who uses which channel.
  void stop() { is_kept_ = false; }
  /// The lone worms on whose channels `worm` will be, whose way is laid.
  const std::vector<std::uint32_t>& met_by(const Worm& worm);
  /// Notes that `worm`, whose way is laid and which meets no lone worm, uses its channels from
  /// cycle `now` on. `is_followed`: another one waits for its injection channel.
  void begin(std::uint32_t worm, bool is_followed, Cycle now);
  /// A worm that uses its channels no longer.
  void end_use(Worm& worm);

  /// From now on `worm` is like any other one.
  void end_lone(std::uint32_t worm);
  /// The cycle after that in which the tail of `worm`, which is lone, is sent to its node: it is
  /// received then.
  Cycle end_of(const Worm& worm) const { return last_start(worm) + length_of(worm); }
  /// The same of its injection channel.
  Cycle end_of_injection(const Worm& worm) const { return worm.injected + length_of(worm); }
  /// `worm` is received: sets its channels to what they are then. Returns the cycle in which its
  /// head is on the ejection channel.
  Cycle receive(std::uint32_t worm);

  /// The flits that passage `id`, one of a lone worm, has sent before cycle `now`.
  std::int32_t sent_before(WormIndex id, Cycle now) const;
  /// Tells `listener` what all lone worms have moved before cycle `now`, as if they stopped then.
  void tell_of_moves(Cycle now, WormMovementListener& listener) const;
  /// The lone worms.
  std::vector<std::uint32_t> all() const;

 private:
  struct Step {  // what a passage does
    Cycle start = 0;
    WormIndex in = 0;
    WormIndex out = 0;
    std::uint16_t input_vc = 0;
    int vc = 0;
  };
  static constexpr std::uint32_t lone_user = 1U << 31;  // and the worm; otherwise how many use it

  std::int32_t length_of(const Worm& worm) const {
    return store_.passages[worm.first_passage].length;
  }
  // Cycles from the start of a passage to that of the next one.
  Cycle cycles_to_next(const Passage& passage) const {
    return passage.is_first ? 0 : store_.hop_cycles(passage.node, passage.output);
  }
  Cycle last_start(const Worm& worm) const;
  bool streams(const Worm& worm) const;
  bool is_clear(const Worm& worm) const;
  bool takes_channels(const Worm& worm, std::uint32_t user);
  void leave_credits(const Passage& passage, const Step& step, Cycle next_start, Cycle end);
  void tell_of_moves(const Worm& worm, Cycle now, WormMovementListener& listener) const;
  // Whether each listener takes what it is told of a worm when that is received.
  bool may_tell_late() const {
    return std::all_of(
        store_.movement.begin(), store_.movement.end(),
        [](const WormMovementListener* listener) { return listener->may_hear_late(); });
  }
  // Calls `visit` with the users of each physical channel on the way of `worm`.
  template <class Visit>
  void visit_users(const Worm& worm, Visit visit) const {
    // Where channels have one virtual channel, passages know it.
    const bool is_first = store_.config.vcs == 1 && store_.config.classes == 1;
    const auto users_of = [&](std::uint32_t channel, WormIndex vc) -> std::uint32_t& {
      return store_.channels[is_first ? vc : store_.known_vc(channel)].user;
    };
    const Passage* const second = &store_.passages[worm.first_passage + 1];
    visit(users_of(second->in_channel, second->in));
    for (const Passage* at = second; at < second + worm.passages - 1; ++at) {
      visit(users_of(at->out_channel, at->out));
    }
  }
  // Calls `visit` with each passage in a router, in their order, and what it does.
  template <class Visit>
  void visit_steps(const Worm& worm, Visit visit) const;

  WormSwitchAllocation& competition_;
  bool is_kept_ = false;
  std::size_t count_ = 0;  // lone worms
  std::vector<std::uint32_t> met_;
  // How much better it went than it might: a worm that does not stay alone costs more than one that
  // is not lone. Below zero none is for a while.
  int luck_ = 0;
  int pause_ = 0;  // worms that are not lone
  int next_pause_ = 0;
};

}  // namespace allport
