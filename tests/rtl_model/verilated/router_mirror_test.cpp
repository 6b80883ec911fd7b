// SPDX-License-Identifier: Apache-2.0
// These tests check what observers see of a router in RTL, from its pins and registers, without any
// RTL.
#include "rtl_model/verilated/router_mirror.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "rtl_model/verilated/pin_layout.h"
#include "tests/rtl_model/systemc/router_bench.h"
#include "tests/support/fatal.h"

namespace allport::test {
namespace {

/// Registers without a module around them.
class RegisterModel final : public PinModel {
 public:
  explicit RegisterModel(const RouterConfig& config)
      : config_(config),
        owner_(words(config.channel_vcs() * config.channel_vcs())),
        choice_(words(config.channel_vcs() * config.vcs)),
        outputs_(words(config.channel_vcs() * config.ports())),
        taken_(outputs_) {
    registers_ = {owner_.data(), choice_.data(), outputs_.data(), taken_.data()};
  }

  void reset(std::uint32_t) override {}
  void set_table(const std::uint32_t*, std::size_t) override {}
  void clock() override {}
  void settle() override {}
  bool is_active() const override { return true; }
  bool has_active_pin() const override { return false; }
  void sample() override {}

  void own(int output_vc, int input_vc) {
    put_bit(owner_.data(), at(output_vc, config_.channel_vcs()) + at(input_vc, 1));
  }
  void point_at(int vc, int input_vc) {
    const int width = index_width(at(config_.vcs, 1));
    put_bits(choice_.data(), at(input_vc, width), width, static_cast<std::uint64_t>(vc));
  }
  void route(int input_vc, PortMask outputs, PortMask taken = 0) {
    put_bits(outputs_.data(), at(input_vc, config_.ports()), config_.ports(), outputs);
    put_bits(taken_.data(), at(input_vc, config_.ports()), config_.ports(), taken);
  }
  void clear() {
    for (std::vector<std::uint32_t>* all : {&owner_, &choice_, &outputs_, &taken_}) {
      std::fill(all->begin(), all->end(), 0U);
    }
  }

 private:
  static std::size_t at(int row, int width) {
    return static_cast<std::size_t>(row) * static_cast<std::size_t>(width);
  }
  static std::vector<std::uint32_t> words(int bits) {
    return std::vector<std::uint32_t>(static_cast<std::size_t>(bits) / 32 + 1);
  }

  const RouterConfig& config_;
  std::vector<std::uint32_t> owner_;
  std::vector<std::uint32_t> choice_;
  std::vector<std::uint32_t> outputs_;
  std::vector<std::uint32_t> taken_;
};

// Node 3 of a 2-cube, V = 2, B = 2: worms to node 2 leave by output 0.
struct RouterMirrorBench {
  explicit RouterMirrorBench(const With& fabric = With().vcs(2).depth(2))
      : twin("hypercube:2", 3, fabric), mirror("rtl_3", twin.router, model) {}

  int vc_of(int port, int vc) const { return twin.blueprint.config.channel_vc(port, vc); }

