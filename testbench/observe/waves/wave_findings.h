// SPDX-License-Identifier: Apache-2.0
// WaveFindings has the findings of a recorded run, in words: the waits of a deadlock's circle and
// the deadlock, then every error of the recorded cycles and every wait in which messages contended;
// before them the finding for which the wave is recorded.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "testbench/observe/waves/wave_recorder.h"

namespace allport {

/// The place of a message in a deadlock's circle.
struct CirclePlace {
  NodeId node{};
  int input_vc = 0;
  int output = -1;  ///< the output it waits for; -1: it waits for room in that input's buffer
};

/// A finding: something that happened in a cycle.
struct WaveFinding {
  Cycle cycle = 0;
  std::string text;       ///< a few words for its marker: the place and the message that holds it
  bool is_end = false;    ///< whether the run ended with it: it gets a marker before others
  bool has_text = false;  ///< whether its marker always has its text
  std::string row{};      ///< its line in the table; empty if it has none
  std::string brief{};    ///< a shorter `text` for little room; empty if there is none
  std::optional<CirclePlace> place{};  ///< the place of a wait of the circle
};

/// The finding for which a wave is recorded, if it is not a deadlock.
struct WaveFocus {
  Cycle cycle = 0;                              ///< its first cycle
  std::string text{};                           ///< name of its marker
  std::string row{};                            ///< its line in the table, if it is a message
  std::optional<ContentionEvent> contention{};  ///< the wait that it is; none: it is a message
};

struct WaveFindings {
  static constexpr std::size_t max_cycles = 26;  ///< cycles with contention or errors

  std::vector<WaveFinding> list;
  std::size_t later = 0;  ///< waits and errors in later cycles, not in the list
};

/// The focus if there is one, then a deadlock with its circle, errors and contention, each by their
/// first cycles.
WaveFindings wave_findings(const WaveRecorder& recorder, const Results& results,
                           const std::optional<WaveFocus>& focus = {});

/// Notes in `routers` where the contention of the focus is.
void mark_focus(const WaveFocus& focus, std::vector<RouterActivity>& routers);

/// Notes in `routers` what the circle waits for.
void mark_circle(const WaveFindings& findings, std::vector<RouterActivity>& routers);

}  // namespace allport
