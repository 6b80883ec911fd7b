// SPDX-License-Identifier: Apache-2.0
// Random networks and messages for the tests of networks that are driven.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <functional>
#include <stdexcept>
#include <string>
#include <tuple>
#include <vector>

#include "testbench/network/network.h"
#include "testbench/network/network_options.h"
#include "tests/support/draw.h"
#include "tests/support/test_file.h"

namespace allport::test {

/// Later than anything in a case of these tests.
constexpr Cycle end_of_case = 1000000;

inline Network network_of(const std::string& options) {
  return Network(read_network_request(options));
}

/// What a call throws as std::invalid_argument.
inline std::string sentence_of_call(const std::function<void()>& call) {
  try {
    call();
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "nothing was thrown";
}

inline NetworkMessage unicast(std::size_t source, std::size_t destination, std::int64_t flits = 1,
                              std::uint64_t user = 0) {
  NetworkMessage message;
  message.source = node_id(source);
  message.destination = node_id(destination);
  message.flits = flits;
  message.user = user;
  return message;
}

inline NetworkMessage tree(std::size_t source, std::int64_t flits, DimensionMask free = 0) {
  NetworkMessage message;
  message.source = node_id(source);
  message.flits = flits;
  message.kind = MessageKind::tree;
  message.free = free;
  return message;
}

/// What is told of a reception, but the number of the message.
using Told = std::tuple<std::uint64_t, std::size_t, std::size_t, int, Cycle, Cycle, Cycle>;

inline Told told(const NetworkDelivery& one) {
  return {one.user, index(one.source), index(one.destination), one.port, one.injected,
          one.head, one.tail};
}

struct TimedMessage {
  NetworkMessage message;
  Cycle at = 0;
};

/// A graph of five nodes and four switches, which have more links than nodes have.
inline const std::string& switched_graph() {
  static const std::string topology = [] {
    const std::string file = test_file("switched.csv");
    std::ofstream(file) << "u,v,delay\n"
                           "a,s,\nb,s,2\nc,t,\nd,t,\ne,u,1\n"
                           "s,v,\nt,v,\nu,v,3\ns,t,\nt,u,\n";
    std::ofstream(file.substr(0, file.size() - 4) + ".nodes.csv")
        << "node,processor\n"
           "s,0\na,1\nt,0\nb,1\nc,1\nd,1\nu,0\nv,0\ne,1\n";
    return "graph:" + file;
  }();
  return topology;
}

/// A graph whose nodes have several links, and some of them fewer injection ports than links.
inline const std::string& graph_with_own_ports() {
  static const std::string topology = [] {
    const std::string file = test_file("own_ports.csv");
    std::ofstream(file) << "u,v\na,b\na,c\nb,s\nb,c\nc,d\nd,s\na,d\n";
    std::ofstream(file.substr(0, file.size() - 4) + ".nodes.csv")
        << "node,processor,ports\na,true,1\nb,true,\nc,true,2\nd,true,1\ns,false,\n";
    return "graph:" + file;
  }();
  return topology;
}

/// The options of a small network.
inline std::string draw_options(Draw& draw) {
  const auto shape = draw.one_of<std::string>(
      {"hypercube:2", "hypercube:3", "hypercube:4", "mesh:5", "mesh:3x4", "ring:5", "ring:8",
       "torus:2x2", "torus:4x4", "torus:3x2x4", switched_graph(), graph_with_own_ports()});
  const bool wraps = shape[0] == 'r' || shape[0] == 't';
  std::string options = "topology=" + shape;
  const int classes = draw.one_of<int>({1, 1, 1, 2, 2, 3, 4});
  options += " classes=" + std::to_string(classes);
  options += " vcs=" + std::to_string(classes * (wraps ? draw.one_of<int>({2, 2, 4})
                                                       : draw.one_of<int>({1, 1, 2, 3})));
  options += " buffer_depth=" + std::to_string(draw.one_of<int>({1, 1, 2, 3, 4, 4, 5, 8}));
  options += " link_delay=" + std::to_string(draw.one_of<int>({0, 0, 0, 1, 2, 5}));
  if (draw.below(2) == 0) options += " ports=1";
  if (wraps && draw.below(3) == 0) options += " vc_use=balanced";
  if (wraps && draw.below(3) == 0) options += " ties=negative";
  Draw next = draw;  // it draws apart, so that all else is drawn as on wide channels
  Draw own(static_cast<std::uint64_t>(next.below(1 << 30)));
  if (own.below(3) == 0) options += " link_width=" + std::to_string(1 + own.below(3));
  return options;
}

/// The message classes of the networks of `options`.
inline int classes_of(const std::string& options) {
  return read_network_request(options).router.classes;
}

inline std::vector<TimedMessage> draw_unicasts(Draw& draw, std::size_t nodes, int classes,
                                               int count) {
  const auto all = static_cast<int>(nodes);
  const auto spread = draw.one_of<int>({1, 10, 100, 400});
  const auto node = [&](int below) { return static_cast<std::size_t>(draw.below(below)); };
  const int crowd = draw.below(2) == 0 ? all : std::min(all, 3);  // few senders have long queues
  std::vector<TimedMessage> messages;
  for (int i = 0; i < count; ++i) {
    const std::size_t source = node(crowd);
    const std::size_t destination = (source + 1 + node(all - 1)) % nodes;
    const auto flits = draw.one_of<int>({1, 1, 2, 3, 5, 8, 16, 40, 150, 600});
    messages.push_back(
        {unicast(source, destination, flits, static_cast<std::uint64_t>(i)), draw.below(spread)});
    messages.back().message.message_class = draw.below(classes);
  }
  return messages;
}

/// The same in the order of (at, call), as a client that has its own calendar would send them.
inline std::vector<TimedMessage> by_time(std::vector<TimedMessage> messages) {
  std::stable_sort(messages.begin(), messages.end(),
                   [](const TimedMessage& a, const TimedMessage& b) { return a.at < b.at; });
  return messages;
}

}  // namespace allport::test
