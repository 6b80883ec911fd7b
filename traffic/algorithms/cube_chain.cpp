// SPDX-License-Identifier: Apache-2.0
#include "traffic/algorithms/cube_chain.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <unordered_map>

#include "traffic/algorithms/cube_frame.h"

namespace allport {

namespace {

// The first break in the subcubes of `dimensions` dimensions.
std::optional<ChainBreak> break_in(const CubeChain& chain, std::size_t dimensions) {
  std::unordered_map<std::uint32_t, std::size_t> ends;  // last element of each subcube so far
  for (std::size_t i = 0; i < chain.size(); ++i) {
    const std::uint32_t subcube = chain[i] >> dimensions;
    const auto [end, is_new] = ends.try_emplace(subcube, i);
    if (!is_new && end->second + 1 != i) {
      return ChainBreak{end->second, end->second + 1, i, dimensions};
    }
    end->second = i;
  }
  return std::nullopt;
}

// The cube-ordered chains of the subcube of `dimensions` dimensions that begins with `base`, over
// all of its sets but the empty one.
std::vector<CubeChain> chains_in(std::uint32_t base, std::size_t dimensions) {
  if (dimensions == 0) return {{base}};
  const std::vector<CubeChain> lower = chains_in(base, dimensions - 1);
  const std::vector<CubeChain> upper =
      chains_in(base | std::uint32_t{1} << (dimensions - 1), dimensions - 1);
  std::vector<CubeChain> all = lower;
  all.insert(all.end(), upper.begin(), upper.end());
  const auto add = [&](const CubeChain& one, const CubeChain& other) {
    all.push_back(one);
    all.back().insert(all.back().end(), other.begin(), other.end());
  };
  for (const CubeChain& low : lower) {
    for (const CubeChain& high : upper) {
      add(low, high);
      add(high, low);
    }
  }
  return all;
}

// Calls `use` with every cube-ordered chain that begins with 0; a chain of the whole cube is one of
// its half with 0, and behind it none or any of the other half.
void for_each_from_zero(std::size_t dimensions, const std::function<void(const CubeChain&)>& use) {
  if (dimensions == 0) return use({0});
  const std::vector<CubeChain> upper =
      chains_in(std::uint32_t{1} << (dimensions - 1), dimensions - 1);
  for_each_from_zero(dimensions - 1, [&](const CubeChain& lower) {
    use(lower);
    for (const CubeChain& behind : upper) {
      CubeChain chain = lower;
      chain.insert(chain.end(), behind.begin(), behind.end());
      use(chain);
    }
  });
}

// Exchanges the halves of every subcube without the source for which `swaps` says so of the numbers
// of elements in them, after their own. chain[first .. last] lies in one subcube of `dimensions`
// dimensions.
template <class Swaps>
void order_halves(CubeChain& chain, std::size_t first, std::size_t last, std::size_t dimensions,
                  const Swaps& swaps) {
  if (last == first) return;
  const std::uint32_t bit = std::uint32_t{1} << (dimensions - 1);
  const auto begin = chain.begin() + static_cast<std::ptrdiff_t>(first);
  const auto end = chain.begin() + static_cast<std::ptrdiff_t>(last) + 1;
  const auto middle = std::partition_point(
      begin, end, [&](std::uint32_t element) { return ((element ^ *begin) & bit) == 0; });
  const auto second = static_cast<std::size_t>(middle - chain.begin());
  order_halves(chain, first, second - 1, dimensions - 1, swaps);
  if (middle == end) return;
  order_halves(chain, second, last, dimensions - 1, swaps);
  if (first != 0 && swaps(second - first, last - second + 1)) std::rotate(begin, middle, end);
}

template <class Swaps>
void order_halves(CubeChain& chain, std::size_t dimensions, const Swaps& swaps) {
  if (!chain.empty()) order_halves(chain, 0, chain.size() - 1, dimensions, swaps);
}

}  // namespace

std::optional<ChainBreak> chain_break(const CubeChain& chain, std::size_t dimensions) {
  for (std::size_t size = dimensions; size-- > 1;) {
    if (const auto found = break_in(chain, size)) return found;
  }
  return std::nullopt;
}

std::optional<ChainBreak> chain_break(const std::vector<NodeId>& chain, const Routing& routing) {
  if (chain.empty()) return std::nullopt;
  const CubeFrame frame(routing, chain.front());
  CubeChain addresses;
  for (const NodeId node : chain) addresses.push_back(frame.address(node));
  return chain_break(addresses, frame.dimensions());
}

std::string subcube_of(const ChainBreak& found, const std::vector<NodeId>& chain,
                       const Routing& routing) {
  const std::size_t dimensions = routing.topology().dimension_count();
  const bool is_ascending = routing.order() == RoutingOrder::ascending;
  std::string bits = fmt::format("{:0{}b}", index(chain[found.first]), dimensions);
  const std::size_t begin = is_ascending ? 0 : dimensions - found.dimensions;
  return bits.replace(begin, found.dimensions, found.dimensions, 'x');
}

std::string in_words(const ChainBreak& found, const std::vector<NodeId>& chain,
                     const Routing& routing) {
  const auto node = [&](std::size_t place) {
    return fmt::format("{} ({:0{}b})", index(chain[place]), index(chain[place]),
                       routing.topology().dimension_count());
  };
  return fmt::format("{} and {} are of the subcube {}, and {}, which is between them, is not",
                     node(found.first), node(found.last), subcube_of(found, chain, routing),
                     node(found.between));
}

void for_each_cube_chain(std::size_t dimensions, const std::function<void(const CubeChain&)>& use) {
  if (dimensions > 4)
    throw std::invalid_argument("there are too many chains of a cube of more than 4 dimensions");
  for_each_from_zero(dimensions, [&](const CubeChain& chain) {
    if (chain.size() > 1) use(chain);
  });
}

void weighted_sort(CubeChain& chain, std::size_t dimensions) {
  order_halves(chain, dimensions,
               [](std::size_t first, std::size_t second) { return first < second; });
}

void shuffle_cube_chain(CubeChain& chain, std::size_t dimensions, SplitMix64& generator) {
  order_halves(chain, dimensions,
               [&](std::size_t, std::size_t) { return generator.next() % 2 == 1; });
}

}  // namespace allport
