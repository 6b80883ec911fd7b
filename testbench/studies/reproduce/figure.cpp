// SPDX-License-Identifier: Apache-2.0
#include "testbench/studies/reproduce/figure.h"

#include <fmt/format.h>

#include <utility>

namespace allport {

Point program_point(const FigureRequest& request, std::vector<std::string> arguments,
                    std::string input) {
  Point point;
  point.config = {{"version", request.version}, {"arguments", arguments}};
  if (!input.empty()) point.config["input"] = input;
  point.input = std::move(input);
  point.name = point_name(point.config);
  point.arguments = std::move(arguments);
  return point;
}

Point run_point(const FigureRequest& request, const std::string& model,
                std::vector<std::string> arguments, std::string input) {
  arguments.insert(arguments.begin(), "run");
  arguments.insert(arguments.end(), {"--model", model, "--json", "-"});
  return program_point(request, std::move(arguments), std::move(input));
}

bool is_deadlocked(const Json& result) {
  const auto circle = result.find("deadlock");
  return circle != result.end() && circle->is_array() && !circle->empty();
}

std::vector<Point> no_points(const FigureRequest& /*request*/) { return {}; }

std::string digest_of_runs(const Runs& runs, const std::vector<Point>& points) {
  Json digests = Json::array();
  for (const Point& one : points) digests.push_back(runs.of(one).at("digest"));
  return point_name(digests);
}

std::vector<Point> points_of_models(const FigureRequest& request, PointsOfModel points) {
  std::vector<Point> list;
  for (const std::string& model : request.models) {
    for (Point& one : points(request, model)) list.push_back(std::move(one));
  }
  return list;
}

void add_digests(FigureResult& result, const FigureRequest& request, const Runs& runs,
                 PointsOfModel points) {
  bool are_equal = true;
  std::string measured;
  for (const std::string& model : request.models) {
    const std::string digest = digest_of_runs(runs, points(request, model));
    are_equal = are_equal && (result.digests.empty() || result.digests.begin()->second == digest);
    measured += fmt::format("{}{} {}", measured.empty() ? "" : ", ", model, digest);
    result.digests[model] = digest;
  }
  if (request.models.size() < 2) return;
  result.claims.push_back({"all models see every delivery of every run in the same cycle",
                           "allport, docs/router.md", "digests of all runs: " + measured,
                           outcome_of(are_equal), ""});
}

}  // namespace allport
