// SPDX-License-Identifier: Apache-2.0
#include "testbench/studies/reproduce/papers/robinson/path_lemmas.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <vector>

#include "rtl_model/base/split_mix.h"
#include "rtl_model/topology/routing.h"
#include "traffic/proof/schedule_check.h"
#include "traffic/schedule/step_assignment.h"

namespace allport {

namespace {

using Address = std::uint32_t;

// The paths of one cube, as the routers go.
class CubePaths {
 public:
  CubePaths(int dimensions, RoutingOrder order)
      : dimensions_(dimensions),
        routing_(parse_topology(fmt::format("hypercube:{}", dimensions)), order) {}

  int dimensions() const { return dimensions_; }
  Address nodes() const { return Address{1} << dimensions_; }
  const Routing& routing() const { return routing_; }

  // The nodes of P(x, y), both ends among them.
  std::vector<Address> nodes_of(Address x, Address y) const {
    std::vector<Address> nodes;
    routing_.walk(node_id(x), node_id(y), 0, [&](const Channel& channel) {
      nodes.push_back(static_cast<Address>(index(channel.node)));
    });
    nodes.push_back(y);
    return nodes;
  }
  // The arcs of P(x, y), sorted.
  std::vector<std::size_t> arcs_of(Address x, Address y) const {
    std::vector<std::size_t> arcs;
    routing_.walk(node_id(x), node_id(y), 0, [&](const Channel& channel) {
      arcs.push_back(index(channel.node) * static_cast<std::size_t>(dimensions_) +
                     index(channel.port));
    });
    std::sort(arcs.begin(), arcs.end());
    return arcs;
  }

 private:
  int dimensions_;
  Routing routing_;
};

using Arcs = std::vector<std::size_t>;

bool are_disjoint(const Arcs& one, const Arcs& other) {
  auto at = one.begin();
  for (const std::size_t arc : other) {
    at = std::lower_bound(at, one.end(), arc);
    if (at != one.end() && *at == arc) return false;
  }
  return true;
}

// The highest-ordered bit in which u and v, which differ, do so: definition 1.
int first_dimension(Address u, Address v) {
  int highest = 0;
  for (Address bits = (u ^ v) >> 1U; bits != 0; bits >>= 1U) ++highest;
  return highest;
}

// Definition 2.
struct Subcube {
  int dimensions;
  Address mask;

  bool has(Address node) const { return node >> dimensions == mask; }
};

Address below(SplitMix64& generator, Address limit) {
  return static_cast<Address>(generator.next() % limit);
}

// The bits low .. high of an address.
Address bits_of(Address node, int low, int high) {
  return low > high ? 0 : (node >> low) & ((Address{1} << (high - low + 1)) - 1);
}

// The three conditions of lemma 1, of every arc of P(x, y).
bool obeys_lemma_1(const CubePaths& cube, Address x, Address y) {
  const std::vector<Address> w = cube.nodes_of(x, y);
  const int n = cube.dimensions();
  for (std::size_t i = 0; i + 1 < w.size(); ++i) {
    const int d = first_dimension(w[i], w[i + 1]);
    if ((w[i] ^ w[i + 1]) != Address{1} << d) return false;
    for (std::size_t j = 1; j <= i; ++j) {
      if (bits_of(w[j], 0, d) != bits_of(x, 0, d)) return false;
    }
    for (std::size_t j = i + 1; j + 1 < w.size(); ++j) {
      if (bits_of(w[j], d + 1, n - 1) != bits_of(y, d + 1, n - 1)) return false;
    }
    if (bits_of(x, d, d) == bits_of(y, d, d)) return false;
  }
  return true;
}

// Whether P(x, y) goes over ever lower dimensions.
bool falls(const CubePaths& cube, Address x, Address y) {
  const std::vector<Address> w = cube.nodes_of(x, y);
  for (std::size_t i = 0; i + 2 < w.size(); ++i) {
    if (first_dimension(w[i], w[i + 1]) <= first_dimension(w[i + 1], w[i + 2])) return false;
  }
  return true;
}

// All paths of a cube, by source and destination.
class AllArcs {
 public:
  explicit AllArcs(const CubePaths& cube) : nodes_(cube.nodes()) {
    for (Address x = 0; x < nodes_; ++x) {
      for (Address y = 0; y < nodes_; ++y) arcs_.push_back(cube.arcs_of(x, y));
    }
  }
  const Arcs& of(Address x, Address y) const { return arcs_[std::size_t{x} * nodes_ + y]; }

