// SPDX-License-Identifier: Apache-2.0
// These structures say which nodes a collective is among, and where its ranks sit, as a user asks
// for it; only the fabric tells whether such nodes exist (places.h).
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace allport {

/// The number of a node; only the topology tells whether that node exists.
struct NodeNumber {
  std::uint64_t id = 0;
  bool is_binary = false;  ///< whether it was written as 0b0101, for hypercubes only
};

/// A file of node numbers, line by line.
struct NodeLines {
  struct Line {
    std::size_t number = 0;  ///< its place in the file, from 1
    std::vector<NodeNumber> nodes;
  };
  std::string path;         ///< empty: there is no file
  std::vector<Line> lines;  ///< without empty ones
};

/// How ranks are put on nodes.
struct PlaceRequest {
  enum class Kind { identity, gray, snake, groups, random, file };
  Kind kind = Kind::identity;
  std::optional<std::uint64_t> seed{};  ///< of `random`; none: that of the run
  NodeLines file{};  ///< of `file`: the nodes of rank 0, 1, ..; a list is its own path

  /// `snake`, `random:5`, the list, the name of the file
  std::string in_words() const;
};

/// A group of nodes, or a partition of the fabric into several.
struct GroupRequest {
  enum class Kind { list, box, subcube, along, file, first };
  Kind kind = Kind::list;
  bool is_partition = false;              ///< whether there are several groups
  std::vector<NodeNumber> listed{};       ///< of `list`
  std::vector<int> sides{};               ///< of `box`
  std::vector<int> corner{};              ///< of `box`; empty: node 0
  std::string pattern{};                  ///< of `subcube`: 0, 1 and x, the highest bit first
  std::vector<std::size_t> dimensions{};  ///< of `along`
  NodeLines file{};                       ///< of `file`: a group, or a group in each line
  std::size_t count = 0;                  ///< of `first`: the nodes 0 .. count - 1 (--ranks N)
  std::string text{};                     ///< as it was given
};

/// Parts that the fabric does not have: named, in a file, or drawn.
struct MissingParts {
  std::size_t count = 0;                ///< those that are drawn, if none are named
  bool may_cut = false;                 ///< whether draws may cut the fabric apart
  std::optional<std::uint64_t> seed{};  ///< of the draws; none: that of the run
  std::string path{};                   ///< name of their file; empty: there is no file
  std::string text{};                   ///< as they were given
};

struct MissingLinks : MissingParts {
  struct Link {
    std::optional<NodeNumber> from;  ///< none: the ends are names
    std::optional<NodeNumber> to;
    bool is_one_way = false;  ///< whether the channels back are there
    std::string text{};       ///< as it was given; of a graph it has names of nodes
    std::size_t line = 0;     ///< its line in the file, from 1; 0: it is of a list
  };
  std::vector<Link> listed{};  ///< empty: they are drawn
  bool is_none() const { return count == 0 && listed.empty(); }
};

/// Nodes that are missing have no router, and so no links.
struct MissingNodes : MissingParts {
  struct Node {
    NodeNumber number;     ///< of the whole fabric, switches included
    std::size_t line = 0;  ///< its line in the file, from 1; 0: it is of a list
  };
  std::vector<Node> listed{};  ///< empty: they are drawn
};

/// Where and when links err, as in 0.2@17: the output of a router, and a cycle.
struct ErrorPlaces {
  struct Place {
    std::string node;  ///< the name of the router
    int port = 0;      ///< its output
    int vc = 0;        ///< of a credit
    std::int64_t cycle = 0;
    bool is_next = false;  ///< of a credit: whether it is the next one from that cycle on
    std::string text{};    ///< as it was given
    std::size_t line = 0;  ///< its line in the file, from 1; 0: it is of a list
  };
  std::vector<Place> listed{};  ///< empty: none is given
  std::string path{};           ///< name of their file; empty: there is no file
  std::string text{};           ///< as they were given
};

/// A routing table: a rule, or a file.
struct TableChoice {
  std::string rule;  ///< `updown`, `updown:ROOT`, .. (make_table.h), or the name of a file
  std::shared_ptr<const std::string> text{};  ///< what is in the file; null: it is a rule
};

}  // namespace allport
