// SPDX-License-Identifier: Apache-2.0
#include "port_fabric.h"

#include <algorithm>
#include <deque>
#include <iterator>
#include <map>
#include <ostream>
#include <stdexcept>
#include <unordered_map>
#include <utility>

#include "testbench/network/network.h"
#include "testbench/network/network_options.h"
#include "testbench/network/network_results.h"

using allport::Cycle;
using allport::Network;

struct PortFabric::Inside {
  using Port = std::pair<std::size_t, int>;  // a node, and a message class

  explicit Inside(const std::string& text)
      : options(allport::read_network_request(text)), network(options) {}

  // Packets longer than this would wait for ever, or are no messages.
  std::int64_t longest() const {
    std::int64_t most = 1'000'000'000;
    if (options.queue_limit) most = std::min(most, *options.queue_limit);
    if (options.reception_limit) most = std::min(most, *options.reception_limit);
    return most;
  }

  void require_node(const char* role, std::int64_t node) const {
    const std::size_t count = network.topology().node_count();
    if (node >= 0 && static_cast<std::uint64_t>(node) < count) return;
    throw std::invalid_argument(std::string(role) + " " + std::to_string(node) + ": " +
                                network.topology().name() + " has the nodes 0.." +
                                std::to_string(count - 1));
  }

  void require(const Packet& packet) const {
    require_node("source", packet.source);
    require_node("destination", packet.destination);
    if (packet.message_class < 0 || packet.message_class >= options.router.classes) {
      throw std::invalid_argument("class " + std::to_string(packet.message_class) +
                                  ": must be 0.." + std::to_string(options.router.classes - 1));
    }
    if (packet.flits < 1 || packet.flits > longest()) {
      throw std::invalid_argument("a packet of " + std::to_string(packet.flits) +
                                  " flits: must be 1.." + std::to_string(longest()));
    }
  }

  // Whether the network has room for it.
  bool enter(const Packet& packet) {
    allport::NetworkMessage message;
    message.source = allport::node_id(static_cast<std::size_t>(packet.source));
    message.destination = allport::node_id(static_cast<std::size_t>(packet.destination));
    message.flits = packet.flits;
    message.message_class = packet.message_class;
    message.user = packet.number;
    if (!network.try_send(message, network.now())) return false;
    news.push_back({packet.number, false, network.now(), network.now()});
    if (schedule != nullptr) write(message);
    return true;
  }

  // Nodes have in files the numbers of the whole fabric.
  void write(const allport::NetworkMessage& message) {
    const allport::Topology& topology = *options.fabric.topology;
    *schedule << R"({"u":)" << topology.number_of(message.source) << R"(,"v":)"
              << topology.number_of(message.destination) << R"(,"step":1,"order":)"
              << written[message.source]++ << R"(,"flits":)" << message.flits << R"(,"at":)"
              << network.now() << R"(,"class":)" << message.message_class << "}\n";
  }

  // A cycle has begun: what waits at the ports enters as far as there is room.
  void enter_waiting() {
    for (auto port = waiting.begin(); port != waiting.end();) {
      std::deque<Packet>& packets = port->second;
      while (!packets.empty() && enter(packets.front())) packets.pop_front();
      port = packets.empty() ? waiting.erase(port) : std::next(port);
    }
  }

  bool can_move() const { return network.next_event() != Network::never; }

  void hear(const std::vector<allport::NetworkDelivery>& deliveries) {
    for (const allport::NetworkDelivery& one : deliveries) {
      --under_way;
      if (options.reception_limit) untaken[one.user] = {one.id, one.destination};
      news.push_back({one.user, true, one.tail, one.tail + 1});
    }
  }

  const allport::NetworkRequest options;
  Network network;
  std::map<Port, std::deque<Packet>> waiting;
  std::unordered_map<std::uint64_t, std::pair<std::uint64_t, allport::NodeId>> untaken;
  std::vector<News> news;
  std::size_t under_way = 0;
  std::ostream* schedule = nullptr;
  std::map<allport::NodeId, std::int64_t> written;  // lines of a source
};

PortFabric::PortFabric(const std::string& options) : inside_(new Inside(options)) {}
PortFabric::~PortFabric() = default;

std::size_t PortFabric::node_count() const { return inside_->network.topology().node_count(); }
int PortFabric::classes() const { return inside_->options.router.classes; }
int PortFabric::flit_bytes() const { return inside_->options.flit_bytes; }
std::int64_t PortFabric::now() const { return inside_->network.now(); }

void PortFabric::advance_to(std::int64_t cycle) {
  Inside& in = *inside_;
  if (cycle < now()) {
    throw std::invalid_argument("cycle " + std::to_string(cycle) + ": cycle " +
                                std::to_string(now()) + " has begun");
  }
  while (now() < cycle) {
    const bool is_awaited = !in.waiting.empty() && in.can_move();
    in.hear(in.network.advance(is_awaited ? now() : cycle - 1));
    in.enter_waiting();
  }
}

void PortFabric::send(const Packet& packet) {
  Inside& in = *inside_;
  in.require(packet);
  if (packet.source == packet.destination) {
    in.news.push_back({packet.number, false, now(), now()});
    in.news.push_back({packet.number, true, now(), now()});
    return;
  }
  const Inside::Port port{static_cast<std::size_t>(packet.source), packet.message_class};
  ++in.under_way;
  if (in.waiting.count(port) == 0 && in.enter(packet)) return;
  in.waiting[port].push_back(packet);
}

void PortFabric::take(std::uint64_t number) {
  Inside& in = *inside_;
  const auto found = in.untaken.find(number);
  if (found == in.untaken.end()) return;  // nothing is held for it
  in.network.take(found->second.first, found->second.second);
  in.untaken.erase(found);
}

std::vector<PortFabric::News> PortFabric::news() { return std::exchange(inside_->news, {}); }

std::optional<std::int64_t> PortFabric::next() const {
  const Inside& in = *inside_;
  if (!in.news.empty()) return now();
  if (!in.can_move()) return std::nullopt;
  return in.waiting.empty() ? std::max(in.network.next_event(), now()) + 1 : now() + 1;
}

std::size_t PortFabric::under_way() const { return inside_->under_way; }

std::string PortFabric::deadlock() const {
  const auto found = inside_->network.deadlock();
  std::string text;
  if (!found) return text;
  for (const auto& wait : found->circle) text += (text.empty() ? "" : "; ") + wait.words;
  return text;
}

void PortFabric::write_schedule(std::ostream& lines) { inside_->schedule = &lines; }

std::string PortFabric::results() const { return allport::results_text(inside_->network); }