  RouterBench twin;
  RegisterModel model{twin.blueprint.config};
  RouterMirror mirror;
  RecordingChannels channels;
};

constexpr PortMask output_0 = 1;

TEST(RouterMirror, CountsFlitsAndCreditsByThePins) {
  RouterMirrorBench bench;
  const Worm worm{'A', 2, 3, MessageKind::unicast, 1};
  bench.mirror.accept(1, worm[0], 0);
  bench.mirror.accept(1, worm[1], 1);
  EXPECT_EQ(bench.mirror.buffered(bench.vc_of(1, 1)), 2);
  EXPECT_EQ(name_of(bench.mirror.flit(bench.vc_of(1, 1), 1)), "A1");

  bench.mirror.begin(1);
  bench.mirror.send(0, worm[0], 1, bench.channels);
  bench.mirror.free_place(1, 1, 1);
  bench.mirror.settle(1);

  EXPECT_EQ(bench.channels.sent.size(), 1U);
  EXPECT_EQ(bench.mirror.driver(0), worm[0].message);
  EXPECT_EQ(bench.mirror.credits(bench.vc_of(0, 1)), 1);
  EXPECT_EQ(bench.mirror.buffered(bench.vc_of(1, 1)), 1);
  EXPECT_EQ(name_of(bench.mirror.front(bench.vc_of(1, 1))), "A1");

  bench.mirror.begin(2);
  EXPECT_EQ(bench.mirror.driver(0), no_message);
  bench.mirror.accept_credit(0, 1);
  EXPECT_EQ(bench.mirror.credits(bench.vc_of(0, 1)), 2);
}

TEST(RouterMirror, NamesTheOwnerOfTheVirtualChannelThatAHeadWaitsFor) {
  RouterMirrorBench bench;
  const Worm owner{'A', 2, 9, MessageKind::unicast, 1};
  bench.mirror.accept(1, owner[0], 0);
  bench.mirror.accept(bench.twin.internal(0), Worm{'B', 2}[0], 0);
  const int waiting = bench.vc_of(bench.twin.internal(0), 0);
  bench.model.route(bench.vc_of(1, 1), output_0);
  bench.model.route(waiting, output_0);
  const auto wanted_in = [&](Cycle cycle) {
    bench.mirror.begin(cycle);
    bench.mirror.settle(cycle);
    return bench.mirror.output_vc(waiting, 0);
  };

  bench.model.own(bench.vc_of(0, 0), bench.vc_of(1, 1));
  EXPECT_EQ(wanted_in(0), bench.vc_of(0, 0));  // both were free, and A has got it
  EXPECT_EQ(bench.mirror.owner(bench.vc_of(0, 0)), bench.vc_of(1, 1));
  EXPECT_EQ(bench.mirror.owner_message(bench.vc_of(0, 0)), owner[0].message);
  EXPECT_EQ(bench.mirror.owned(bench.vc_of(1, 1)), output_0);

  bench.model.own(bench.vc_of(0, 1), bench.vc_of(1, 0));
  EXPECT_EQ(wanted_in(1), bench.vc_of(0, 1));  // that one was free, and another one has got it
  EXPECT_EQ(wanted_in(2), bench.vc_of(0, 0));  // neither was
  bench.model.point_at(1, waiting);
  EXPECT_EQ(wanted_in(3), bench.vc_of(0, 0));  // the pointer was 0 before the cycle
  EXPECT_EQ(wanted_in(4), bench.vc_of(0, 1));

  ASSERT_EQ(bench.mirror.stalled().size(), 2U);  // A has its VC and did not leave either
  EXPECT_EQ(bench.mirror.stalled()[1].input, bench.twin.internal(0));
  EXPECT_EQ(bench.mirror.stalled()[1].branches, output_0);
  EXPECT_FALSE(bench.mirror.is_idle());
}

TEST(RouterMirror, ForgetsWhatTheRegistersHaveForgotten) {
  RouterMirrorBench bench;
  const Worm worm{'A', 2, 1, MessageKind::unicast, 0};
  bench.mirror.accept(1, worm[0], 0);
  bench.model.own(bench.vc_of(0, 0), bench.vc_of(1, 0));
  bench.model.route(bench.vc_of(1, 0), output_0);
  bench.mirror.begin(0);
  bench.mirror.settle(0);
  EXPECT_EQ(bench.mirror.outputs(bench.vc_of(1, 0)), output_0);

  bench.model.clear();
  bench.mirror.begin(1);
  bench.mirror.send(0, worm[0], 1, bench.channels);
  bench.mirror.free_place(1, 0, 1);
  bench.mirror.settle(1);

  EXPECT_EQ(bench.mirror.owner(bench.vc_of(0, 0)), -1);
  EXPECT_EQ(bench.mirror.owned(bench.vc_of(1, 0)), 0U);
  EXPECT_EQ(bench.mirror.outputs(bench.vc_of(1, 0)), 0U);
  EXPECT_TRUE(bench.mirror.stalled().empty());
  EXPECT_TRUE(bench.mirror.is_idle());
}

TEST(RouterMirror, DoesNotCallAHeadStalledThatWaitsForItsRouteOrForTheSwitch) {
  RouterMirrorBench bench(With().vcs(2).depth(2).pipeline(2, 2, 0));
  bench.mirror.accept(1, Worm{'A', 2, 3, MessageKind::unicast, 1}[0], 0);
  bench.model.route(bench.vc_of(1, 1), output_0);
  const auto stalled_in = [&](Cycle cycle) {
    bench.mirror.begin(cycle);
    bench.mirror.settle(cycle);
    return bench.mirror.stalled().size();
  };

  EXPECT_EQ(stalled_in(0), 0U);
  EXPECT_EQ(stalled_in(1), 0U);
  EXPECT_EQ(stalled_in(2), 1U);  // it asks for a VC
  bench.model.own(bench.vc_of(0, 0), bench.vc_of(1, 1));
  EXPECT_EQ(stalled_in(3), 0U);  // it has won one
  EXPECT_EQ(stalled_in(4), 0U);
  EXPECT_EQ(stalled_in(5), 1U);  // it asks for the switch
}

TEST(RouterMirror, CountsTheRouteDelayFromTheCycleInWhichAHeadCameToTheFront) {
  RouterMirrorBench bench(With().vcs(2).depth(2).pipeline(1, 0, 0));
  bench.mirror.accept(1, Worm{'A', 2, 1}[0], 0);
  bench.mirror.accept(1, Worm{'B', 2, 1}[0], 1);
  bench.model.route(bench.vc_of(1, 0), output_0);
  const auto stalled_in = [&](Cycle cycle) {
    bench.mirror.begin(cycle);
    if (cycle == 4) bench.mirror.free_place(1, 0, cycle);
    bench.mirror.settle(cycle);
    return bench.mirror.stalled().size();
  };

  EXPECT_EQ(stalled_in(3), 1U);
  EXPECT_EQ(stalled_in(4), 0U);  // A leaves
  EXPECT_EQ(stalled_in(5), 0U);  // B is at the front
  EXPECT_EQ(stalled_in(6), 1U);
}

TEST(RouterMirror, CountsAFlitThatCrossesInTheCycleInWhichItWins) {
  RouterMirrorBench bench(With().vcs(2).depth(2).pipeline(0, 0, 2));
  const Worm worm{'A', 2, 3, MessageKind::unicast, 1};
  const int output_vc = bench.vc_of(0, 1);
  bench.mirror.accept(1, worm[0], 0);
  bench.mirror.begin(0);
  bench.mirror.cross(0, 1, worm[0], 0, bench.channels);
  bench.mirror.free_place(1, 1, 0);
  bench.mirror.settle(0);
  EXPECT_TRUE(bench.mirror.has_crossed());
  EXPECT_EQ(bench.mirror.driver(0), worm[0].message);
  EXPECT_EQ(bench.mirror.credits(output_vc), 1);
  EXPECT_TRUE(bench.channels.sent.empty());

  bench.mirror.begin(2);
  EXPECT_EQ(bench.mirror.driver(0), no_message);
  bench.mirror.send(0, worm[0], 2, bench.channels);
  bench.mirror.settle(2);
  EXPECT_FALSE(bench.mirror.has_crossed());
  EXPECT_EQ(bench.channels.sent.size(), 1U);
  EXPECT_EQ(bench.mirror.credits(output_vc), 1);
  bench.mirror.accept_credit(0, 1);
  EXPECT_EQ(bench.mirror.credits(output_vc), 2);
}

// A nack that is seen in cycle 6 is of the cycles from then on: in cycle 5 a phit of the message
// was on its way.
TEST(RouterMirror, TellsWhoDroveAnOutputUntilAReplayBegins) {
  With fabric = With().vcs(2).depth(2).phits({3, 1});
  fabric.retry = true;
  RouterMirrorBench bench(fabric);
  const Flit flit = Worm{'A', 2, 1, MessageKind::unicast, 1}[0];
  bench.mirror.accept(1, flit, 4);
  bench.mirror.begin(4);
  bench.mirror.send(0, flit, 4, bench.channels);
  bench.mirror.begin(5);
  bench.mirror.repeat(0, 8);
  EXPECT_EQ(bench.mirror.driver(0), flit.message);
  for (const Cycle now : {6, 7}) {
    bench.mirror.begin(now);
    EXPECT_EQ(bench.mirror.driver(0), no_message) << now;
  }
}

TEST(RouterMirror, ReportsWhatBreaksTheRulesOfAChannel) {
  const auto report = [](auto action) {
    RouterMirrorBench bench;
    bench.mirror.accept(0, Worm{'A', 2, 1}[0], 0);
    return fatal_report_of([&] { action(bench.mirror, bench.channels); });
  };
  const std::string rtl = "/allport/rtl: rtl_3: the RTL ";
  const Worm worm{'A', 2, 9, MessageKind::unicast, 1};
  const Worm later{'B', 2, 9, MessageKind::unicast, 1};

  EXPECT_EQ(report([&](RouterMirror& mirror, RouterChannels& channels) {
              for (int i = 0; i < 3; ++i) mirror.send(0, worm[i], 5 + i, channels);
            }),
            rtl + "sent a flit without a credit: output 0 vc 1 in cycle 7");
  EXPECT_EQ(report([&](RouterMirror& mirror, RouterChannels& channels) {
              for (int i = 0; i < 2; ++i) mirror.send(0, worm[i], 7, channels);
            }),
            rtl + "sent a flit into an earlier one: output 0 vc 1 in cycle 7");
  EXPECT_EQ(report([&](RouterMirror& mirror, RouterChannels& channels) {
              mirror.send(2, worm[0], 7, channels);
            }),
            rtl + "sent a flit on a VC that does not exist: output 2 vc 1 in cycle 7");
  EXPECT_EQ(report([&](RouterMirror& mirror, RouterChannels& channels) {
              mirror.send(0, later[0], 7, channels);
            }),
            rtl + "sent a flit of a message that never came to it: output 0 vc 1 in cycle 7");
  EXPECT_EQ(report([](RouterMirror& mirror, RouterChannels&) { mirror.free_place(1, 0, 8); }),
            rtl + "returned one credit too many: input 1 vc 0 in cycle 8");
  EXPECT_EQ(report([&](RouterMirror& mirror, RouterChannels&) {
              for (int i = 0; i < 3; ++i) mirror.accept(1, worm[i], i);
            }),
            rtl + "was sent a flit without a credit: input 1 vc 1 in cycle 2");
  EXPECT_EQ(report([](RouterMirror& mirror, RouterChannels&) { mirror.accept_credit(0, 1); }),
            rtl + "was given one credit too many: output 0 vc 1");
}

}  // namespace
}  // namespace allport::test
