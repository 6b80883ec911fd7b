// SPDX-License-Identifier: Apache-2.0
#include "testbench/observe/monitors/fabric_verdicts.h"

#include "testbench/observe/monitors/deadlock_finder.h"

namespace allport {

FabricVerdicts::FabricVerdicts(Fabric& fabric, const MessageLog& log,
                               const NetworkInterfaces& interfaces)
    : fabric_(fabric),
      log_(log),
      interfaces_(interfaces),
      is_adaptive_(fabric.routing().is_adaptive()),
      routes_(fabric.config()),
      contention_({log, fabric.routing(), is_adaptive_ ? &routes_ : nullptr}, fabric.parts()) {
  fabric_.observe(contention_);
  if (is_adaptive_) fabric_.observe(routes_);
}

FabricVerdicts::~FabricVerdicts() {
  fabric_.dismiss(contention_);
  fabric_.dismiss(routes_);
}

void FabricVerdicts::reset() {
  contention_.reset();
  routes_.reset();
}

Contention FabricVerdicts::contention() const {
  Contention contention;
  Contention reception;
  report(0, ~std::size_t{0}, contention, reception);
  return contention;
}

Contention FabricVerdicts::reception() const {
  Contention contention;
  Contention reception;
  report(0, ~std::size_t{0}, contention, reception);
  return reception;
}

void FabricVerdicts::report(int trial, std::size_t max_listed, Contention& contention,
                            Contention& reception) const {
  contention_.report(trial, max_listed, contention, reception);
}

std::optional<Deadlock> FabricVerdicts::deadlock() {
  if (fabric_.is_idle()) return std::nullopt;
  return find_deadlock(StillRouters(fabric_, interfaces_), log_, contention_);
}

}  // namespace allport
