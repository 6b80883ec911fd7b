// SPDX-License-Identifier: Apache-2.0
// Channels of layers wait for each other: a head that holds one asks for the next one of its way.
// The graph has a bit for each such pair, so that the same wait of many messages counts once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "rtl_model/base/circle.h"
#include "rtl_model/topology/routing_table.h"
#include "rtl_model/topology/topology.h"

namespace allport {

class LayerDependencies {
 public:
  /// A channel, and a layer of it.
  struct Vertex {
    Channel channel{};
    int layer = 0;
  };

  LayerDependencies(const Topology& topology, int layers)
      : topology_(topology),
        layers_(static_cast<std::size_t>(layers)),
        ports_(topology.port_count()),
        words_((ports_ * layers_ + 63) / 64),
        waits_(topology.router_count() * ports_ * layers_ * words_) {}

  /// Notes that a head on `from` asks for `next`, which begins where `from` ends.
  void add(const Vertex& from, const Vertex& next) {
    const std::size_t bit =
        index(next.channel.port) * layers_ + static_cast<std::size_t>(next.layer);
    waits_[number(from) * words_ + bit / 64] |= std::uint64_t{1} << bit % 64;
  }
  void remove(const Vertex& from, const Vertex& next) {
    const std::size_t bit =
        index(next.channel.port) * layers_ + static_cast<std::size_t>(next.layer);
    waits_[number(from) * words_ + bit / 64] &= ~(std::uint64_t{1} << bit % 64);
  }

  /// A cycle, each vertex waiting for the next and the last for the first; empty: there is none.
  std::vector<Vertex> find_cycle() const {
    const auto next = [this](std::uint32_t vertex, auto is_done) {
      const Vertex here = this->vertex(vertex);
      const auto node = topology_.neighbour(here.channel.node, here.channel.port);
      if (!node) return no_vertex;
      const std::size_t first = index(*node) * ports_ * layers_;
      for (std::size_t word = 0; word < words_; ++word) {
        for (std::uint64_t rest = waits_[vertex * words_ + word]; rest != 0; rest &= rest - 1) {
          const auto found = static_cast<std::uint32_t>(
              first + 64 * word + static_cast<std::size_t>(__builtin_ctzll(rest)));
          if (!is_done(found)) return found;
        }
      }
      return no_vertex;
    };
    std::vector<Vertex> cycle;
    for (const std::uint32_t one : find_circle(waits_.size() / words_, next)) {
      cycle.push_back(vertex(one));
    }
    return cycle;
  }

 private:
  std::size_t number(const Vertex& vertex) const {
    return (index(vertex.channel.node) * ports_ + index(vertex.channel.port)) * layers_ +
           static_cast<std::size_t>(vertex.layer);
  }
  Vertex vertex(std::size_t number) const {
    const std::size_t channel = number / layers_;
    return {{node_id(channel / ports_), port_id(channel % ports_)},
            static_cast<int>(number % layers_)};
  }

  const Topology& topology_;
  std::size_t layers_;
  std::size_t ports_;
  std::size_t words_;  // of the bits of a vertex: by port and layer of the next channel
  std::vector<std::uint64_t> waits_;
};

/// `0 -> 1 (+x) layer 0, ..`
std::string in_words(const std::vector<LayerDependencies::Vertex>& cycle, const Topology& topology);

}  // namespace allport
