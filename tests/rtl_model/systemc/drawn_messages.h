// SPDX-License-Identifier: Apache-2.0
// Drawn messages in a fabric that is paced by calls or by the kernel, and what becomes of each of
// their flits: to be compared between fabrics that shall do the same.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <deque>
#include <memory>
#include <stdexcept>
#include <string>
#include <tuple>
#include <vector>

#include "rtl_model/systemc/fabric.h"
#include "tests/support/blueprint.h"
#include "tests/support/draw.h"

namespace allport::test {

/// A flit that a terminal took, or one that it put on its channel or an acknowledgement that it
/// saw.
struct Seen {
  enum class What : std::uint32_t { injected, ejected, acknowledged };
  Cycle cycle = 0;
  std::uint32_t node = 0;
  std::uint32_t port = 0;
  What what{};
  std::uint32_t message = 0;
  std::uint64_t flit = 0;

  auto all() const { return std::tie(cycle, node, port, what, message, flit); }
  bool operator<(const Seen& other) const { return all() < other.all(); }
};

struct DrawnMessage {
  std::uint32_t number = 0;
  Cycle first = 0;
  std::size_t source = 0;
  std::size_t destination = 0;
  int port = 0;
  int flits = 1;

  Flit operator[](int position) const {
    Flit flit;
    flit.message = static_cast<MessageId>(number);
    flit.data = static_cast<std::uint64_t>(position);
    flit.head = position == 0;
    flit.tail = position + 1 == flits;
    if (!flit.head) return flit;
    flit.address = node_id(destination);
    flit.length = static_cast<std::uint16_t>(flits);
    return flit;
  }
};

/// `count` messages of 1 .. `longest` flits between nodes, in the first `cycles` cycles.
inline std::vector<DrawnMessage> drawn_messages(const Blueprint& blueprint, int count, int longest,
                                                int cycles, std::uint64_t seed) {
  Draw draw(seed);
  const auto nodes = static_cast<int>(blueprint.routing.topology().node_count());
  std::vector<Cycle> starts;
  for (int i = 0; i < count; ++i) starts.push_back(draw.below(cycles));
  std::sort(starts.begin(), starts.end());
  std::vector<DrawnMessage> messages;
  for (int i = 0; i < count; ++i) {
    const int source = draw.below(nodes);
    const int hop = 1 + draw.below(nodes - 1);
    messages.push_back({static_cast<std::uint32_t>(i), starts[static_cast<std::size_t>(i)],
                        static_cast<std::size_t>(source),
                        static_cast<std::size_t>((source + hop) % nodes),
                        draw.below(blueprint.config.internal_ports), 1 + draw.below(longest)});
  }
  return messages;
}

/// Sends messages one after the other on each injection channel, as credits allow, and answers
/// every other one.
class QueueTerminal final : public Terminal {
 public:
  /// `messages`, by number, and `seen` must outlive it.
  QueueTerminal(Fabric& fabric, std::size_t node, const std::vector<DrawnMessage>& messages,
                std::vector<Seen>& seen)
      : fabric_(fabric),
        node_(node_id(node)),
        messages_(messages),
        seen_(seen),
        ports_(static_cast<std::size_t>(fabric.config().internal_ports)) {
    fabric.attach(node_, *this);
  }

  void send(const DrawnMessage& message) {
    ports_[static_cast<std::size_t>(message.port)].messages.push_back(message);
  }
  void start() {
    for (Port& port : ports_) {
      port.credits = fabric_.config().buffer_depth;
      if (!port.messages.empty()) fabric_.wake(node_, port.messages.front().first);
    }
  }

  bool inject(Cycle now) override {
    for (std::size_t port = 0; port < ports_.size(); ++port) inject(port, now);
    return false;
  }
  void eject(int port, const Flit& flit, Cycle now) override {
    see(now, port, Seen::What::ejected, flit);
    const auto number = static_cast<std::uint32_t>(flit.message);
    if (!flit.tail || number >= messages_.size() || number % 2 == 1) return;
    const DrawnMessage& asked = messages_[number];
    const auto answer = static_cast<std::uint32_t>(number + messages_.size());
    send({answer, now, asked.destination, asked.source, asked.port, asked.flits});
    fabric_.wake(node_, now);
  }
  void accept_credit(int port, int /*vc*/, Cycle now) override {
    ++ports_[static_cast<std::size_t>(port)].credits;
    fabric_.wake(node_, now);
  }
  void accept_ack(int port, int /*vc*/, Cycle now) override {
    ports_[static_cast<std::size_t>(port)].has_circuit = true;
    see(now, port, Seen::What::acknowledged, {});
    fabric_.wake(node_, now);
  }

