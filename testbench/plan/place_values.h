// SPDX-License-Identifier: Apache-2.0
// These functions read the values of --place, --group, --groups and the like, and the files that
// they may name. Every function throws std::invalid_argument with a clause that names the text, or
// file and line, and what it must be; the caller says which option it belongs to.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "rtl_model/topology/topology.h"
#include "testbench/plan/place_request.h"

namespace allport {

struct LinkAttributes;

/// Whether missing parts are drawn: random:N[:SEED], so that ways remain between all others, or
/// random-cut:N[:SEED].
bool is_drawn(std::string_view text);
/// Whether none is drawn: random:0.
bool draws_none(std::string_view text);

/// Whether a value of --place lists the nodes of rank 0, 1, ..: it begins with a digit and has
/// commas.
bool is_list_of_places(std::string_view text);
/// `identity`, `gray`, `snake`, `groups`, `random`, `random:SEED`, a list of nodes, or the name of
/// a file.
PlaceRequest parse_place(std::string_view text);

/// A list of nodes (option_values.h), `box:4x4@0,2`, `subcube:0b0xx1x`, or the name of a file.
GroupRequest parse_group(std::string_view text, const Topology* topology = nullptr);

/// `dim:0`, `dims:0,1`, `box:4x4`, or the name of a file.
GroupRequest parse_groups(std::string_view text);

/// What read_topology takes, in words.
inline constexpr std::string_view fabrics_in_words =
    "hypercube:N, torus:KxK[xK..], mesh:KxK[xK..], ring:K or graph:FILE";

/// A fabric: a shape, or `graph:FILE`, whose file is read, and that of its nodes if there is one.
std::shared_ptr<const Topology> read_topology(std::string_view text);

/// The table of `table:TEXT`: a rule (rtl_model/tables/make_table.h), or the name of a file.
TableChoice parse_table(std::string_view text);

/// A link of a graph, by its ends.
struct GraphLink {
  NodeId from;
  NodeId to;
  bool is_one_way = false;  ///< whether the channels back are there
};

/// The link that `text`, u-v (both directions) or u>v (one), names by the names of a graph's nodes,
/// in which there may be these signs: neighbours count before others. None if it names no two
/// nodes.
std::optional<GraphLink> link_of_graph(std::string_view text, const Topology& graph);

/// Missing links: a list of u-v (both directions) and u>v (one), a file of them, or drawn ones.
/// Those of a graph, `topology`, are named as its file does, and such names may
/// have blanks and commas in them.
MissingLinks parse_missing_links(std::string_view text, const Topology* topology = nullptr);

/// Missing nodes: a list of nodes of `topology`, whose switches are among them, a file of them, or
/// drawn ones.
MissingNodes parse_missing_nodes(std::string_view text, const Topology& topology);

/// The links of a table u,v,delay,width[,from_port], which is in the file of this name.
std::shared_ptr<const LinkAttributes> parse_link_attributes(std::string_view text);

/// Flits in error: a list of NODE.PORT@CYCLE, or a file of them.
ErrorPlaces parse_flit_errors(std::string_view text);
/// Lost credits: a list of NODE.PORT.VC@CYCLE, or @+CYCLE for the next one from that cycle on.
ErrorPlaces parse_lost_credits(std::string_view text);

/// The one way in which such a value is written: its numbers have no needless zeros. The name of a
/// file, and the bits of a node or a subcube, stay as they are.
std::string settled_place(std::string_view text);

}  // namespace allport
