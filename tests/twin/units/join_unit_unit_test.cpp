// SPDX-License-Identifier: Apache-2.0
// Verilator's headers come first: after <systemc> they would need its global names.
#include <Vjoin_units.h>

#include "rtl_model/systemc/join_unit.h"

#include <gtest/gtest.h>

#include <array>
#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "rtl_model/topology/group_routes.h"
#include "tests/support/blueprint.h"
#include "tests/twin/units/unit_bench.h"

namespace allport::test {
namespace {

// One of the units of join_units.sv beside its C++ twin and the buffers that both look at. Joins of
// random groups come one after another, their contributions on random VCs among unicasts, which
// leave when they like.
class JoinPair {
 public:
  JoinPair(std::size_t unit, const char* topology, const FabricConfig& fabric, int max_via,
           int payload_bits, std::optional<RoutingOrder> order, std::uint64_t seed)
      : u_(unit),
        blueprint_(topology, fabric, order),
        layout_(config(), blueprint_.routing, payload_bits, 96, max_via, PinGroups::joins),
        dice_(seed),
        node_(node_id(static_cast<std::size_t>(dice_.below(static_cast<int>(nodes()))))),
        buffer_(sc_core::sc_gen_unique_name("input_buffer"), config()),
        model_(sc_core::sc_gen_unique_name("join_unit"), config(), blueprint_.routing, node_),
        queues_(static_cast<std::size_t>(inputs())) {
    rtl_.reset();
    put(rtl_.node_i[u_], 0, layout_.address_width, layout_.address(node_));
  }

  void run(Cycle cycles) {
    for (now_ = 0; now_ < cycles && !testing::Test::HasFailure(); ++now_) {
      SCOPED_TRACE("cycle " + std::to_string(now_) + " node " + std::to_string(index(node_)));
      if (now_ % 50 == 0) arriving_ = dice_.density();
      if (now_ % 70 == 0) leaving_ = dice_.density();
      drive();
      compare();
      advance();
    }
    EXPECT_GT(left_, cycles / 100) << "joins hardly ever left";
  }

 private:
  const RouterConfig& config() const { return blueprint_.config; }
  const Topology& topology() const { return blueprint_.routing.topology(); }
  std::size_t nodes() const { return topology().node_count(); }
  /// Input VCs that joins know: the external ones and that of the local contribution.
  int inputs() const { return model_local() + 1; }
  int model_local() const { return config().external_ports * config().vcs; }
  static std::size_t at(int i) { return static_cast<std::size_t>(i); }
  std::deque<Flit>& queue(int iv) { return queues_[at(iv)]; }

  void append(int iv, Flit head, int flits) {
    head.vc = vc_id(at(vc_of(config(), iv)));
    if (buffers_messages(config().switching)) head.length = static_cast<std::uint16_t>(flits);
    for (int i = 0; i < flits; ++i) {
      Flit flit = head;
      if (i > 0) flit = Flit{};
      flit.vc = head.vc;
      flit.message = head.message;
      flit.head = i == 0;
      flit.tail = i == flits - 1;
      flit.data = dice_.bits() >> (64 - layout_.payload_bits);
      if (dice_.chance(30)) flit.data &= 0x8000000000000003U >> (64 - layout_.payload_bits);
      queue(iv).push_back(flit);
    }
  }

  void append_unicast(int iv) {
    Flit head;
    head.kind = MessageKind::unicast;
    head.address = node_id(at(dice_.below(static_cast<int>(nodes()))));
    head.message = static_cast<MessageId>(messages_++);
    append(iv, head, 1 + dice_.below(3));
  }

  // The contributions to one join, to be followed by those to the next one.
  void append_join() {
    Flit head;
    const auto masks = 1 << topology().dimension_count();
    do {
      head.address = node_id(at(dice_.below(static_cast<int>(nodes()))));
      head.ties = static_cast<TieMask>(dice_.below(masks));
    } while (!is_in_group(topology(), node_, head.address, head.free()));
    head.kind = dice_.chance(50) ? MessageKind::join : MessageKind::join_tree;
    LaneType lanes = values_of<LaneType>()[at(dice_.below(3))];
    if (lanes == LaneType::u64 && layout_.payload_bits < 64) lanes = LaneType::u32;
    const int operations = lanes == LaneType::float32 ? 3 : 6;
    head.join = JoinTag(dice_.chance(50) ? dice_.below(2) : dice_.below(JoinTag::max_tag + 1),
                        values_of<JoinOperation>()[at(dice_.below(operations))], lanes);
    head.message = static_cast<MessageId>(messages_++);
    const int flits = 1 + dice_.below(buffers_messages(config().switching) ? 4 : 6);
    const PortMask ports = join_inputs(blueprint_.routing, node_, head.address, head.free());
    for (int port = 0; port < config().external_ports; ++port) {
      const int iv = config().channel_vc(port, dice_.below(config().vcs));
      if ((ports >> port & 1U) != 0) append(iv, head, flits);
      if (dice_.chance(20)) append_unicast(config().channel_vc(port, dice_.below(config().vcs)));
    }
    append(model_local(), head, flits);
    if (dice_.chance(20)) append_unicast(model_local());
  }

