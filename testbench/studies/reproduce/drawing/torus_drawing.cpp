// SPDX-License-Identifier: Apache-2.0
#include "testbench/studies/reproduce/drawing/torus_drawing.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <tuple>

#include "testbench/studies/reproduce/drawing/palette.h"

namespace allport {

namespace {

constexpr double cell = 104;
constexpr double radius = 23;
constexpr double widest_lane = 5.5;
constexpr double first_lane = 3.5;  // distance from the middle of a channel
constexpr double stub = 0.46;       // length of the ends of a wraparound channel, in cells
constexpr double caption_room = 40;

struct Cell {
  int x = 0;
  int y = 0;
  bool operator<(const Cell& other) const { return std::tie(x, y) < std::tie(other.x, other.y); }
};

class TorusLayout {
 public:
  TorusLayout(const TorusPanel& panel, const Routing& routing) : panel_(panel), routing_(routing) {
    place_nodes();
    choose_lanes();
  }

  double width() const { return cell * (high_.x - low_.x + 2 * margin()); }
  double height() const { return caption_room + cell * (high_.y - low_.y + 2 * margin()); }
  Svg drawn();

 private:
  void place_nodes();
  void choose_lanes();
  // The margin around the nodes, in cells, with room for the ends of wraparound channels.
  double margin() const { return panel_.is_unrolled ? 0.5 : 0.75; }
  void draw_route(Svg& svg, const Unicast& one);
  int free_lane(Cell at, const std::vector<Cell>& moves);
  void draw_node(Svg& svg, NodeId node) const;
  std::vector<int> displacement(const Unicast& one) const {
    return routing_.displacement(one.u, one.v, allport::ties_of(one, routing_));
  }
  // The moves of a route, each by one cell.
  std::vector<Cell> moves(const Unicast& one) const;
  Cell after(Cell at, Cell move) const;
  bool wraps(Cell at, Cell move) const;
  Position resource(double x, double y) const {
    return {cell * (x - low_.x + margin()), caption_room + cell * (high_.y - y + margin())};
  }
  bool is_shown(const Unicast& one) const { return panel_.step == 0 || one.step == panel_.step; }

