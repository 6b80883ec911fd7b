// SPDX-License-Identifier: Apache-2.0
#include "testbench/observe/waves/join_wave.h"

#include <algorithm>

#include "rtl_model/base/bits.h"
#include "rtl_model/topology/group_routes.h"
#include "testbench/observe/waves/channel_wave.h"

namespace allport {

namespace {

bool is_of_join(const Flit& other, const Flit& head) {
  return other.head && other.kind == head.kind && other.address == head.address &&
         other.free() == head.free() && other.join == head.join;
}

}  // namespace

JoinWave::JoinWave(WaveWindow& window, const RouterState& router, const Routing& routing)
    : window_(window),
      router_(router),
      routing_(routing),
      is_switch_(index(router.node()) >= routing.topology().node_count()),
      local_vc_(router.config().channel_vc(router.config().external_ports, 0)) {
  window_.open_scope(wave::join_scope);
  message_ = declare(window_, wave::message, std::nullopt);
  expected_ = declare(window_, wave::expected, 0);
  arrived_ = declare(window_, wave::arrived, 0);
  ready_ = declare(window_, wave::ready, 0);
  held_ = declare(window_, wave::held, std::nullopt);
  window_.close_scope();
}

void JoinWave::show(const std::vector<const Flit*>& fronts, Cycle now) {
  const Flit* const speaking = is_switch_ ? look_in_switch(fronts) : look_at_local(fronts);
  if (join_ == no_message) return show_none();
  const bool is_local_there = !is_switch_ && speaking != nullptr;
  PortMask arrived = 0;
  Cycle last = is_local_there ? arrival(local_vc_) : is_switch_ ? 0 : now;
  for (const int input : bits(inputs_)) {
    if (!find_operand(fronts, speaking, input)) continue;
    arrived |= PortMask{1} << input;
    const int vc = vcs_[static_cast<std::size_t>(input)];
    last = std::max(last, arrival(router_.config().channel_vc(input, vc)));
  }
  const bool are_there = (is_switch_ || is_local_there) && arrived == inputs_;
  const Cycle left = std::max<Cycle>(0, last + delay_ - now);
  window_.set(message_, wave_message(join_));
  window_.set(expected_, inputs_);
  window_.set(arrived_, arrived);
  window_.set(ready_, are_there && left == 0 ? 1 : 0);
  window_.set(held_,
              are_there && left > 0 ? WaveValue(static_cast<std::uint64_t>(left)) : std::nullopt);
  is_used_ |= window_.is_recording();
}

// Takes up what begins or ends at the front of the local input; returns the flit there.
const Flit* JoinWave::look_at_local(const std::vector<const Flit*>& fronts) {
  const Flit* const local = fronts[static_cast<std::size_t>(local_vc_)];
  if (local != nullptr ? local->head : is_at_tail_) join_ = no_message;
  if (local != nullptr && local->head && is_join(local->kind)) open(*local);
  if (local != nullptr) is_at_tail_ = local->tail;
  return local;
}

// The same in a switch; the flit is one of what the shown join has there.
const Flit* JoinWave::look_in_switch(const std::vector<const Flit*>& fronts) {
  if (is_under_way_) {
    const Flit* const front = fronts[static_cast<std::size_t>(speaking_vc_)];
    const bool is_over = front == nullptr ? is_at_tail_ : front->message != join_;
    if (!is_over && front != nullptr) is_at_tail_ = front->tail;
    if (!is_over) return front;
  }
  is_under_way_ = false;
  join_ = no_message;
  const Flit* first = nullptr;
  const auto external = static_cast<std::size_t>(local_vc_);
  for (std::size_t i = 0; i < external && !is_under_way_; ++i) {
    const Flit* const front = fronts[i];
    if (front == nullptr || !front->head || !is_join(front->kind)) continue;
    if (first == nullptr) first = front;
    if (!has_all(fronts, *front)) continue;
    is_under_way_ = true;
    first = front;
    speaking_vc_ = static_cast<int>(i);
    is_at_tail_ = front->tail;
  }
  if (first != nullptr) open(*first);
  return first;
}

// Whether the heads of all contributions to the join of `head` are there.
bool JoinWave::has_all(const std::vector<const Flit*>& fronts, const Flit& head) {
  open(head);
  for (const int input : bits(inputs_)) {
    if (!find_operand(fronts, &head, input)) return false;
  }
  return true;
}

void JoinWave::open(const Flit& head) {
  const RouterConfig& config = router_.config();
  const bool is_root_of_tree =
      head.kind == MessageKind::join_tree && head.address == router_.node();
  join_ = head.message;
  inputs_ = join_inputs(routing_, router_.node(), head.address, head.free());
  delay_ =
      (inputs_ != 0 ? config.combine_delay : 0) + (is_root_of_tree ? config.replication_delay : 0);
}

// Whether the operand of `speaking` has come on `input`; behind the heads in the buffer of the
// head.
bool JoinWave::find_operand(const std::vector<const Flit*>& fronts, const Flit* speaking,
                            int input) {
  const RouterConfig& config = router_.config();
  int& vc = vcs_[static_cast<std::size_t>(input)];
  const auto front = [&](int one) {
    return fronts[static_cast<std::size_t>(config.channel_vc(input, one))];
  };
  if (speaking == nullptr || !speaking->head) return front(vc) != nullptr;
  for (int one = 0; one < config.vcs_of(input); ++one) {
    if (front(one) == nullptr || !is_of_join(*front(one), *speaking)) continue;
    vc = one;
    return true;
  }
  return false;
}

void JoinWave::show_none() {
  window_.set(message_, std::nullopt);
  window_.set(expected_, 0);
  window_.set(arrived_, 0);
  window_.set(ready_, 0);
  window_.set(held_, std::nullopt);
}

}  // namespace allport
