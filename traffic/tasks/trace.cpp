// SPDX-License-Identifier: Apache-2.0
#include "traffic/tasks/trace.h"

#include <cmath>
#include <stdexcept>

#include "rtl_model/base/quote.h"
#include "rtl_model/base/range.h"

namespace allport {

namespace {

Cycle whole_cycles(long double cycles) {
  if (!(cycles >= 0)) throw std::invalid_argument("a time must not be negative");
  if (cycles > static_cast<long double>(limits::cycles.high)) {
    throw std::invalid_argument("it takes more than " + std::to_string(limits::cycles.high) +
                                " cycles");
  }
  return static_cast<Cycle>(std::llround(cycles));
}

}  // namespace

Cycle TraceScale::of_nanoseconds(double time) const {
  return whole_cycles(static_cast<long double>(time) * ghz * factor);
}

Cycle TraceScale::of_flops(double flops) const {
  return whole_cycles(static_cast<long double>(flops) / flops_per_cycle * factor);
}

Cycle TraceScale::of_cycles(Cycle cycles) const {
  return factor == 1 ? cycles : whole_cycles(static_cast<long double>(cycles) * factor);
}

std::uint64_t TraceScale::of_bytes(std::uint64_t bytes) const {
  if (factor == 1) return bytes;
  const double scaled = std::ceil(static_cast<double>(bytes) * factor);
  if (scaled > static_cast<double>(most_bytes)) {
    throw std::invalid_argument("its length, scaled, is more than 2^62 bytes");
  }
  return static_cast<std::uint64_t>(scaled);
}

std::string in_words(const TaskOrigin& origin, const std::vector<std::string>& files) {
  const std::string name = origin.file < files.size() ? shown_path(files[origin.file]) : "";
  return origin.line == 0 ? name : name + ":" + std::to_string(origin.line);
}

}  // namespace allport
