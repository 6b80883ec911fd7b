// SPDX-License-Identifier: Apache-2.0
// Reception, including intermediate reception, decides which ejection channel gets a copy of a worm
// that arrived on an input. The last router ejects the worm; a deposit, tree or path worm leaves a
// copy at every router with a processor that it passes, a multidestination or label worm at its
// destinations; the source's own processor receives nothing. The unit is combinational.
#pragma once

#include "rtl_model/systemc/flit.h"
#include "rtl_model/systemc/route_computation.h"
#include "rtl_model/systemc/unit.h"

namespace allport {

class ReceptionUnit : public Unit {
 public:
  ReceptionUnit(const char* name, const RouterConfig& config, UnitPlace place = {})
      : Unit(name, config, place) {}

  /// The ejection output (one bit, or 0) that takes a copy of the worm with this `head`, which came
  /// in on `input` and takes the external outputs of `route`.
  PortMask copies(int input, const Flit& head, const Route& route) const {
    const bool arrived = config_.is_external(input) && !is_join(head.kind);
    const bool leaves_copies =
        head.kind != MessageKind::unicast && !goes_by_list(head.kind) && !route.is_in_switch;
    const bool receives = route.outputs == 0 || leaves_copies || route.is_stripped;
    return arrived && receives ? PortMask{1} << config_.ejection_output(input) : 0;
  }
};

}  // namespace allport