  void drive() {
    if (queue(model_local()).size() < 10) append_join();
    clear(rtl_.push_i[u_]);
    for (int iv = 0; iv < inputs(); ++iv) {
      const bool pushes = !queue(iv).empty() && buffer_.count(iv) < config().buffer_depth &&
                          dice_.chance(arriving_);
      if (!pushes) continue;
      if (buffer_.count(iv) == 0) front_since_[at(iv)] = now_;
      buffer_.accept(port_of(config(), iv), queue(iv).front(), now_);
      queue(iv).pop_front();
      put(rtl_.push_i[u_], iv, 1, 1);
    }
    for (int iv = 0; iv < inputs(); ++iv) show_front(iv);
    clear(rtl_.done_i[u_]);
    rtl_.settle();
    look();
  }

  void show_front(int iv) {
    const bool is_there = buffer_.count(iv) > 0;
    const auto stored = layout_.flit_width - layout_.vc_width;
    put(rtl_.occupied_i[u_], iv, 1, is_there ? 1 : 0);
    const auto words = is_there ? packed(buffer_.front(iv)) : std::array<std::uint32_t, 8>{};
    for (int bit = 0; bit < stored; ++bit) {
      put(rtl_.front_i[u_], iv * stored + bit, 1, get_bit(words.data(), at(bit)) ? 1 : 0);
    }
  }

  // As a buffer keeps it: without its VC.
  std::array<std::uint32_t, 8> packed(const Flit& flit) const {
    std::array<std::uint32_t, 8> words{};
    layout_.pack(flit, 0, words.data());
    const std::size_t vc = at(layout_.data_width + layout_.header_width());
    const std::uint64_t ends = get_bits(words.data(), vc + at(layout_.vc_width), 2);
    put_bits(words.data(), vc, 2 + layout_.vc_width, ends);
    return words;
  }

  void look() {
    is_join_d_ = is_ready_d_ = is_lacking_d_ = false;
    if (buffer_.count(model_local()) == 0) return;
    const Flit& front = buffer_.front(model_local());
    if (front.head) is_join_q_ = is_join(front.kind);
    is_join_d_ = is_join_q_;
    if (!is_join_d_) return;
    if (front.head) model_.open(front);
    is_ready_d_ = model_.look(buffer_, now_) == JoinUnit::State::is_ready && are_there();
    const bool is_known = config().route_delay > 0 && front.head && is_there(model_local());
    is_lacking_d_ = is_known && !is_ready_d_;
  }

  // Whether the head at the front has been there for the route delay; other flits need not.
  bool is_there(int iv) const {
    return !buffer_.front(iv).head || now_ >= front_since_[at(iv)] + config().route_delay;
  }
  bool are_there() const {
    for (PortMask rest = model_.inputs(); rest != 0; rest &= rest - 1) {
      const int port = __builtin_ctzll(rest);
      if (!is_there(config().channel_vc(port, model_.vc(port)))) return false;
    }
    return is_there(model_local());
  }

  void compare() const {
    ASSERT_EQ(get(rtl_.is_join_o[u_], 0) != 0, is_join_d_);
    ASSERT_EQ(get(rtl_.is_ready_o[u_], 0) != 0, is_ready_d_);
    ASSERT_EQ(get(rtl_.is_lacking_o[u_], 0) != 0, is_lacking_d_);
    std::uint64_t operands = 0;
    for (PortMask rest = is_ready_d_ ? model_.inputs() : 0; rest != 0; rest &= rest - 1) {
      const int port = __builtin_ctzll(rest);
      operands |= std::uint64_t{1} << config().channel_vc(port, model_.vc(port));
    }
    ASSERT_EQ(get(rtl_.operands_o[u_], 0, model_local()), operands);
    if (!is_ready_d_) return;
    const auto words = packed(model_.combined(buffer_));
    for (int bit = 0; bit < layout_.flit_width - layout_.vc_width; ++bit) {
      ASSERT_EQ(get(rtl_.combined_o[u_], bit) != 0, get_bit(words.data(), at(bit)))
          << "bit " << bit << " of " << model_.combined(buffer_);
    }
  }

