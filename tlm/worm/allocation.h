// SPDX-License-Identifier: Apache-2.0
// Heads get virtual channels, by the rule of the router's VC allocator: each asks for one free VC
// of its class (rtl_model/topology/vc_choice.h); each VC chooses among those that ask for it,
// round robin over the input VCs. Who has got one is noted in the store.
#pragma once

#include <cstdint>
#include <vector>

#include "tlm/worm/store.h"

namespace allport {

class WormAllocation {
 public:
  explicit WormAllocation(WormStore& store) : store_(store) {}
  void reset() { noted_outputs_.clear(); }

  /// The head of `id`, first in its buffer, asks for a VC of its output from this cycle on.
  void ask(WormIndex id);
  /// The heads that ask for the output with VC 0 `channel` are to be heard in this cycle.
  void note_output(WormIndex channel);
  /// Hears them, output after output.
  void hear_all(Cycle now);
  /// Changes places with another list of outputs to be heard.
  void exchange_noted(std::vector<WormIndex>& outputs) { noted_outputs_.swap(outputs); }

 private:
  struct Asked {  // a head and the VC it asks for
    WormIndex passage = 0;
    int vc = 0;
  };
  int wanted_vc(const Passage& asking) const;
  WormIndex choose_head(int vc, const WormChannel& wanted) const;
  void hear(WormIndex channel, Cycle now);
  std::uint32_t grant_all(WormIndex channel, Cycle now);
  void grant(WormIndex id, int vc, Cycle now);
  void wait_for(Passage& waiting, MessageId holding, Cycle now);

  WormStore& store_;
  std::vector<WormIndex> noted_outputs_;
  std::vector<Asked> asked_;  // of the output that is looked at
};

}  // namespace allport
