// SPDX-License-Identifier: Apache-2.0
// Verilator's headers come first: after <systemc> they would need its global names.
#include <Vallocators.h>

#include "rtl_model/systemc/switch_allocator.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "tests/twin/units/router_shapes.h"
#include "tests/twin/units/unit_bench.h"

namespace allport::test {
namespace {

// One of the switch allocators of allocators.sv, its credit counters included, beside its C++ twin.
class SwitchPair {
 public:
  using Rtl = Clocked<Vallocators>;

  SwitchPair(std::size_t unit, const RouterConfig& config)
      : u_(unit),
        config_(config),
        is_adaptive_(unit == adaptive_shape || unit == adaptive_class_shape),
        model_(sc_core::sc_gen_unique_name("switch_allocator"), config),
        owners_(static_cast<std::size_t>(config.channel_vcs()), -1),
        phits_left_(static_cast<std::size_t>(config.ports())),
        input_arbiters_q_(static_cast<std::size_t>(config.ports())) {}

  void reset() {
    model_.reset();
    std::fill(input_arbiters_q_.begin(), input_arbiters_q_.end(), RoundRobinArbiter{});
    std::fill(phits_left_.begin(), phits_left_.end(), 0);
  }

  /// Compares the registers before this cycle's credits come.
  void compare_credits(const Rtl& rtl) const {
    const int width = index_width(static_cast<std::size_t>(config_.buffer_depth) + 1);
    for (int ov = 0; ov < ivs(); ++ov) {
      ASSERT_EQ(static_cast<int>(get(rtl.sa_credits_o[u_], ov, width)), model_.credits(ov))
          << "output VC " << ov;
    }
  }

  void drive(Rtl& rtl, Dice& dice, int asking, int returning) {
    give_owners(rtl, dice);
    return_credits(rtl, dice, returning);
    repeats_ = dice.mask(config_.external_ports, dice.chance(50) ? 0 : 30);
    put(rtl.sa_repeats_i[u_], 0, config_.external_ports, repeats_);
    clear(rtl.sa_pending_i[u_]);
    std::vector<std::uint64_t> requesting(static_cast<std::size_t>(config_.ports()));
    draw_operands(rtl, dice);
    for (int iv = 0; iv < ivs(); ++iv) {
      const PortMask pending = is_operand(iv) ? 0 : dice.mask(config_.ports(), asking);
      const int needed = drive_front(rtl, dice, iv);
      PortMask outputs = 0;
      for (int p = 0; p < config_.ports(); ++p) {
        if ((pending >> p & 1U) == 0) continue;
        put(rtl.sa_pending_i[u_], p * ivs() + iv, 1, 1);
        const int ov = owned(iv, p);
        if (is_busy(p)) continue;
        if (ov >= 0 && model_.credits(ov) >= needed) outputs |= PortMask{1} << p;
      }
      if (outputs == 0) continue;
      const int input = port_of(config_, iv);
      model_.request(input, vc_of(config_, iv), outputs);
      requesting[static_cast<std::size_t>(input)] |= std::uint64_t{1} << vc_of(config_, iv);
    }
    const int speaker = config_.external_ports;
    const bool speaks = requesting[static_cast<std::size_t>(speaker)] != 0;
    for (int iv = 0; speaks && iv < ivs(); ++iv) {
      if (!is_operand(iv)) continue;
      const int input = port_of(config_, iv);
      model_.request(input, vc_of(config_, iv), 0);
      requesting[static_cast<std::size_t>(input)] |= std::uint64_t{1} << vc_of(config_, iv);
    }
    note_all_credits();
    choose(requesting);
    if ((operands_ & ~chosen_d_) != 0) model_.withdraw(speaker);
    expect_grants(model_.allocate());
    if (std::any_of(moves_d_.begin(), moves_d_.end(), [&](const Move& move) {
          return operands_ != 0 && move.iv == config_.channel_vc(speaker, 0);
        })) {
      win_with_speaker();
    }
  }

  // The outputs are busy for the cycles behind that in which a flit leaves, and while their
  // channels repeat.
  void compare(const Rtl& rtl) {
    for (int p = 0; p < config_.ports(); ++p) {
      ASSERT_EQ(get(rtl.sa_is_busy_o[u_], p, 1), is_busy(p) ? 1U : 0U) << "output " << p;
      int& left = phits_left_[static_cast<std::size_t>(p)];
      const bool moves = moves_d_[static_cast<std::size_t>(p)].iv >= 0;
      left = moves ? config_.phits(p) - 1 : std::max(left - 1, 0);
    }
    compare_grants(rtl);
  }

