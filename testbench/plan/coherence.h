// SPDX-License-Identifier: Apache-2.0
// This header says which options of a run exclude or need one another, once for the command line,
// which knows what was given, and for requests, where what differs from its default was given.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace allport {

struct RunRequest;

/// Two options by their keys.
struct KeyPair {
  std::string_view first;
  std::string_view second;
};

/// Keys of the options that describe a pattern and mean nothing without one.
const std::vector<std::string_view>& pattern_keys();
/// Pairs of options that cannot be given together.
const std::vector<KeyPair>& exclusions();
/// Pairs of which the first option needs the second.
const std::vector<KeyPair>& needs();

/// What the option with a key is called where it was given; empty: it was not given.
using NameOf = std::function<std::string(std::string_view key)>;

/// What is in a run that may have a pattern beside it.
struct RunContents {
  bool is_load = false;      ///< collectives that start at random
  bool has_ranks = false;    ///< tasks or programs
  bool has_pattern = false;  ///< or flows
  bool has_flows = false;
  bool is_closed_loop = false;  ///< a pattern with requests under way in place of a rate
  /// Routing by a table, which is proved to go around missing links, or none that was chosen; or no
  /// link is missing.
  bool has_table = false;

  /// Whether it lifts an exclusion.
  bool lifts(const KeyPair& pair) const;
  /// Whether the first option of a pair can be without the second.
  bool lifts_need(const KeyPair& pair) const;
};

/// What the given options put into a run. `has_ranks`: it has some that no option names.
RunContents contents_of(const NameOf& name_of, bool has_ranks, bool has_table);

/// Throws std::invalid_argument, one sentence, when given options exclude one another, or when one
/// lacks what it needs.
void require_coherent(const RunContents& contents, const NameOf& name_of);

/// The same when hotspots are given for a pattern that has none.
void require_hotspots(const std::string& pattern, const NameOf& name_of);

/// Both for what the values of `request` show, which is what differs from the defaults. Programs of
/// one's own on the nodes exclude and need what tasks do.
void require_coherent(const RunRequest& request, bool has_programs = false);

}  // namespace allport
