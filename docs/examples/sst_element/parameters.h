// SPDX-License-Identifier: Apache-2.0
// What the components have in common: the parameter `clock`, and sentences in place of exceptions.
#pragma once

#include <exception>
#include <stdexcept>
#include <string>

#include <sst/core/output.h>
#include <sst/core/params.h>
#include <sst/core/unitAlgebra.h>

namespace allport_sst {

/// A simulator catches no exceptions: one within `call` ends the simulation with its sentence.
template <class Call>
auto told(SST::Output& output, const std::string& component, Call call) -> decltype(call()) {
  try {
    return call();
  } catch (const std::exception& error) {
    output.fatal(CALL_INFO, 1, "%s: %s\n", component.c_str(), error.what());
  }
  return decltype(call())();
}

/// A quantity with its unit, as 1GHz, which is not negative: SST compares without the sign. Throws
/// std::invalid_argument if it is not as it must be.
template <class Fits>
SST::UnitAlgebra find_quantity(SST::Params& params, const std::string& name,
                               const std::string& preset, Fits fits, const std::string& what) {
  const auto text = params.find<std::string>(name, preset);
  const std::string sentence = name + " " + text + ": must be " + what;
  SST::UnitAlgebra quantity;
  try {
    quantity = SST::UnitAlgebra(text);
  } catch (const std::exception&) {
    throw std::invalid_argument(sentence);
  }
  if (quantity.toString().front() == '-' || !fits(quantity)) throw std::invalid_argument(sentence);
  return quantity;
}

/// The rate of the cycles: one that the simulator's time can count.
inline SST::UnitAlgebra find_clock(SST::Params& params, const SST::UnitAlgebra& time_base) {
  const auto fits = [&](const SST::UnitAlgebra& one) {
    return one.hasUnits("Hz") && one > SST::UnitAlgebra("0Hz") &&
           (one * time_base).getDoubleValue() <= 1;
  };
  return find_quantity(params, "clock", "1GHz", fits,
                       "a rate up to one cycle in " + time_base.toStringBestSI() + ", as 1GHz");
}

}  // namespace allport_sst
