// SPDX-License-Identifier: Apache-2.0
// Work with models in RTL that cannot be trusted, in a process of its own: they may crash, hang or
// end the simulation.
#pragma once

#include <atomic>
#include <chrono>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "rtl_model/verilated/model_library.h"
#include "testbench/conformance/model_watch.h"
#include "testbench/processes/child_process.h"

namespace allport {

struct ModelOutcome {
  Json json;            ///< what the work returned
  std::string failure;  ///< a crash, a hang, an error of the process; empty: none
  std::string stop;     ///< why the RTL ended the simulation; empty: it did not
};

/// The files of a wave that did not exist before a process began to write them: what it leaves of
/// them when it is ended has to be removed.
class WaveLeftovers {
 public:
  explicit WaveLeftovers(const std::string& wave);
  void remove() const;

 private:
  std::vector<std::filesystem::path> missing_;
};

class ModelProcess {
 public:
  /// `longest_edge` is the longest time that one call of a model may take; `stop` is set when the
  /// work
  /// must end.
  ModelProcess(std::chrono::seconds longest_edge, const std::atomic<bool>* stop)
      : longest_edge_(longest_edge), stop_(stop) {}

  /// Runs `work`, with a watch over each model that `library` makes for it. Throws Stopped.
  ModelOutcome run(ModelLibrary& library, const std::function<Json(ModelWatch&)>& work);

 private:
  std::chrono::seconds longest_edge_;
  const std::atomic<bool>* stop_;
  SharedCounter steps_;
};

}  // namespace allport
