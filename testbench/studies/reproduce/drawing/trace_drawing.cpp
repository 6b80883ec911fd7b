// SPDX-License-Identifier: Apache-2.0
#include "testbench/studies/reproduce/drawing/trace_drawing.h"

#include <fmt/format.h>

#include <algorithm>

#include "testbench/studies/reproduce/drawing/palette.h"
#include "testbench/studies/reproduce/drawing/svg.h"

namespace allport {

namespace {

constexpr double step_width = 62;
constexpr double processor_height = 46;
constexpr double left_margin = 62;
constexpr double top = 62;

class TraceLayout {
 public:
  TraceLayout(const TracePanel& panel, int processors) : panel_(panel), processors_(processors) {
    for (const Unicast& one : panel.schedule.unicasts) {
      has_wrap_ = has_wrap_ || row(one.v) < row(one.u);
    }
  }
  double width() const { return left_margin + step_width * panel_.schedule.steps() + 24; }
  double height() const { return top + processor_height * (rows() - 1) + 26; }
  Svg drawn() const;

 private:
  int rows() const { return processors_ + (has_wrap_ ? 1 : 0); }
  int row(NodeId node) const {
    const auto place = static_cast<int>(index(node)) - static_cast<int>(index(panel_.source));
    return (place + processors_) % processors_;
  }
  static Position resource(double step, int line) {
    return {left_margin + step_width * step, top + processor_height * line};
  }
  void draw_message(Svg& svg, const Unicast& one) const;

  const TracePanel& panel_;
  int processors_;
  bool has_wrap_ = false;
};

void TraceLayout::draw_message(Svg& svg, const Unicast& one) const {
  const BlockId block =
      one.blocks.empty() ? static_cast<BlockId>(index(panel_.source)) : one.blocks.front();
  const int from = row(one.u);
  const int to = row(one.v) < from ? processors_ : row(one.v);
  const Position start = resource(one.step - 1, from);
  const Position end = resource(one.step, to);
  const char* colour = palette(block);
  svg.arrow({{start.x + 5, start.y}, {end.x - 5, end.y}}, {colour, 2.6});
  const bool has_arrived = !panel_.ends_at_block || block == index(one.v);
  if (has_arrived) svg.circle(end, 5, colour, {colour, 1});
  const Position middle{(start.x + end.x) / 2, (start.y + end.y) / 2};
  svg.circle(middle, 9, "#ffffff", {colour, 1.4});
  svg.text(middle, std::to_string(block), {12, colour, "middle", true});
}

Svg TraceLayout::drawn() const {
  Svg svg;
  svg.text({12, 8}, panel_.caption, {16, "#111111", "start", true});
  for (int line = 0; line < rows(); ++line) {
    const auto processor = (static_cast<int>(index(panel_.source)) + line) % processors_;
    const Position begin = resource(0, line);
    svg.line({begin, resource(panel_.schedule.steps(), line)}, {"#dddddd", 2});
    svg.text({begin.x - 12, begin.y}, fmt::format("P{}", processor),
             {15, line == 0 || line == processors_ ? "#111111" : "#444444", "end", line == 0});
  }
  for (StepIndex step = 1; step <= panel_.schedule.steps(); ++step) {
    svg.text({resource(step - 0.5, 0).x, top - 26}, fmt::format("step {}", step),
             {12, "#555555", "middle"});
  }
  for (const Unicast& one : panel_.schedule.unicasts) draw_message(svg, one);
  return svg;
}

}  // namespace

std::string draw_traces(const std::string& title, const std::vector<TracePanel>& panels,
                        int processors) {
  Svg svg;
  constexpr double margin = 24;
  double x = margin;
  double height = 0;
  for (const TracePanel& panel : panels) {
    const TraceLayout layout(panel, processors);
    svg.place(layout.drawn(), {x, 70});
    x += std::max(layout.width(), 9.4 * static_cast<double>(panel.caption.size()) + 24) + 20;
    height = std::max(height, layout.height());
  }
  svg.text({margin, 30}, title, {20, "#111111", "start", true});
  svg.circle({margin + 10, 70 + height + 12}, 5, "#444444", {"#444444", 1});
  svg.text({margin + 24, 70 + height + 12}, "the block has come to a processor it is for",
           {14, "#222222", "start"});
  return svg.picture(std::max(x, 11.5 * static_cast<double>(title.size()) + 2 * margin),
                     70 + height + 34);
}

}  // namespace allport
