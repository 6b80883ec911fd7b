// SPDX-License-Identifier: Apache-2.0
// These are multicasts on a mesh by label worms [LinMcKinleyNi94], each to its destinations in the
// order of labels. Dual-path sends one worm to the destinations with larger labels than the
// source's and one to those with smaller labels. Multi-path cuts each of the two by the first
// coordinate: the side of the neighbour along the first dimension that has a label on the worm's
// side, and the rest, which leave by the next dimension that has such a neighbour. This cut is the
// house's reading: the paper describes it for two dimensions.
#include <algorithm>
#include <utility>

#include "rtl_model/topology/label_order.h"
#include "traffic/algorithms/rows.h"

namespace allport {

namespace {

// The destinations of a worm, and the dimension of its first hop; -1: that of the routing function.
struct LabelPath {
  std::vector<NodeId> stops;
  int first_dimension = -1;
};

// The destinations on one side of the source, the nearest label first.
std::vector<NodeId> stops_of(const PlanRequest& request, bool goes_up) {
  const Topology& mesh = request.routing.topology();
  const std::size_t from = label_of(mesh, request.goal.source);
  std::vector<std::pair<std::size_t, NodeId>> labelled;
  for (const NodeId node : request.goal.destinations) {
    const std::size_t label = label_of(mesh, node);
    if (goes_up == (label > from)) labelled.emplace_back(goes_up ? label : from - label, node);
  }
  std::sort(labelled.begin(), labelled.end());
  std::vector<NodeId> stops;
  stops.reserve(labelled.size());
  for (const auto& [label, node] : labelled) stops.push_back(node);
  return stops;
}

// Cuts a path in two where the source has a neighbour on its side along the first dimension.
std::vector<LabelPath> halves_of(const LabelPath& path, const PlanRequest& request) {
  const Topology& mesh = request.routing.topology();
  const NodeId source = request.goal.source;
  const auto step = [&](std::size_t dimension) {
    return label_step(mesh, source, path.stops.front(), dimension);
  };
  if (path.stops.empty() || !step(0)) return {path};
  const bool is_plus = index(*step(0)) == 0;
  const int own = mesh.coordinate(source, 0);
  LabelPath beside{{}, 0};
  LabelPath rest{{}, 1};
  for (const NodeId stop : path.stops) {
    const int other = mesh.coordinate(stop, 0);
    const bool is_beside = is_plus ? other > own : other < own;
    (is_beside ? beside : rest).stops.push_back(stop);
  }
  while (!rest.stops.empty() && !step(static_cast<std::size_t>(rest.first_dimension))) {
    ++rest.first_dimension;
  }
  return {beside, rest};
}

// One worm for each path, those of one injection port in successive steps.
Schedule worms_along(const std::vector<LabelPath>& paths, const PlanRequest& request) {
  Schedule schedule;
  std::vector<StepIndex> last_step(static_cast<std::size_t>(request.internal_ports));
  for (const LabelPath& path : paths) {
    if (path.stops.empty()) continue;
    Unicast worm;
    worm.u = request.goal.source;
    worm.v = path.stops.back();
    worm.via = std::vector<NodeId>(path.stops.begin(), path.stops.end() - 1);
    worm.kind = MessageKind::label;
    worm.first_dimension = static_cast<std::int8_t>(path.first_dimension);
    worm.order = static_cast<int>(schedule.unicasts.size());
    const PortId first = first_port(worm, request.routing);
    worm.step = ++last_step[injection_port(first, request.internal_ports)];
    schedule.unicasts.push_back(std::move(worm));
  }
  schedule.sort();
  return schedule;
}

Schedule plan_dual_path(const PlanRequest& request) {
  return worms_along({{stops_of(request, true)}, {stops_of(request, false)}}, request);
}

Schedule plan_multi_path(const PlanRequest& request) {
  std::vector<LabelPath> paths = halves_of({stops_of(request, true)}, request);
  for (LabelPath& path : halves_of({stops_of(request, false)}, request)) {
    paths.push_back(std::move(path));
  }
  return worms_along(paths, request);
}

}  // namespace

Rows label_paths_rows() {
  return {
      Row("dual-path", "one label worm to the larger labels of a mesh, one to the smaller ones",
          "LinMcKinleyNi94", meshes, plan_dual_path)
          .destinations(Destinations::any)
          .kind(MessageKind::label),
      Row("multi-path", "the same, each worm cut at the source's column (this project's reading)",
          "LinMcKinleyNi94", meshes, plan_multi_path)
          .destinations(Destinations::any)
          .kind(MessageKind::label)};
}

}  // namespace allport
