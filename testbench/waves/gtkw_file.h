// SPDX-License-Identifier: Apache-2.0
// What GTKWave opens a wave with: a save file NAME.gtkw beside the wave file NAME.vcd or NAME.fst,
// and the files NAME.flits.txt and NAME.messages.txt that decode its values. Paths in it are
// relative, so the files may move together. It shows the whole recording, a table of the findings
// and their markers (gtkw_findings.h), and the routers worth seeing (wave_selection.h) grouped by
// router and port.
#pragma once

#include <string>
#include <vector>

#include "testbench/waves/wave_findings.h"

namespace allport {

/// The files that come beside the wave file `wave`.
struct WaveCompanions {
  std::string flits;     ///< decodes flit kinds
  std::string messages;  ///< decodes message names
  std::string save;      ///< what GTKWave opens
};
WaveCompanions wave_companions(const std::string& wave);

/// Writes the save file and the files that decode, for a finished recording. Throws
/// std::runtime_error when one of them cannot be written.
void write_gtkw(const WaveRecorder& recorder, const WaveFindings& findings);

/// The run that `recorder` took has ended with `results`: completes the wave file and writes those
/// beside it. Throws std::runtime_error when one of them could not be written.
void finish_wave(WaveRecorder& recorder, const Results& results);

}  // namespace allport
