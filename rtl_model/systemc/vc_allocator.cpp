// SPDX-License-Identifier: Apache-2.0
#include "rtl_model/systemc/vc_allocator.h"

#include <algorithm>

#include "rtl_model/base/bits.h"
#include "rtl_model/router/vc_choice.h"

namespace allport {

VcAllocator::VcAllocator(const char* name, const RouterConfig& config, UnitPlace place)
    : Unit(name, config, place),
      has_one_(config.vcs == 1 && config.classes == 1),
      owned_q_(this->arena(), config.channel_vcs()),
      vc_q_(this->arena(), has_one_ ? 0 : config.channel_vcs() * config.ports()),
      owners_q_(this->arena(), config.channel_vcs()),
      free_q_(this->arena(), config.ports()),
      won_q_(this->arena(), config.vc_delay > 0 ? config.channel_vcs() : 0),
      grant_q_(this->arena(), config.channel_vcs()),
      choice_q_(this->arena(), config.channel_vcs()),
      requested_d_(this->arena(), config.channel_vcs()),
      requests_d_(this->arena(), config.channel_vcs()) {
  reset();
}

void VcAllocator::reset() {
  owned_q_.fill(config_.channel_vcs(), 0);
  if (!has_one_) vc_q_.fill(config_.channel_vcs() * config_.ports(), 0);
  owners_q_.fill(config_.channel_vcs(), {});
  for (int output = 0; output < config_.ports(); ++output) {
    free_q_[output] = static_cast<std::uint16_t>(all_vcs(config_, output));
  }
  grant_q_.fill(config_.channel_vcs(), {});
  choice_q_.fill(config_.channel_vcs(), {});
  requested_d_.clear();
  requests_d_.fill(config_.channel_vcs(), {});
}

void VcAllocator::request(int input_vc, PortMask outputs, VcClass vc_class, MessageId message,
                          int message_class) {
  for (const int output : bits(outputs)) {
    ask(input_vc, output, class_vcs(config_, output, vc_class, message_class), message);
  }
}

int VcAllocator::request_one(int input_vc, PortMask useful, MessageId message, int message_class) {
  const int wanted = 63 - __builtin_clzll(useful);
  for (PortMask rest = useful; rest != 0;) {
    const int output = 63 - __builtin_clzll(rest);
    const std::uint32_t candidates = adaptive_vcs(config_, output, useful, message_class);
    if ((candidates & free_q_[output]) != 0) {
      ask(input_vc, output, candidates, message);
      return output;
    }
    rest &= ~(PortMask{1} << output);
  }
  const std::uint32_t candidates = adaptive_vcs(config_, wanted, useful, message_class);
  ask(input_vc, wanted, candidates & ~draining_vcs(wanted), message);
  return wanted;
}

std::uint32_t VcAllocator::draining_vcs(int output) const {
  std::uint32_t vcs = 0;
  for (int vc = 0; vc < config_.vcs_of(output); ++vc) {
    if (owner(config_.channel_vc(output, vc)) == draining) vcs |= 1U << vc;
  }
  return vcs;
}

// Requests the first free one of `candidates`; if none is free, notes the one that it waits for.
void VcAllocator::ask(int input_vc, int output, std::uint32_t candidates, MessageId message) {
  const int vc = choose_vc(candidates, free_q_[output], choice_q_[input_vc].pointer());
  want(input_vc, output, vc);
  if ((candidates & free_q_[output]) == 0) return;

  const int output_vc = config_.channel_vc(output, vc);
  Request& best = requests_d_[output_vc];
  const int distance = grant_q_[output_vc].distance(input_vc, config_.channel_vcs());
  if (best.input_vc < 0) requested_d_.push_back(static_cast<std::int16_t>(output_vc));
  if (best.input_vc < 0 || distance < best.distance) {
    best = {static_cast<std::int16_t>(input_vc), static_cast<std::int16_t>(distance),
            static_cast<std::int16_t>(output), message};
  }
}

bool VcAllocator::grant(Cycle now) {
  std::sort(requested_d_.begin(),
            requested_d_.end());  // the branches of a worm move its pointer in order
  for (const std::int16_t output_vc : requested_d_) {
    Request& granted = requests_d_[output_vc];
    const int input_vc = granted.input_vc;
    const int vc = this->vc(granted.input_vc, granted.output);
    owners_q_[output_vc] = {granted.input_vc, granted.message};
    owned_q_[input_vc] |= PortMask{1} << granted.output;
    free_q_[granted.output] &= static_cast<std::uint16_t>(~(1U << vc));
    grant_q_[output_vc].won(granted.input_vc, config_.channel_vcs());
    if (config_.is_external(granted.output)) choice_q_[input_vc].won(vc, config_.vcs);
    if (config_.vc_delay > 0) won_q_[output_vc] = now;
    granted = Request{};
  }
  requested_d_.clear();
  return true;
}

PortMask VcAllocator::held_by_delay(int input_vc, PortMask outputs, Cycle now) const {
  PortMask held = 0;
  for (const int output : bits(outputs & owned(input_vc))) {
    if (now < won_q_[output_vc(input_vc, output)] + config_.vc_delay) {
      held |= PortMask{1} << output;
    }
  }
  return held;
}

void VcAllocator::release(int input_vc, int output) {
  const int vc = this->vc(input_vc, output);
  owners_q_[config_.channel_vc(output, vc)] = Owner{};
  owned_q_[input_vc] &= ~(PortMask{1} << output);
  free_q_[output] |= static_cast<std::uint16_t>(1U << vc);
}

void VcAllocator::drain(int input_vc, int output) {
  owners_q_[output_vc(input_vc, output)] = {draining, no_message};
  owned_q_[input_vc] &= ~(PortMask{1} << output);
}

bool VcAllocator::refill(int output, int vc) {
  Owner& owner = owners_q_[config_.channel_vc(output, vc)];
  if (owner.input_vc != draining) return false;
  owner = Owner{};
  free_q_[output] |= static_cast<std::uint16_t>(1U << vc);
  return true;
}

}  // namespace allport
