// SPDX-License-Identifier: Apache-2.0
// This header lists what a router may declare (docs/bring-your-own-router.md, section 1): as
// parameters of its top, or in a file beside it, where masks are lists of words.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "rtl_model/base/range.h"

namespace allport {

struct Declarable {
  std::string_view parameter;  ///< its name in the top: `MaxHopCycles`
  std::string_view key;        ///< its name in a file: `max-hop-cycles`
  Range range;                 ///< of its value as a number
  /// The words of a mask, that of bit 0 first; empty: it is a number, or a flag if its range ends
  /// with 1.
  std::vector<std::string_view> words{};

  bool is_flag() const { return words.empty() && range.low == 0 && range.high == 1; }
};

const std::vector<Declarable>& declarables();
/// The one of which the parameter is `parameter`, which must be among them.
const Declarable& declarable(std::string_view parameter);

/// What the TOML file at `path` declares: values by the names of parameters. Throws
/// std::invalid_argument, one sentence with file, line and column, for a file that cannot be read,
/// a key that is not known, and a value of another type or out of range.
std::map<std::string, int> read_declaration_file(const std::string& path);

}  // namespace allport
