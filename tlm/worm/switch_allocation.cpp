// SPDX-License-Identifier: Apache-2.0
#include "tlm/worm/switch_allocation.h"

#include <algorithm>

#include "rtl_model/router/round_robin.h"

namespace allport {

WormSwitchAllocation::WormSwitchAllocation(WormStore& store) : WormUnit(store) {
  const RouterConfig& config = store.config;
  if (config.vcs == 1) return;
  shares_.resize(store.no_channel() + std::size_t{1});
  competing_.resize(store.nodes);
  router_is_noted_.resize(store.nodes);
  chosen_.resize(static_cast<std::size_t>(config.ports()));
}

void WormSwitchAllocation::reset() {
  std::fill(shares_.begin(), shares_.end(), Share{});
  std::fill(competing_.begin(), competing_.end(), 0);
  std::fill(router_is_noted_.begin(), router_is_noted_.end(), 0);
  noted_routers_.clear();
}

void WormSwitchAllocation::enter(WormIndex id) {
  Passage& passage = store_.passages[id];
  passage.is_competing = true;
  WormIndex& first = competing_[passage.node];
  passage.previous_competing = 0;
  passage.next_competing = first;
  if (first != 0) store_.passages[first].previous_competing = id;
  first = id;
  ++shares_[passage.in_channel].competing_in;
  ++shares_[passage.out_channel].competing_out;
}

void WormSwitchAllocation::leave(WormIndex id) {
  Passage& passage = store_.passages[id];
  passage.is_competing = false;
  if (passage.previous_competing != 0) {
    store_.passages[passage.previous_competing].next_competing = passage.next_competing;
  } else {
    competing_[passage.node] = passage.next_competing;
  }
  if (passage.next_competing != 0) {
    store_.passages[passage.next_competing].previous_competing = passage.previous_competing;
  }
  --shares_[passage.in_channel].competing_in;
  --shares_[passage.out_channel].competing_out;
}

bool WormSwitchAllocation::is_alone(const WormJunction& junction) const {
  const WormIndex local = junction.first;
  const Passage* const passages = store_.passages.data();
  if (shares_[passages[local].in_channel].competing_in != junction.branches) return false;
  for (WormIndex id = local + 1; id < junction.first_branch(); ++id) {
    if (shares_[passages[id].in_channel].competing_in != 1) return false;
  }
  for (WormIndex id = junction.first_branch(); id < junction.end(); ++id) {
    if (shares_[passages[id].out_channel].competing_out != 1) return false;
  }
  return true;
}

void WormSwitchAllocation::note_router(std::uint32_t node) {
  if (router_is_noted_[node] != 0) return;
  router_is_noted_[node] = 1;
  noted_routers_.push_back(node);
}

void WormSwitchAllocation::exchange_noted(std::vector<std::uint32_t>& routers) {
  for (const std::uint32_t node : noted_routers_) router_is_noted_[node] = 0;
  noted_routers_.swap(routers);
  for (const std::uint32_t node : noted_routers_) router_is_noted_[node] = 1;
}

const std::vector<WormIndex>& WormSwitchAllocation::choose_winners(
    const std::vector<WormIndex>& competitors) {
  winners_.clear();
  let_inputs_choose(competitors);
  let_joins_agree(competitors);
  let_outputs_choose(competitors);
  for (const WormIndex id : competitors) chosen_[store_.passages[id].input] = 0;
  return winners_;
}

void WormSwitchAllocation::let_inputs_choose(const std::vector<WormIndex>& competitors) {
  const RouterConfig& config = store_.config;
  for (const WormIndex id : competitors) {
    const Passage& passage = store_.passages[id];
    WormIndex& chosen = chosen_[passage.input];
    const int pointer = shares_[passage.in_channel].input_pointer;
    const int size = config.vcs_of(passage.input);
    if (chosen == 0 ||
        round_robin_distance(input_vc_of(passage), pointer, size) <
            round_robin_distance(input_vc_of(store_.passages[chosen]), pointer, size)) {
      chosen = id;
    }
  }
}

// A join asks for its outputs only if the inputs of all operands have chosen it; the first one
// speaks for them.
void WormSwitchAllocation::let_joins_agree(const std::vector<WormIndex>& competitors) {
  if (store_.junctions.size() == 1) return;
  for (const WormIndex id : competitors) {
    const Passage& passage = store_.passages[id];
    if (passage.output != no_output || chosen_[passage.input] == id) continue;
    const Passage& speaking = store_.passages[store_.junctions[passage.junction].first];
    if (is_chosen(speaking)) chosen_[speaking.input] = 0;
  }
}

// Whether the input of `passage` has chosen its virtual channel. (Of several branches of a worm it
// has chosen one for all.)
bool WormSwitchAllocation::is_chosen(const Passage& passage) const {
  const WormIndex chosen = chosen_[passage.input];
  return chosen != 0 && store_.passages[chosen].input_vc == passage.input_vc;
}

void WormSwitchAllocation::let_outputs_choose(const std::vector<WormIndex>& competitors) {
  std::uint64_t taken = 0;  // outputs that have a winner
  for (const WormIndex id : competitors) {
    const Passage& passage = store_.passages[id];
    if (passage.output == no_output || !is_chosen(passage)) continue;
    if ((taken >> passage.output & 1U) != 0) continue;
    taken |= std::uint64_t{1} << passage.output;
    WormIndex best = id;
    const int pointer = shares_[passage.out_channel].output_pointer;
    for (const WormIndex other : competitors) {
      const Passage& rival = store_.passages[other];
      if (rival.output != passage.output || !is_chosen(rival)) continue;
      if (round_robin_distance(rival.input, pointer, store_.config.ports()) <
          round_robin_distance(store_.passages[best].input, pointer, store_.config.ports())) {
        best = other;
      }
    }
    winners_.push_back(best);
  }
}

void WormSwitchAllocation::turn_pointers(const Passage& winner) {
  const RouterConfig& config = store_.config;
  shares_[winner.out_channel].output_pointer =
      static_cast<std::uint8_t>(round_robin_next(winner.input, config.ports()));
  turn_input_pointer(winner);
}

void WormSwitchAllocation::turn_input_pointer(const Passage& winner) {
  const int vcs = store_.config.vcs_of(winner.input);
  if (vcs == 1) return;
  shares_[winner.in_channel].input_pointer =
      static_cast<std::uint8_t>(round_robin_next(input_vc_of(winner), vcs));
}

}  // namespace allport
