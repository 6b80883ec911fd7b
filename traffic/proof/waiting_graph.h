// SPDX-License-Identifier: Apache-2.0
// A WaitingGraph is the graph of waits among worms, with states as vertices; all of its edges
// follow from the routes, and none is stored. A hop h of a message m, which takes a lane, has the
// states
//   waits   m waits for the lane, or in its buffer behind another message
//   owns    m owns the lane, and others that come by other ways wait for it
//   fills   flits of m stand in the lane's buffer, in the way of others
//   within  m waits for h or somewhere behind it
//   beside  m waits on a branch that leaves the way to h
// Edges lead from waits to owns and fills of others on the lane (to owns only of those that come
// from another queue); from owns to within of the hops after h and to beside; from fills to within
// of the hops after h; from within to waits and to within of the hops after h; and from beside to
// within of its siblings and to beside of the hop before it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "traffic/proof/worm_messages.h"

namespace allport {

class WaitingGraph {
 public:
  enum State : std::uint32_t { waits, owns, fills, within, beside, state_count };
  static constexpr std::uint32_t none = WormRoutes::none;

  /// The graph of the hops of those messages for which `is_member` (by message) holds. Where
  /// several messages of `routes` are ways of one, `ways` has its number for each of them, and they
  /// do not wait for each other.
  WaitingGraph(const WormRoutes& routes, const std::vector<bool>& is_member,
               const std::vector<std::uint32_t>* ways = nullptr);

  static std::uint32_t vertex(std::uint32_t hop, State state) { return hop * state_count + state; }
  static std::uint32_t hop_of(std::uint32_t vertex) { return vertex / state_count; }
  static State state_of(std::uint32_t vertex) { return static_cast<State>(vertex % state_count); }

  std::size_t vertex_count() const { return routes_.hop_count() * state_count; }
  bool is_member(std::uint32_t hop) const { return is_member_[routes_[hop].message]; }

  /// A successor of `vertex` for which `is_done` does not hold; none: there are no more. Successors
  /// of waits for which it holds are left out from then on, so it must never cease to hold.
  template <typename Predicate>
  std::uint32_t next(std::uint32_t vertex, Predicate is_done);
  /// Puts all successors of waits back.
  void restore();

 private:
  struct Group {  // the hops on a lane that come from one buffer, or all of them
    std::uint32_t buffer = none;
    std::uint32_t begin = 0;
    std::uint32_t end = 0;  // end of those that are not left out
    std::uint32_t last = 0;
  };
  template <typename Predicate>
  std::uint32_t next_in(Group& group, std::uint32_t hop, State state, Predicate is_done);
  template <typename Predicate>
  std::uint32_t next_holder(std::uint32_t hop, Predicate is_done);
  template <typename Action>
  std::uint32_t among_next(std::uint32_t hop, Action action) const;
  template <typename Action>
  std::uint32_t among_brothers(std::uint32_t hop, Action action) const;

  bool is_itself(std::uint32_t other, std::uint32_t hop) const {
    if (other == hop || ways_ == nullptr) return other == hop;
    const std::uint32_t one = routes_[other].message;
    const std::uint32_t two = routes_[hop].message;
    return one != two && (*ways_)[one] == (*ways_)[two];
  }

  const WormRoutes& routes_;
  const std::vector<bool>& is_member_;
  const std::vector<std::uint32_t>* ways_;
  std::vector<std::uint32_t> owners_;        // hops by lane, then buffer before them
  std::vector<std::uint32_t> fillers_;       // hops by lane
  std::vector<Group> owner_groups_;          // by lane
  std::vector<std::uint32_t> first_groups_;  // first group of each lane in owner_groups_
  std::vector<Group> filler_groups_;         // one for each lane
};

template <typename Predicate>
std::uint32_t WaitingGraph::next_in(Group& group, std::uint32_t hop, State state,
                                    Predicate is_done) {
  std::vector<std::uint32_t>& hops = state == owns ? owners_ : fillers_;
  for (std::uint32_t i = group.begin; i < group.end;) {
    const std::uint32_t found = vertex(hops[i], state);
    if (is_done(found)) {
      std::swap(hops[i], hops[--group.end]);
    } else if (is_itself(hops[i], hop)) {
      ++i;
    } else {
      return found;
    }
  }
  return none;
}

template <typename Predicate>
std::uint32_t WaitingGraph::next_holder(std::uint32_t hop, Predicate is_done) {
  if (routes_.is_ejection(hop) && routes_.has_private_ejection()) return none;
  const std::uint32_t lane = routes_[hop].lane;
  const std::uint32_t filler = next_in(filler_groups_[lane], hop, fills, is_done);
  if (filler != none) return filler;
  const std::uint32_t buffer = routes_.buffer_before(hop);
  for (std::uint32_t i = first_groups_[lane]; i < first_groups_[lane + 1]; ++i) {
    Group& group = owner_groups_[i];
    if (group.buffer == buffer && routes_.is_queue(buffer)) continue;
    const std::uint32_t owner = next_in(group, hop, owns, is_done);
    if (owner != none) return owner;
  }
  return none;
}

template <typename Action>
std::uint32_t WaitingGraph::among_next(std::uint32_t hop, Action action) const {
  for (std::uint32_t i = hop + 1; i < routes_[hop].end; i = routes_[i].end) {
    if (const std::uint32_t found = action(i); found != none) return found;
  }
  return none;
}

template <typename Action>
std::uint32_t WaitingGraph::among_brothers(std::uint32_t hop, Action action) const {
  const std::uint32_t parent = routes_[hop].parent;
  const std::uint32_t message = routes_[hop].message;
  const std::uint32_t end = parent == none ? routes_.end(message) : routes_[parent].end;
  std::uint32_t i = parent == none ? routes_.begin(message) : parent + 1;
  for (; i < end; i = routes_[i].end) {
    if (i == hop) continue;
    if (const std::uint32_t found = action(i); found != none) return found;
  }
  return none;
}

template <typename Predicate>
std::uint32_t WaitingGraph::next(std::uint32_t vertex, Predicate is_done) {
  const std::uint32_t hop = hop_of(vertex);
  const auto open = [&](std::uint32_t other, State state) {
    const std::uint32_t found = WaitingGraph::vertex(other, state);
    return is_done(found) ? none : found;
  };
  const auto to_within = [&](std::uint32_t other) { return open(other, within); };
  const State state = state_of(vertex);
  if (state == waits) return next_holder(hop, is_done);
  std::uint32_t found = none;
  if (state == within) found = open(hop, waits);
  if (found == none && state == beside) found = among_brothers(hop, to_within);
  if (found == none && state == beside && routes_[hop].parent != none) {
    found = open(routes_[hop].parent, beside);
  }
  if (found == none && state != beside) found = among_next(hop, to_within);
  if (found == none && state == owns) found = open(hop, beside);
  return found;
}

}  // namespace allport
