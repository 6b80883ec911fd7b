// SPDX-License-Identifier: Apache-2.0
#include "traffic/proof/worm_messages.h"

#include <algorithm>
#include <numeric>
#include <tuple>

#include "traffic/schedule/block_flow.h"

namespace allport {

namespace {

int default_vcs(const Topology& topology) { return topology.wraps() ? 2 : 1; }

WormRoutes empty_routes(const CheckRequest& request) {
  const int vcs = request.vcs > 0 ? request.vcs : default_vcs(request.routing.topology());
  return {request.routing, request.internal_ports, vcs, request.join_vcs > 0};
}

// The channel with which its route begins; worms to all nodes have a queue of their own.
std::size_t queue_of(const Unicast& unicast, const Routing& routing) {
  const std::size_t ports = routing.topology().port_count();
  if (goes_to_all(unicast.kind)) return ports + (unicast.kind == MessageKind::tree ? 0 : 1);
  return index(first_port(unicast, routing));
}

}  // namespace

WormMessages::WormMessages(const std::vector<SoundPart>& parts)
    : no_routes_(empty_routes(parts.front().request)), routes_(no_routes_) {
  collect(parts);
  for (const WormMessage& message : messages_) {
    heed(parts.front().request.limits.stop);
    routes_.add(*message.unicast);
    are_unicasts_ = are_unicasts_ && message.unicast->kind == MessageKind::unicast;
  }
  waits_for_.resize(messages_.size());
  link_programs();
  std::uint32_t first_index = 0;
  for (std::uint32_t part = 0; part < parts.size(); ++part) {
    if (parts[part].request.collective != nullptr) {
      wait_for_blocks(parts[part], part, first_index);
    } else {
      wait_for_message(parts[part], part);
    }
    first_index += static_cast<std::uint32_t>(parts[part].schedule.unicasts.size());
  }
  find_order();
}

void WormMessages::collect(const std::vector<SoundPart>& parts) {
  const Routing& routing = routes_.routing();
  std::uint32_t first_index = 0;
  for (std::uint32_t part = 0; part < parts.size(); ++part) {
    const std::vector<Unicast>& unicasts = parts[part].schedule.unicasts;
    for (std::uint32_t i = 0; i < unicasts.size(); ++i) {
      if (is_join(unicasts[i].kind)) continue;  // join_order.h judges them
      messages_.push_back({&unicasts[i], part, first_index + i,
                           static_cast<std::uint32_t>(queue_of(unicasts[i], routing))});
    }
    first_index += static_cast<std::uint32_t>(unicasts.size());
  }
  std::stable_sort(
      messages_.begin(), messages_.end(), [](const WormMessage& a, const WormMessage& b) {
        return std::tie(a.part, a.unicast->u, a.queue, a.unicast->order, a.unicast->step) <
               std::tie(b.part, b.unicast->u, b.queue, b.unicast->order, b.unicast->step);
      });
  std::uint32_t queue = 0;
  for (std::size_t i = 0, first = 0; i < messages_.size(); ++i) {
    const WormMessage& one = messages_[i];
    const WormMessage& head = messages_[first];
    const bool is_new =
        std::tie(one.part, one.unicast->u) != std::tie(head.part, head.unicast->u) ||
        (i > first && queue_of(*one.unicast, routing) != queue_of(*head.unicast, routing));
    if (is_new) {
      ++queue;
      first = i;
    }
    messages_[i].queue = queue;
  }
}

void WormMessages::link_programs() {
  std::vector<std::uint32_t> programs(messages_.size());
  std::iota(programs.begin(), programs.end(), 0U);
  const auto place = [this](std::uint32_t i) {
    const WormMessage& one = messages_[i];
    return std::tuple(one.part, one.unicast->u, one.unicast->order, one.unicast->step, one.index);
  };
  std::sort(programs.begin(), programs.end(),
            [&](std::uint32_t a, std::uint32_t b) { return place(a) < place(b); });
  predecessors_.assign(messages_.size(), WormRoutes::none);
  for (std::size_t i = 1; i < programs.size(); ++i) {
    const WormMessage& before = messages_[programs[i - 1]];
    const WormMessage& one = messages_[programs[i]];
    if (before.part == one.part && before.unicast->u == one.unicast->u) {
      predecessors_[programs[i]] = programs[i - 1];
    }
  }
}

// A sender that receives once, and held nothing before, waits for that reception. One that receives
// twice may have the message from either, so nothing is known about it.
void WormMessages::wait_for_message(const SoundPart& part, std::uint32_t number) {
  const std::size_t nodes = routes_.routing().topology().node_count();
  std::vector<std::uint32_t> copy(nodes, WormRoutes::none);
  std::vector<bool> is_known(nodes, true);
  for (const NodeId source : part.request.sources) is_known[index(source)] = false;
  for (std::uint32_t hop = 0; hop < routes_.hop_count(); ++hop) {
    if (!routes_.is_ejection(hop) || messages_[routes_[hop].message].part != number) continue;
    const std::size_t node = index(routes_.node_behind(hop));
    if (copy[node] != WormRoutes::none) is_known[node] = false;
    copy[node] = hop;
  }
  for (std::size_t i = 0; i < messages_.size(); ++i) {
    const std::size_t sender = index(messages_[i].unicast->u);
    if (messages_[i].part != number || !is_known[sender] || copy[sender] == WormRoutes::none)
      continue;
    waits_for_[i].push_back(copy[sender]);
  }
}

void WormMessages::wait_for_blocks(const SoundPart& part, std::uint32_t number,
                                   std::uint32_t first_index) {
  const BlockFlow flow(part.schedule, *part.request.collective);
  std::vector<std::uint32_t> numbers(part.schedule.unicasts.size(), WormRoutes::none);
  for (std::uint32_t i = 0; i < messages_.size(); ++i) {
    if (messages_[i].part == number) numbers[messages_[i].index - first_index] = i;
  }
  for (std::size_t i = 0; i < messages_.size(); ++i) {
    if (messages_[i].part != number) continue;
    for (const std::uint32_t reception : flow.waits_for(messages_[i].index - first_index)) {
      const std::uint32_t message = numbers[reception];
      if (message == WormRoutes::none) continue;
      for (std::uint32_t hop = routes_.begin(message); hop < routes_.end(message); ++hop) {
        const bool is_here =
            routes_.is_ejection(hop) && routes_.node_behind(hop) == messages_[i].unicast->u;
        if (is_here) waits_for_[i].push_back(hop);
      }
    }
  }
}

void WormMessages::find_order() {
  std::vector<std::uint32_t> missing(messages_.size());
  std::vector<std::vector<std::uint32_t>> followers(messages_.size());
  for (std::uint32_t i = 0; i < messages_.size(); ++i) {
    const auto follow = [&](std::uint32_t first) {
      followers[first].push_back(i);
      ++missing[i];
    };
    if (predecessors_[i] != WormRoutes::none) follow(predecessors_[i]);
    for (const std::uint32_t copy : waits_for_[i]) follow(routes_[copy].message);
    if (missing[i] == 0) order_.push_back(i);
  }
  for (std::size_t done = 0; done < order_.size(); ++done) {
    for (const std::uint32_t next : followers[order_[done]]) {
      if (--missing[next] == 0) order_.push_back(next);
    }
  }
  for (std::uint32_t i = 0; i < messages_.size(); ++i) {
    if (missing[i] == 0) continue;
    waits_for_[i].clear();  // it is never sent, so it comes before and after nothing
    predecessors_[i] = WormRoutes::none;
    order_.push_back(i);
  }
}

}  // namespace allport
