// SPDX-License-Identifier: Apache-2.0
// A wave file being written. First its variables are declared, in nested scopes; then time is set,
// never backwards, and values change. The unit of time is 1 ns and stands for one clock cycle, so
// times read in a viewer are cycle numbers. A value may be missing (no flit on a channel, nobody
// owns a virtual channel): it is written as z, which viewers draw as a thin line. Nothing in the
// file depends on when or where it was written. What has been flushed is readable even if the
// process is killed; a failure to write is remembered and reported by close(), not before, so that
// a full disk ends no simulation.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "rtl_model/base/ids.h"

namespace allport {

/// A declared variable: 0, 1, .. in the order of declaration.
enum class WaveSignal : std::uint32_t {};

/// A value of up to 64 bits; none: z.
using WaveValue = std::optional<std::uint64_t>;

class WaveFile {
 public:
  virtual ~WaveFile() = default;

  virtual void open_scope(const std::string& name) = 0;
  virtual void close_scope() = 0;
  /// A variable of `width` bits, 1 .. 64, in the open scope.
  virtual WaveSignal declare(const std::string& name, int width) = 0;

  /// What changes from now on changes in `cycle`, not before the last one.
  virtual void set_time(Cycle cycle) = 0;
  /// To be called at most once per variable and time.
  virtual void change(WaveSignal signal, WaveValue value) = 0;

  /// Completes the file; done by the destructor too, which swallows the error. Throws
  /// std::runtime_error when the file could not be written, and removes it.
  virtual void close() = 0;
};

/// `message[31:0]` for a vector, `credit` for a single bit, as viewers call them.
std::string ranged_name(const std::string& name, int width);

/// Removes what could not be written completely, unless it is a device or a pipe.
void remove_incomplete(const std::string& path);

/// The sentence about it, without its end.
std::string incomplete_wave(const std::string& path);

/// Creates the file at `path`, VCD or FST by its ending. Throws std::invalid_argument when the
/// ending is another one (nothing is created then) or the file cannot be created.
std::unique_ptr<WaveFile> create_wave_file(const std::string& path);

}  // namespace allport
