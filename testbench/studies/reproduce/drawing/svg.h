// SPDX-License-Identifier: Apache-2.0
// An Svg is a drawing as SVG text: lines, arrows, boxes, words. Lengths are in pixels, y grows
// downwards.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace allport {

struct Position {
  double x = 0;
  double y = 0;
};

/// How a line is drawn.
struct Stroke {
  std::string colour = "#444444";
  double width = 2;
  bool is_dashed = false;
};

/// The type in which words are set.
struct Type {
  double size = 14;
  std::string colour = "#222222";
  const char* anchor = "middle";  ///< start, middle or end
  bool is_bold = false;
  bool is_fixed = false;  ///< whether all letters have the same width, for addresses
};

class Svg {
 public:
  void line(const std::vector<Position>& path, const Stroke& stroke);
  /// A line with a head at its end.
  void arrow(const std::vector<Position>& path, const Stroke& stroke);
  void circle(Position centre, double radius, const std::string& fill, const Stroke& stroke);
  /// A box with round corners.
  void box(Position corner, double width, double height, const std::string& fill,
           const Stroke& stroke);
  /// Draws `words`, with the middle of the letters at the height of `spot`.
  void text(Position resource, std::string_view words, const Type& type);
  /// Draws everything in `other`, moved by `by`.
  void place(const Svg& other, Position by);

  /// The whole picture on white.
  std::string picture(double width, double height) const;

 private:
  std::string body_;
};

}  // namespace allport
