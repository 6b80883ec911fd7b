// SPDX-License-Identifier: Apache-2.0
#include "rtl_model/systemc/vc_allocator.h"

#include <algorithm>

namespace allport {

VcAllocator::VcAllocator(const sc_core::sc_module_name& name, const RouterConfig& config)
    : sc_module(name),
      config_(config),
      owners_q_(static_cast<std::size_t>(config.channel_vcs())),
      grant_q_(owners_q_.size()),
      choice_q_(owners_q_.size()),
      owned_q_(owners_q_.size()),
      vc_q_(owners_q_.size() * static_cast<std::size_t>(config.ports())),
      free_q_(static_cast<std::size_t>(config.ports())),
      requests_d_(owners_q_.size()) {
  requested_d_.reserve(owners_q_.size());
  reset();
}

void VcAllocator::reset() {
  std::fill(owners_q_.begin(), owners_q_.end(), Owner{});
  std::fill(grant_q_.begin(), grant_q_.end(), RoundRobinArbiter{});
  std::fill(choice_q_.begin(), choice_q_.end(), RoundRobinArbiter{});
  std::fill(owned_q_.begin(), owned_q_.end(), 0);
  std::fill(vc_q_.begin(), vc_q_.end(), 0);
  for (int output = 0; output < config_.ports(); ++output) {
    free_q_[static_cast<std::size_t>(output)] = (1U << config_.vcs_of(output)) - 1;
  }
  std::fill(requests_d_.begin(), requests_d_.end(), Request{});
  requested_d_.clear();
}

std::uint32_t VcAllocator::class_vcs(int output, VcClass vc_class) const {
  const std::uint32_t all = (1U << config_.vcs_of(output)) - 1;
  if (!config_.vc_classes || !config_.is_external(output)) return all;
  const std::uint32_t lower = (1U << config_.vcs / 2) - 1;
  return vc_class == VcClass::p ? all & ~lower : lower;
}

void VcAllocator::request(int input_vc, PortMask outputs, VcClass vc_class, MessageId message) {
  for (PortMask rest = outputs; rest != 0; rest &= rest - 1) {
    ask(input_vc, __builtin_ctzll(rest), vc_class, message);
  }
}

void VcAllocator::ask(int input_vc, int output, VcClass vc_class, MessageId message) {
  const RoundRobinArbiter& choice = choice_q_[static_cast<std::size_t>(input_vc)];
  const std::uint32_t candidates = class_vcs(output, vc_class);
  const std::uint32_t free = candidates & free_q_[static_cast<std::size_t>(output)];
  const int vc = choice.choose(free != 0 ? free : candidates);
  vc_q_[branch(input_vc, output)] = static_cast<std::uint8_t>(vc);
  if (free == 0) return;

  const int output_vc = config_.channel_vc(output, vc);
  Request& best = requests_d_[static_cast<std::size_t>(output_vc)];
  const int distance =
      grant_q_[static_cast<std::size_t>(output_vc)].distance(input_vc, config_.channel_vcs());
  if (best.input_vc < 0) requested_d_.push_back(static_cast<std::int16_t>(output_vc));
  if (best.input_vc < 0 || distance < best.distance) {
    best = {static_cast<std::int16_t>(input_vc), static_cast<std::int16_t>(distance),
            static_cast<std::int16_t>(output), message};
  }
}

bool VcAllocator::allocate() {
  const bool any = !requested_d_.empty();
  std::sort(requested_d_.begin(),
            requested_d_.end());  // a worm's branches move its pointer in order
  for (const std::int16_t output_vc : requested_d_) {
    Request& granted = requests_d_[static_cast<std::size_t>(output_vc)];
    const auto input_vc = static_cast<std::size_t>(granted.input_vc);
    const int vc = vc_q_[branch(granted.input_vc, granted.output)];
    owners_q_[static_cast<std::size_t>(output_vc)] = {granted.input_vc, granted.message};
    owned_q_[input_vc] |= PortMask{1} << granted.output;
    free_q_[static_cast<std::size_t>(granted.output)] &= ~(1U << vc);
    grant_q_[static_cast<std::size_t>(output_vc)].won(granted.input_vc, config_.channel_vcs());
    if (config_.is_external(granted.output)) choice_q_[input_vc].won(vc, config_.vcs);
    granted = Request{};
  }
  requested_d_.clear();
  return any;
}

void VcAllocator::show_owner(int output, int vc, int input_vc, MessageId message) {
  Owner& owner = owners_q_[static_cast<std::size_t>(config_.channel_vc(output, vc))];
  const PortMask bit = PortMask{1} << output;
  if (owner.input_vc >= 0) owned_q_[static_cast<std::size_t>(owner.input_vc)] &= ~bit;
  owner = {static_cast<std::int16_t>(input_vc), message};
  std::uint32_t& free = free_q_[static_cast<std::size_t>(output)];
  free |= 1U << vc;
  if (input_vc < 0) return;
  free &= ~(1U << vc);
  owned_q_[static_cast<std::size_t>(input_vc)] |= bit;
  vc_q_[branch(input_vc, output)] = static_cast<std::uint8_t>(vc);
}

void VcAllocator::release(int input_vc, int output) {
  const int vc = vc_q_[branch(input_vc, output)];
  owners_q_[static_cast<std::size_t>(config_.channel_vc(output, vc))] = Owner{};
  owned_q_[static_cast<std::size_t>(input_vc)] &= ~(PortMask{1} << output);
  free_q_[static_cast<std::size_t>(output)] |= 1U << vc;
}

}  // namespace allport
