// SPDX-License-Identifier: Apache-2.0
// A WaveFile is a wave file being written. First its variables are declared, in nested scopes; then
// time is set, never backwards, and values change. The unit of time is 1 ns and stands for one
// clock cycle, so times in a viewer are cycle numbers. A value may be missing (no flit is on a
// channel, nobody owns a virtual channel): it is written as z, which viewers draw as a thin line.
// Nothing in the file depends on when or where it was written. The flushed part is readable even if
// the process is killed; a failure to write is remembered and reported by close(), not before, so
// that a full disk ends no simulation.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "rtl_model/base/ids.h"

namespace allport {

/// A declared variable: 0, 1, .. in the order of declaration.
enum class WaveSignal : std::uint32_t {};

/// A value of up to 64 bits; none is written as z.
using WaveValue = std::optional<std::uint64_t>;

class WaveFile {
 public:
  virtual ~WaveFile() = default;

  virtual void open_scope(const std::string& name) = 0;
  virtual void close_scope() = 0;
  /// Declares a variable of `width` bits, 1 .. 64, in the open scope.
  virtual WaveSignal declare(const std::string& name, int width) = 0;

  /// Dates the changes from now on to `cycle`, which must not be before the last one.
  virtual void set_time(Cycle cycle) = 0;
  /// Changes a value; to be called at most once per variable and time.
  virtual void change(WaveSignal signal, WaveValue value) = 0;

  /// Completes the file; the destructor does so too, but ignores the error. Throws
  /// std::runtime_error if the file could not be written, and removes it.
  virtual void close() = 0;
};

/// `message[31:0]` for a vector, `credit` for a single bit, as viewers call them.
std::string ranged_name(const std::string& name, int width);

/// Removes a file that could not be written completely, unless it is a device or a pipe.
void remove_incomplete(const std::string& path);

/// The sentence about such a file, without its end.
std::string incomplete_wave(const std::string& path);

/// Throws std::invalid_argument, one sentence, unless `path` ends in .vcd or .fst.
void require_wave_ending(const std::string& path);

/// Creates the file at `path`, VCD or FST by its ending. Throws std::invalid_argument if the ending
/// is a different one (then nothing is created) or the file cannot be created.
std::unique_ptr<WaveFile> create_wave_file(const std::string& path);

}  // namespace allport