  const TorusPanel& panel_;
  const Routing& routing_;
  std::map<NodeId, Cell> cells_;
  std::map<NodeId, StepIndex> received_;
  Cell low_;
  Cell high_;
  std::map<const Unicast*, int> lanes_;
  double lane_width_ = widest_lane;
  std::set<std::tuple<int, int, int, int, int>> taken_;  // lanes of channels: cell, move, lane
};

void TorusLayout::place_nodes() {
  const Topology& topology = routing_.topology();
  cells_[panel_.source] = {0, 0};
  for (const Unicast& one : panel_.schedule.unicasts) {
    const std::vector<int> by = displacement(one);
    const Cell from = cells_.at(one.u);
    cells_[one.v] = {from.x + by[0], from.y + by[1]};
    received_[one.v] = one.step;
  }
  if (!panel_.is_unrolled) {
    for (auto& [node, at] : cells_) {
      at = {topology.coordinate(node, 0), topology.coordinate(node, 1)};
    }
  }
  low_ = high_ = cells_.at(panel_.source);
  for (const auto& [node, at] : cells_) {
    low_ = {std::min(low_.x, at.x), std::min(low_.y, at.y)};
    high_ = {std::max(high_.x, at.x), std::max(high_.y, at.y)};
  }
}

std::vector<Cell> TorusLayout::moves(const Unicast& one) const {
  std::vector<Cell> list;
  const std::vector<int> by = displacement(one);
  list.reserve(static_cast<std::size_t>(std::abs(by[0])) +
               static_cast<std::size_t>(std::abs(by[1])));
  for (int i = 0; i < std::abs(by[0]); ++i) list.push_back({by[0] > 0 ? 1 : -1, 0});
  for (int i = 0; i < std::abs(by[1]); ++i) list.push_back({0, by[1] > 0 ? 1 : -1});
  return list;
}

bool TorusLayout::wraps(Cell at, Cell move) const {
  if (panel_.is_unrolled) return false;
  const int x = at.x + move.x;
  const int y = at.y + move.y;
  return x < low_.x || x > high_.x || y < low_.y || y > high_.y;
}

Cell TorusLayout::after(Cell at, Cell move) const {
  if (!wraps(at, move)) return {at.x + move.x, at.y + move.y};
  return {move.x == 0 ? at.x : (move.x > 0 ? low_.x : high_.x),
          move.y == 0 ? at.y : (move.y > 0 ? low_.y : high_.y)};
}

// The first lane that is free on every channel of the route.
int TorusLayout::free_lane(Cell at, const std::vector<Cell>& moves) {
  for (int lane = 0;; ++lane) {
    bool is_free = true;
    Cell here = at;
    for (const Cell& move : moves) {
      is_free = is_free && taken_.count({here.x, here.y, move.x, move.y, lane}) == 0;
      here = after(here, move);
    }
    if (!is_free) continue;
    here = at;
    for (const Cell& move : moves) {
      taken_.emplace(here.x, here.y, move.x, move.y, lane);
      here = after(here, move);
    }
    return lane;
  }
}

// No lane may pass beside the nodes.
void TorusLayout::choose_lanes() {
  int last = 0;
  for (const Unicast& one : panel_.schedule.unicasts) {
    if (!is_shown(one)) continue;
    lanes_[&one] = free_lane(cells_.at(one.u), moves(one));
    last = std::max(last, lanes_[&one]);
  }
  if (last > 0) lane_width_ = std::min(widest_lane, (radius - 4 - first_lane) / last);
}

void TorusLayout::draw_route(Svg& svg, const Unicast& one) {
  const std::vector<Cell> route = moves(one);
  Cell at = cells_.at(one.u);
  const double side = first_lane + lane_width_ * lanes_.at(&one);
  const std::string colour = palette(static_cast<std::size_t>(one.step) - 1);
  const Stroke stroke{colour, std::min(2.6, 0.8 * lane_width_)};
  // The direction to the right of a move: right of (1, 0) is (0, -1), right of (0, 1) is (1, 0).
  const auto beside = [&](double x, double y, Cell move) {
    const Position middle = resource(x, y);
    return Position{middle.x + side * move.y, middle.y + side * move.x};
  };
  const double reach = std::sqrt(radius * radius - side * side);
  std::vector<Position> path;
  const Position start = beside(at.x, at.y, route.front());
  path.push_back({start.x + reach * route.front().x, start.y - reach * route.front().y});
  for (std::size_t i = 0; i < route.size(); ++i) {
    const Cell move = route[i];
    if (wraps(at, move)) {
      const Position edge = beside(at.x, at.y, move);
      if (i > 0) {
        path.push_back(edge);
        svg.line(path, stroke);
        path = {edge};
      }
      path.push_back(beside(at.x + stub * move.x, at.y + stub * move.y, move));
      svg.arrow(path, {colour, stroke.width, true});
      at = after(at, move);
      path = {beside(at.x - stub * move.x, at.y - stub * move.y, move)};
    } else {
      at = after(at, move);
    }
    const bool turns = i + 1 < route.size() && route[i + 1].x != move.x;
    if (turns) {
      const Position in = beside(at.x, at.y, move);
      const Position out = beside(at.x, at.y, route[i + 1]);
      path.push_back({out.x, in.y});
    }
  }
  const Cell last = route.back();
  const Position end = beside(at.x, at.y, last);
  path.push_back({end.x - reach * last.x, end.y + reach * last.y});
  svg.arrow(path, stroke);
  if (!panel_.has_order) return;
  const Position label{end.x - (reach + 25) * last.x, end.y + (reach + 25) * last.y};
  svg.circle(label, 9, "#ffffff", {colour, 1.5});
  svg.text(label, std::to_string(one.order + 1), {12, colour, "middle", true});
}

void TorusLayout::draw_node(Svg& svg, NodeId node) const {
  const Cell at = cells_.at(node);
  const bool is_source = node == panel_.source;
  const auto received = received_.find(node);
  const bool has_it = is_source || (received != received_.end() && received->second < panel_.step);
  const Position middle = resource(at.x, at.y);
  svg.circle(middle, radius, is_source ? "#333333" : (has_it ? "#d9d9d9" : "#ffffff"),
             {"#222222", 1.6});
  const auto name = panel_.names.find(node);
  svg.text(middle, name != panel_.names.end() ? name->second : fmt::format("{},{}", at.x, at.y),
           {15, is_source ? "#ffffff" : "#111111", "middle", name != panel_.names.end()});
}

Svg TorusLayout::drawn() {
  Svg svg;
  svg.text({cell * margin() - radius, 8}, panel_.caption, {16, "#111111", "start", true});
  for (const auto& placed : cells_) {
    const Cell& at = placed.second;
    for (const Cell& move : {Cell{1, 0}, Cell{0, 1}}) {
      const auto neighbour = std::find_if(cells_.begin(), cells_.end(), [&](const auto& other) {
        return other.second.x == at.x + move.x && other.second.y == at.y + move.y;
      });
      if (neighbour == cells_.end()) continue;
      svg.line({resource(at.x, at.y), resource(at.x + move.x, at.y + move.y)}, {"#e2e2e2", 2});
    }
  }
  for (const Unicast& one : panel_.schedule.unicasts) {
    if (is_shown(one)) draw_route(svg, one);
  }
  for (const auto& [node, at] : cells_) draw_node(svg, node);
  return svg;
}

}  // namespace

std::string draw_torus(const std::string& title, const std::vector<TorusPanel>& panels,
                       const Routing& routing) {
  Svg svg;
  constexpr double margin = 24;
  double x = 0;
  double height = 0;
  StepIndex steps = 0;
  bool wraps = false;
  for (const TorusPanel& panel : panels) {
    TorusLayout layout(panel, routing);
    svg.place(layout.drawn(), {x, 66});
    x += layout.width();
    height = std::max(height, layout.height());
    steps = std::max(steps, panel.schedule.steps());
    wraps = wraps || !panel.is_unrolled;
  }
  svg.text({margin, 30}, title, {20, "#111111", "start", true});
  const double y = 66 + height;
  double place = margin;
  for (StepIndex step = 1; step <= steps; ++step) {
    svg.arrow({{place, y}, {place + 34, y}}, {palette(static_cast<std::size_t>(step) - 1), 2.6});
    svg.text({place + 42, y}, fmt::format("step {}", step), {14, "#222222", "start"});
    place += 120;
  }
  if (wraps) {
    svg.arrow({{place, y}, {place + 34, y}}, {"#777777", 2.6, true});
    svg.text({place + 42, y}, "over a wraparound channel", {14, "#222222", "start"});
  }
  const double width = std::max(x, 11.5 * static_cast<double>(title.size()) + 2 * margin);
  return svg.picture(width, y + 26);
}

}  // namespace allport
