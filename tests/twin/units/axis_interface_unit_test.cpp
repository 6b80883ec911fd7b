// SPDX-License-Identifier: Apache-2.0
// The network interface in RTL, with AXI4-Streams, runs beside the injector and the ejector of the
// SystemC network interface: both have the same messages, and the same flits in the same cycles.
#include <Vaxis_interfaces.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "rtl_model/systemc/fabric.h"
#include "tests/twin/units/unit_bench.h"
#include "tlm/interface/ejector.h"
#include "tlm/interface/injector.h"

namespace allport::test {
namespace {

using Rtl = Clocked<Vaxis_interfaces>;

constexpr int tag_bits = 32;

// As in axis_interfaces.sv.
struct Shape {
  const char* topology;
  int vcs;
  int depth;
  int bytes;  // of a beat
  Switching switching;
};
constexpr std::array<Shape, 4> shapes{{{"hypercube:3", 2, 4, 8, Switching::wormhole},
                                       {"torus:4x5", 2, 1, 5, Switching::circuit},
                                       {"mesh:3x4", 1, 5, 4, Switching::cut_through},
                                       {"hypercube:4", 4, 6, 1, Switching::store_and_forward}}};

/// A unit, its model and what both are given.
class Lane {
 public:
  Lane(int unit, std::uint64_t seed)
      : unit_(unit),
        shape_(shapes[static_cast<std::size_t>(unit)]),
        topology_(parse_topology(shape_.topology)),
        routing_(topology_, Routing::default_order(*topology_)),
        layout_(config(), routing_, 8 * shape_.bytes, 0),
        dice_(seed * 10 + static_cast<std::uint64_t>(unit)),
        injector_(shape_.bytes, shape_.depth, shape_.switching, buffers_messages(shape_.switching)),
        of_ejector_("interface", log_, pool_, shape_.bytes),
        ejector_(of_ejector_, 0),
        router_credits_(shape_.depth) {
    layout_.data_width = layout_.address_width + tag_bits + 9 * shape_.bytes;
    layout_.flit_width = 2 + layout_.vc_width + layout_.header_width() + layout_.data_width;
    node_ = node_id(static_cast<std::size_t>(dice_.below(node_count())));
  }

  /// Sets the inputs of cycle `now`.
  void drive(Rtl& rtl, Cycle now) {
    const auto u = static_cast<std::size_t>(unit_);
    if (now % 50 == 0) {
      send_density_ = dice_.density();
      credit_density_ = dice_.density();
      ready_density_ = dice_.density();
    }
    put(rtl.node_i[u], 0, layout_.address_width, layout_.address(node_));
    if (dice_.chance(send_density_) && injector_.queue_size() < 3) push(now);
    offers_ = !injector_.is_empty() && injector_.next_start() <= now;
    put(rtl.s_valid_i[u], 0, 1, offers_ ? 1 : 0);
    if (offers_) offer(rtl, u);
    credit_ = away_ > 0 && dice_.chance(credit_density_);
    ack_ = is_waiting_ && dice_.chance(20);
    put(rtl.credit_i[u], 0, 1, credit_ ? 1 : 0);
    put(rtl.ack_i[u], 0, 1, ack_ ? 1 : 0);
    ready_ = dice_.chance(ready_density_);
    put(rtl.m_ready_i[u], 0, 1, ready_ ? 1 : 0);
    arrive(rtl, u, now);
  }

  /// Compares the outputs of cycle `now`, then takes both to the next one.
  void compare(Rtl& rtl, Cycle now) {
    compare_injection(rtl, static_cast<std::size_t>(unit_), now);
    compare_ejection(rtl, static_cast<std::size_t>(unit_));
  }

  int flits_sent() const { return flits_sent_; }
  int frames_received() const { return frames_received_; }

 private:
  struct Beat {
    Flit flit;
    std::uint64_t keep = 0;
    std::uint64_t tag = 0;
    std::uint64_t source = 0;
  };

  RouterConfig config() const {
    FabricConfig fabric;
    fabric.vcs = shape_.vcs;
    fabric.buffer_depth = shape_.depth;
    fabric.switching = shape_.switching;
    return router_config(fabric, routing_);
  }
  int node_count() const { return static_cast<int>(topology_->node_count()); }

