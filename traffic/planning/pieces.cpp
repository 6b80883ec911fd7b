// SPDX-License-Identifier: Apache-2.0
#include "traffic/planning/pieces.h"

#include <algorithm>
#include <tuple>
#include <utility>
#include <vector>

#include "traffic/schedule/step_assignment.h"

namespace allport {

namespace {

// A message of a node's program; every piece takes the same route.
struct Send {
  std::size_t from;            // the send that brought its sender the message; 0: the source has it
  std::size_t injection_port;  // injection port at its sender
  int hops;
};

// The sends, numbered from 1: those of a node are adjacent and come after the one that it waits
// for.
std::vector<Send> sends_of(const Schedule& whole, const Routing& routing, int internal_ports) {
  const std::size_t nodes = routing.topology().node_count();
  std::vector<StepIndex> received(nodes);
  for (const Unicast& unicast : whole.unicasts) received[index(unicast.v)] = unicast.step;
  std::vector<const Unicast*> sorted;
  for (const Unicast& unicast : whole.unicasts) sorted.push_back(&unicast);
  std::sort(sorted.begin(), sorted.end(), [&](const Unicast* a, const Unicast* b) {
    return std::tie(received[index(a->u)], a->u, a->order) <
           std::tie(received[index(b->u)], b->u, b->order);
  });
  std::vector<std::size_t> brought_by(nodes);
  std::vector<Send> sends;
  for (const Unicast* unicast : sorted) {
    const std::vector<Channel> way = channels(*unicast, routing);
    sends.push_back({brought_by[index(unicast->u)],
                     injection_port(way.front().port, internal_ports),
                     static_cast<int>(way.size())});
    brought_by[index(unicast->v)] = sends.size();
  }
  return sends;
}

// A multicast whose latency is computed for several numbers of pieces.
class Pipeline {
 public:
  Pipeline(const Schedule& whole, const Routing& routing, int internal_ports,
           const TimingParameters& message)
      : sends_(sends_of(whole, routing, internal_ports)),
        message_(message),
        port_free_at_(static_cast<std::size_t>(internal_ports)) {}

  Cycle latency(int pieces) {
    pieces_ = static_cast<std::size_t>(pieces);
    has_.assign((sends_.size() + 1) * pieces_, 0);
    for (std::size_t begin = 0; begin < sends_.size();) {
      std::size_t end = begin;
      while (end < sends_.size() && sends_[end].from == sends_[begin].from) ++end;
      run(begin, end);
      begin = end;
    }
    return *std::max_element(has_.begin(), has_.end());
  }

 private:
  // Runs the program of one node, its sends begin .. end - 1.
  void run(std::size_t begin, std::size_t end) {
    std::fill(port_free_at_.begin(), port_free_at_.end(), 0);
    Cycle prepared = 0;
    TimingParameters piece = message_;
    for (std::size_t i = 0; i < pieces_; ++i) {
      piece.flits = flits_of(i);
      prepared = std::max(prepared, has(sends_[begin].from, i));
      for (std::size_t k = begin; k < end; ++k) {
        const Send& send = sends_[k];
        prepared += message_.ts;
        Cycle& port_free_at = port_free_at_[send.injection_port];
        const Cycle head = std::max(port_free_at, prepared);
        port_free_at = head + occupancy(send.hops, piece);
        has(k + 1, i) = head + transit(send.hops, piece);
      }
    }
  }

  // The first pieces are the longer ones.
  int flits_of(std::size_t piece) const {
    const auto flits = static_cast<std::size_t>(message_.flits);
    return static_cast<int>(flits / pieces_ + (piece < flits % pieces_ ? 1 : 0));
  }

  // The cycle in which the receiver of a send has a piece.
  Cycle& has(std::size_t send, std::size_t piece) { return has_[send * pieces_ + piece]; }

  std::vector<Send> sends_;
  TimingParameters message_;
  std::vector<Cycle> port_free_at_;  // injection ports of the current node
  std::size_t pieces_ = 1;
  std::vector<Cycle> has_;  // by send and piece
};

// The next number of pieces for which the longest piece is shorter; flits + 1: there is none. More
// pieces of the same length only cost more start-ups.
int next_candidate(int pieces, int flits) {
  const int longest = (flits - 1) / pieces + 1;
  return longest == 1 ? flits + 1 : (flits - 1) / (longest - 1) + 1;
}

}  // namespace

Schedule in_pieces(const Schedule& whole, int pieces, const Routing& routing, int internal_ports) {
  Schedule sorted = whole;
  sorted.sort();
  const std::size_t nodes = routing.topology().node_count();
  const auto ports = static_cast<std::size_t>(internal_ports);
  std::vector<int> sends(nodes);  // of each node, for one piece
  for (const Unicast& unicast : sorted.unicasts) {
    int& count = sends[index(unicast.u)];
    count = std::max(count, unicast.order + 1);
  }
  std::vector<StepIndex> last_step(nodes * ports);  // of each injection port
  Schedule schedule;
  schedule.unicasts.reserve(sorted.unicasts.size() * static_cast<std::size_t>(pieces));
  for (int piece = 0; piece < pieces; ++piece) {
    std::vector<StepIndex> received(nodes);
    for (Unicast unicast : sorted.unicasts) {
      const PortId first = routing.route(unicast.u, unicast.v, ties_of(unicast, routing))->port;
      StepIndex& last = last_step[index(unicast.u) * ports + injection_port(first, internal_ports)];
      last = unicast.step = std::max(last, received[index(unicast.u)]) + 1;
      received[index(unicast.v)] = unicast.step;
      unicast.order += piece * sends[index(unicast.u)];
      unicast.blocks = {static_cast<BlockId>(piece)};
      schedule.unicasts.push_back(std::move(unicast));
    }
  }
  schedule.sort();
  return schedule;
}

Cycle predicted_pieces_latency(const Schedule& whole, int pieces, const Routing& routing,
                               int internal_ports, const TimingParameters& message) {
  return Pipeline(whole, routing, internal_ports, message).latency(pieces);
}

int best_pieces(const Schedule& whole, const Routing& routing, int internal_ports,
                const TimingParameters& message) {
  Pipeline pipeline(whole, routing, internal_ports, message);
  const std::size_t sends = std::max<std::size_t>(whole.unicasts.size(), 1);
  const auto most = static_cast<int>(std::clamp<std::size_t>(
      max_best_messages / sends, 1, static_cast<std::size_t>(message.flits)));
  int best = 1;
  Cycle least = pipeline.latency(1);
  for (int pieces = next_candidate(1, message.flits); pieces <= most;
       pieces = next_candidate(pieces, message.flits)) {
    const Cycle latency = pipeline.latency(pieces);
    if (latency >= least) continue;
    best = pieces;
    least = latency;
  }
  return best;
}

std::size_t piece_count(const Schedule& schedule) {
  std::size_t count = 0;
  for (const Unicast& unicast : schedule.unicasts) {
    for (const BlockId block : unicast.blocks) {
      count = std::max(count, std::size_t{block} + 1);
    }
  }
  return count;
}

}  // namespace allport
