// SPDX-License-Identifier: Apache-2.0
// A value may be written in several ways: 1 and 01 are one number, 0.1 and 1e-1 another, 64KiB and
// 65536 one length.
#pragma once

#include <string>
#include <string_view>

#include "testbench/program/options/options.h"

namespace allport {

/// The one way in which a value of `spec` is written: the numbers in it, of nodes too, without
/// needless digits, lengths in bytes as their numbers. What is no number stays as it is,
/// and so do all nodes where these have names (`has_names`), as those of a graph.
std::string settled_text(const OptionSpec& spec, std::string_view text, bool has_names = false);

/// Whether its values are nodes, by number or by name.
bool names_nodes(const OptionSpec& spec);

}  // namespace allport
