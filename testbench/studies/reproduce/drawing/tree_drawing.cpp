// SPDX-License-Identifier: Apache-2.0
#include "testbench/studies/reproduce/drawing/tree_drawing.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "testbench/studies/reproduce/drawing/palette.h"

namespace allport {

namespace {

constexpr double column_width = 58;
constexpr double row_height = 68;
constexpr double node_width = 50;
constexpr double node_height = 24;
constexpr double left = 78;     // room for the names of rows
constexpr double caption = 46;  // above the source
constexpr double gap = 34;      // between panels

const char* source_fill = "#333333";
const char* destination_fill = "#ffffff";
const char* relay_fill = "#eeeeee";

// A node's place: its column from the left, and the step in which it receives.
struct Place {
  double column = 0;
  StepIndex step = 0;
};

class TreeLayout {
 public:
  explicit TreeLayout(const TreePanel& panel) : panel_(panel) {
    for (const Unicast& one : panel.schedule.unicasts) {
      children_[one.u].push_back(&one);
      rows_ = std::max(rows_, one.step);
    }
    for (auto& [node, sends] : children_) {
      std::sort(sends.begin(), sends.end(),
                [](const Unicast* a, const Unicast* b) { return a->order < b->order; });
    }
    put(panel.goal.source, 0);
  }

  double width() const { return left + column_width * static_cast<double>(leaves_); }
  double height() const { return caption + row_height * rows_ + node_height; }
  Svg drawn(int address_bits, const std::string& row_name) const;

 private:
  double put(NodeId node, StepIndex step);
  Position resource(NodeId node) const {
    const Place& place = places_.at(node);
    return {left + column_width * (place.column + 0.5), caption + row_height * place.step};
  }
  void draw_rows(Svg& svg, const std::string& row_name) const;
  void draw_sends(Svg& svg, const std::vector<const Unicast*>& sends) const;
  void draw_node(Svg& svg, NodeId node, int address_bits) const;

  const TreePanel& panel_;
  std::map<NodeId, std::vector<const Unicast*>> children_;
  std::map<NodeId, Place> places_;
  std::size_t leaves_ = 0;
  StepIndex rows_ = 0;
};

// Every subtree has columns of its own, so that no arrow crosses a node.
double TreeLayout::put(NodeId node, StepIndex step) {
  double first = -1;
  double last = 0;
  const auto sends = children_.find(node);
  if (sends == children_.end()) {
    first = last = static_cast<double>(leaves_++);
  } else {
    for (const Unicast* one : sends->second) {
      last = put(one->v, one->step);
      if (first < 0) first = last;
    }
  }
  places_[node] = {(first + last) / 2, step};
  return places_[node].column;
}

void TreeLayout::draw_rows(Svg& svg, const std::string& row_name) const {
  for (StepIndex step = 1; step <= rows_; ++step) {
    const double y = caption + row_height * step;
    svg.line({{left - 8, y}, {width(), y}}, {"#e4e4e4", 1});
    svg.text({left - 14, y}, fmt::format("{} {}", row_name, step),
             {14, palette(static_cast<std::size_t>(step) - 1), "end", true});
  }
}

// A rail below the sender, from which an arrow goes down to each receiver.
void TreeLayout::draw_sends(Svg& svg, const std::vector<const Unicast*>& sends) const {
  const Position from = resource(sends.front()->u);
  const double rail = from.y + node_height / 2 + 9;
  double low = from.x;
  double high = from.x;
  for (const Unicast* one : sends) {
    low = std::min(low, resource(one->v).x);
    high = std::max(high, resource(one->v).x);
  }
  svg.line({{from.x, from.y + node_height / 2}, {from.x, rail}}, {"#777777", 2});
  svg.line({{low, rail}, {high, rail}}, {"#777777", 2});
  for (const Unicast* one : sends) {
    const Position to = resource(one->v);
    svg.arrow({{to.x, rail}, {to.x, to.y - node_height / 2}},
              {palette(static_cast<std::size_t>(one->step) - 1), 3});
  }
}

void TreeLayout::draw_node(Svg& svg, NodeId node, int address_bits) const {
  const auto& destinations = panel_.goal.destinations;
  const bool is_source = node == panel_.goal.source;
  const bool is_relay =
      !is_source && std::find(destinations.begin(), destinations.end(), node) == destinations.end();
  const Position centre = resource(node);
  svg.box({centre.x - node_width / 2, centre.y - node_height / 2}, node_width, node_height,
          is_source  ? source_fill
          : is_relay ? relay_fill
                     : destination_fill,
          {is_relay ? "#888888" : "#222222", 1.6, is_relay});
  svg.text(centre, binary(node, address_bits),
           {15, is_source ? "#ffffff" : (is_relay ? "#666666" : "#111111"), "middle", false, true});
}

Svg TreeLayout::drawn(int address_bits, const std::string& row_name) const {
  Svg svg;
  svg.text({left - 56, 6}, panel_.caption, {16, "#111111", "start", true});
  draw_rows(svg, row_name);
  for (const auto& [node, sends] : children_) draw_sends(svg, sends);
  for (const auto& [node, place] : places_) draw_node(svg, node, address_bits);
  return svg;
}

bool has_relay(const TreePanel& panel) {
  const auto& wanted = panel.goal.destinations;
  return std::any_of(panel.schedule.unicasts.begin(), panel.schedule.unicasts.end(),
                     [&](const Unicast& one) {
                       return std::find(wanted.begin(), wanted.end(), one.v) == wanted.end();
                     });
}

void draw_legend(Svg& svg, Position resource, bool with_relay) {
  constexpr double height = 16;
  const auto entry = [&](const char* words, const char* fill, const Stroke& stroke) {
    svg.box({resource.x, resource.y - height / 2}, 28, height, fill, stroke);
    svg.text({resource.x + 36, resource.y}, words, {14, "#222222", "start"});
    resource.x += 150;
  };
  entry("source", source_fill, {"#222222", 1.6});
  entry("destination", destination_fill, {"#222222", 1.6});
  if (with_relay) entry("relay", relay_fill, {"#888888", 1.6, true});
}

}  // namespace

std::string binary(NodeId node, int bits) { return fmt::format("{:0{}b}", index(node), bits); }

std::string draw_trees(const std::string& title, const std::vector<TreePanel>& panels,
                       std::size_t per_row, int address_bits, const std::string& row_name) {
  Svg svg;
  constexpr double margin = 24;
  constexpr double title_room = 74;
  double y = title_room;
  double width = 9.5 * static_cast<double>(title.size()) + 2 * margin;
  bool with_relay = false;
  for (std::size_t i = 0; i < panels.size(); i += per_row) {
    double x = margin;
    double height = 0;
    for (std::size_t k = i; k < std::min(panels.size(), i + per_row); ++k) {
      const TreeLayout layout(panels[k]);
      svg.place(layout.drawn(address_bits, row_name), {x, y});
      x += std::max(layout.width(), 9.0 * static_cast<double>(panels[k].caption.size())) + gap;
      height = std::max(height, layout.height());
      with_relay = with_relay || has_relay(panels[k]);
    }
    width = std::max(width, x - gap + margin);
    y += height + gap;
  }
  svg.text({margin, 30}, title, {20, "#111111", "start", true});
  draw_legend(svg, {margin, y + 4}, with_relay);
  return svg.picture(width, y + 30);
}

}  // namespace allport
