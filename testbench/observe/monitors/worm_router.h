// SPDX-License-Identifier: Apache-2.0
// A WormRouter is a router of a fabric of worms in which nothing moves any more, as a router of
// flits would show it (RouterState): where worms stand says which flits are in its buffers.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <vector>

#include "rtl_model/systemc/router_state.h"
#include "tlm/worm/store.h"

namespace allport {

class WormRouter final : public RouterState {
 public:
  WormRouter(const WormStore& store, NodeId node);

  /// The cycle from which it has not been called, if a flit at the front of a buffer takes part in
  /// switching; a join that lacks an operand does not.
  std::optional<Cycle> still_since() const;

  /// The VCs of `output` that the head at the front of `input_vc` may be given, one bit each.
  std::uint32_t candidates(int input_vc, int output) const;

  // RouterState
  NodeId node() const override { return node_; }
  const RouterConfig& config() const override { return store_.config; }
  const std::vector<Stalled>& stalled() const override { return no_stalls_; }
  bool has_flits() const override { return !buffers_.empty(); }
  int buffered(int input_vc) const override;
  Cycle front_arrival(int) const override { return 0; }  // it keeps none
  const Flit& flit(int input_vc, int position) const override {
    return buffers_.at(input_vc).flits[static_cast<std::size_t>(position)];
  }
  PortMask outputs(int input_vc) const override;
  PortMask pending(int input_vc) const override;
  PortMask owned(int input_vc) const override;
  int output_vc(int input_vc, int output) const override;
  int owner(int output_vc) const override;
  MessageId owner_message(int output_vc) const override;
  int credits(int output_vc) const override;
  MessageId driver(int) const override { return no_message; }
  bool is_acknowledged(int, int) const override { return false; }

 private:
  struct Buffer {
    WormIndex front = 0;  // the passage whose flits are first
    std::vector<Flit> flits;
  };

  void fill(int input_vc, WormIndex channel);
  WormIndex channel_into(int input, int vc) const;
  WormIndex channel_out_of(int output_vc) const;
  bool has_operands(const WormJunction& junction) const;
  bool speaks_for_none(const Passage& front) const;
  template <class Visit>
  void visit_branches(int input_vc, Visit visit) const;

  const WormStore& store_;
  const NodeId node_;
  std::map<int, Buffer> buffers_;  // those with flits, by input VC
  const std::vector<Stalled> no_stalls_;
};

}  // namespace allport
