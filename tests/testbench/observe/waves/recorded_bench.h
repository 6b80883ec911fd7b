// SPDX-License-Identifier: Apache-2.0
// A RecordedBench is a fabric whose run is recorded and read back as a wave.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "testbench/observe/waves/wave_recorder.h"
#include "tests/rtl_model/systemc/fabric_bench.h"
#include "tests/testbench/observe/waves/wave_bench.h"

namespace allport::test {

class RecordedBench : public FabricBench {
 public:
  explicit RecordedBench(std::string_view topology, const FabricConfig& config = {},
                         WaveOptions options = {})
      : RecordedBench(Blueprint(topology, config), options) {}
  RecordedBench(const Blueprint& given, WaveOptions options) : FabricBench(given) {
    options.path = path_;
    recorder = std::make_unique<WaveRecorder>(fabric, options, letter_name);
  }

  /// Runs, finishes with cycle `end` and reads the wave.
  VcdReader record(Cycle end = 0) {
    run();
    recorder->finish(end);
    return VcdReader::from_file(path_);
  }

  std::unique_ptr<WaveRecorder> recorder;

 private:
  TemporaryFolder folder_;
  std::string path_ = folder_ / "wave.vcd";
};

}  // namespace allport::test