  MessageKind random_kind() {
    if (shape_.switching == Switching::circuit) return MessageKind::unicast;
    constexpr std::array<MessageKind, 4> kinds{MessageKind::unicast, MessageKind::deposit,
                                               MessageKind::tree, MessageKind::path};
    return kinds[static_cast<std::size_t>(dice_.below(topology_->is_hypercube() ? 4 : 2))];
  }
  TieMask random_ties() {
    return topology_->is_hypercube() ? 0 : static_cast<TieMask>(dice_.mask(layout_.tie_width, 50));
  }
  int random_length() {
    return 1 + dice_.below(buffers_messages(shape_.switching) ? shape_.depth : 9);
  }
  NodeId another_node() {
    const auto nodes = static_cast<std::size_t>(node_count());
    const std::size_t step = 1 + static_cast<std::size_t>(dice_.below(node_count() - 1));
    return node_id((index(node_) + step) % nodes);
  }
  /// Bytes of a message of `flits` flits, the last one not always full.
  std::size_t bytes_of(int flits) {
    return static_cast<std::size_t>(flits * shape_.bytes - dice_.below(shape_.bytes));
  }

  void push(Cycle now) {
    const int flits = random_length();
    tlm::tlm_generic_payload& message = pool_.allocate(bytes_of(flits));
    fill_payload(message, dice_.bits());
    message.set_address(index(another_node()));
    MessageExtension& extension = *message_extension(message);
    extension.header() = MessageHeader{};
    extension.kind = random_kind();
    extension.ties = random_ties();
    extension.source = node_;
    extension.id = static_cast<MessageId>(pushed_++);
    const Cycle start = now + dice_.below(4);
    injector_.push(message, start, flits);
  }

  // The next beat of the message that is first in the injector's queue.
  void offer(Rtl& rtl, std::size_t u) {
    const Injector::Pending& pending = injector_.queued(0);
    const tlm::tlm_generic_payload& message = *pending.message;
    const auto& extension = *message.get_extension<MessageExtension>();
    const std::size_t at = static_cast<std::size_t>(beat_) * static_cast<std::size_t>(shape_.bytes);
    std::uint64_t data = 0;
    keep_ = 0;
    for (int i = 0; i < shape_.bytes; ++i) {
      const std::size_t place = at + static_cast<std::size_t>(i);
      if (place >= message.get_data_length()) break;
      data |= std::uint64_t{message.get_data_ptr()[place]} << 8 * i;
      keep_ |= std::uint64_t{1} << i;
    }
    tag_ = dice_.bits() & 0xffffffffU;
    put(rtl.s_data_i[u], 0, 8 * shape_.bytes, data);
    put(rtl.s_keep_i[u], 0, shape_.bytes, keep_);
    put(rtl.s_last_i[u], 0, 1, beat_ + 1 == pending.flits ? 1 : 0);
    // Behind the first beat only the tag matters.
    const bool is_first = beat_ == 0;
    const auto destination = static_cast<NodeId>(message.get_address());
    put(rtl.s_dest_i[u], 0, layout_.address_width,
        is_first ? layout_.address(destination) : dice_.bits());
    Flit head;
    head.kind = extension.kind;
    head.ties = extension.ties;
    head.length = static_cast<std::uint16_t>(pending.flits);
    put(rtl.s_user_i[u], 0, route_bits(), is_first ? route(head) : dice_.bits());
    put_bits(rtl.s_user_i[u].m_storage, static_cast<std::size_t>(route_bits()), tag_bits, tag_);
  }

  // The low bits of tuser: kind, ties and, where there is one, length.
  int route_bits() const { return 3 + layout_.tie_width + layout_.length_width; }
  std::uint64_t route(const Flit& head) const {
    std::uint64_t bits = static_cast<std::uint64_t>(head.kind) | std::uint64_t{head.ties} << 3;
    if (layout_.length_width > 0) bits |= std::uint64_t{head.length} << (3 + layout_.tie_width);
    return bits;
  }

