// SPDX-License-Identifier: Apache-2.0
#include "testbench/studies/reproduce/papers/ranka/template_point.h"

#include <algorithm>

namespace allport {

const std::array<RunTime, 30>& run_times() {
  static constexpr std::array<RunTime, 30> times{{
      {1, 32, 4, 0.505},    {1, 32, 8, 1.857},     {1, 32, 16, 7.000},   {1, 32, 32, 20.450},
      {4, 32, 4, 0.139},    {4, 32, 8, 0.482},     {4, 32, 16, 1.417},   {4, 64, 4, 0.514},
      {4, 64, 8, 1.872},    {4, 64, 16, 7.026},    {4, 64, 32, 20.497},  {16, 32, 4, 0.045},
      {16, 32, 8, 0.115},   {16, 64, 4, 0.142},    {16, 64, 8, 0.484},   {16, 64, 16, 1.422},
      {16, 128, 4, 0.516},  {16, 128, 8, 1.874},   {16, 128, 16, 7.031}, {16, 128, 32, 20.510},
      {64, 32, 4, 0.021},   {64, 64, 4, 0.047},    {64, 64, 8, 0.118},   {64, 128, 4, 0.144},
      {64, 128, 8, 0.487},  {64, 128, 16, 1.426},  {64, 256, 4, 0.519},  {64, 256, 8, 1.878},
      {64, 256, 16, 7.036}, {64, 256, 32, 20.520},
  }};
  return times;
}

int dimensions_of(int processors) {
  int dimensions = 0;
  while ((1 << dimensions) < processors) ++dimensions;
  return std::max(dimensions, 1);
}

Point template_point(const FigureRequest& request, const std::string& model, const char* version,
                     const RunTime& cell, const std::vector<std::string>& further) {
  std::vector<std::string> arguments{"--variant",     version,
                                     "--processors",  std::to_string(cell.processors),
                                     "--side",        std::to_string(cell.image),
                                     "--mask",        std::to_string(cell.mask),
                                     "--row",         row_us,
                                     "--value-bytes", value_bytes};
  arguments.insert(arguments.end(), further.begin(), further.end());
  return machine_point(request, model, "template", dimensions_of(cell.processors),
                       std::move(arguments));
}

}  // namespace allport
