// SPDX-License-Identifier: Apache-2.0
#include "traffic/synthesis/atom_state.h"

#include <algorithm>
#include <map>
#include <stdexcept>
#include <string>

#include "rtl_model/base/stop_flag.h"

namespace allport {

namespace {

[[noreturn]] void refuse_way(NodeId from, NodeId to) {
  throw std::invalid_argument("no way leads from node " + std::to_string(index(from)) +
                              " to node " + std::to_string(index(to)) +
                              ": too many links are missing");
}

}  // namespace

AtomState::AtomState(const AtomGoals& goals, const PlanLinks& links)
    : goals_(goals), links_(links), stored_(links.node_count()), copies_(goals.origins.size(), 1) {
  for (std::uint32_t atom = 0; atom < goals.origins.size(); ++atom) {
    stored_[index(goals.origins[atom])].push_back(atom);
  }
  if (is_moved()) {
    begin_moves();
  } else {
    begin_copies();
  }
}

void AtomState::begin_moves() {
  place_ = goals_.origins;
  is_promised_.resize(place_.size());
  hops_.resize(links_.node_count());
  for (std::uint32_t atom = 0; atom < place_.size(); ++atom) {
    heed_stop();
    const NodeId target = goals_.targets[atom];
    if (hops_[index(target)].empty()) hops_[index(target)] = links_.hops_to(target);
    if (hops_left(atom, place_[atom]) < 0) refuse_way(place_[atom], target);
    if (place_[atom] != target) ++missing_;
  }
}

void AtomState::begin_copies() {
  const std::size_t nodes = links_.node_count();
  has_.resize(goals_.origins.size() * nodes);
  is_promised_.resize(has_.size());
  wants_.resize(has_.size());
  std::map<NodeId, std::vector<bool>> allowed;  // by origin
  for (std::uint32_t atom = 0; atom < goals_.origins.size(); ++atom) {
    const NodeId origin = goals_.origins[atom];
    auto [found, is_new] = allowed.try_emplace(origin, nodes);
    if (is_new) allow_ways(origin, found->second);
    has_[at(atom, origin)] = true;
    for (std::size_t node = 0; node < nodes; ++node) {
      heed_stop();
      if (!found->second[node] || node_id(node) == origin) continue;
      wants_[at(atom, node_id(node))] = true;
      ++missing_;
    }
  }
}

// The readers, and the nodes on a shortest way to each from the origin: over readers where it can.
void AtomState::allow_ways(NodeId origin, std::vector<bool>& allowed) const {
  const std::vector<int> hops = links_.hops_from(origin);
  std::vector<NodeId> nodes;
  for (const NodeId reader : goals_.readers) {
    if (hops[index(reader)] < 0) refuse_way(origin, reader);
    allowed[index(reader)] = true;
    nodes.push_back(reader);
  }
  std::stable_sort(nodes.begin(), nodes.end(),
                   [&](NodeId a, NodeId b) { return hops[index(a)] > hops[index(b)]; });
  std::vector<std::vector<NodeId>> by_hops(links_.node_count());
  for (const NodeId node : nodes)
    by_hops[static_cast<std::size_t>(hops[index(node)])].push_back(node);
  for (std::size_t far = by_hops.size(); far-- > 1;) {
    for (const NodeId node : by_hops[far]) {
      heed_stop();
      NodeId before = origin;
      bool is_allowed = false;
      for (const std::uint32_t link : links_.into(node)) {
        const NodeId other = links_.all()[link].from;
        if (hops[index(other)] + 1 != static_cast<int>(far) || is_allowed) continue;
        before = other;
        is_allowed = allowed[index(other)];
      }
      if (before == origin || allowed[index(before)]) continue;
      allowed[index(before)] = true;
      by_hops[far - 1].push_back(before);
    }
  }
}

std::vector<AtomWish> AtomState::wishes() const {
  std::vector<AtomWish> wishes;
  for (std::uint32_t atom = 0; atom < goals_.origins.size(); ++atom) {
    if (is_moved()) {
      if (place_[atom] != goals_.targets[atom]) wishes.push_back({atom, place_[atom]});
      continue;
    }
    for (std::size_t node = 0; node < links_.node_count(); ++node) {
      heed_stop();
      if (wants_[at(atom, node_id(node))]) wishes.push_back({atom, node_id(node)});
    }
  }
  return wishes;
}

void AtomState::put_farthest_first(std::vector<AtomWish>& wishes) const {
  if (!is_moved()) return;
  std::stable_sort(wishes.begin(), wishes.end(), [&](const AtomWish& a, const AtomWish& b) {
    return hops_left(a.atom, a.node) > hops_left(b.atom, b.node);
  });
}

std::vector<std::uint32_t> AtomState::candidates(std::uint32_t link) const {
  const NodeId from = links_.all()[link].from;
  std::vector<std::uint32_t> atoms = stored_[index(from)];
  if (!is_moved()) return atoms;
  std::stable_sort(atoms.begin(), atoms.end(), [&](std::uint32_t a, std::uint32_t b) {
    return hops_left(a, from) > hops_left(b, from);
  });
  return atoms;
}

bool AtomState::can_go(std::uint32_t atom, std::uint32_t link) const {
  const PlanLink& one = links_.all()[link];
  if (!is_moved()) {
    return has_[at(atom, one.from)] && wants_[at(atom, one.to)] && !is_promised_[at(atom, one.to)];
  }
  const int left = hops_left(atom, one.to);
  return place_[atom] == one.from && left >= 0 && left < hops_left(atom, one.from) &&
         !is_promised_[atom];
}

void AtomState::promise(std::uint32_t atom, std::uint32_t link) {
  const PlanLink& one = links_.all()[link];
  is_promised_[is_moved() ? atom : at(atom, one.to)] = true;
  promises_.push_back({atom, one.from, one.to});
  if (!is_moved()) ++copies_[atom];
}

void AtomState::end_round() {
  for (const Promise& promise : promises_) {
    std::vector<std::uint32_t>& arrived = stored_[index(promise.to)];
    if (is_moved()) {
      std::vector<std::uint32_t>& left = stored_[index(promise.from)];
      left.erase(std::find(left.begin(), left.end(), promise.atom));
      place_[promise.atom] = promise.to;
      is_promised_[promise.atom] = false;
      if (promise.to == goals_.targets[promise.atom]) {
        --missing_;
        continue;
      }
    } else {
      has_[at(promise.atom, promise.to)] = true;
      wants_[at(promise.atom, promise.to)] = false;
      --missing_;
    }
    arrived.insert(std::lower_bound(arrived.begin(), arrived.end(), promise.atom), promise.atom);
  }
  promises_.clear();
}

void AtomState::leave_out_useless(std::vector<AtomMessage>& messages) const {
  if (is_moved()) return;
  std::vector<bool> is_reader(links_.node_count());
  for (const NodeId reader : goals_.readers) is_reader[index(reader)] = true;
  std::vector<bool> is_sent_on(has_.size());
  for (auto message = messages.rbegin(); message != messages.rend(); ++message) {
    heed_stop();
    const PlanLink& link = links_.all()[message->link];
    std::vector<std::uint32_t>& atoms = message->atoms;
    atoms.erase(std::remove_if(atoms.begin(), atoms.end(),
                               [&](std::uint32_t atom) {
                                 return !is_reader[index(link.to)] &&
                                        !is_sent_on[at(atom, link.to)];
                               }),
                atoms.end());
    for (const std::uint32_t atom : atoms) is_sent_on[at(atom, link.from)] = true;
  }
  messages.erase(std::remove_if(messages.begin(), messages.end(),
                                [](const AtomMessage& message) { return message.atoms.empty(); }),
                 messages.end());
}

}  // namespace allport
