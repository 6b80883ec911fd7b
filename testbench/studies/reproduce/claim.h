// SPDX-License-Identifier: Apache-2.0
// A Claim is what a paper says about a figure; its Outcome says whether the measurements here
// agree. Beside the claims of papers stand properties of allport, which are not counted with them.
#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "rtl_model/base/name_table.h"
#include "testbench/studies/reproduce/quotation.h"

namespace allport {

enum class Outcome {
  holds,
  fails,           ///< the measurements contradict it
  not_reproduced,  ///< the paper tells of measurements of its own, and those here look different
  not_tested,      ///< the paper does not give what a test would need
};

template <>
inline constexpr std::array<Named<Outcome>, 4> name_table<Outcome>{
    {{Outcome::holds, "holds"},
     {Outcome::fails, "does not hold"},
     {Outcome::not_reproduced, "not reproduced"},
     {Outcome::not_tested, "not tested"}}};
inline Outcome outcome_of(bool holds) { return holds ? Outcome::holds : Outcome::fails; }
/// The outcome of what a paper tells of its own measurements.
inline Outcome reproduced_if(bool is_alike) {
  return is_alike ? Outcome::holds : Outcome::not_reproduced;
}

struct Claim {
  std::string text;      ///< the claim in our words
  Quotation source;      ///< what a document says, and where; or a property's place
  std::string measured;  ///< what was measured, with numbers
  Outcome outcome = Outcome::holds;
  std::string why;  ///< why a claim does not hold, if known; may be empty

  /// Whether it is a property of allport, which no paper claims.
  bool is_own() const { return source.place.rfind("allport", 0) == 0; }
};

using Claims = std::vector<Claim>;

/// `12 claims: 8 hold, 2 do not hold, 1 not reproduced, 1 not tested`, and behind it, if there are
/// any, `; 3 properties of allport: 3 hold`.
std::string tally(const Claims& claims);
/// One paragraph per claim, for people at a terminal.
std::string claims_text(const Claims& claims);
/// The text of a cell of a table in Markdown.
std::string markdown_cell(const std::string& text);
/// The verdict, and where a claim does not hold it is bold.
std::string verdict_in_markdown(Outcome outcome);
/// The claims as a table in Markdown, and the properties as another one.
std::string claims_markdown(const Claims& claims);
nlohmann::ordered_json claims_json(const Claims& claims);
/// The claims that claims_json() wrote; throws a std::exception for anything else.
Claims claims_of_json(const nlohmann::ordered_json& list);

}  // namespace allport
