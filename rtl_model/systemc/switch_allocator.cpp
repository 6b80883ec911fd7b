// SPDX-License-Identifier: Apache-2.0
#include "rtl_model/systemc/switch_allocator.h"

#include <string>

namespace allport {

SwitchAllocator::SwitchAllocator(const char* name, const RouterConfig& config, UnitPlace place)
    : Unit(name, config, place),
      credits_q_(this->arena(), config.channel_vcs()),
      input_q_(this->arena(), config.ports()),
      output_q_(this->arena(), config.ports()),
      chosen_d_(this->arena(), config.ports()),
      requests_d_(this->arena(), config.ports()),
      grants_d_(this->arena(), config.ports()) {
  reset();
}

void SwitchAllocator::reset() {
  credits_q_.fill(config_.channel_vcs(), static_cast<std::uint16_t>(config_.buffer_depth));
  input_q_.fill(config_.ports(), {});
  output_q_.fill(config_.ports(), {});
  requesting_d_ = 0;
}

void SwitchAllocator::report_overflow(int output_vc) const {
  const std::string message =
      name() + ": output VC " + std::to_string(output_vc) + " has one credit too many";
  SC_REPORT_FATAL("/allport/switch_allocator", message.c_str());
}

}  // namespace allport
