// SPDX-License-Identifier: Apache-2.0
// This figure is from [CasanovaSlides], hypercube paths and routing: it shows how many paths there
// are, how many of them are independent, and the route of the slides' example.
#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <vector>

#include "rtl_model/topology/routing.h"
#include "testbench/studies/reproduce/drawing/palette.h"
#include "testbench/studies/reproduce/drawing/tree_drawing.h"
#include "testbench/studies/reproduce/papers/casanova/figures.h"
#include "testbench/studies/reproduce/papers/casanova/passages.h"

namespace allport {

namespace {

// The k shortest paths between 0 and `mask`, as lists of nodes; path j flips bits j, j - 1, .. 0,
// k - 1, .. j + 1 of those in which the two differ.
std::vector<std::vector<std::size_t>> disjoint_paths(std::size_t mask) {
  std::vector<std::size_t> bits;
  for (std::size_t bit = 0; bit < 16; ++bit) {
    if ((mask >> bit & 1U) != 0) bits.push_back(bit);
  }
  std::vector<std::vector<std::size_t>> paths;
  for (std::size_t j = 0; j < bits.size(); ++j) {
    std::vector<std::size_t> path{0};
    for (std::size_t i = 0; i < bits.size(); ++i) {
      path.push_back(path.back() ^ (std::size_t{1} << bits[(j + bits.size() - i) % bits.size()]));
    }
    paths.push_back(path);
  }
  return paths;
}

bool are_disjoint(const std::vector<std::vector<std::size_t>>& paths) {
  std::set<std::size_t> inner;
  std::size_t count = 0;
  for (const auto& path : paths) {
    inner.insert(path.begin() + 1, path.end() - 1);
    count += path.size() - 2;
  }
  return inner.size() == count;
}

std::string drawn_paths(const std::vector<std::vector<std::size_t>>& paths, int bits) {
  Svg svg;
  svg.text({24, 30}, "Four node-disjoint paths from 0000 to 1111", {20, "#111111", "start", true});
  constexpr double column = 120;
  constexpr double row = 62;
  const auto resource = [&](std::size_t hop, double line) {
    return Position{80 + column * static_cast<double>(hop), 90 + row * line};
  };
  const double middle = (static_cast<double>(paths.size()) - 1) / 2;
  const auto node = [&](Position at, std::size_t address, bool is_end) {
    svg.box({at.x - 30, at.y - 14}, 60, 28, is_end ? "#333333" : "#ffffff", {"#222222", 1.6});
    svg.text(at, binary(node_id(address), bits),
             {15, is_end ? "#ffffff" : "#111111", "middle", false, true});
  };
  for (std::size_t i = 0; i < paths.size(); ++i) {
    const char* colour = palette(i);
    for (std::size_t hop = 0; hop + 1 < paths[i].size(); ++hop) {
      const bool is_first = hop == 0;
      const bool is_last = hop + 2 == paths[i].size();
      const Position from = resource(hop, is_first ? middle : static_cast<double>(i));
      const Position to = resource(hop + 1, is_last ? middle : static_cast<double>(i));
      svg.arrow({{from.x + 31, from.y + (is_first ? 5 * (static_cast<double>(i) - middle) : 0)},
                 {to.x - 32, to.y + (is_last ? 5 * (static_cast<double>(i) - middle) : 0)}},
                {colour, 2.8});
      if (!is_last) node(to, paths[i][hop + 1], false);
    }
  }
  const std::size_t last = paths.front().size() - 1;
  node(resource(0, middle), paths.front().front(), true);
  node(resource(last, middle), paths.front().back(), true);
  return svg.picture(resource(last, 0).x + 60,
                     90 + row * static_cast<double>(paths.size() - 1) + 50);
}

// Largest flows along arcs of capacity 1, by one augmenting path after the other.
class UnitFlow {
 public:
  explicit UnitFlow(std::size_t vertices) : arcs_of_(vertices) {}

  void connect(std::size_t from, std::size_t to) {
    add(to, 1, from);
    add(from, 0, to);  // its reverse, next to it
  }
  int largest(std::size_t from, std::size_t to) {
    int flow = 0;
    do {
      seen_.assign(arcs_of_.size(), false);
    } while (augment(from, to) && ++flow > 0);
    return flow;
  }

 private:
  struct Arc {
    std::size_t to;
    int free;
  };
  void add(std::size_t to, int free, std::size_t at) {
    arcs_of_[at].push_back(arcs_.size());
    arcs_.push_back({to, free});
  }
  bool augment(std::size_t here, std::size_t to) {
    if (here == to) return true;
    seen_[here] = true;
    const std::vector<std::size_t>& arcs = arcs_of_[here];
    return std::any_of(arcs.begin(), arcs.end(),
                       [&](std::size_t arc) { return augment_by(arc, to); });
  }
  bool augment_by(std::size_t arc, std::size_t to) {
    if (arcs_[arc].free == 0 || seen_[arcs_[arc].to] || !augment(arcs_[arc].to, to)) return false;
    --arcs_[arc].free;
    ++arcs_[arc ^ 1U].free;
    return true;
  }