  void leave(int iv) {
    put(rtl_.done_i[u_], iv, 1, 1);
    buffer_.pop(port_of(config(), iv), vc_of(config(), iv));
    front_since_[at(iv)] = now_ + 1;
  }

  // What is no join leaves when it likes, a join with all of its operands.
  void advance() {
    const bool takes_local = dice_.chance(leaving_);
    const std::uint64_t operands = get(rtl_.operands_o[u_], 0, model_local());
    std::vector<int> leaving;
    for (int iv = 0; iv < model_local(); ++iv) {
      if (buffer_.count(iv) == 0) continue;
      const Flit& front = buffer_.front(iv);
      auto& is_operand = is_operand_q_[at(iv)];
      if (front.head) is_operand = is_join(front.kind);
      const bool leaves =
          is_operand ? takes_local && (operands >> iv & 1U) != 0 : dice_.chance(leaving_);
      if (leaves) leaving.push_back(iv);
    }
    const bool may_leave = buffer_.count(model_local()) > 0 && (!is_join_d_ || is_ready_d_);
    if (may_leave && takes_local) {
      if (is_join_d_) ++left_;
      leaving.push_back(model_local());
      if (is_join_d_) model_.leave(buffer_.front(model_local()).tail);
    }
    for (const int iv : leaving) leave(iv);
    rtl_.settle();
    rtl_.edge();
  }

  std::size_t u_;
  Blueprint blueprint_;
  PinLayout layout_;
  Dice dice_;
  NodeId node_;
  InputBuffer buffer_;
  JoinUnit model_;
  Clocked<Vjoin_units> rtl_;
  std::vector<std::deque<Flit>> queues_;  // by input VC: what is still to come
  std::array<bool, 64> is_operand_q_{};
  std::array<Cycle, 64> front_since_{};  // by input VC: the first cycle of its front flit there
  bool is_join_q_ = false;               // the message at the front of the local input
  bool is_join_d_ = false;
  bool is_ready_d_ = false;
  bool is_lacking_d_ = false;
  int arriving_ = 100;
  int leaving_ = 100;
  Cycle now_ = 0;
  Cycle left_ = 0;  // flits of joins
  std::uint32_t messages_ = 0;
};

void compare_all(std::size_t unit, const char* topology, const FabricConfig& fabric, int max_via,
                 int payload_bits, std::optional<RoutingOrder> order = std::nullopt) {
  for (std::uint64_t seed = 1; seed <= 8 && !testing::Test::HasFailure(); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    JoinPair(unit, topology, fabric, max_via, payload_bits, order, seed).run(1500);
  }
}

TEST(JoinUnitUnit, CombinesTheSameFlitsInTheSameCyclesOnAHypercube) {
  compare_all(0, "hypercube:3", With().vcs(1).depth(1), 0, 64);
}

TEST(JoinUnitUnit, CombinesTheSameFlitsAfterADelayOnAnAscendingHypercube) {
  compare_all(1, "hypercube:4", With().vcs(2).depth(3).combine_delay(3), 1, 64,
              RoutingOrder::ascending);
}

TEST(JoinUnitUnit, CombinesTheSameFlitsAfterBothDelaysOnATorus) {
  compare_all(2, "torus:4x3",
              With().vcs(2).depth(4).combine_delay(2).replication_delay(1).switching(
                  Switching::cut_through),
              0, 64);
}

TEST(JoinUnitUnit, CombinesTheSameFlitsOfFourBytesOnAMesh) {
  compare_all(3, "mesh:3x4", With().vcs(3).depth(2).replication_delay(2), 1, 32);
}

TEST(JoinUnitUnit, WaitsForTheRouteDelayOfEachContribution) {
  compare_all(4, "hypercube:3", With().vcs(2).depth(2).pipeline(1, 0, 0), 0, 64);
}

TEST(JoinUnitUnit, WaitsForTheLatestOfAllDelays) {
  compare_all(5, "torus:4x3",
              With().vcs(2).depth(3).combine_delay(2).replication_delay(1).pipeline(3, 0, 0), 0,
              64);
}

}  // namespace
}  // namespace allport::test
