// SPDX-License-Identifier: Apache-2.0
// WaveWaits has the contention of one router, wait by wait, which a wave lists beside the numbers
// that it shows.
#pragma once

#include <cstddef>
#include <map>
#include <tuple>
#include <vector>

#include "testbench/waves/wave_contention.h"

namespace allport {

/// A wait of a message that another one kept off an output.
struct WaveWait {
  int output = 0;
  int vc = 0;  ///< VC of the output
  MessageId waiting = no_message;
  MessageId holding = no_message;
  Cycle first = 0;   ///< first cycle lost
  Cycle cycles = 0;  ///< number of cycles lost
};

class WaveWaits {
 public:
  /// Adds `cycles` cycles of contention of `pair`, from `first` on.
  void add(const ContentionPair& pair, Cycle first, Cycle cycles);
  /// One wait per output, waiting and holding message, in the order of their first cycles.
  const std::vector<WaveWait>& list() const { return list_; }

 private:
  std::vector<WaveWait> list_;
  std::map<std::tuple<int, MessageId, MessageId>, std::size_t> places_;
};

}  // namespace allport