 private:
  struct Move {
    int iv = -1;
    int ov = -1;
  };

  void compare_grants(const Rtl& rtl) const {
    ASSERT_EQ(get(rtl.sa_chosen_o[u_], 0, ivs()), chosen_d_);
    const int vc_width = index_width(static_cast<std::size_t>(config_.vcs));
    std::uint64_t spent = 0;
    for (int p = 0; p < config_.ports(); ++p) {
      const Move& move = moves_d_[static_cast<std::size_t>(p)];
      const bool moves = move.iv >= 0;
      ASSERT_EQ(get(rtl.sa_grant_o[u_], p, config_.ports()),
                moves ? std::uint64_t{1} << port_of(config_, move.iv) : 0)
          << "output " << p;
      ASSERT_EQ(get(rtl.sa_take_o[u_], p, ivs()), moves ? std::uint64_t{1} << move.iv : 0)
          << "output " << p;
      ASSERT_EQ(static_cast<int>(get(rtl.sa_vc_o[u_], p, vc_width)),
                moves ? vc_of(config_, move.ov) : 0)
          << "output " << p;
      if (moves) spent |= std::uint64_t{1} << move.ov;
    }
    ASSERT_EQ(get(rtl.sa_spent_o[u_], 0, ivs()), spent);
    for (int ov = 0; ov < ivs(); ++ov) {
      const bool counts = is_adaptive_ && config_.is_external(port_of(config_, ov));
      const bool has_all = !counts || (has_all_d_ >> ov & 1U) != 0;
      ASSERT_EQ(get(rtl.sa_has_all_o[u_], ov, 1), has_all ? 1U : 0U) << "output VC " << ov;
    }
  }

  // With those that come in this cycle, without those that it spends.
  void note_all_credits() {
    has_all_d_ = 0;
    for (int ov = 0; ov < ivs(); ++ov) {
      if (model_.has_all_credits(ov)) has_all_d_ |= std::uint64_t{1} << ov;
    }
  }

  int ivs() const { return config_.channel_vcs(); }
  bool is_busy(int output) const {
    return phits_left_[static_cast<std::size_t>(output)] > 0 || (repeats_ >> output & 1U) != 0;
  }
  bool is_operand(int iv) const { return (operands_ >> iv & 1U) != 0; }

  // The flits for which that of the first internal input stands: at most one of each other input.
  void draw_operands(Rtl& rtl, Dice& dice) {
    operands_ = 0;
    if (config_.join_vcs > 0 && dice.chance(60)) {
      for (int port = 0; port < config_.external_ports; ++port) {
        if (!dice.chance(60)) continue;
        operands_ |= std::uint64_t{1} << config_.channel_vc(port, dice.below(config_.vcs));
      }
    }
    put(rtl.sa_operands_i[u_], 0, config_.external_ports * config_.vcs, operands_);
  }

  void win_with_speaker() {
    for (int iv = 0; iv < ivs(); ++iv) {
      if (!is_operand(iv)) continue;
      const int input = port_of(config_, iv);
      model_.won_with_another(input, vc_of(config_, iv));
      input_arbiters_q_[static_cast<std::size_t>(input)].won(vc_of(config_, iv), config_.vcs);
    }
  }
  int owner(int ov) const { return owners_[static_cast<std::size_t>(ov)]; }

  // Drives a head or another flit, of a message of any length. Returns the credits that it needs:
  // more than there can be if the rest of its message must come first.
  int drive_front(Rtl& rtl, Dice& dice, int iv) const {
    const int width = PinLayout::length_bits;
    const bool head = dice.chance(50);
    const int length = 1 + dice.below(config_.buffer_depth);
    const bool waits = config_.switching == Switching::store_and_forward && dice.chance(20);
    put(rtl.sa_head_i[u_], iv, 1, head ? 1 : 0);
    put(rtl.sa_length_i[u_], iv, width, static_cast<std::uint64_t>(length));
    put(rtl.sa_is_whole_i[u_], iv, 1, waits ? 0 : 1);
    if (waits) return config_.buffer_depth + 1;
    return head && buffers_messages(config_.switching) ? length : 1;
  }

  /// The VC that `iv` owns at `output`, or -1.
  int owned(int iv, int output) const {
    for (int vc = 0; vc < config_.vcs_of(output); ++vc) {
      if (owner(config_.channel_vc(output, vc)) == iv) return config_.channel_vc(output, vc);
    }
    return -1;
  }