 private:
  struct Port {
    std::deque<DrawnMessage> messages;
    int sent = 0;  // flits of the first one
    int credits = 0;
    bool has_circuit = false;
  };

  void see(Cycle now, int port, Seen::What what, const Flit& flit) {
    seen_.push_back({now, static_cast<std::uint32_t>(index(node_)),
                     static_cast<std::uint32_t>(port), what,
                     static_cast<std::uint32_t>(flit.message), flit.data});
  }
  bool may_send(const Port& port) const {
    if (port.messages.empty() || port.credits == 0) return false;
    const bool is_circuit = fabric_.config().switching == Switching::circuit;
    return !is_circuit || port.sent == 0 || port.has_circuit;
  }
  void inject(std::size_t number, Cycle now) {
    Port& port = ports_[number];
    if (may_send(port) && port.messages.front().first <= now) {
      const Flit flit = port.messages.front()[port.sent++];
      --port.credits;
      if (flit.head) port.has_circuit = false;
      if (flit.tail) {
        port.messages.pop_front();
        port.sent = 0;
      }
      see(now, static_cast<int>(number), Seen::What::injected, flit);
      fabric_.inject(node_, static_cast<int>(number), flit);
    }
    if (may_send(port)) fabric_.wake(node_, std::max(now + 1, port.messages.front().first));
  }

  Fabric& fabric_;
  NodeId node_;
  const std::vector<DrawnMessage>& messages_;
  std::vector<Seen>& seen_;
  std::vector<Port> ports_;
};

/// What became of the messages.
struct Fate {
  std::vector<Seen> seen;
  std::uint64_t flit_hops = 0;
  std::uint64_t together = 0;  // cycles that several threads decided

  std::string text() {
    std::sort(seen.begin(), seen.end());
    std::string words = std::to_string(flit_hops) + " flit-hops";
    for (const Seen& one : seen) {
      static constexpr std::array<const char*, 3> names{"in", "out", "ack"};
      words += "\n" + std::to_string(one.cycle) + " " + std::to_string(one.node) + "." +
               std::to_string(one.port) + " " + names[static_cast<std::size_t>(one.what)] + " " +
               std::to_string(one.message) + "#" + std::to_string(one.flit);
    }
    return words;
  }
};

/// The cycles of `fabric`, which is paced by calls, until nothing is left to do.
inline void pass_cycles(Fabric& fabric) {
  for (Cycle now = 0;; ++now) {
    const Cycle next =
        std::min({fabric.next_ejection(), fabric.next_call(), fabric.next_decision(now)});
    if (next == Fabric::never) return;
    if (next > 1000000) throw std::runtime_error("it does not end");
    now = next;
    fabric.deliver_ejected(now);
    fabric.call_terminals(now);
    if (fabric.next_decision(now) == now) fabric.decide(now);
  }
}

/// Sends those of `messages` whose sources `border` has at this side; null: all of them.
inline Fate fate_of(const Blueprint& blueprint, const std::vector<DrawnMessage>& messages,
                    const RouterParts& parts, FabricPace pace = FabricPace::calls,
                    Border* border = nullptr) {
  Fate fate;
  Fabric fabric("fabric", blueprint.config, blueprint.routing, sc_core::sc_time(1, sc_core::SC_NS),
                nullptr, pace, parts);
  if (border != nullptr) fabric.share(*border);
  std::vector<std::unique_ptr<QueueTerminal>> terminals(fabric.node_count());
  for (std::size_t node = 0; node < terminals.size(); ++node) {
    if (border != nullptr && !border->is_here(parts.of(node_id(node)))) continue;
    terminals[node] = std::make_unique<QueueTerminal>(fabric, node, messages, fate.seen);
  }
  if (pace == FabricPace::kernel) sc_core::sc_start(sc_core::SC_ZERO_TIME);
  for (int trial = 0; trial < 2; ++trial) {  // of which the second is told
    fate.seen.clear();
    fabric.reset();
    for (const DrawnMessage& message : messages) {
      if (terminals[message.source] != nullptr) terminals[message.source]->send(message);
    }
    for (const auto& terminal : terminals) {
      if (terminal != nullptr) terminal->start();
    }
    if (pace == FabricPace::calls) {
      pass_cycles(fabric);
    } else if (sc_core::sc_pending_activity()) {
      sc_core::sc_start();
    }
  }
  fate.flit_hops = fabric.flit_hops();
  fate.together = fabric.decided().together;
  return fate;
}

}  // namespace allport::test
