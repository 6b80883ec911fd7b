// SPDX-License-Identifier: Apache-2.0
#include "traffic/tasks/host_model.h"
#include "rtl_model/base/real_text.h"

#include <array>
#include <charconv>
#include <string_view>

namespace allport {

namespace {

__extension__ using Wide = unsigned __int128;

// Cycles as a decimal: whole ones, and units of 10^-28 of one. Such units of most_bytes bytes have
// 38 digits at most.
struct Decimal {
  std::uint64_t whole = 0;
  Wide units = 0;
};

constexpr Wide units_of_a_cycle() {
  Wide units = 1;
  for (std::size_t i = 0; i < HostModel::most_decimals; ++i) units *= 10;
  return units;
}

// The digits before and behind the point of the shortest decimal that is read as `cycles`.
struct Digits {
  explicit Digits(double cycles) {
    const auto end = to_decimal(text.data(), text.data() + text.size(), cycles).ptr;
    whole = {text.data(), static_cast<std::size_t>(end - text.data())};
    const std::size_t point = whole.find('.');
    if (point == std::string_view::npos) return;
    decimals = whole.substr(point + 1);
    whole = whole.substr(0, point);
  }
  std::array<char, 400> text{};  // the smallest number has 324 decimals
  std::string_view whole;
  std::string_view decimals;
};

Decimal decimal_of(double cycles) {
  const Digits digits(cycles);
  Decimal decimal;
  for (const char digit : digits.whole) {
    decimal.whole = 10 * decimal.whole + static_cast<std::uint64_t>(digit - '0');
  }
  for (std::size_t i = 0; i < HostModel::most_decimals; ++i) {
    const char digit = i < digits.decimals.size() ? digits.decimals[i] : '0';
    decimal.units = 10 * decimal.units + static_cast<Wide>(digit - '0');
  }
  return decimal;
}

}  // namespace

Cycle HostModel::cycles(std::uint64_t bytes) const {
  const Decimal first = decimal_of(start_up);
  const Decimal each = decimal_of(per_byte);
  constexpr Wide cycle = units_of_a_cycle();
  const Wide units = first.units + each.units * bytes;
  const auto carried = static_cast<std::uint64_t>((units + cycle - 1) / cycle);
  return static_cast<Cycle>(first.whole + each.whole * bytes + carried);
}

std::size_t decimals_of(double cycles) { return Digits(cycles).decimals.size(); }

double cycles_per_byte(int flit_bytes) {
  constexpr std::int64_t units = 1'000'000'000'000'000;
  return static_cast<double>(units / flit_bytes) / static_cast<double>(units);
}

}  // namespace allport
