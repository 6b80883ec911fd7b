// SPDX-License-Identifier: Apache-2.0
#include "traffic/planning/pieces.h"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "rtl_model/base/stop_flag.h"
#include "rtl_model/graphs/node_ports.h"
#include "traffic/schedule/step_assignment.h"

namespace allport {

namespace {

// A message of the plan. All pieces of its tree go this way.
struct Send {
  const Unicast* unicast;
  std::size_t tree;
  std::size_t from;            // the send that brings its sender the pieces; 0: the source has them
  std::size_t injection_port;  // injection port at its sender, counted on from node to node
  std::size_t lag;             // waves by which it comes after the first sends of the source
};

// The messages of a plan cut in pieces. Piece i goes down tree i mod T of the T trees of the plan.
// The pieces of one tree go one after the other to all that a node serves. Those of several trees
// go in waves: a node sends a piece one wave after it has received it at the earliest, and round r
// of the pieces, one down each tree, comes r periods after round 0.
class Pieces {
 public:
  Pieces(const Schedule& whole, const Routing& routing, int internal_ports)
      : trees_(std::max<std::size_t>(piece_count(whole), 1)) {
    number_sends(whole, routing, internal_ports);
    if (trees_ > 1)
      set_period(routing.topology().node_count() * static_cast<std::size_t>(internal_ports));
    of_wave_.resize(period_);
    for (std::size_t i = 1; i <= sends_.size(); ++i) {
      of_wave_[send(i).lag % period_].push_back(i);
      last_lag_ = std::max(last_lag_, send(i).lag);
    }
  }

  /// The sends are numbered from 1.
  std::size_t send_count() const { return sends_.size(); }
  const Send& send(std::size_t number) const { return sends_[number - 1]; }
  std::size_t rounds(std::size_t pieces) const { return (pieces - 1) / trees_ + 1; }

  /// Calls visit(number of a send, piece, round) for all messages: each comes after the one that
  /// it waits for and after the previous one of its sender's program.
  template <class Visit>
  void visit(std::size_t pieces, const Visit& visit) const {
    const std::size_t waves = (rounds(pieces) - 1) * period_ + last_lag_ + 1;
    for (std::size_t wave = 0; wave < waves; ++wave) {
      for (const std::size_t number : of_wave_[wave % period_]) {
        if (wave < send(number).lag) continue;
        const std::size_t round = (wave - send(number).lag) / period_;
        const std::size_t piece = round * trees_ + send(number).tree;
        if (piece < pieces) visit(number, piece, round);
      }
    }
  }

 private:
  // Each after the one that it waits for, and those of a node and tree in the order of its program.
  void number_sends(const Schedule& whole, const Routing& routing, int internal_ports) {
    const std::size_t nodes = routing.topology().node_count();
    const auto tree_of = [](const Unicast& one) {
      return one.blocks.empty() ? std::size_t{0} : std::size_t{one.blocks.front()};
    };
    std::vector<StepIndex> received(nodes * trees_);
    const auto received_at = [&](const Unicast& one) {
      return received[tree_of(one) * nodes + index(one.u)];
    };
    for (const Unicast& one : whole.unicasts) {
      received[tree_of(one) * nodes + index(one.v)] = one.step;
    }
    struct Place {
      StepIndex received;
      NodeId node;
      int order;
      const Unicast* unicast;
    };
    std::vector<Place> sorted;
    sorted.reserve(whole.unicasts.size());
    for (const Unicast& one : whole.unicasts) {
      sorted.push_back({received_at(one), one.u, one.order, &one});
    }
    std::sort(sorted.begin(), sorted.end(), [](const Place& a, const Place& b) {
      return std::tie(a.received, a.node, a.order) < std::tie(b.received, b.node, b.order);
    });
    std::vector<std::size_t> brought_by(nodes * trees_);
    sends_.reserve(sorted.size());
    for (const Place& place : sorted) {
      heed_stop();
      const Unicast* const one = place.unicast;
      const std::size_t tree = tree_of(*one);
      const auto port = static_cast<std::size_t>(
          internal_port_of(routing.topology(), one->u, first_port(*one, routing), internal_ports));
      const auto ports = static_cast<std::size_t>(internal_ports);
      sends_.push_back({one, tree, brought_by[tree * nodes + index(one->u)],
                        index(one->u) * ports + port,
                        trees_ == 1 ? 0 : static_cast<std::size_t>(received_at(*one))});
      brought_by[tree * nodes + index(one->v)] = sends_.size();
    }
  }

  // The most messages of a round on an injection port.
  void set_period(std::size_t injection_ports) {
    std::vector<std::size_t> used(injection_ports);
    for (const Send& one : sends_) period_ = std::max(period_, ++used[one.injection_port]);
  }