  void compare_injection(Rtl& rtl, std::size_t u, Cycle now) {
    const bool sends = injector_.can_send(now);
    ASSERT_EQ(get(rtl.valid_o[u], 0) != 0, sends);
    ASSERT_EQ(offers_ && get(rtl.s_ready_o[u], 0) != 0, sends);
    if (sends) {
      const Flit expected = injector_.send(now);
      Flit actual = layout_.unpack(rtl.flit_o[u].m_storage, 0);
      actual.message = expected.message;  // not on these pins
      ASSERT_EQ(actual, expected) << actual << " instead of " << expected;
      std::size_t at = static_cast<std::size_t>(8 * shape_.bytes);
      const auto next = [&](int width) {
        const std::uint64_t bits = get_bits(rtl.flit_o[u].m_storage, at, width);
        at += static_cast<std::size_t>(width);
        return bits;
      };
      ASSERT_EQ(next(shape_.bytes), keep_);
      ASSERT_EQ(next(tag_bits), tag_);
      ASSERT_EQ(next(layout_.address_width), layout_.address(node_));
      ++flits_sent_;
      ++away_;
      beat_ = expected.tail ? 0 : beat_ + 1;
      if (expected.tail) injector_.sent_message().release();
      if (expected.head) is_waiting_ = shape_.switching == Switching::circuit && !expected.tail;
    }
    if (credit_) {
      injector_.accept_credit();
      --away_;
    }
    if (ack_) {
      injector_.accept_ack();
      is_waiting_ = false;
    }
  }

  // The next flit of a message from another node on the ejection channel, if there is a credit.
  void arrive(Rtl& rtl, std::size_t u, Cycle now) {
    has_arrived_ = router_credits_ > 0 && dice_.chance(send_density_);
    put(rtl.valid_i[u], 0, 1, has_arrived_ ? 1 : 0);
    if (!has_arrived_) return;
    if (rest_ == 0) begin_message();
    Beat beat;
    Flit& flit = beat.flit;
    flit.head = rest_ == static_cast<int>(record_.flits);
    flit.tail = --rest_ == 0;
    flit.message = record_id_;
    if (flit.head) {
      flit.kind = record_.kind;
      flit.ties = record_.ties;
      flit.address = goes_to_all(record_.kind) ? record_.source : node_;
      if (layout_.length_width > 0) flit.length = static_cast<std::uint16_t>(record_.flits);
    }
    const std::size_t last = record_.bytes - static_cast<std::size_t>(record_.flits - 1) *
                                                 static_cast<std::size_t>(shape_.bytes);
    const int used = flit.tail ? static_cast<int>(last) : shape_.bytes;
    flit.data = dice_.mask(8 * used, 50);
    beat.keep = (std::uint64_t{1} << used) - 1;
    beat.tag = dice_.bits() & 0xffffffffU;
    beat.source = layout_.address(record_.source);
    layout_.pack(flit, 0, rtl.flit_i[u].m_storage);
    auto at = static_cast<std::size_t>(8 * shape_.bytes);
    put_bits(rtl.flit_i[u].m_storage, at, shape_.bytes, beat.keep);
    at += static_cast<std::size_t>(shape_.bytes);
    put_bits(rtl.flit_i[u].m_storage, at, tag_bits, beat.tag);
    put_bits(rtl.flit_i[u].m_storage, at + tag_bits, layout_.address_width, beat.source);
    waiting_.push_back(beat);
    tlm::tlm_generic_payload* const whole = ejector_.take(flit, now);
    if (whole != nullptr) received_.push_back(whole);
    --router_credits_;
  }

  void begin_message() {
    record_ = MessageRecord{};
    record_.source = another_node();
    record_.destination = node_;
    record_.flits = rest_ = random_length();
    record_.bytes = bytes_of(rest_);
    record_.kind = random_kind();
    record_.ties = random_ties();
    record_id_ = log_.add(record_);
  }