 private:
  Address nodes_;
  std::vector<Arcs> arcs_;
};

// The nodes of a cube within `subcube`, or without.
std::vector<Address> nodes_where(const CubePaths& cube, const Subcube& subcube, bool is_within) {
  std::vector<Address> nodes;
  for (Address node = 0; node < cube.nodes(); ++node) {
    if (subcube.has(node) == is_within) nodes.push_back(node);
  }
  return nodes;
}

template <class Use>
void for_each_subcube(const CubePaths& cube, const Use& use) {
  for (int dimensions = 0; dimensions <= cube.dimensions(); ++dimensions) {
    for (Address mask = 0; mask < cube.nodes() >> dimensions; ++mask) {
      use(Subcube{dimensions, mask});
    }
  }
}

template <class Use>
void for_each_small_cube(const PathTrials& trials, int largest, const Use& use) {
  for (int dimensions = 1; dimensions <= largest; ++dimensions) {
    use(CubePaths(dimensions, trials.order));
  }
}

// Draws `trials.drawn` cases of the large cube.
template <class Draw>
void for_drawn(const PathTrials& trials, const Draw& draw) {
  const CubePaths cube(cube_of_drawn_paths, trials.order);
  SplitMix64 generator(trials.seed);
  for (std::size_t i = 0; i < trials.drawn; ++i) draw(cube, generator);
}

Subcube drawn_subcube(const CubePaths& cube, SplitMix64& generator) {
  const auto dimensions =
      static_cast<int>(below(generator, static_cast<Address>(cube.dimensions())));
  return {dimensions, below(generator, cube.nodes() >> dimensions)};
}

Address drawn_within(const Subcube& subcube, SplitMix64& generator) {
  return subcube.mask << subcube.dimensions | below(generator, Address{1} << subcube.dimensions);
}

Address drawn_without(const CubePaths& cube, const Subcube& subcube, SplitMix64& generator) {
  while (true) {
    const Address node = below(generator, cube.nodes());
    if (!subcube.has(node)) return node;
  }
}

using OfPath = bool (*)(const CubePaths&, Address x, Address y);

Tried tried_on_paths(const PathTrials& trials, OfPath is_so) {
  Tried tried;
  for_each_small_cube(trials, cube_of_all_paths, [&](const CubePaths& cube) {
    for (Address x = 0; x < cube.nodes(); ++x) {
      for (Address y = 0; y < cube.nodes(); ++y) {
        if (x != y) tried.add(is_so(cube, x, y));
      }
    }
  });
  for_drawn(trials, [&](const CubePaths& cube, SplitMix64& generator) {
    const Address x = below(generator, cube.nodes());
    const Address y = below(generator, cube.nodes());
    if (x != y) tried.add(is_so(cube, x, y));
  });
  return tried;
}

}  // namespace

std::string Tried::in_words() const { return fmt::format("{} of {}", broken, cases); }

Tried lemma_1(const PathTrials& trials) { return tried_on_paths(trials, obeys_lemma_1); }

Tried falling_dimensions(const PathTrials& trials) { return tried_on_paths(trials, falls); }

Tried lemma_2(const PathTrials& trials) {
  Tried tried;
  for_each_small_cube(trials, cube_of_all_paths, [&](const CubePaths& cube) {
    for_each_subcube(cube, [&](const Subcube& subcube) {
      const std::vector<Address> within = nodes_where(cube, subcube, true);
      for (const Address x : within) {
        for (const Address z : within) {
          for (Address y = x; y <= z; ++y) tried.add(subcube.has(y));
        }
      }
    });
  });
  for_drawn(trials, [&](const CubePaths& cube, SplitMix64& generator) {
    const Subcube subcube = drawn_subcube(cube, generator);
    const Address one = drawn_within(subcube, generator);
    const Address other = drawn_within(subcube, generator);
    const Address x = std::min(one, other);
    tried.add(subcube.has(x + below(generator, std::max(one, other) - x + 1)));
  });
  return tried;
}

Tried theorem_1(const PathTrials& trials) {
  Tried tried;
  for_each_small_cube(trials, cube_of_all_paths, [&](const CubePaths& cube) {
    const AllArcs arcs(cube);
    for (Address x = 0; x < cube.nodes(); ++x) {
      for (Address y = 0; y < cube.nodes(); ++y) {
        for (Address v = 0; v < y; ++v) {
          if (x == y || x == v || first_dimension(x, y) == first_dimension(x, v)) continue;
          tried.add(are_disjoint(arcs.of(x, y), arcs.of(x, v)));
        }
      }
    }
  });
  for_drawn(trials, [&](const CubePaths& cube, SplitMix64& generator) {
    const Address x = below(generator, cube.nodes());
    const Address y = below(generator, cube.nodes());
    const Address v = below(generator, cube.nodes());
    if (x == y || x == v || first_dimension(x, y) == first_dimension(x, v)) return;
    tried.add(are_disjoint(cube.arcs_of(x, y), cube.arcs_of(x, v)));
  });
  return tried;
}

Tried theorem_2(const PathTrials& trials) {
  Tried tried;
  for_each_small_cube(trials, cube_of_all_pairs, [&](const CubePaths& cube) {
    const AllArcs arcs(cube);
    for_each_subcube(cube, [&](const Subcube& subcube) {
      const std::vector<Address> within = nodes_where(cube, subcube, true);
      const std::vector<Address> without = nodes_where(cube, subcube, false);
      for (const Address u : within) {
        for (const Address v : within) {
          for (const Address x : without) {
            for (const Address y : without) {
              tried.add(are_disjoint(arcs.of(u, v), arcs.of(x, y)));
            }
          }
        }
      }
    });
  });
  for_drawn(trials, [&](const CubePaths& cube, SplitMix64& generator) {
    const Subcube subcube = drawn_subcube(cube, generator);
    const Address u = drawn_within(subcube, generator);
    const Address v = drawn_within(subcube, generator);
    const Address x = drawn_without(cube, subcube, generator);
    const Address y = drawn_without(cube, subcube, generator);
    tried.add(are_disjoint(cube.arcs_of(u, v), cube.arcs_of(x, y)));
  });
  return tried;
}

Tried theorem_3() {
  Tried tried;
  for (int dimensions = 2; dimensions <= 4; ++dimensions) {
    const CubePaths cube(dimensions, RoutingOrder::descending);
    for (Address u = 0; u < cube.nodes(); ++u) {
      for (Address v = 0; v < cube.nodes(); ++v) {
        for (Address y = 0; y < cube.nodes(); ++y) {
          if (u == v || u == y || v == y) continue;
          StepAssignment steps(cube.routing(), dimensions);
          steps.begin(node_id(u), 0);
          steps.send(node_id(v));
          steps.send(node_id(y));
          const Schedule schedule = steps.take();
          const ScheduleReport report = check_schedule(
              schedule, {cube.routing(), dimensions, {node_id(u)}, {node_id(v), node_id(y)}});
          tried.add(report.definition4.ok());
        }
      }
    }
  }
  return tried;
}

}  // namespace allport
