// SPDX-License-Identifier: Apache-2.0
// What a text says of a figure, and how it fared against what was measured here.
#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace allport {

enum class Outcome {
  holds,
  fails,       ///< measured, and not so
  not_tested,  ///< the text does not give what a test would need
};

/// `holds`, `does not hold`, `not tested`.
const char* to_string(Outcome outcome);
inline Outcome outcome_of(bool holds) { return holds ? Outcome::holds : Outcome::fails; }

struct Claim {
  std::string text;      ///< in our words
  std::string source;    ///< key of docs/papers.md and place
  std::string measured;  ///< with its numbers
  Outcome outcome = Outcome::holds;
  std::string why;  ///< what is known of a claim that does not hold; may be empty
};

using Claims = std::vector<Claim>;

/// `12 claims: 9 hold, 2 do not hold, 1 not tested`.
std::string tally(const Claims& claims);
/// A claim a paragraph, for people at a terminal.
std::string claims_text(const Claims& claims);
/// A table.
std::string claims_markdown(const Claims& claims);
nlohmann::ordered_json claims_json(const Claims& claims);
/// Those that claims_json() wrote; throws nlohmann::json::exception for anything else.
Claims claims_of_json(const nlohmann::ordered_json& list);

}  // namespace allport
