// SPDX-License-Identifier: Apache-2.0
// These functions read the values of options from the text of a command line or a scenario. Every
// function throws std::invalid_argument with a clause that names the text and what it must be; the
// caller says which option it belongs to.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "rtl_model/base/byte_length.h"
#include "rtl_model/base/range.h"
#include "testbench/plan/rtl_request.h"
#include "testbench/plan/run_request.h"

namespace allport {

/// A whole number in `range`, decimal, a minus sign allowed.
std::int64_t parse_integer(std::string_view text, const Range& range);
/// The same where `range` has no negative numbers.
std::size_t parse_count(std::string_view text, const Range& range);
/// A seed: 0 .. 2^64 - 1.
std::uint64_t parse_seed(std::string_view text);
/// A decimal fraction in low .. high.
double parse_decimal(std::string_view text, double low, double high);
/// `true` or `false`.
bool parse_flag(std::string_view text);
/// The name of a file, which must not be empty and has no zero byte.
std::string parse_path(std::string_view text);
/// One of `words`; the error offers a near one, or names them, and calls the value `what`.
std::string parse_word(std::string_view what, std::string_view text,
                       const std::vector<std::string_view>& words);

/// The items of a list, separated by commas: at least one, and none of them empty.
std::vector<std::string_view> parse_list(std::string_view text);
/// A list of nodes by their numbers; of a graph as Graph::meant_by has them. `topology`: the fabric
/// that they are of; null: none is known, so they have numbers.
std::vector<NodeNumber> parse_nodes(std::string_view text, const Topology* topology = nullptr);
/// Whether `topology` is a graph, and `text` a list of its nodes.
bool names_nodes(std::string_view text, const Topology* topology);
/// `all`, `random:F` with 0 < F <= 1, or a list of nodes.
NodeChoice parse_node_choice(std::string_view text, const Topology* topology = nullptr);
/// One or several `NAME=VALUE`, separated by commas.
std::vector<std::pair<std::string, std::string>> parse_assignments(std::string_view text);
/// What is listed of an explanation: `all`, `slowest:N`, `message:U>V#O` or, for a tree or path
/// worm, `message:U>all#O`.
ExplainRequest parse_explained(std::string_view text, const Topology* topology = nullptr);
/// A message by sender, receiver and place in the sender's program: `5>9#0`; none: it is no such
/// name. Throws std::invalid_argument, one sentence, if an end is no node of `topology`.
std::optional<MessageName> parse_message(std::string_view text, const Topology* topology = nullptr);
/// `all`, `random:M` or a list of nodes.
DestinationChoice parse_destinations(std::string_view text, const Topology* topology = nullptr);

/// Macros of SystemVerilog, NAME or NAME=VALUE, separated by commas.
std::vector<std::string> parse_macros(std::string_view text);

/// The name of a SystemVerilog module: letters, digits, _ and $, no digit or $ first.
std::string parse_module(std::string_view text);

/// The name of a page's file, which must end in .html.
std::string page_file(std::string_view text);

}  // namespace allport
