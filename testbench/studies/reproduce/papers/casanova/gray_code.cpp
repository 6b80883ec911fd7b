// SPDX-License-Identifier: Apache-2.0
// This figure is from [CasanovaSlides], Gray codes: it embeds rings and tori into a hypercube so
// that neighbours stay neighbours.
#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "rtl_model/topology/routing.h"
#include "testbench/studies/reproduce/drawing/palette.h"
#include "testbench/studies/reproduce/drawing/svg.h"
#include "testbench/studies/reproduce/drawing/tree_drawing.h"
#include "testbench/studies/reproduce/papers/casanova/figures.h"
#include "testbench/studies/reproduce/papers/casanova/passages.h"
#include "traffic/planning/embedding.h"

namespace allport {

namespace {

constexpr int largest_cube = 10;

// The slides' recursion: G1 = (0, 1); Gn is 0Gn-1 and then 1Gn-1 reversed.
std::vector<std::size_t> gray_code(int bits) {
  std::vector<std::size_t> codes{0, 1};
  for (int n = 2; n <= bits; ++n) {
    const std::size_t half = codes.size();
    for (std::size_t i = half; i > 0; --i) codes.push_back(half + codes[i - 1]);
  }
  return codes;
}

std::string in_words(const std::vector<std::size_t>& codes, int bits) {
  std::string words;
  for (const std::size_t one : codes)
    words += (words.empty() ? "" : ", ") + binary(node_id(one), bits);
  return words;
}

bool are_neighbours(std::size_t a, std::size_t b) {
  const std::size_t bits = a ^ b;
  return bits != 0 && (bits & (bits - 1)) == 0;
}

// Whether successive codes, the last and the first too, differ in one bit, and all are different.
bool is_ring(std::vector<std::size_t> codes) {
  for (std::size_t i = 0; i < codes.size(); ++i) {
    if (!are_neighbours(codes[i], codes[(i + 1) % codes.size()])) return false;
  }
  std::sort(codes.begin(), codes.end());
  return std::adjacent_find(codes.begin(), codes.end()) == codes.end();
}

// Whether neighbours on the 2^r x 2^s torus are neighbours in the cube, by the product of codes.
bool is_torus(int r, int s) {
  const std::vector<std::size_t> rows = gray_code(r);
  const std::vector<std::size_t> columns = gray_code(s);
  const auto node = [&](std::size_t i, std::size_t j) {
    return rows[i % rows.size()] << s | columns[j % columns.size()];
  };
  for (std::size_t i = 0; i < rows.size(); ++i) {
    for (std::size_t j = 0; j < columns.size(); ++j) {
      if (!are_neighbours(node(i, j), node(i + 1, j))) return false;
      if (!are_neighbours(node(i, j), node(i, j + 1))) return false;
    }
  }
  return true;
}

// Whether `--embed ring:2^n` of this program is that ring.
bool is_embedding_of_program(int n) {
  const Routing cube(parse_topology(fmt::format("hypercube:{}", n)), RoutingOrder::descending);
  const std::vector<std::size_t> codes = gray_code(n);
  const Embedding embedding(parse_topology(fmt::format("ring:{}", codes.size())), cube);
  for (std::size_t rank = 0; rank < codes.size(); ++rank) {
    if (index(embedding.on_host(node_id(rank))) != codes[rank]) return false;
  }
  return true;
}

std::string drawn_torus() {
  Svg svg;
  svg.text({24, 30}, "A 4x4 torus in a 4-cube", {20, "#111111", "start", true});
  const std::vector<std::size_t> code = gray_code(2);
  const auto resource = [](std::size_t i, std::size_t j) {
    return Position{90 + 120 * static_cast<double>(j), 90 + 70 * static_cast<double>(i)};
  };
  for (std::size_t k = 0; k < 4; ++k) {
    svg.line({{resource(k, 0).x - 60, resource(k, 0).y}, {resource(k, 3).x + 60, resource(k, 3).y}},
             {palette(0), 2.5});
    svg.line({{resource(0, k).x, resource(0, k).y - 40}, {resource(3, k).x, resource(3, k).y + 40}},
             {palette(1), 2.5});
  }
  for (std::size_t i = 0; i < 4; ++i) {
    for (std::size_t j = 0; j < 4; ++j) {
      const Position at = resource(i, j);
      svg.box({at.x - 30, at.y - 14}, 60, 28, "#ffffff", {"#222222", 1.6});
      svg.text(at, binary(node_id(code[i] << 2 | code[j]), 4),
               {15, "#111111", "middle", false, true});
    }
  }
  return svg.picture(560, 370);
}

FigureResult make_gray(const FigureRequest& /*request*/, const Runs& /*runs*/) {
  FigureResult result;
  result.picture.svg = drawn_torus();
  result.table = NumberTable({"n", "first codes"});
  std::size_t rings = 0;
  std::size_t programs = 0;
  std::size_t tori = 0;
  std::size_t shapes = 0;
  for (int n = 1; n <= largest_cube; ++n) {
    std::vector<std::size_t> codes = gray_code(n);
    if (is_ring(codes)) ++rings;
    if (n > 1 && is_embedding_of_program(n)) ++programs;
    for (int r = 1; r < n; ++r, ++shapes) tori += is_torus(r, n - r) ? 1 : 0;
    codes.resize(std::min<std::size_t>(codes.size(), 8));
    result.table.add({std::to_string(n), in_words(codes, n)});
  }
  const bool are_printed = in_words(gray_code(2), 2) == "00, 01, 11, 10" &&
                           in_words(gray_code(3), 3) == "000, 001, 011, 010, 110, 111, 101, 100";
  result.claims = {
      {"G2 = (00, 01, 11, 10) and G3 = (000, 001, 011, 010, 110, 111, 101, 100)",
       casanova::gray_code, are_printed ? "by the recursion" : "not by the recursion",
       outcome_of(are_printed), ""},
      {"a ring of 2^n is embedded onto the n-cube so that neighbours stay neighbours",
       casanova::ring_embedding,
       fmt::format("{} of n = 1 to {}; `--embed ring:2^n` is that ring for {} of n = 2 to {}",
                   rings, largest_cube, programs, largest_cube),
       outcome_of(rings == largest_cube && programs == largest_cube - 1), ""},
      {"so is a 2^r x 2^s torus, by the product of two Gray codes", casanova::torus_embedding,
       fmt::format("{} of {} shapes of up to 2^{} nodes", tori, shapes, largest_cube),
       outcome_of(tori == shapes), ""}};
  return result;
}

}  // namespace

Figure casanova_gray() {
  return {"casanova-gray",
          "rings and tori in a hypercube",
          "CasanovaSlides, Gray code",
          FigureKind::drawing,
          no_points,
          make_gray,
          casanova::by_text};
}

}  // namespace allport
