// SPDX-License-Identifier: Apache-2.0
// Verilator's headers come first: after <systemc> they would need its global names.
#include <Vallocators.h>

#include "rtl_model/systemc/vc_allocator.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "rtl_model/router/vc_choice.h"
#include "tests/twin/units/router_shapes.h"
#include "tests/twin/units/unit_bench.h"

namespace allport::test {
namespace {

// One of the VC allocators of allocators.sv beside its C++ twin.
class VcPair {
 public:
  using Rtl = Clocked<Vallocators>;

  VcPair(std::size_t unit, const RouterConfig& config)
      : u_(unit),
        config_(config),
        is_adaptive_(unit == adaptive_shape || unit == adaptive_class_shape),
        has_branch_classes_(unit == branch_class_shape || unit == join_shape),
        model_(sc_core::sc_gen_unique_name("vc_allocator"), config),
        tails_d_(static_cast<std::size_t>(config.channel_vcs())),
        spent_d_(tails_d_.size()),
        free_d_(tails_d_.size()),
        owns_d_(tails_d_.size()),
        wins_q_(tails_d_.size()),
        is_draining_q_(tails_d_.size()) {}

  void reset() {
    model_.reset();
    std::fill(is_draining_q_.begin(), is_draining_q_.end(), false);
    std::fill(wins_q_.begin(), wins_q_.end(), 0U);
  }

  void drive(Rtl& rtl, Dice& dice, int asking, int leaving, Cycle now) {
    now_ = now;
    clear(rtl.va_pending_i[u_]);
    const int ivs = config_.channel_vcs();
    for (int ov = 0; ov < ivs; ++ov) return_credits(rtl, dice, ov);
    look_at_registers();
    for (int iv = 0; iv < ivs; ++iv) {
      PortMask pending = dice.mask(config_.ports(), asking);
      const bool head = dice.chance(70);
      bool is_p = dice.chance(50);  // adaptive: not for the escape VC
      const bool is_any = config_.layers > 1 && dice.chance(30);
      const bool tail = dice.chance(leaving);
      const PortMask of_p = dice.mask(config_.external_ports, 50);
      const bool is_own = config_.join_vcs > 0 && dice.chance(40);
      const bool is_tree = is_own && dice.chance(50);
      if (is_own && head) {
        model_.request(iv, pending & ~model_.owned(iv), is_tree ? VcClass::tree : VcClass::join,
                       static_cast<MessageId>(iv), message_class(iv));
      } else if (is_adaptive_ && head) {
        request_one(iv, pending, is_p);
      } else if (head && has_branch_classes_ && !is_any) {
        request_by_branch(iv, pending & ~model_.owned(iv), of_p);
      } else if (head && (pending & ~model_.owned(iv)) != 0) {
        const VcClass own = is_p ? VcClass::p : VcClass::h_or_l;
        model_.request(iv, pending & ~model_.owned(iv), is_any ? VcClass::either : own,
                       static_cast<MessageId>(iv), message_class(iv));
      }
      for (int p = 0; p < config_.ports(); ++p) {
        put(rtl.va_pending_i[u_], p * ivs + iv, 1, pending >> p & 1U);
      }
      put(rtl.va_head_i[u_], iv, 1, head ? 1 : 0);
      put(rtl.va_vc_class_i[u_], iv, 1, is_p ? 1 : 0);
      put(rtl.va_any_class_i[u_], iv, 1, is_any ? 1 : 0);
      put(rtl.va_branch_class_i[u_], iv, config_.external_ports, of_p);
      put(rtl.va_is_join_i[u_], iv, 1, is_own && !is_tree ? 1 : 0);
      put(rtl.va_is_tree_i[u_], iv, 1, is_tree ? 1 : 0);
      put(rtl.va_tail_i[u_], iv, 1, tail ? 1 : 0);
      tails_d_[static_cast<std::size_t>(iv)] = tail;
    }
    for (int ov = 0; ov < ivs; ++ov) {
      const bool spent = dice.chance(leaving);
      put(rtl.va_spent_i[u_], ov, 1, spent ? 1 : 0);
      spent_d_[static_cast<std::size_t>(ov)] = spent;
    }
    is_granting_d_ = model_.allocate(now);
  }

  void compare(const Rtl& rtl) const {
    ASSERT_EQ(get(rtl.va_is_granting_o[u_], 0) != 0, is_granting_d_);
    for (int ov = 0; ov < config_.channel_vcs(); ++ov) {
      const auto i = static_cast<std::size_t>(ov);
      ASSERT_EQ(get(rtl.va_free_o[u_], ov) != 0, free_d_[i]) << "output VC " << ov;
      ASSERT_EQ(get(rtl.va_is_owner_o[u_], ov) != 0, owns_d_[i]) << "input VC " << ov;
      const int owner = model_.owner(ov);
      const std::uint64_t owners = owner < 0 ? 0 : std::uint64_t{1} << owner;
      ASSERT_EQ(get(rtl.va_owner_o[u_], ov, config_.channel_vcs()), owners) << "output VC " << ov;
      ASSERT_EQ(get(rtl.va_sender_o[u_], ov, config_.channel_vcs()), is_held(ov) ? 0 : owners)
          << "output VC " << ov;
    }
    ASSERT_EQ(get(rtl.va_is_waiting_o[u_], 0) != 0, is_waiting());
  }