  std::vector<Arc> arcs_;
  std::vector<std::vector<std::size_t>> arcs_of_;  // by vertex
  std::vector<bool> seen_;
};

// How many paths from 0 to `to` in an n-cube have no other node in common; with `are_shortest`,
// of those on which every hop leads nearer to `to`. A node is two vertices with an arc between
// them, so that one path passes it.
int independent_paths(int n, std::size_t to, bool are_shortest) {
  const std::size_t nodes = std::size_t{1} << n;
  UnitFlow flow(2 * nodes);
  for (std::size_t node = 0; node < nodes; ++node) {
    flow.connect(2 * node, 2 * node + 1);
    for (int bit = 0; bit < n; ++bit) {
      const std::size_t other = node ^ std::size_t{1} << bit;
      const bool is_nearer = ((node ^ to) >> bit & 1U) != 0;
      if (is_nearer || !are_shortest) flow.connect(2 * node + 1, 2 * other);
    }
  }
  return flow.largest(1, 2 * to);
}

// The number of shortest paths between nodes that differ in the lowest k bits, counted hop by hop.
std::uint64_t shortest_paths(int k) {
  std::vector<std::uint64_t> ways(std::size_t{1} << k, 0);
  ways[0] = 1;
  for (std::size_t node = 0; node < ways.size(); ++node) {
    for (int bit = 0; bit < k; ++bit) {
      if ((node >> bit & 1U) == 0) ways[node | std::size_t{1} << bit] += ways[node];
    }
  }
  return ways.back();
}

constexpr int largest_counted_cube = 6;

Claims path_claims() {
  bool is_factorial = true;
  bool are_k = true;         // by shortest paths
  bool are_k_of_any = true;  // by any, as the slides have it
  bool are_n = true;         // by any
  std::uint64_t factorial = 1;
  for (int k = 1; k <= 10; ++k) {
    factorial *= static_cast<std::uint64_t>(k);
    is_factorial = is_factorial && shortest_paths(k) == factorial;
  }
  for (int n = 1; n <= largest_counted_cube; ++n) {
    for (int k = 1; k <= n; ++k) {
      const std::size_t to = (std::size_t{1} << k) - 1;
      are_k = are_k && independent_paths(n, to, true) == k;
      const int of_any = independent_paths(n, to, false);
      are_k_of_any = are_k_of_any && of_any == k;
      are_n = are_n && of_any == n;
    }
  }
  return {
      {"flipping the k bits in which A and B differ in any order gives k! different paths",
       casanova::paths,
       fmt::format("counted hop by hop, of shortest paths, k = 1 to 10: {}",
                   is_factorial ? "k!" : "not k!"),
       outcome_of(is_factorial), ""},
      {"if A and B differ in k bits, there exist exactly k independent paths from A to B, with only A and B in common",
       casanova::independent_paths,
       fmt::format(
           "largest flow through single nodes, n = 1 to {}, k = 1 to n: {} by shortest paths, {} by any",
           largest_counted_cube, are_k ? "k" : "not always k", are_n ? "n" : "not always n"),
       outcome_of(are_k_of_any),
       "There are exactly k shortest ones and, for k < n, n - k longer ones beside them. The slides' proof takes the first hop of another path to flip one of the k bits"},
  };
}

// A = 23 (10111) sends to B = 14 (01110) while `worms` of 60 flits use the channel from A to 7, the
// first that the router tries. It has two virtual channels.
Point busy_point(const FigureRequest& request, const char* routing, int worms) {
  std::string lines = R"({"u":23,"v":14,"step":1,"order":0,"flits":8,"at":10})";
  for (const int sender : {55, 87}) {
    if (worms-- <= 0) break;
    lines +=
        fmt::format("\n{{\"u\":{},\"v\":7,\"step\":1,\"order\":0,\"flits\":60,\"at\":0}}", sender);
  }
  return run_point(request, "systemc",
                   {"--topology", "hypercube:7", "--routing", routing, "--vcs", "2", "--schedule",
                    "-", "--explain", "all"},
                   lines + "\n");
}

std::vector<Point> busy_points(const FigureRequest& request) {
  std::vector<Point> points;
  for (const char* routing : {"adaptive", "descending"}) {
    for (const int worms : {0, 1, 2}) points.push_back(busy_point(request, routing, worms));
  }
  return points;
}

// The cycles of the message from A to B.
int cycles_of_a(const FigureRequest& request, const Runs& runs, const char* routing, int worms) {
  const Json& result = runs.of(busy_point(request, routing, worms));
  for (const Json& one : result.at("explanation").at("messages")) {
    if (one.at("source") == 23) return one.at("cycles").get<int>();
  }
  return -1;
}

Claim stall_claim(const FigureRequest& request, const Runs& runs) {
  const int alone = cycles_of_a(request, runs, "descending", 0);
  const int behind = cycles_of_a(request, runs, "descending", 2);
  return {
      "if others have reserved a link on the path, the message may stall until they end",
      casanova::stall,
      fmt::format(
          "by e-cube, 8 flits from 10111 to 01110: alone {} cycles, {} while two worms of 60 flits hold both virtual channels of its first link",
          alone, behind),
      outcome_of(behind > alone + 30), ""};
}

// Slides speak of a link that is reserved; here a message holds one of its virtual channels.
Claim busy_claim(const FigureRequest& request, const Runs& runs) {
  const auto cycles = [&](const char* routing, int worms) {
    return cycles_of_a(request, runs, routing, worms);
  };
  const int alone = cycles("adaptive", 0);
  const int shared = cycles("adaptive", 1);
  const int around = cycles("adaptive", 2);
  const int waiting = cycles("descending", 2);
  constexpr unsigned over_link_4 = 0b10111U ^ 0b01000U;
  int hops_to_b = 0;
  for (unsigned bits = over_link_4 ^ 0b01110U; bits != 0; bits &= bits - 1) ++hops_to_b;
  return {
      "if link 1 of A is busy, link 4 leads to 11111, which is on another path to B",
      casanova::busy_link,
      fmt::format(
          "link 4 of 10111 leads to {:05b}, {} hops from B, so on another shortest path. A message of 8 flits from 10111 to 01110 by --routing adaptive, whose first link is that to 00111, with two virtual channels: alone {} cycles. While two worms of 60 "
          "flits hold both, it goes by 11111 and takes {}, by e-cube {}; while one worm holds one, it takes the other, shares the link and takes {}",
          over_link_4, hops_to_b, alone, around, waiting, shared),
      outcome_of(hops_to_b == 2 && around == alone && around < waiting), ""};
}

FigureResult make_routing(const FigureRequest& request, const Runs& runs) {
  const Routing routing(parse_topology("hypercube:5"), RoutingOrder::ascending);
  std::string route = "10111";
  for (const Channel& channel : routing.path(node_id(0b10111), node_id(0b01110))) {
    route += " " + binary(*routing.topology().neighbour(channel.node, channel.port), 5);
  }
  FigureResult result;
  result.table = NumberTable({"path", "nodes"});
  const auto paths = disjoint_paths(0b1111);
  for (std::size_t i = 0; i < paths.size(); ++i) {
    std::string nodes;
    for (const std::size_t one : paths[i])
      nodes += (nodes.empty() ? "" : " ") + binary(node_id(one), 4);
    result.table.add({std::to_string(i), nodes});
  }
  std::size_t crossing = 0;
  for (std::size_t mask = 1; mask < 1024; ++mask) {
    if (!are_disjoint(disjoint_paths(mask))) ++crossing;
  }
  result.picture.svg = drawn_paths(paths, 4);
  result.claims = path_claims();
  result.claims.push_back(
      {"the k paths P(j, j - 1, .., 0, k - 1, .., j + 1) have no other node in common",
       casanova::k_paths,
       fmt::format("two of them do for {} of the 1023 differences in a 10-cube", crossing),
       outcome_of(crossing == 0), ""});
  result.claims.push_back(
      {"the rightmost bit that differs is flipped first: 10111, 10110, 11110, 01110",
       casanova::rightmost_first, route, outcome_of(route == "10111 10110 11110 01110"), ""});
  result.claims.push_back({"in that route, A1 sends along link 4 to node A2, 10110",
                           casanova::link_4,
                           fmt::format("flipping bit 4 of 10110 gives {:05b}", 0b10110 ^ 0b01000),
                           outcome_of((0b10110 ^ 0b01000) == 0b10110),
                           "A slip: the route printed before it has 11110"});
  result.claims.push_back(stall_claim(request, runs));
  result.claims.push_back(busy_claim(request, runs));
  result.claims.push_back({"the bits to be flipped are the NOR of the two addresses", casanova::nor,
                           fmt::format("10111 XOR 01110 = {:05b}, as printed; their NOR is {:05b}",
                                       0b10111 ^ 0b01110, ~(0b10111 | 0b01110) & 0b11111),
                           outcome_of((0b10111 ^ 0b01110) == (~(0b10111 | 0b01110) & 0b11111)),
                           "A slip: XOR is meant"});
  return result;
}

}  // namespace

Figure casanova_routing() {
  return {"casanova-routing",
          "paths and routes in a hypercube",
          "CasanovaSlides, hypercube paths",
          FigureKind::drawing,
          busy_points,
          make_routing,
          casanova::by_both};
}

}  // namespace allport
