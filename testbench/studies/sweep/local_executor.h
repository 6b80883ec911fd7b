// SPDX-License-Identifier: Apache-2.0
// A LocalExecutor carries out points on this machine, each as a run of this program in a process of
// its own.
#pragma once

#include "testbench/studies/sweep/executor.h"

namespace allport {

class LocalExecutor final : public Executor {
 public:
  /// `jobs`: how many points run at once; 0: as many as this process has cores.
  explicit LocalExecutor(unsigned jobs);

  /// A run that fails or is killed is a result as well. Runs that have not ended when the work ends
  /// are killed.
  void run(const PointsToRun& work) override;

 private:
  unsigned jobs_;
};

}  // namespace allport
