// SPDX-License-Identifier: Apache-2.0
// What a fabric sends to parts that are decided elsewhere, and what comes from there.
#include <algorithm>
#include <stdexcept>
#include <string>
#include <type_traits>

#include "rtl_model/systemc/fabric_part.h"

namespace allport {

static_assert(std::is_trivially_copyable_v<Border::Arrival> &&
              std::is_trivially_copyable_v<Border::Credit>);

void Fabric::share(Border& border) {
  if (erring_links_ != nullptr) throw std::logic_error("a fabric that errs has no border");
  border_ = &border;
  sent_.resize(parts_.size());
  // The cuts are those between any two parts, so that all sides have the same window.
  const auto ports = static_cast<std::size_t>(config_.external_ports);
  window_ = config_.longest_hop();
  for (std::size_t i = 0; i < far_ends_.size(); ++i) {
    const FarEnd& to = far_ends_[i];
    if (to.part == parts_of_routers_.of(node_id(i / ports))) continue;
    const Cycle back = near_ends_[to.node * ports + to.port].hop;
    window_ = std::min({window_, static_cast<Cycle>(to.hop), back});
  }
  window_end_ = window_ - 1;
}

namespace {

// Moves what is on `line` after cycle `last`.
template <class Item>
void move(DelayLine<Item>& line, Cycle last, std::vector<Border::Due<Item>>& items) {
  for (Cycle cycle = last + 1; cycle <= last + static_cast<Cycle>(line.reach()); ++cycle) {
    for (const Item& item : line.on(cycle)) items.push_back({cycle, item});
    line.clear(cycle);
  }
}

}  // namespace

// The window that ends with `last` is over, and the next one begins.
void Fabric::exchange(Cycle last) {
  window_end_ = never;
  const Cycle next = std::min({next_router_cycle(last + 1), next_call(), next_ejection()});
  for (std::size_t to = 0; to < parts_.size(); ++to) {
    sent_[to] = {};
    if (border_->is_here(to)) continue;
    for (const auto& from : parts_) {
      move(from->arrivals_q[to], last, sent_[to].flits);
      move(from->credits_q[to], last, sent_[to].credits);
      move(from->acks_q[to], last, sent_[to].acks);
    }
  }
  received_ = {};
  const Cycle first = border_->exchange(last, next, sent_, received_);
  const auto put = [&](const auto& items, auto line) {
    for (const auto& [cycle, item] : items) {
      Part& to = part_of(item.node);
      auto& own = (to.*line)[to.number];
      if (cycle <= last || cycle > last + static_cast<Cycle>(own.reach())) {
        throw std::logic_error("border: what is due in cycle " + std::to_string(cycle) +
                               " came at the end of cycle " + std::to_string(last));
      }
      own.put(cycle, item);
    }
  };
  put(received_.flits, &Part::arrivals_q);
  put(received_.credits, &Part::credits_q);
  put(received_.acks, &Part::acks_q);
  if (first != never) window_end_ = std::max(first, last + 1) + window_ - 1;
}

}  // namespace allport
