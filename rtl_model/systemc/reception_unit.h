// SPDX-License-Identifier: Apache-2.0
// Reception, the intermediate one included: which ejection channel gets a copy of a worm that
// arrived on an input. The last router ejects the worm; a deposit or tree worm leaves a copy at
// every router it passes; the source's own processor receives nothing. Combinational.
#pragma once

#include "rtl_model/systemc/flit.h"
#include "rtl_model/systemc/route_computation.h"
#include "rtl_model/systemc/unit.h"

namespace allport {

class ReceptionUnit : public Unit {
 public:
  ReceptionUnit(const sc_core::sc_module_name& name, const RouterConfig& config,
                StateArena* arena = nullptr)
      : Unit(name, config, arena) {}

  /// The ejection output (one bit, or none) that takes a copy of the worm with this `head`, which
  /// came in on `input` and takes the `external` outputs.
  PortMask copies(int input, const Flit& head, PortMask external) const {
    const bool arrived = config_.is_external(input);
    const bool receives = external == 0 || head.kind != MessageKind::unicast;
    return arrived && receives ? PortMask{1} << config_.ejection_output(input) : 0;
  }
};

}  // namespace allport