  std::size_t trees_;
  std::vector<Send> sends_;
  std::size_t period_ = 1;  // waves from round to round
  std::size_t last_lag_ = 0;
  std::vector<std::vector<std::size_t>> of_wave_;  // numbers of the sends of waves w mod period
};

// A multicast whose latency is computed for several numbers of pieces.
class Pipeline {
 public:
  Pipeline(const Schedule& whole, const Routing& routing, int internal_ports,
           const TimingParameters& message, const AddressFields& fields = {})
      : plan_(whole, routing, internal_ports),
        fields_(fields),
        message_(message),
        nodes_(routing.topology().node_count()),
        internal_ports_(static_cast<std::size_t>(internal_ports)) {
    ways_.reserve(plan_.send_count());
    for (std::size_t number = 1; number <= plan_.send_count(); ++number) {
      heed_stop();
      ways_.push_back(length_of(*plan_.send(number).unicast, routing, message));
    }
  }

  Cycle latency(int pieces) {
    const auto count = static_cast<std::size_t>(pieces);
    const std::size_t rounds = plan_.rounds(count);
    prepared_.assign(nodes_, 0);
    port_free_at_.assign(nodes_ * internal_ports_, 0);
    has_.assign((plan_.send_count() + 1) * rounds, 0);
    TimingParameters piece = message_;
    plan_.visit(count, [&](std::size_t number, std::size_t i, std::size_t round) {
      heed_stop();
      const Send& send = plan_.send(number);
      piece.flits = flits_of(i, count) + fields_.flits_of(*send.unicast);
      Cycle& prepared = prepared_[index(send.unicast->u)];
      prepared = std::max(prepared, has_[send.from * rounds + round]) + message_.ts;
      Cycle& port_free_at = port_free_at_[send.injection_port];
      const Cycle head = std::max(port_free_at, prepared);
      port_free_at = head + occupancy(ways_[number - 1], piece);
      has_[number * rounds + round] = head + transit(ways_[number - 1], piece);
    });
    return *std::max_element(has_.begin(), has_.end());
  }

 private:
  // The first pieces are the longer ones.
  int flits_of(std::size_t piece, std::size_t pieces) const {
    const auto flits = static_cast<std::size_t>(message_.flits);
    return static_cast<int>(flits / pieces + (piece < flits % pieces ? 1 : 0));
  }

  Pieces plan_;
  const AddressFields fields_;
  std::vector<RouteLength> ways_;  // of the sends
  TimingParameters message_;
  std::size_t nodes_;
  std::size_t internal_ports_;
  std::vector<Cycle> prepared_;      // by node: its processor has prepared the messages so far
  std::vector<Cycle> port_free_at_;  // by node and injection port
  std::vector<Cycle> has_;           // by send and round: its receiver has the piece
};

// The next number of pieces for which the longest piece is shorter; flits + 1: there is none. More
// pieces of the same length only cost more start-ups.
int next_candidate(int pieces, int flits) {
  const int longest = (flits - 1) / pieces + 1;
  return longest == 1 ? flits + 1 : (flits - 1) / (longest - 1) + 1;
}

}  // namespace

Schedule in_pieces(const Schedule& whole, int pieces, const Routing& routing, int internal_ports) {
  const Pieces plan(whole, routing, internal_ports);
  const auto count = static_cast<std::size_t>(pieces);
  const std::size_t rounds = plan.rounds(count);
  if (plan.send_count() > max_planned_messages / std::max<std::size_t>(rounds, 1)) {
    throw std::invalid_argument(
        "--pieces " + std::to_string(pieces) + ": " + std::to_string(plan.send_count()) +
        " sends, each of up to " + std::to_string(rounds) +
        " pieces, are more messages than the limit of " + std::to_string(max_planned_messages));
  }
  const std::size_t nodes = routing.topology().node_count();
  std::vector<int> sends(nodes);
  std::vector<StepIndex> last_step(nodes * static_cast<std::size_t>(internal_ports));
  std::vector<StepIndex> received((plan.send_count() + 1) * rounds);  // by send and round
  Schedule schedule;
  schedule.unicasts.reserve(plan.send_count() * rounds);
  plan.visit(count, [&](std::size_t number, std::size_t piece, std::size_t round) {
    heed_stop();
    const Send& send = plan.send(number);
    Unicast unicast = *send.unicast;
    StepIndex& last = last_step[send.injection_port];
    last = std::max(last, received[send.from * rounds + round]) + 1;
    received[number * rounds + round] = unicast.step = last;
    unicast.order = sends[index(unicast.u)]++;
    unicast.blocks = {static_cast<BlockId>(piece)};
    schedule.unicasts.push_back(std::move(unicast));
  });
  schedule.sort();
  return schedule;
}

Cycle predicted_pieces_latency(const Schedule& whole, int pieces, const Routing& routing,
                               int internal_ports, const TimingParameters& message,
                               const AddressFields& fields) {
  return Pipeline(whole, routing, internal_ports, message, fields).latency(pieces);
}

int best_pieces(const Schedule& whole, const Routing& routing, int internal_ports,
                const TimingParameters& message) {
  Pipeline pipeline(whole, routing, internal_ports, message);
  const std::size_t trees = std::max<std::size_t>(piece_count(whole), 1);
  const std::size_t sends = std::max<std::size_t>(whole.unicasts.size(), 1);
  const auto most = static_cast<int>(std::clamp<std::size_t>(
      max_best_messages * trees / sends, 1, static_cast<std::size_t>(message.flits)));
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
