// SPDX-License-Identifier: Apache-2.0
#include "testbench/studies/reproduce/drawing/svg.h"

#include <fmt/format.h>

#include <cmath>

namespace allport {

namespace {

std::string escaped(std::string_view words) {
  std::string text;
  for (const char c : words) {
    switch (c) {
      case '&':
        text += "&amp;";
        break;
      case '<':
        text += "&lt;";
        break;
      case '>':
        text += "&gt;";
        break;
      default:
        text += c;
    }
  }
  return text;
}

std::string attributes(const Stroke& stroke) {
  return fmt::format("stroke='{}' stroke-width='{:.4g}'{}", stroke.colour, stroke.width,
                     stroke.is_dashed ? " stroke-dasharray='5 4'" : "");
}

std::string points_of(const std::vector<Position>& path) {
  std::string text;
  for (const Position& one : path) {
    text += fmt::format("{}{:.1f},{:.1f}", text.empty() ? "" : " ", one.x, one.y);
  }
  return text;
}

}  // namespace

void Svg::line(const std::vector<Position>& path, const Stroke& stroke) {
  body_ += fmt::format("<polyline points='{}' fill='none' stroke-linejoin='round' {}/>\n",
                       points_of(path), attributes(stroke));
}

void Svg::arrow(const std::vector<Position>& path, const Stroke& stroke) {
  const Position end = path.back();
  const Position before = path[path.size() - 2];
  const double length = std::hypot(end.x - before.x, end.y - before.y);
  const double head = 4 + 2.6 * stroke.width;
  const Position along{(end.x - before.x) / length, (end.y - before.y) / length};
  const Position foot{end.x - head * along.x, end.y - head * along.y};
  const double half = 0.45 * head;
  std::vector<Position> shaft = path;
  shaft.back() = foot;
  line(shaft, stroke);
  body_ += fmt::format("<polygon points='{}' fill='{}'/>\n",
                       points_of({end,
                                  {foot.x - half * along.y, foot.y + half * along.x},
                                  {foot.x + half * along.y, foot.y - half * along.x}}),
                       stroke.colour);
}

void Svg::circle(Position centre, double radius, const std::string& fill, const Stroke& stroke) {
  body_ += fmt::format("<circle cx='{:.1f}' cy='{:.1f}' r='{:.1f}' fill='{}' {}/>\n", centre.x,
                       centre.y, radius, fill, attributes(stroke));
}

void Svg::box(Position corner, double width, double height, const std::string& fill,
              const Stroke& stroke) {
  body_ += fmt::format(
      "<rect x='{:.1f}' y='{:.1f}' width='{:.1f}' height='{:.1f}' rx='6' fill='{}' {}/>\n",
      corner.x, corner.y, width, height, fill, attributes(stroke));
}

void Svg::text(Position resource, std::string_view words, const Type& type) {
  body_ += fmt::format(
      "<text x='{:.1f}' y='{:.1f}' font-size='{:.4g}' font-family='{}' text-anchor='{}' fill='{}'{}>{}</text>\n",
      resource.x, resource.y + 0.36 * type.size, type.size,
      type.is_fixed ? "DejaVu Sans Mono, Consolas, monospace" : "DejaVu Sans, Arial, sans-serif",
      type.anchor, type.colour, type.is_bold ? " font-weight='bold'" : "", escaped(words));
}

void Svg::place(const Svg& other, Position by) {
  body_ +=
      fmt::format("<g transform='translate({:.1f} {:.1f})'>\n{}</g>\n", by.x, by.y, other.body_);
}

std::string Svg::picture(double width, double height) const {
  return fmt::format(
      "<?xml version='1.0' encoding='utf-8'?>\n<svg xmlns='http://www.w3.org/2000/svg' width='{0:.0f}' height='{1:.0f}' viewBox='0 0 {0:.0f} {1:.0f}'>\n"
      "<rect width='100%' height='100%' fill='white'/>\n{2}</svg>\n",
      width, height, body_);
}

}  // namespace allport
