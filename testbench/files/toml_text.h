// SPDX-License-Identifier: Apache-2.0
// parse_toml is the only place where a TOML text is parsed, so that what is wrong with one is said
// in one sentence of ours, and the library's own words reach nobody.
#pragma once

#include <toml++/toml.h>

#include <string>

namespace allport {

/// `run.toml:3:8: `: where `source` is in the file that messages call `file`; the name is printed
/// as it is (shown_path).
std::string place_in(const std::string& file, const toml::source_region& source);

/// The table of `text`. Throws std::invalid_argument, one sentence that names file, line, column
/// and what was expected there, for a text that is no TOML, and for one that is nested too deep
/// (toml_depth.h).
toml::table parse_toml(const std::string& text, const std::string& file);

}  // namespace allport