  void advance() {
    for (int ov = 0; ov < config_.channel_vcs(); ++ov) {
      const int owner = model_.owner(ov);
      const bool wins = owner >= 0 && free_d_[static_cast<std::size_t>(ov)];
      std::uint32_t& won = wins_q_[static_cast<std::size_t>(ov)];
      won = won << 1 | (wins ? 1U : 0U);
      if (owner >= 0 && spent_d_[static_cast<std::size_t>(ov)] &&
          tails_d_[static_cast<std::size_t>(owner)]) {
        give_back(ov, owner);
      }
    }
  }

 private:
  int message_class(int iv) const { return message_class_of(config_, iv); }

  // An adaptive VC lacks credits when its tail leaves, and gets them sooner or later. Whether
  // others have all of theirs must not matter.
  void return_credits(Rtl& rtl, Dice& dice, int ov) {
    const bool may_lack = model_.owner(ov) >= 0 || !is_adaptive(ov);
    const bool is_draining = is_draining_q_[static_cast<std::size_t>(ov)];
    const bool has_all = may_lack || is_draining ? dice.chance(30) : true;
    put(rtl.va_has_all_i[u_], ov, 1, has_all ? 1 : 0);
    if (!is_draining || !has_all) return;
    EXPECT_TRUE(model_.refill(port_of(config_, ov), vc_of(config_, ov)));
    EXPECT_FALSE(model_.refill(port_of(config_, ov), vc_of(config_, ov)));
    is_draining_q_[static_cast<std::size_t>(ov)] = false;
  }

  void give_back(int ov, int owner) {
    const int output = port_of(config_, ov);
    if (!is_adaptive(ov)) return model_.release(owner, output);
    model_.drain(owner, output);
    is_draining_q_[static_cast<std::size_t>(ov)] = true;
  }

  bool is_adaptive(int ov) const {
    return is_adaptive_ && is_adaptive_vc(config_, port_of(config_, ov), vc_of(config_, ov));
  }

  bool is_held(int ov) const {
    const int owner = model_.owner(ov);
    return owner >= 0 && model_.held(owner, PortMask{1} << port_of(config_, ov), now_) != 0;
  }

  // Whether a VC was won in one of the v - 1 cycles before this one.
  bool is_waiting() const {
    const std::uint32_t last = config_.vc_delay < 2 ? 0 : (1U << (config_.vc_delay - 1)) - 1;
    return std::any_of(wins_q_.begin(), wins_q_.end(),
                       [last](std::uint32_t won) { return (won & last) != 0; });
  }

  void look_at_registers() {
    for (int vc = 0; vc < config_.channel_vcs(); ++vc) {
      const bool is_draining = is_draining_q_[static_cast<std::size_t>(vc)];
      free_d_[static_cast<std::size_t>(vc)] = model_.owner(vc) < 0 && !is_draining;
      owns_d_[static_cast<std::size_t>(vc)] = model_.owned(vc) != 0;
    }
  }

  void request_by_branch(int iv, PortMask lacking, PortMask of_p) {
    const auto message = static_cast<MessageId>(iv);
    model_.request(iv, lacking & ~of_p, VcClass::h_or_l, message, message_class(iv));
    model_.request(iv, lacking & of_p, VcClass::p, message, message_class(iv));
  }

  // The head of `iv` may leave by any external output in `pending`; the output that it requests is
  // left there. A head that has its VC, or has arrived, requests as usual.
  void request_one(int iv, PortMask& pending, bool& is_detour) {
    const PortMask useful = pending & ((PortMask{1} << config_.external_ports) - 1);
    is_detour = false;
    if (model_.owned(iv) != 0) {
      pending = model_.owned(iv);
    } else if (useful != 0) {
      const int output =
          model_.request_one(iv, useful, static_cast<MessageId>(iv), message_class(iv));
      pending = PortMask{1} << output;
      is_detour = useful >> output != 1;
    } else if (pending != 0) {
      model_.request(iv, pending, VcClass::h_or_l, static_cast<MessageId>(iv), message_class(iv));
    }
  }

  std::size_t u_;
  const RouterConfig& config_;
  bool is_adaptive_;
  bool has_branch_classes_;
  VcAllocator model_;
  bool is_granting_d_ = false;
  std::vector<bool> tails_d_;          // by input VC
  std::vector<bool> spent_d_;          // by output VC
  std::vector<bool> free_d_;           // likewise, at the beginning of the cycle
  std::vector<bool> owns_d_;           // by input VC, likewise
  std::vector<std::uint32_t> wins_q_;  // by output VC: the cycles in which it was won, the last
                                       // one lowest
  std::vector<bool> is_draining_q_;    // by output VC
  Cycle now_ = 0;
};

TEST(VcAllocatorUnit, GivesTheSameVirtualChannelsToTheSameHeadsInEveryCycle) {
  const auto shapes = router_shapes();
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Dice dice(seed);
    VcPair::Rtl rtl;
    std::vector<std::unique_ptr<VcPair>> pairs;
    for (std::size_t u = 0; u < shapes.size(); ++u) {
      pairs.push_back(std::make_unique<VcPair>(u, shapes[u]));
    }
    rtl.reset();

    int asking = 0;
    int leaving = 0;
    for (Cycle cycle = 0; cycle < 3000; ++cycle) {
      if (cycle % 50 == 0) {
        asking = dice.density();
        leaving = dice.density();
      }
      if (dice.chance(1)) {
        rtl.reset();
        for (const auto& pair : pairs) pair->reset();
      }
      for (const auto& pair : pairs) pair->drive(rtl, dice, asking, leaving, cycle);
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
