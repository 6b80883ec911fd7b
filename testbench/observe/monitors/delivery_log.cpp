// SPDX-License-Identifier: Apache-2.0
#include "testbench/observe/monitors/delivery_log.h"

#include <fmt/compile.h>
#include <fmt/format.h>

#include <algorithm>
#include <tuple>

namespace allport {

void DeliveryLog::end_trial() {
  const auto key = [](const Delivery& d) {
    return std::make_tuple(index(d.source), index(d.destination), d.message, d.head, d.tail);
  };
  std::sort(deliveries_.begin(), deliveries_.end(),
            [&](const Delivery& a, const Delivery& b) { return key(a) < key(b); });
  fmt::memory_buffer line;
  for (const Delivery& d : deliveries_) {
    line.clear();
    fmt::format_to(std::back_inserter(line), FMT_COMPILE("{} {} {} {} {}\n"), index(d.source),
                   index(d.destination), d.message, d.head, d.tail);
    for (const char byte : line) {
      hash_ = (hash_ ^ static_cast<unsigned char>(byte)) * 0x100000001b3U;
    }
  }
}

std::string DeliveryLog::digest() const { return fmt::format("{:016x}", hash_); }

}  // namespace allport
