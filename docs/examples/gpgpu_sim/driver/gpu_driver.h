// SPDX-License-Identifier: Apache-2.0
// A GpuDriver calls an interconnect by the pointers of icnt_wrapper.h as a GPU does: shaders send
// requests, memory partitions answer each after a while. It knows every packet by its number, and
// throws std::runtime_error, one sentence, if one is lost, comes twice or where it was not sent.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <vector>

#include "rtl_model/base/split_mix.h"

struct DriverOptions {
  unsigned shaders = 56;
  unsigned memories = 8;
  std::size_t requests = 0;  // each has a reply
  double rate = 0;           // packets that are made for each device in a cycle, replies among them
  bool has_lines = false;    // whether one of two packets has 136 bytes, else all have 40
  double pops = 1;           // share of the cycles in which a device pops
  std::size_t held = 8;      // requests that a memory partition holds
  std::int64_t service = 20;  // cycles from a request to its reply, at least
  bool is_eager = false;      // whether all is popped in the cycle in which it is received
  std::uint64_t seed = 1;
};

/// A packet, as it was pushed.
struct DrivenPacket {
  unsigned source = 0;
  unsigned destination = 0;
  unsigned bytes = 0;
  bool is_reply = false;
  std::int64_t at = 0;      // the cycle that the next transfer let pass
  std::int64_t popped = 0;  // the cycle that the last transfer before had let pass
};

class GpuDriver {
 public:
  explicit GpuDriver(const DriverOptions& options);

  /// Makes devices and sends all requests until all replies are there. Returns the cycles.
  std::int64_t run();
  /// Packets in the order of their pushes.
  const std::vector<DrivenPacket>& packets() const { return packets_; }
  /// How often a device that had a packet was told that there is no room.
  std::int64_t refusals() const { return refusals_; }

 private:
  enum class State { unsent, sent, at_memory, replied, done };
  struct Transaction {
    State state = State::unsent;
    unsigned shader = 0;
    unsigned memory = 0;
    unsigned reply_bytes = 0;
    std::int64_t ready = 0;  // the cycle from which on there is a reply
    std::size_t packet = 0;  // the last one pushed
  };

  void cycle();
  bool likes_to_pop();
  void push_requests();
  void push_replies();
  bool pop(unsigned device);
  void push(Transaction& one, bool is_reply, unsigned bytes);
  bool happens(double share);

  const DriverOptions options_;
  allport::SplitMix64 generator_;
  std::vector<Transaction> transactions_;
  std::vector<std::size_t> unsent_;            // by shader: requests that wait for room
  std::vector<std::deque<std::size_t>> held_;  // by memory partition
  std::vector<DrivenPacket> packets_;
  std::size_t made_ = 0;  // requests, sent or not
  std::size_t sent_ = 0;
  std::size_t done_ = 0;
  std::int64_t now_ = 0;
  std::int64_t last_pop_ = 0;
  std::int64_t refusals_ = 0;
};
