// SPDX-License-Identifier: Apache-2.0
// A wave file in GTKWave's compressed binary format FST. Until it is closed, the flushed part can
// be read together with the file PATH.hier beside it.
#pragma once

#include <memory>
#include <string>

#include "testbench/observe/waves/wave_file.h"

namespace allport {

/// The file beside the FST file `path` that exists while that is written.
std::string fst_table_file(const std::string& path);

/// Throws std::invalid_argument, one sentence, when that file is there already, because it would be
/// lost, unless it was left beside an FST file by a writer that was killed.
void require_no_table(const std::string& path);

/// Throws std::invalid_argument when the file cannot be created, or as require_no_table().
std::unique_ptr<WaveFile> create_fst_file(const std::string& path);

}  // namespace allport
