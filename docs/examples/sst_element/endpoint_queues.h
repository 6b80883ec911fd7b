// SPDX-License-Identifier: Apache-2.0
// EndpointQueues are the two sides of an endpoint of a PortFabric for each virtual network: the
// room of an output buffer, which a packet occupies from its send until the network has taken it,
// and the packets that were received and not fetched. What is wrong with a call is thrown as
// std::invalid_argument, one sentence, and changes nothing.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

template <class Packet>
class EndpointQueues {
 public:
  /// Called with a virtual network. False: it is not called again.
  using Notice = std::function<bool(int vn)>;

  explicit EndpointQueues(int vns) : vns_(static_cast<std::size_t>(vns)) {}

  /// Before anything is sent: `output_flits` flits of `flit_bits` bits have room in the output
  /// buffer of each virtual network.
  void open(std::int64_t output_flits, std::int64_t flit_bits) {
    output_flits_ = output_flits;
    flit_bits_ = flit_bits;
    for (Side& one : vns_) one.free_flits = output_flits;
  }
  bool is_open() const { return output_flits_ > 0; }

  /// At least one.
  std::int64_t flits_of(std::uint64_t bits) const {
    const auto size = static_cast<std::uint64_t>(flit_bits_);
    return std::max<std::int64_t>(1, static_cast<std::int64_t>(bits / size) + (bits % size != 0));
  }

  bool has_space(int vn, std::uint64_t bits) const {
    const std::int64_t flits = flits_of(bits);
    if (flits > output_flits_) {
      throw std::invalid_argument(
          "a packet of " + std::to_string(bits) + " bits: the output buffer has room for " +
          std::to_string(output_flits_) + " flits of " + std::to_string(flit_bits_) + " bits");
    }
    return side(vn).free_flits >= flits;
  }
  /// Occupies the room of a packet. False: there is none.
  bool send(int vn, std::uint64_t bits) {
    if (!has_space(vn, bits)) return false;
    side(vn).free_flits -= flits_of(bits);
    return true;
  }
  /// The network has taken a packet: its room is free.
  void sent(int vn, std::uint64_t bits) {
    side(vn).free_flits += flits_of(bits);
    call(on_send_, vn);
  }

  void receive(int vn, Packet packet) {
    side(vn).received.push_back(std::move(packet));
    call(on_receive_, vn);
  }
  bool has_received(int vn) const { return !side(vn).received.empty(); }
  /// The packet that was received first.
  std::optional<Packet> fetch(int vn) {
    std::deque<Packet>& received = side(vn).received;
    if (received.empty()) return std::nullopt;
    std::optional<Packet> first(std::move(received.front()));
    received.pop_front();
    return first;
  }

  /// Within `notice` another may be set, which then counts.
  void on_send(Notice notice) { on_send_ = std::move(notice); }
  void on_receive(Notice notice) { on_receive_ = std::move(notice); }

 private:
  struct Side {
    std::int64_t free_flits = 0;
    std::deque<Packet> received;
  };

  void require(int vn) const {
    if (vn >= 0 && static_cast<std::size_t>(vn) < vns_.size()) return;
    throw std::invalid_argument("virtual network " + std::to_string(vn) + ": must be 0.." +
                                std::to_string(vns_.size() - 1));
  }
  Side& side(int vn) {
    require(vn);
    return vns_[static_cast<std::size_t>(vn)];
  }
  const Side& side(int vn) const {
    require(vn);
    return vns_[static_cast<std::size_t>(vn)];
  }

  static void call(Notice& notice, int vn) {
    if (!notice) return;
    Notice called = std::exchange(notice, nullptr);
    const bool is_kept = called(vn);
    if (is_kept && !notice) notice = std::move(called);
  }

  std::int64_t output_flits_ = 0;
  std::int64_t flit_bits_ = 1;
  std::vector<Side> vns_;
  Notice on_send_, on_receive_;
};
