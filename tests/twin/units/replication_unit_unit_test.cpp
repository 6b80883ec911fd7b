// SPDX-License-Identifier: Apache-2.0
// Verilator's headers come first: after <systemc> they would need its global names.
#include <Vallocators.h>

#include "rtl_model/systemc/replication_unit.h"

#include <gtest/gtest.h>

#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "tests/twin/units/router_shapes.h"
#include "tests/twin/units/unit_bench.h"

namespace allport::test {
namespace {

// One of the replication units of allocators.sv beside its C++ twin and the buffers that it looks
// at. Each flit has branches of its own, so that consecutive flits differ as much as they can.
class ReplicationPair {
 public:
  using Rtl = Clocked<Vallocators>;

  ReplicationPair(std::size_t unit, const RouterConfig& config)
      : u_(unit),
        config_(config),
        buffer_(sc_core::sc_gen_unique_name("input_buffer"), config),
        model_(sc_core::sc_gen_unique_name("replication_unit"), config),
        flits_(static_cast<std::size_t>(config.channel_vcs())) {}

  void reset() {
    buffer_.reset();
    model_.reset();
    for (auto& fifo : flits_) fifo.clear();
  }

  void drive(Rtl& rtl, Dice& dice, int arriving, int taking, Cycle now) {
    clear(rtl.ru_take_i[u_]);
    pending_d_.assign(flits_.size(), 0);
    asking_d_.assign(flits_.size(), 0);
    done_d_ = 0;
    is_waiting_d_ = false;
    for (int iv = 0; iv < config_.channel_vcs(); ++iv) {
      auto& fifo = flits_[static_cast<std::size_t>(iv)];
      const bool pushes = buffer_.count(iv) < config_.buffer_depth && dice.chance(arriving);
      if (pushes) {
        Flit flit;
        flit.vc = vc_id(static_cast<std::size_t>(vc_of(config_, iv)));
        buffer_.accept(port_of(config_, iv), flit, now);
        fifo.push_back({now, random_route(dice)});
      }
      const bool occupied = !fifo.empty();
      const Route route = occupied ? fifo.front().route : random_route(dice);
      put(rtl.ru_push_i[u_], iv, 1, pushes ? 1 : 0);
      put(rtl.ru_occupied_i[u_], iv, 1, occupied ? 1 : 0);
      put(rtl.ru_outputs_i[u_], iv, config_.ports(), route.outputs);
      put(rtl.ru_is_replicated_i[u_], iv, 1, route.is_replicated ? 1 : 0);
      for (const Waiting& flit : fifo) {
        if (now < flit.arrival + config_.replication_delay) is_waiting_d_ = true;
      }
      const bool asks = dice.chance(70);
      put(rtl.ru_asks_i[u_], iv, 1, asks ? 1 : 0);
      const bool is_held = occupied && model_.holds(iv, route, buffer_, now);
      if (config_.route_delay > 0 && occupied && asks && !is_held) {
        asking_d_[static_cast<std::size_t>(iv)] = model_.pending(iv, route);
      }
      if (occupied) take(rtl, dice, taking, now, iv, route);
      if (config_.route_delay == 0) {
        asking_d_[static_cast<std::size_t>(iv)] = pending_d_[static_cast<std::size_t>(iv)];
      }
    }
  }

  void compare(const Rtl& rtl) const {
    const int ivs = config_.channel_vcs();
    for (int iv = 0; iv < ivs; ++iv) {
      for (int p = 0; p < config_.ports(); ++p) {
        ASSERT_EQ(get(rtl.ru_pending_o[u_], p * ivs + iv),
                  pending_d_[static_cast<std::size_t>(iv)] >> p & 1U)
            << "input VC " << iv << " output " << p;
        // What is not there does not ask: it has no branches in their register.
        if (flits_[static_cast<std::size_t>(iv)].empty()) continue;
        ASSERT_EQ(get(rtl.ru_asking_o[u_], p * ivs + iv),
                  asking_d_[static_cast<std::size_t>(iv)] >> p & 1U)
            << "input VC " << iv << " output " << p;
      }
    }
    ASSERT_EQ(get(rtl.ru_done_o[u_], 0, ivs), done_d_);
    ASSERT_EQ(get(rtl.ru_is_waiting_o[u_], 0) != 0, is_waiting_d_);
  }

  void advance() {
    for (int iv = 0; iv < config_.channel_vcs(); ++iv) {
      if ((done_d_ >> iv & 1U) == 0) continue;
      model_.next_flit(iv);
      buffer_.pop(port_of(config_, iv), vc_of(config_, iv));
      flits_[static_cast<std::size_t>(iv)].pop_front();
    }
  }

 private:
  struct Waiting {
    Cycle arrival = 0;
    Route route;
  };

  Route random_route(Dice& dice) const {
    Route route;
    route.outputs = dice.mask(config_.ports(), 40) | PortMask{1} << dice.below(config_.ports());
    route.is_replicated = dice.chance(60);
    return route;
  }

  void take(Rtl& rtl, Dice& dice, int taking, Cycle now, int iv, const Route& route) {
    if (model_.holds(iv, route, buffer_, now)) return;
    const PortMask pending = model_.pending(iv, route);
    pending_d_[static_cast<std::size_t>(iv)] = pending;
    for (int p = 0; p < config_.ports(); ++p) {
      if ((pending >> p & 1U) == 0 || !dice.chance(taking)) continue;
      put(rtl.ru_take_i[u_], p * config_.channel_vcs() + iv, 1, 1);
      model_.take(iv, p);
    }
    if (model_.pending(iv, route) == 0) done_d_ |= std::uint64_t{1} << iv;
  }

  std::size_t u_;
  const RouterConfig& config_;
  InputBuffer buffer_;
  ReplicationUnit model_;
  std::vector<std::deque<Waiting>> flits_;  // by input VC
  std::vector<PortMask> pending_d_;         // by input VC
  std::vector<PortMask> asking_d_;          // likewise
  std::uint64_t done_d_ = 0;
  bool is_waiting_d_ = false;
};

TEST(ReplicationUnitUnit, HoldsTheSameFlitsAndLetsTheSameGoInEveryCycle) {
  const auto shapes = router_shapes();
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Dice dice(seed);
    ReplicationPair::Rtl rtl;
    std::vector<std::unique_ptr<ReplicationPair>> pairs;
    for (std::size_t u = 0; u < shapes.size(); ++u) {
      pairs.push_back(std::make_unique<ReplicationPair>(u, shapes[u]));
    }
    rtl.reset();

    int arriving = 0;
    int taking = 0;
    for (Cycle cycle = 0; cycle < 3000; ++cycle) {
      if (cycle % 50 == 0) {
        arriving = dice.density();
        taking = dice.density();
      }
      if (dice.chance(1)) {
        rtl.reset();
        for (const auto& pair : pairs) pair->reset();
      }
      for (const auto& pair : pairs) pair->drive(rtl, dice, arriving, taking, cycle);
      rtl.settle();
      for (std::size_t u = 0; u < pairs.size(); ++u) {
        SCOPED_TRACE("unit " + std::to_string(u) + ", cycle " + std::to_string(cycle));
        pairs[u]->compare(rtl);
        if (testing::Test::HasFatalFailure()) return;
        pairs[u]->advance();
      }
      rtl.edge();
    }
  }
}

}  // namespace
}  // namespace allport::test
