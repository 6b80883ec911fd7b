// SPDX-License-Identifier: Apache-2.0
// What GTKWave opens a wave with: a save file NAME.gtkw beside the wave file NAME.vcd or NAME.fst,
// and the files NAME.flits.txt and NAME.messages.txt that decode its values. Paths in it are
// relative, so the files may move together. It shows the whole recording, the routers worth seeing
// (wave_selection.h) grouped by router and port, and a marker on each finding, or on a
// choice spread over the run if there are more than GTKWave has markers for.
#pragma once

#include <string>
#include <vector>

#include "testbench/waves/wave_recorder.h"

namespace allport {

/// The files that come beside the wave file `wave`.
struct WaveCompanions {
  std::string flits;     ///< decodes flit kinds
  std::string messages;  ///< decodes message names
  std::string save;      ///< what GTKWave opens
};
WaveCompanions wave_companions(const std::string& wave);

/// A cycle that a marker stands on.
struct WaveFinding {
  Cycle cycle = 0;
  std::string text;                  ///< a few words
  bool is_end = false;               ///< of what the run ended with: has a marker in any case
  bool has_text = false;             ///< its marker has its text in any case
  std::vector<std::string> notes{};  ///< lines above the traces, behind the marker's letter
};

/// A deadlock, the waits of its circle, and contention (the cycles in which messages began to wait;
/// one finding a cycle).
std::vector<WaveFinding> wave_findings(const Results& results, const RouterConfig& config);

/// Writes the save file and the files that decode, for a finished recording. Throws
/// std::runtime_error when one of them cannot be written.
void write_gtkw(const WaveRecorder& recorder, const std::vector<WaveFinding>& findings);

/// The run that `recorder` took has ended with `results`: completes the wave file and writes those
/// beside it. Throws std::runtime_error when one of them could not be written.
void finish_wave(WaveRecorder& recorder, const Results& results);

}  // namespace allport
