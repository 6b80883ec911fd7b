// SPDX-License-Identifier: Apache-2.0
#include "testbench/studies/reproduce/papers/hou/torus_broadcast.h"

#include <fmt/format.h>

#include <utility>

namespace allport {

Point broadcast_point(const FigureRequest& request, const std::string& model,
                      const std::string& algorithm, const TorusBroadcast& broadcast,
                      const std::vector<std::string>& options) {
  std::vector<std::string> arguments{"--topology",  fmt::format("torus:{0}x{0}", broadcast.side),
                                     "--algorithm", algorithm,
                                     "--flits",     std::to_string(broadcast.flits),
                                     "--ts",        std::to_string(broadcast.software_latency),
                                     "--tr",        std::to_string(broadcast.software_latency)};
  arguments.insert(arguments.end(), options.begin(), options.end());
  return run_point(request, model, std::move(arguments));
}

Cycle by_analysis(const std::string& algorithm, const TorusBroadcast& broadcast) {
  int phases = 0;
  int side = broadcast.side;
  for (; side >= 4; side /= 4) ++phases;
  const bool is_odd = side == 2;
  const int power = 1 << (2 * phases);
  const int starts =
      algorithm == "dcf" ? 5 * phases + (is_odd ? 3 : 0) : 6 * phases + (is_odd ? 3 : 0);
  const int hops = is_odd ? 2 * (4 * power - 1) / 3 : 4 * (power - 1) / 3;
  const int steps = 2 * phases + (is_odd ? 1 : 0);
  return Cycle{starts} * broadcast.software_latency + hops +
         Cycle{steps} * (broadcast.flits + broadcast.software_latency);
}

MeasuredBroadcast measured(const Runs& runs, const Point& point) {
  const Json& result = runs.of(point);
  return {result.at("latency").at("max").get<Cycle>(),
          result.at("contention").at("events").get<std::uint64_t>()};
}

MeasuredBroadcast measured(const FigureRequest& request, const Runs& runs,
                           const std::string& algorithm, const TorusBroadcast& broadcast) {
  return measured(runs, broadcast_point(request, request.models.front(), algorithm, broadcast));
}

}  // namespace allport
