// SPDX-License-Identifier: Apache-2.0
// GTKWave opens a wave with these files: a save file NAME.gtkw beside the wave file NAME.vcd or
// NAME.fst, and the files NAME.flits.txt and NAME.messages.txt that decode its values. Paths in
// the save file are relative, so the files may be moved together. It shows the whole recording, a
// table of the findings and their markers (gtkw_findings.h), and the routers worth seeing
// (wave_selection.h) grouped by router and port.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "testbench/observe/waves/wave_findings.h"

namespace allport {

/// The files beside the wave file `wave`.
struct WaveCompanions {
  std::string flits;     ///< file that decodes flit kinds
  std::string messages;  ///< file that decodes message names
  std::string save;      ///< file that GTKWave opens
};
WaveCompanions wave_companions(const std::string& wave);

/// Writes the save file and the decoding files for a finished recording. Throws std::runtime_error
/// when one of them cannot be written.
void write_gtkw(const WaveRecorder& recorder, const WaveFindings& findings,
                const std::optional<WaveFocus>& focus = {});

/// Completes the wave file of the run recorded by `recorder`, which has ended with `results`, and
/// writes the files beside it. Throws std::runtime_error when one of them could not be written.
/// `focus`: the finding for which it was recorded, if there is one.
void finish_wave(WaveRecorder& recorder, const Results& results,
                 const std::optional<WaveFocus>& focus = {});
/// The same; cycle `end` is the last one of the recording.
void end_wave(WaveRecorder& recorder, Cycle end, const Results& results,
              const std::optional<WaveFocus>& focus = {});

}  // namespace allport