  void compare_ejection(Rtl& rtl, std::size_t u) {
    ASSERT_EQ(get(rtl.credit_o[u], 0) != 0, was_taken_);
    ASSERT_EQ(get(rtl.ack_o[u], 0) != 0, acknowledges_);
    ASSERT_EQ(get(rtl.m_valid_o[u], 0) != 0, !waiting_.empty());
    if (was_taken_) ++router_credits_;
    acknowledges_ = has_arrived_ && shape_.switching == Switching::circuit &&
                    waiting_.back().flit.head && !waiting_.back().flit.tail;
    was_taken_ = !waiting_.empty() && ready_;
    if (waiting_.empty()) return;
    const Beat& beat = waiting_.front();
    if (beat.flit.head) route_ = route(beat.flit);
    ASSERT_EQ(get(rtl.m_data_o[u], 0, 8 * shape_.bytes), beat.flit.data);
    ASSERT_EQ(get(rtl.m_keep_o[u], 0, shape_.bytes), beat.keep);
    ASSERT_EQ(get(rtl.m_last_o[u], 0) != 0, beat.flit.tail);
    ASSERT_EQ(get(rtl.m_id_o[u], 0, layout_.address_width), beat.source);
    ASSERT_EQ(get(rtl.m_user_o[u], 0, route_bits()), route_);
    ASSERT_EQ(get_bits(rtl.m_user_o[u].m_storage, static_cast<std::size_t>(route_bits()), tag_bits),
              beat.tag);
    if (was_taken_) take(rtl, u);
  }

  // A beat leaves the stream; with the last one the frame is the message that the ejector put
  // together.
  void take(Rtl& rtl, std::size_t u) {
    for (int i = 0; i < shape_.bytes; ++i) {
      if (get(rtl.m_keep_o[u], i) != 0) {
        frame_.push_back(static_cast<unsigned char>(get(rtl.m_data_o[u], i, 8)));
      }
    }
    const bool is_last = waiting_.front().flit.tail;
    waiting_.pop_front();
    if (!is_last) return;
    ASSERT_FALSE(received_.empty());
    tlm::tlm_generic_payload& message = *received_.front();
    const std::vector<unsigned char> bytes(message.get_data_ptr(),
                                           message.get_data_ptr() + message.get_data_length());
    ASSERT_EQ(frame_, bytes);
    message.release();
    received_.pop_front();
    frame_.clear();
    ++frames_received_;
  }

  int unit_;
  Shape shape_;
  std::shared_ptr<const Topology> topology_;
  Routing routing_;
  PinLayout layout_;
  Dice dice_;
  MessagePool pool_;
  MessageLog log_;
  Injector injector_;
  const Ejector::Interface of_ejector_;
  Ejector ejector_;
  NodeId node_{};
  int send_density_ = 0, credit_density_ = 0, ready_density_ = 0;

  // Injection
  int pushed_ = 0, beat_ = 0, away_ = 0, flits_sent_ = 0;
  bool offers_ = false, credit_ = false, ack_ = false, is_waiting_ = false;
  std::uint64_t keep_ = 0, tag_ = 0;

  // Ejection
  MessageRecord record_;
  MessageId record_id_ = no_message;
  int rest_ = 0, router_credits_, frames_received_ = 0;
  bool has_arrived_ = false, ready_ = false, was_taken_ = false, acknowledges_ = false;
  std::uint64_t route_ = 0;
  std::deque<Beat> waiting_;
  std::deque<tlm::tlm_generic_payload*> received_;
  std::vector<unsigned char> frame_;
};

TEST(AxisInterfaceUnit, SendsAndReceivesAsTheSystemCInterfaceInEveryCycle) {
  constexpr int cycles = 4000;
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    Rtl rtl;
    rtl.reset();
    std::vector<std::unique_ptr<Lane>> lanes;
    for (int u = 0; u < static_cast<int>(shapes.size()); ++u) {
      lanes.push_back(std::make_unique<Lane>(u, seed));
    }
    for (Cycle now = 0; now < cycles; ++now) {
      for (const auto& lane : lanes) lane->drive(rtl, now);
      rtl.settle();
      for (std::size_t u = 0; u < lanes.size(); ++u) {
        SCOPED_TRACE("seed " + std::to_string(seed) + ", unit " + std::to_string(u) + ", cycle " +
                     std::to_string(now));
        ASSERT_NO_FATAL_FAILURE(lanes[u]->compare(rtl, now));
      }
      rtl.edge();
    }
    for (const auto& lane : lanes) {
      EXPECT_GT(lane->flits_sent(), cycles / 20);
      EXPECT_GT(lane->frames_received(), cycles / 100);
    }
  }
}

}  // namespace
}  // namespace allport::test
