// SPDX-License-Identifier: Apache-2.0
// What a recorded run has to tell, in words: the waits of a deadlock's circle and the deadlock,
// then every wait of the recorded cycles in which messages contended.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "testbench/waves/wave_recorder.h"

namespace allport {

/// Where a message of a deadlock's circle stands.
struct CirclePlace {
  NodeId node{};
  int input_vc = 0;
  int output = -1;  ///< what it waits for; -1: for room in that input's buffer
};

/// Something that happened in a cycle.
struct WaveFinding {
  Cycle cycle = 0;
  std::string text;                    ///< a few words for its marker: where, and who holds
  bool is_end = false;                 ///< of what the run ended with: has a marker before others
  bool has_text = false;               ///< its marker has its text in any case
  std::string row{};                   ///< its line in the table; empty: it has none
  std::string brief{};                 ///< `text` for where there is little room; empty: none
  std::optional<CirclePlace> place{};  ///< of a wait of the circle
};

struct WaveFindings {
  static constexpr std::size_t max_cycles = 26;  ///< with contention

  std::vector<WaveFinding> list;
  std::size_t later = 0;  ///< waits in later cycles with contention, not in the list
};

/// A deadlock with its circle, then contention, both by their first cycles.
WaveFindings wave_findings(const WaveRecorder& recorder, const Results& results);

/// Notes in `routers` what the circle waits for.
void mark_circle(const WaveFindings& findings, std::vector<RouterActivity>& routers);

}  // namespace allport
