// SPDX-License-Identifier: Apache-2.0
#include "testbench/simulation/contribution.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "rtl_model/base/split_mix.h"
#include "tlm/message/message.h"

namespace allport {

namespace {

float finite_number(std::uint64_t random) {
  const auto mantissa = static_cast<float>(static_cast<int>(random & 0xffffff) - 0x800000);
  return std::ldexp(mantissa, static_cast<int>(random >> 24 & 15) - 24);
}

}  // namespace

bool joins_floats(const Schedule& schedule) {
  return std::any_of(schedule.unicasts.begin(), schedule.unicasts.end(), [](const Unicast& one) {
    return is_join(one.kind) && one.join.type() == LaneType::float32;
  });
}

void fill_contribution(tlm::tlm_generic_payload& message, bool has_floats, std::uint64_t number,
                       NodeId node) {
  const std::uint64_t seed = number << 32 | index(node);
  if (!has_floats) {
    fill_payload(message, seed * 0x9e3779b97f4a7c15U);
    return;
  }
  SplitMix64 generator(seed);
  for (std::size_t at = 0; at + sizeof(float) <= message.get_data_length(); at += sizeof(float)) {
    const float lane = finite_number(generator.next());
    std::memcpy(message.get_data_ptr() + at, &lane, sizeof lane);
  }
}

}  // namespace allport
