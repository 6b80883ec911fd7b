// SPDX-License-Identifier: Apache-2.0
// These functions put what `allport fit` found into text, JSON, CSV and a picture.
#pragma once

#include <string>
#include <vector>

#include "testbench/program/report/results_json.h"
#include "testbench/studies/cost_models/cost_measurement.h"

namespace allport {

struct CostStudy {
  const RunRequest& request;
  const RunPlan& plan;  ///< plan of one of the sizes
  CostPair pair;
  const CostSamples& samples;
  const std::vector<CostModel>& models;

  /// The machine whose clock converts cycles to microseconds; null: none.
  const MachinePreset* clock() const {
    const MachinePreset* preset = request.node.preset;
    return preset != nullptr && preset->has_clock() ? preset : nullptr;
  }
};

std::string cost_report(const CostStudy& study);
Json cost_json(const CostStudy& study);
/// A line for each model and measured time.
std::string cost_csv(const CostStudy& study);
/// Commands by which gnuplot draws the measured times and the models through them.
std::string cost_plot(const CostStudy& study);

}  // namespace allport
