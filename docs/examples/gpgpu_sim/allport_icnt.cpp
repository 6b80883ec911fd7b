// SPDX-License-Identifier: Apache-2.0
#include "allport_icnt.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <deque>
#include <stdexcept>
#include <vector>

#include "testbench/network/network.h"
#include "testbench/network/network_options.h"

using allport::Cycle;
using allport::Network;

namespace {

constexpr int request = 0;
constexpr int reply = 1;
constexpr std::array<const char*, 2> class_names{"request", "reply"};

// A packet under way: a message brings its place back.
struct Packet {
  void* data = nullptr;
  Cycle pushed = 0;
};

struct Received {
  void* data = nullptr;
  std::uint64_t id = 0;
};

// What was sent and received in some cycles.
struct Tally {
  struct OfClass {
    unsigned long long sent = 0, flits = 0, received = 0;
    Cycle latencies = 0, largest = 0;  // from the push to the tail at the receiver
  };
  Cycle since = 0;
  std::array<OfClass, 2> of_class;

  void print(const char* name, Cycle now) const {
    std::printf("%s_cycles = %lld\n", name, static_cast<long long>(now - since));
    for (std::size_t c = 0; c < of_class.size(); ++c) {
      const OfClass& one = of_class[c];
      const std::string key = std::string(name) + "_" + class_names[c];
      std::printf("%s_packets_sent = %llu\n", key.c_str(), one.sent);
      std::printf("%s_flits_sent = %llu\n", key.c_str(), one.flits);
      std::printf("%s_packets_received = %llu\n", key.c_str(), one.received);
      if (one.received == 0) continue;
      std::printf("%s_latency_mean = %.2f\n", key.c_str(),
                  static_cast<double>(one.latencies) / static_cast<double>(one.received));
      std::printf("%s_latency_max = %lld\n", key.c_str(), static_cast<long long>(one.largest));
    }
  }
};

allport::NetworkRequest network_request(const std::string& options) {
  const allport::NetworkRequest read = allport::read_network_request(options);
  if (read.router.classes == 2) return read;
  throw std::invalid_argument("classes " + std::to_string(read.router.classes) +
                              ": must be 2, one for requests and one for replies");
}

}  // namespace

struct AllportIcnt::Inside {
  explicit Inside(const std::string& text) : options(network_request(text)), network(options) {}

  void require_device(unsigned device) const {
    if (device < received.size()) return;
    throw std::invalid_argument("device " + std::to_string(device) + ": there are " +
                                std::to_string(received.size()));
  }
  int sent_class(unsigned device) const { return device < shaders ? request : reply; }
  std::int64_t flits_of(unsigned bytes) const {
    const auto size = static_cast<unsigned>(options.flit_bytes);
    return std::max<std::int64_t>(1, bytes / size + (bytes % size == 0 ? 0 : 1));
  }

  const allport::NetworkRequest options;
  Network network;
  unsigned shaders = 0;
  std::vector<Packet> packets;
  std::vector<std::size_t> free_packets;
  std::vector<std::deque<Received>> received;  // by device: what it has not popped
  std::size_t unpopped = 0;                    // of all devices
  Tally kernel, overall;
};

AllportIcnt::AllportIcnt(const std::string& options) : inside_(new Inside(options)) {}
AllportIcnt::~AllportIcnt() = default;

void AllportIcnt::create(unsigned shaders, unsigned memories) {
  Inside& in = *inside_;
  const allport::Topology& topology = in.network.topology();
  if (shaders > topology.node_count() || memories > topology.node_count() - shaders) {
    throw std::invalid_argument(std::to_string(shaders) + " shaders and " +
                                std::to_string(memories) +
                                " memory partitions: " + topology.name() + " has " +
                                std::to_string(topology.node_count()) + " nodes");
  }
  in.network = Network(in.options);
  in.shaders = shaders;
  in.packets.clear();
  in.free_packets.clear();
  in.received.assign(shaders + memories, {});
  in.unpopped = 0;
  in.kernel = in.overall = Tally();
}

void AllportIcnt::init() {
  inside_->kernel = Tally();
  inside_->kernel.since = inside_->network.now();
}

