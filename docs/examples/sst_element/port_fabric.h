// SPDX-License-Identifier: Apache-2.0
// A PortFabric is an allport::Network with a port at each node, as a simulator of events has it:
// packets come to the ports, wait there while the network has no room, and what has become of them
// is told as news. Its cycles are those of the network, and only those pass that the caller knows
// to be over: packets of a cycle may come in any order of calls.
//
// The header knows nothing of allport. What is wrong with a call is thrown as
// std::invalid_argument, one sentence, and changes nothing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <memory>
#include <optional>
#include <string>
#include <vector>

class PortFabric {
 public:
  struct Packet {
    std::int64_t source = 0;
    std::int64_t destination = 0;  ///< may be the source: it is received at once then
    int message_class = 0;
    std::int64_t flits = 1;
    std::uint64_t number = 0;  ///< comes back as news; of all under way each has another
  };
  struct News {
    std::uint64_t number = 0;
    bool is_received = false;  ///< else the network has taken the packet from its port
    std::int64_t cycle = 0;    ///< of the tail on the ejection channel, or of the entry
    std::int64_t known = 0;    ///< the cycle with whose beginning it is known, not sooner
  };

  /// `options` are KEY=VALUE, as of allport::read_network_request.
  explicit PortFabric(const std::string& options);
  ~PortFabric();

  std::size_t node_count() const;
  int classes() const;
  int flit_bytes() const;

  /// The cycle that has begun: 0 at first.
  std::int64_t now() const;
  /// Lets the cycles before `cycle` pass, now or later.
  void advance_to(std::int64_t cycle);
  /// A packet comes to the port of its source, behind those of its class that wait there.
  void send(const Packet& packet);
  /// The destination takes a packet that it has received, so that with a reception limit its
  /// places are free.
  void take(std::uint64_t number);

  /// What has happened since the last call, in its order.
  std::vector<News> news();
  /// The cycle to which time must be advanced at the latest, if nothing comes before; none: nothing
  /// is under way that could move.
  std::optional<std::int64_t> next() const;

  /// Packets that are not received yet.
  std::size_t under_way() const;
  /// Who waits for whom, if packets wait for one another for ever; empty: they do not.
  std::string deadlock() const;

  /// From now on, packets are written to `lines` when they enter the network, as lines of a
  /// schedule for `allport run`.
  void write_schedule(std::ostream& lines);
  /// With `record` among the options: what `allport run` of this schedule tells, as JSON.
  std::string results() const;

 private:
  struct Inside;
  std::unique_ptr<Inside> inside_;
};
