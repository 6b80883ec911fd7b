// SPDX-License-Identifier: Apache-2.0
// These templates find out who waits for whom in a circle. Whoever waits is a number, a vertex. A
// CircleSearch goes depth first along all that a vertex waits for; follow_waits() goes along the
// one way there is where each vertex waits for one other at most.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

namespace allport {

constexpr std::uint32_t no_vertex = UINT32_MAX;

class CircleSearch {
 public:
  /// The vertices are 0 .. `vertices` - 1.
  explicit CircleSearch(std::size_t vertices) : marks_(vertices, Mark::unseen) {}

  /// The vertices of a circle to which one comes from `start`, each waits for the next and the last
  /// for the first; empty: there is none. `next(vertex, is_done)` is the first vertex that `vertex`
  /// waits for and `is_done` does not hold of, or no_vertex. A vertex that is done leads to no
  /// circle: it stays done for the starts that follow. The first circle ends the search, unless
  /// go_back() opens its circle.
  template <typename Next>
  std::vector<std::uint32_t> from(std::uint32_t start, Next next) {
    const auto is_done = [this](std::uint32_t vertex) { return marks_[vertex] == Mark::done; };
    if (marks_[start] == Mark::unseen) enter(start);
    while (!path_.empty()) {
      const std::uint32_t found = next(path_.back(), is_done);
      if (found == no_vertex) {
        marks_[path_.back()] = Mark::done;
        path_.pop_back();
      } else if (marks_[found] == Mark::unseen) {
        enter(found);
      } else {
        // Circles are short and paths may be long.
        const auto first = std::find(path_.rbegin(), path_.rend(), found);
        return {first.base() - 1, path_.end()};
      }
    }
    return {};
  }

  /// The way that the search has come, each vertex waits for the next; behind a circle it ends with
  /// that.
  const std::vector<std::uint32_t>& path() const { return path_; }

  /// Forgets the path behind its first `length` vertices, 1 at least. Once vertices wait for less
  /// than before, and those that are left on the path still for the next of it, the same call of
  /// from() goes on as if it had begun anew.
  void go_back(std::size_t length) {
    for (; path_.size() > length; path_.pop_back()) marks_[path_.back()] = Mark::unseen;
  }

 private:
  enum class Mark : std::uint8_t { unseen, on_path, done };
  void enter(std::uint32_t vertex) {
    marks_[vertex] = Mark::on_path;
    path_.push_back(vertex);
  }

  std::vector<Mark> marks_;
  std::vector<std::uint32_t> path_;
};

/// The first circle that a CircleSearch finds from the vertices 0 .. `vertices` - 1, in this order.
template <typename Next>
std::vector<std::uint32_t> find_circle(std::size_t vertices, Next next) {
  CircleSearch search(vertices);
  std::vector<std::uint32_t> circle;
  for (std::uint32_t start = 0; start < vertices && circle.empty(); ++start) {
    circle = search.from(start, next);
  }
  return circle;
}

/// Vertices that wait, each for the next.
struct WaitingWay {
  std::vector<std::uint32_t> vertices;
  bool is_circle = false;  ///< whether the last of them waits for the first; else it waits for none
};

/// The way from `start` on, where a vertex waits for `next(vertex)`, or for none: no_vertex. Of a
/// way that comes to a circle, that circle alone.
template <typename Next>
WaitingWay follow_waits(std::uint32_t start, Next next) {
  WaitingWay way;
  std::unordered_map<std::uint32_t, std::size_t> places;
  std::uint32_t at = start;
  while (at != no_vertex && places.try_emplace(at, way.vertices.size()).second) {
    way.vertices.push_back(at);
    at = next(at);
  }
  way.is_circle = at != no_vertex;
  if (!way.is_circle) return way;
  const auto first = way.vertices.begin() + static_cast<std::ptrdiff_t>(places.at(at));
  way.vertices.erase(way.vertices.begin(), first);
  return way;
}

}  // namespace allport
