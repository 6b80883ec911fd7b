// SPDX-License-Identifier: Apache-2.0
// WormVcAllocation gives virtual channels to heads by the rule of the router's VC allocator: each
// head requests one free VC of its class (rtl_model/router/vc_choice.h); each VC chooses among
// the heads that request it, round robin over the input VCs. The store keeps the owner of each VC.
#pragma once

#include <cstdint>
#include <vector>

#include "tlm/worm/store.h"
#include "tlm/worm/unit.h"

namespace allport {

class WormVcAllocation : private WormUnit {
 public:
  explicit WormVcAllocation(WormStore& store) : WormUnit(store) {}
  void reset() {
    noted_outputs_.clear();
    chosen_by_branches_.clear();
  }

  /// Makes the head of `id`, which is first in its buffer, request a VC of its output from this
  /// cycle on.
  void ask(WormIndex id);
  /// Notes that the requests for the output with VC 0 `channel` are to be decided in this cycle.
  void note_output(WormIndex channel);
  /// Decides the requests noted, output by output.
  void hear_all(Cycle now);
  /// Swaps the list of noted outputs with `outputs`.
  void exchange_noted(std::vector<WormIndex>& outputs) { noted_outputs_.swap(outputs); }

 private:
  struct Asked {  // a head and the VC that it requests
    WormIndex passage = 0;
    int vc = 0;
  };
  WormIndex choose_head(int vc, const WormChannel& wanted) const;
  bool grant_only(WormIndex channel, Cycle now);
  void hear(WormIndex channel, Cycle now);
  std::uint32_t grant_all(WormIndex channel, Cycle now);
  void grant(WormIndex id, int vc, Cycle now);
  void lead_on(WormIndex id, int vc);
  void turn_choices(Cycle now);
  void wait_for(Passage& waiting, MessageId holding, Cycle now);

  std::vector<WormIndex> noted_outputs_;
  std::vector<Asked> asked_;               // requests for the present output
  std::vector<Asked> chosen_by_branches_;  // granted in this cycle to branches of trees and joins
};

}  // namespace allport