  // An input VC owns at most one VC of an output.
  void give_owners(Rtl& rtl, Dice& dice) {
    for (int ov = 0; ov < ivs(); ++ov) {
      if (dice.chance(20)) {
        const int iv = dice.below(ivs());
        const bool free = dice.chance(20) || owned(iv, port_of(config_, ov)) >= 0;
        owners_[static_cast<std::size_t>(ov)] = free ? -1 : iv;
      }
      put(rtl.sa_owner_i[u_], ov, ivs(), owner(ov) < 0 ? 0 : std::uint64_t{1} << owner(ov));
    }
  }

  void return_credits(Rtl& rtl, Dice& dice, int returning) {
    const int vc_width = index_width(static_cast<std::size_t>(config_.vcs));
    for (int p = 0; p < config_.ports(); ++p) {
      const int vc = dice.below(config_.vcs_of(p));
      const int ov = config_.channel_vc(p, vc);
      const bool returns = model_.credits(ov) < config_.buffer_depth && dice.chance(returning);
      put(rtl.sa_credit_i[u_], p, 1, returns ? 1 : 0);
      put(rtl.sa_credit_vc_i[u_], p, vc_width, static_cast<std::uint64_t>(vc));
      if (returns) model_.accept_credit(ov);
    }
  }

  // The C++ unit does not show the choice of an input that was in vain.
  void choose(const std::vector<std::uint64_t>& requesting) {
    chosen_d_ = 0;
    for (int input = 0; input < config_.ports(); ++input) {
      const std::uint64_t vcs = requesting[static_cast<std::size_t>(input)];
      if (vcs == 0) continue;
      const int vc = input_arbiters_q_[static_cast<std::size_t>(input)].choose(vcs);
      chosen_d_ |= std::uint64_t{1} << config_.channel_vc(input, vc);
    }
  }

  void expect_grants(const BoundedList<SwitchAllocator::Grant>& grants) {
    moves_d_.assign(static_cast<std::size_t>(config_.ports()), Move{});
    for (const SwitchAllocator::Grant& grant : grants) {
      const int iv = config_.channel_vc(grant.input, grant.vc);
      const int ov = owned(iv, grant.output);
      moves_d_[static_cast<std::size_t>(grant.output)] = {iv, ov};
      model_.use_credit(ov);
      input_arbiters_q_[static_cast<std::size_t>(grant.input)].won(grant.vc,
                                                                   config_.vcs_of(grant.input));
    }
  }

  std::size_t u_;
  const RouterConfig& config_;
  const bool is_adaptive_;
  SwitchAllocator model_;
  std::vector<int> owners_;      // by output VC: an input VC, or -1
  PortMask repeats_ = 0;         // the outputs whose channels repeat in this cycle
  std::vector<int> phits_left_;  // by output: cycles for which its last flit still occupies it
  std::vector<RoundRobinArbiter> input_arbiters_q_;
  std::uint64_t chosen_d_ = 0;
  std::uint64_t operands_ = 0;   // by input VC
  std::uint64_t has_all_d_ = 0;  // by output VC
  std::vector<Move> moves_d_;    // by output
};

TEST(SwitchAllocatorUnit, LetsTheSameFlitsCrossAndCountsTheSameCreditsInEveryCycle) {
  const auto shapes = router_shapes();
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Dice dice(seed);
    SwitchPair::Rtl rtl;
    std::vector<std::unique_ptr<SwitchPair>> pairs;
    for (std::size_t u = 0; u < shapes.size(); ++u) {
      pairs.push_back(std::make_unique<SwitchPair>(u, shapes[u]));
    }
    rtl.reset();

    int asking = 0;
    int returning = 0;
    for (int cycle = 0; cycle < 3000; ++cycle) {
      if (cycle % 50 == 0) {
        asking = dice.density();
        returning = dice.density();
      }
      if (dice.chance(1)) {
        rtl.reset();
        for (const auto& pair : pairs) pair->reset();
      }
      for (std::size_t u = 0; u < pairs.size(); ++u) {
        SCOPED_TRACE("unit " + std::to_string(u) + ", cycle " + std::to_string(cycle));
        pairs[u]->compare_credits(rtl);
        if (testing::Test::HasFatalFailure()) return;
        pairs[u]->drive(rtl, dice, asking, returning);
      }
      rtl.settle();
      for (std::size_t u = 0; u < pairs.size(); ++u) {
        SCOPED_TRACE("unit " + std::to_string(u) + ", cycle " + std::to_string(cycle));
        pairs[u]->compare(rtl);
        if (testing::Test::HasFatalFailure()) return;
      }
      rtl.edge();
    }
  }
}

}  // namespace
}  // namespace allport::test
