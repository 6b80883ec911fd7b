// SPDX-License-Identifier: Apache-2.0
// A RouterState is what observers may read of a router: its buffers, the worms at their fronts, and
// the owner of each virtual channel. A Router shows its own units, a RouterMirror the contents of a
// router in RTL; reading changes neither. Virtual channels are given by their numbers among all
// those of the router (RouterConfig::channel_vc).
#pragma once

#include <vector>

#include "rtl_model/router/flit.h"
#include "rtl_model/router/router_config.h"

namespace allport {

class RouterState {
 public:
  /// An input VC whose front flit took part in the last evaluated cycle and did not leave, with the
  /// branches that did not take it.
  struct Stalled {
    int input = 0;
    int vc = 0;
    PortMask branches = 0;
    PortMask unready = 0;  // those of them where it is a head and the switching mode demands more
  };

  virtual ~RouterState() = default;

  virtual NodeId node() const = 0;
  virtual const RouterConfig& config() const = 0;
  virtual const std::vector<Stalled>& stalled() const = 0;

  /// Whether a flit is in any buffer.
  virtual bool has_flits() const = 0;
  /// Flits in the buffer of `input_vc`.
  virtual int buffered(int input_vc) const = 0;
  /// The flit `position` behind the front of that buffer.
  virtual const Flit& flit(int input_vc, int position) const = 0;
  const Flit& front(int input_vc) const { return flit(input_vc, 0); }

  /// The cycle in which the front flit of `input_vc` arrived; known only if flits may be delayed
  /// (RouterConfig::keeps_arrivals()).
  virtual Cycle front_arrival(int input_vc) const = 0;

  /// Outputs that the worm at the front of `input_vc` takes; 0: not routed yet.
  virtual PortMask outputs(int input_vc) const = 0;
  /// Those of them that have not yet taken its front flit.
  virtual PortMask pending(int input_vc) const = 0;
  /// Outputs at which `input_vc` owns a virtual channel.
  virtual PortMask owned(int input_vc) const = 0;
  /// The VC that `input_vc` owns at `output`; if it owns none, the one that it requests or waits
  /// for.
  virtual int output_vc(int input_vc, int output) const = 0;
  /// The input VC that owns `output_vc`; negative: nobody does.
  virtual int owner(int output_vc) const = 0;
  /// The message that owns `output_vc`.
  virtual MessageId owner_message(int output_vc) const = 0;
  virtual int credits(int output_vc) const = 0;
  /// The message whose flit leaves on `output` in the cycle evaluated last; no_message if there is
  /// none.
  virtual MessageId driver(int output) const = 0;
  /// Whether an acknowledgement is on the wires of VC `vc` of `output` in the cycle that is decided
  /// next.
  virtual bool is_acknowledged(int output, int vc) const = 0;

  /// Those of `branches` at which the front flit of `input_vc` has a virtual channel but, because
  /// of the switching mode, may not cross yet.
  PortMask unready(int input_vc, PortMask branches) const;
  /// Whether no flit is in any buffer and no virtual channel is owned.
  bool is_idle() const;
};

}  // namespace allport
