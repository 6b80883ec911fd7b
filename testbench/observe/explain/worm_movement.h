// SPDX-License-Identifier: Apache-2.0
// This class writes the movement of a fabric of worms.
#pragma once

#include <cstdint>
#include <vector>

#include "testbench/observe/explain/movement.h"
#include "tlm/worm/listeners.h"

namespace allport {

class WormMovement final : public WormMovementListener {
 public:
  /// `movement`, which the caller resets, and `config` must outlive it.
  WormMovement(Movement& movement, const RouterConfig& config)
      : movement_(movement), config_(config) {}
  /// The same, which goes on where `other` stands: `movement` has taken over its movement.
  WormMovement(const WormMovement& other, Movement& movement, const RouterConfig& config)
      : movement_(movement), config_(config), passages_(other.passages_) {}
  WormMovement(const WormMovement&) = delete;
  WormMovement& operator=(const WormMovement&) = delete;
  ~WormMovement() override = default;

  void reset() { passages_.clear(); }
  void on_granted(WormIndex id, const Passage& passage, const Passage* next, Cycle now) override;
  void on_start(WormIndex id, Cycle now) override;
  void on_stop(WormIndex id, Cycle now) override;
  void on_move(WormIndex id, Cycle now) override;
  void on_slept(WormIndex id, std::uint64_t moves, Cycle period, Cycle periods,
                Cycle from) override;
  /// Writes what is still moving, up to and including cycle `end`.
  void settle(Cycle end);

 private:
  struct Sender {
    CrossingIndex crossing = 0;
    Cycle since = -1;  // from when on a flit leaves in every cycle; -1: none does
  };

  VcClass class_of(const Passage& passage) const;
  FabricChannels::Number channel_of(const Passage& passage, const Passage* next) const;

  Movement& movement_;
  const RouterConfig& config_;
  std::vector<Sender> passages_;  // by passage
};

}  // namespace allport