bool AllportIcnt::has_buffer(unsigned input, unsigned bytes) const {
  const Inside& in = *inside_;
  in.require_device(input);
  const auto limit = in.network.limit();
  if (!limit) return true;
  const std::int64_t flits = in.flits_of(bytes);
  if (flits > *limit) {
    throw std::invalid_argument("a packet of " + std::to_string(bytes) + " bytes: the queue of a " +
                                "device has room for " + std::to_string(*limit) + " flits of " +
                                std::to_string(in.options.flit_bytes) + " bytes");
  }
  return in.network.queued(allport::node_id(input), in.sent_class(input)) + flits <= *limit;
}

void AllportIcnt::push(unsigned input, unsigned output, void* data, unsigned bytes) {
  Inside& in = *inside_;
  in.require_device(input);
  in.require_device(output);
  if ((input < in.shaders) == (output < in.shaders)) {
    throw std::invalid_argument("device " + std::to_string(input) + " to device " +
                                std::to_string(output) +
                                ": a packet goes from a shader to a memory partition, or back");
  }
  if (in.free_packets.empty()) {
    in.free_packets.push_back(in.packets.size());
    in.packets.emplace_back();
  }
  const std::size_t place = in.free_packets.back();
  allport::NetworkMessage message;
  message.source = allport::node_id(input);
  message.destination = allport::node_id(output);
  message.flits = in.flits_of(bytes);
  message.message_class = in.sent_class(input);
  message.user = place;
  in.network.send(message, in.network.now());
  in.free_packets.pop_back();
  in.packets[place] = {data, in.network.now()};
  for (Tally* tally : {&in.kernel, &in.overall}) {
    Tally::OfClass& sums = tally->of_class[static_cast<std::size_t>(message.message_class)];
    ++sums.sent;
    sums.flits += static_cast<unsigned long long>(message.flits);
  }
}

void* AllportIcnt::pop(unsigned output) {
  Inside& in = *inside_;
  in.require_device(output);
  std::deque<Received>& queue = in.received[output];
  if (queue.empty()) return nullptr;
  const Received first = queue.front();
  if (in.options.reception_limit) in.network.take(first.id, allport::node_id(output));
  queue.pop_front();
  --in.unpopped;
  return first.data;
}

void AllportIcnt::transfer() {
  Inside& in = *inside_;
  for (const allport::NetworkDelivery& one : in.network.advance(in.network.now())) {
    const Packet& packet = in.packets[one.user];
    in.received[allport::index(one.destination)].push_back({packet.data, one.id});
    ++in.unpopped;
    for (Tally* tally : {&in.kernel, &in.overall}) {
      Tally::OfClass& sums = tally->of_class[static_cast<std::size_t>(one.message_class)];
      ++sums.received;
      sums.latencies += one.tail - packet.pushed;
      sums.largest = std::max(sums.largest, one.tail - packet.pushed);
    }
    in.free_packets.push_back(one.user);
  }
}

bool AllportIcnt::busy() const { return inside_->unpopped > 0 || !inside_->network.is_idle(); }

void AllportIcnt::drain() {
  while (inside_->network.next_event() != Network::never) transfer();
}

void AllportIcnt::display_stats() const {
  inside_->kernel.print("allport", inside_->network.now());
}

void AllportIcnt::display_overall_stats() const {
  inside_->overall.print("allport_overall", inside_->network.now());
}

void AllportIcnt::display_state(std::FILE* file) const {
  const Inside& in = *inside_;
  std::fprintf(file, "allport: cycle %lld\n", static_cast<long long>(in.network.now()));
  for (unsigned device = 0; device < in.received.size(); ++device) {
    const std::int64_t flits = in.network.queued(allport::node_id(device), in.sent_class(device));
    if (flits == 0 && in.received[device].empty()) continue;
    std::fprintf(file, "allport: device %u: %lld flits wait to be sent, %zu packets to be popped\n",
                 device, static_cast<long long>(flits), in.received[device].size());
  }
}

unsigned AllportIcnt::flit_size() const {
  return static_cast<unsigned>(inside_->options.flit_bytes);
}
