// SPDX-License-Identifier: Apache-2.0
#include "tests/properties/reference/drawn_classes.h"

#include "rtl_model/base/split_mix.h"
#include "tests/properties/reference/drawn_pipeline.h"

namespace allport::test {

reference::Line class_line(int u, int v, int order, int message_class, int flits,
                           reference::Cycle at) {
  reference::Line one;
  one.u = u;
  one.v = v;
  one.order = order;
  one.message_class = message_class;
  one.flits = flits;
  one.at = at;
  return one;
}

std::vector<reference::Collective> as_collective(const std::vector<reference::Line>& lines) {
  reference::Collective collective;
  for (const reference::Line& one : lines) collective.sources.push_back(one.u);
  collective.lines = lines;
  return {collective};
}

DrawnClasses draw_classes(std::uint64_t seed) {
  SplitMix64 draw(seed);
  const auto number = [&](std::uint64_t below) { return static_cast<int>(draw.next() % below); };
  const char* const shapes[] = {"mesh:3x3", "ring:5", "torus:3x4", "hypercube:3"};
  DrawnClasses made;
  reference::Config& config = made.config;
  config.topology = shapes[number(4)];
  config.classes = 1 + number(4);
  const bool wraps = config.topology[0] == 'r' || config.topology[0] == 't';
  config.is_adaptive = config.topology[0] == 'h' && number(2) == 0;
  const int each = wraps ? 2 * (1 + number(2)) : config.is_adaptive ? 2 + number(2) : 1 + number(3);
  config.vcs = config.classes * each;
  config.is_balanced = wraps && number(3) == 0;
  config.mode = static_cast<reference::Mode>(number(4));
  config.flits = 1 + number(6);
  config.buffer_depth = config.flits + number(3);
  config.link_delay = number(3);
  if (number(3) == 0) config.ports = 1;
  const int nodes = config.topology == "ring:5"      ? 5
                    : config.topology == "mesh:3x3"  ? 9
                    : config.topology == "torus:3x4" ? 12
                                                     : 8;
  for (int u = 0; u < nodes; ++u) {
    const int count = number(5);
    for (int order = 0; order < count; ++order) {
      const int v = (u + 1 + number(nodes - 1)) % nodes;
      made.lines.push_back(
          class_line(u, v, order, number(config.classes), 1 + number(config.flits), number(20)));
    }
  }
  draw_pipeline(seed, config);
  return made;
}

}  // namespace allport::test
