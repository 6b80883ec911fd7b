// SPDX-License-Identifier: Apache-2.0
#include "rtl_model/base/circle.h"

#include <gtest/gtest.h>

#include "tests/support/draw.h"

namespace allport::test {
namespace {

using Vertices = std::vector<std::uint32_t>;
using Graph = std::vector<Vertices>;  // by vertex: what it waits for

// The circle found from `starts`, one after the other.
Vertices circle_from(const Graph& graph, const Vertices& starts) {
  CircleSearch search(graph.size());
  for (const std::uint32_t start : starts) {
    Vertices circle = search.from(start, [&](std::uint32_t vertex, auto is_done) {
      for (const std::uint32_t next : graph[vertex]) {
        if (!is_done(next)) return next;
      }
      return no_vertex;
    });
    if (!circle.empty()) return circle;
  }
  return {};
}

bool waits_for(const Graph& graph, std::uint32_t vertex, std::uint32_t other) {
  return std::count(graph[vertex].begin(), graph[vertex].end(), other) > 0;
}

// Whether anything is left when all that waits for nothing is taken away, again and again.
bool has_circle(Graph graph) {
  std::vector<bool> is_gone(graph.size(), false);
  for (std::size_t round = 0; round < graph.size(); ++round) {
    for (std::size_t vertex = 0; vertex < graph.size(); ++vertex) {
      Vertices& left = graph[vertex];
      left.erase(std::remove_if(left.begin(), left.end(),
                                [&](std::uint32_t other) { return is_gone[other]; }),
                 left.end());
      if (left.empty()) is_gone[vertex] = true;
    }
  }
  return std::count(is_gone.begin(), is_gone.end(), false) > 0;
}

TEST(CircleSearch, GoesDepthFirstInTheOrderOfWaits) {
  const Graph graph{{1, 4}, {2}, {3}, {1, 0}, {4}};
  EXPECT_EQ(circle_from(graph, {0}), (Vertices{1, 2, 3})) << "without the way to it";
  EXPECT_EQ(circle_from(graph, {3}), (Vertices{3, 1, 2}));
  EXPECT_EQ(circle_from(graph, {4, 0}), (Vertices{4})) << "who waits for itself";
  EXPECT_EQ(circle_from({{1, 2}, {2}, {}, {0}}, {2, 0, 3, 1}), Vertices{});
}

TEST(CircleSearch, FindsACircleWhereThereIsOne) {
  for (std::uint64_t seed = 0; seed < 2000; ++seed) {
    Draw draw(seed);
    const int vertices = 1 + draw.below(12);
    Graph graph(static_cast<std::size_t>(vertices));
    for (int edges = draw.below(2 * vertices); edges > 0; --edges) {
      const auto from = static_cast<std::size_t>(draw.below(vertices));
      graph[from].push_back(static_cast<std::uint32_t>(draw.below(vertices)));
    }
    const Vertices found = find_circle(graph.size(), [&](std::uint32_t vertex, auto is_done) {
      const auto next = std::find_if_not(graph[vertex].begin(), graph[vertex].end(), is_done);
      return next == graph[vertex].end() ? no_vertex : *next;
    });
    ASSERT_EQ(!found.empty(), has_circle(graph)) << "seed " << seed;
    for (std::size_t i = 0; i < found.size(); ++i) {
      EXPECT_TRUE(waits_for(graph, found[i], found[(i + 1) % found.size()])) << "seed " << seed;
      EXPECT_EQ(std::count(found.begin(), found.end(), found[i]), 1) << "seed " << seed;
    }
  }
}

// Edges go one after another, each on the circle that was found and a drawn one: going back finds
// what a new search finds.
TEST(CircleSearch, GoesOnBehindACircleAsIfItBeganAnew) {
  for (std::uint64_t seed = 0; seed < 500; ++seed) {
    Draw draw(seed);
    const int vertices = 2 + draw.below(12);
    Graph graph(static_cast<std::size_t>(vertices));
    for (int edges = draw.below(4 * vertices); edges > 0; --edges) {
      const auto from = static_cast<std::size_t>(draw.below(vertices));
      graph[from].push_back(static_cast<std::uint32_t>(draw.below(vertices)));
    }
    const auto next = [&](std::uint32_t vertex, auto is_done) {
      const auto found = std::find_if_not(graph[vertex].begin(), graph[vertex].end(), is_done);
      return found == graph[vertex].end() ? no_vertex : *found;
    };
    const auto cut = [&](std::uint32_t from, std::uint32_t to) {
      Vertices& waits = graph[from];
      waits.erase(std::remove(waits.begin(), waits.end(), to), waits.end());
    };
    CircleSearch search(graph.size());
    std::uint32_t start = 0;
    for (;;) {
      Vertices circle = search.from(start, next);
      while (circle.empty() && ++start < graph.size()) circle = search.from(start, next);
      ASSERT_EQ(circle, find_circle(graph.size(), next)) << "seed " << seed;
      if (circle.empty()) break;
      const auto at = static_cast<std::size_t>(draw.below(static_cast<int>(circle.size())));
      cut(circle[at], circle[(at + 1) % circle.size()]);
      const auto other = static_cast<std::size_t>(draw.below(vertices));
      if (!graph[other].empty()) cut(static_cast<std::uint32_t>(other), graph[other].front());
      const Vertices path = search.path();
      std::size_t length = 1;
      while (length < path.size() && waits_for(graph, path[length - 1], path[length])) ++length;
      search.go_back(length);
    }
  }
}

TEST(FollowWaits, ComesToACircleOrToAnEnd) {
  const Vertices awaited{1, 2, 3, 1, 5, no_vertex};
  const auto from = [&](std::uint32_t start) {
    return follow_waits(start, [&](std::uint32_t vertex) { return awaited[vertex]; });
  };
  EXPECT_EQ(from(0).vertices, (Vertices{1, 2, 3}));
  EXPECT_TRUE(from(0).is_circle);
  EXPECT_EQ(from(3).vertices, (Vertices{3, 1, 2}));
  EXPECT_EQ(from(4).vertices, (Vertices{4, 5}));
  EXPECT_FALSE(from(4).is_circle);
}

}  // namespace
}  // namespace allport::test
