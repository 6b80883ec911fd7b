// SPDX-License-Identifier: Apache-2.0
#include "testbench/studies/reproduce/papers/ranka/program_point.h"

#include <fmt/format.h>

namespace allport {

Point machine_point(const FigureRequest& request, const std::string& model, const std::string& name,
                    int dimensions, std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(),
                   {"program", name, "--topology", fmt::format("hypercube:{}", dimensions)});
  arguments.insert(arguments.end(), {"--model", model, "--json", "-"});
  return program_point(request, std::move(arguments));
}

double microseconds_of(const Json& result) {
  constexpr double cycle = 1.217;
  return cycle * result.at("tasks").at("makespan").get<double>();
}

}  // namespace allport
