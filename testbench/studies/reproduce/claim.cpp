// SPDX-License-Identifier: Apache-2.0
#include "testbench/studies/reproduce/claim.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "rtl_model/base/words.h"

namespace allport {

namespace {

std::size_t count(const Claims& claims, Outcome outcome) {
  return static_cast<std::size_t>(std::count_if(
      claims.begin(), claims.end(), [&](const Claim& one) { return one.outcome == outcome; }));
}

std::string outcomes_in_words(const Claims& claims) {
  const std::size_t held = count(claims, Outcome::holds);
  const std::size_t failed = count(claims, Outcome::fails);
  const std::size_t different = count(claims, Outcome::not_reproduced);
  const std::size_t untested = count(claims, Outcome::not_tested);
  std::string text = fmt::format("{} hold{}", held, held == 1 ? "s" : "");
  if (failed > 0) text += fmt::format(", {} do{} not hold", failed, failed == 1 ? "es" : "");
  if (different > 0) text += fmt::format(", {} not reproduced", different);
  if (untested > 0) text += fmt::format(", {} not tested", untested);
  return text;
}

// The properties of allport, or what papers claim.
Claims those(const Claims& claims, bool is_own) {
  Claims some;
  std::copy_if(claims.begin(), claims.end(), std::back_inserter(some),
               [&](const Claim& one) { return one.is_own() == is_own; });
  return some;
}

}  // namespace

std::string markdown_cell(const std::string& text) {
  std::string safe;
  for (const char c : text) {
    if (c == '|') safe += '\\';
    safe += c;
  }
  return safe;
}

std::string verdict_in_markdown(Outcome outcome) {
  return outcome == Outcome::holds ? to_string(outcome) : fmt::format("**{}**", to_string(outcome));
}

std::string tally(const Claims& claims) {
  std::string text;
  for (const bool is_own : {false, true}) {
    const Claims some = those(claims, is_own);
    if (some.empty() && (is_own || !claims.empty())) continue;
    if (!text.empty()) text += "; ";
    text += is_own ? fmt::format("{} of allport", some.size() == 1
                                                      ? "1 property"
                                                      : fmt::format("{} properties", some.size()))
                   : counted(some.size(), "claim");
    text += ": " + outcomes_in_words(some);
  }
  return text;
}

std::string claims_text(const Claims& claims) {
  std::string text;
  for (const Claim& one : claims) {
    text += fmt::format("  {:<14}  {} [{}]\n{:18}measured: {}\n", to_string(one.outcome), one.text,
                        one.source.place, "", one.measured);
    if (!one.why.empty()) text += fmt::format("{:18}why: {}\n", "", one.why);
  }
  return text;
}

std::string claims_markdown(const Claims& claims) {
  std::string text;
  for (const bool is_own : {false, true}) {
    const Claims some = those(claims, is_own);
    if (some.empty()) continue;
    text += fmt::format("{}| {} | source | measured | |\n|---|---|---|---|\n",
                        text.empty() ? "" : "\n", is_own ? "property of allport" : "claim");
    for (const Claim& one : some) {
      const std::string why = one.why.empty() ? "" : ". " + one.why;
      text += fmt::format("| {} | {} | {}{} | {} |\n", markdown_cell(one.text),
                          markdown_cell(one.source.place), markdown_cell(one.measured),
                          markdown_cell(why), verdict_in_markdown(one.outcome));
    }
  }
  return text;
}

nlohmann::ordered_json claims_json(const Claims& claims) {
  auto list = nlohmann::ordered_json::array();
  for (const Claim& one : claims) {
    list.push_back({{"claim", one.text},
                    {"source", one.source.place},
                    {"words", one.source.words},
                    {"measured", one.measured},
                    {"outcome", to_string(one.outcome)},
                    {"why", one.why}});
  }
  return list;
}

Claims claims_of_json(const nlohmann::ordered_json& list) {
  Claims claims;
  for (const auto& one : list) {
    const Quotation source{one.at("source").get<std::string>(), one.at("words").get<std::string>()};
    Claim claim{one.at("claim").get<std::string>(), source, one.at("measured").get<std::string>(),
                Outcome::holds, one.at("why").get<std::string>()};
    claim.outcome = value_named<Outcome>(one.at("outcome").get<std::string>()).value();
    claims.push_back(std::move(claim));
  }
  return claims;
}

}  // namespace allport
