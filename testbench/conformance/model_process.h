// SPDX-License-Identifier: Apache-2.0
// A ModelProcess is a process of its own for work with models in RTL that cannot be trusted: they
// may crash, hang or end the simulation.
#pragma once

#include <atomic>
#include <chrono>
#include <filesystem>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "rtl_model/verilated/node_libraries.h"
#include "testbench/conformance/model_watch.h"
#include "testbench/processes/child_process.h"

namespace allport {

struct ModelOutcome {
  Json json;            ///< what the work returned
  std::string failure;  ///< a crash, a hang, an error of the process; empty: none
  std::string stop;     ///< why the RTL ended the simulation; empty: it did not
};

/// What stands in the places of a wave's files while a process that may be ended writes them: it is
/// set aside beside them (as FILE.kept.PID), goes when there are new ones, and comes back when
/// there are none. Links, devices and pipes are written as they are.
class KeptWave {
 public:
  /// `wave` names the wave file, beside which the others are; it is empty if there is none.
  explicit KeptWave(const std::string& wave);
  ~KeptWave();
  KeptWave(const KeptWave&) = delete;
  KeptWave& operator=(const KeptWave&) = delete;

  /// Removes what the process has left, so that all is as it was before.
  void restore() const;

 private:
  std::vector<std::filesystem::path> missing_;
  std::vector<std::pair<std::filesystem::path, std::filesystem::path>> kept_;
  std::filesystem::path table_;  // of a writer that was killed
};

class ModelProcess {
 public:
  /// `longest_edge` is the longest time that one call of a model may take; `stop` is set when the
  /// work
  /// must end.
  ModelProcess(std::chrono::seconds longest_edge, const std::atomic<bool>* stop)
      : longest_edge_(longest_edge), stop_(stop) {}

  /// Runs `work`, with a watch over each model that `libraries` make for it. Throws Stopped.
  ModelOutcome run(NodeLibraries& libraries, const std::function<Json(ModelWatch&)>& work);

 private:
  std::chrono::seconds longest_edge_;
  const std::atomic<bool>* stop_;
  SharedCounter steps_;
};

}  // namespace allport
