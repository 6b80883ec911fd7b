// SPDX-License-Identifier: Apache-2.0
// A router's verdict, as a sheet to read and as JSON.
#include <fmt/format.h>

#include "testbench/conformance/trial.h"

namespace allport {

namespace {

std::string kinds_in_words(const RouterClaims& claims) {
  std::string text = "unicast";
  if (claims.has(MessageKind::deposit)) text += ", deposit";
  if (claims.has(MessageKind::tree)) text += ", tree";
  if (claims.has(MessageKind::multidestination)) text += ", multidestination";
  if (claims.has(MessageKind::path)) text += ", path";
  return text;
}

// Beyond what every router has: wormhole switching and deterministic routing.
std::string extras_in_words(const RouterClaims& claims) {
  std::string text;
  for (const Switching mode : switching_modes) {
    if (mode != Switching::wormhole && claims.has(mode))
      text += fmt::format("; {}", to_string(mode));
  }
  return text + (claims.has_adaptive() ? "; adaptive routing" : "");
}

std::string topologies_in_words(const RouterClaims& claims) {
  std::string text;
  for (const TopologyKind kind :
       {TopologyKind::hypercube, TopologyKind::torus, TopologyKind::mesh}) {
    if (!claims.has(kind)) continue;
    text += text.empty() ? "" : ", ";
    text += kind == TopologyKind::hypercube ? "hypercube"
            : kind == TopologyKind::torus   ? "torus and ring"
                                            : "mesh";
  }
  return text;
}

}  // namespace

Json rows_json(const std::vector<SheetRow>& rows) {
  Json json = Json::array();
  for (const SheetRow& row : rows) {
    json.push_back(
        {{"check", row.check}, {"verdict", to_string(row.verdict)}, {"detail", row.detail}});
  }
  return json;
}

std::string verdict_sheet(const RouterTrial& trial, const Style& style) {
  std::string text = style.label("router      ") +
                     fmt::format("{}: declares {} cycle{} a hop; {}; {}{}\n", trial.source.top,
                                 trial.claims.hop_cycles, trial.claims.hop_cycles == 1 ? "" : "s",
                                 kinds_in_words(trial.claims), topologies_in_words(trial.claims),
                                 extras_in_words(trial.claims));
  for (const TopologyTrial& topology : trial.topologies) {
    text += "\n" + style.label(topology.topology) + "\n";
    for (const SheetRow& row : topology.rows) {
      const bool is_lockstep = row.check == "lockstep";
      std::string verdict = to_string(row.verdict);
      if (is_lockstep && row.verdict == Verdict::failed) verdict = "differs";
      const std::string padded = fmt::format("{:<9}", verdict);
      text += fmt::format("  {:<12}{}{}\n", row.check,
                          row.verdict == Verdict::passed   ? style.good(padded)
                          : row.verdict == Verdict::failed ? style.bad(padded)
                                                           : padded,
                          row.detail);
    }
  }
  text += "\n" + style.label("contract    ") +
          (trial.keeps_contract() ? style.good("kept, as declared") : style.bad("broken")) + "\n";
  return text + style.label("twin        ") +
         (trial.is_twin() ? style.good("identical to the SystemC router on this traffic")
                          : style.bad("not identical to the SystemC router on this traffic")) +
         "\n";
}

Json verdict_json(const RouterTrial& trial) {
  Json json;
  json["router"] = {{"top", trial.source.top},     {"hop_cycles", trial.claims.hop_cycles},
                    {"kinds", trial.claims.kinds}, {"topologies", trial.claims.topologies},
                    {"modes", trial.claims.modes}, {"routings", trial.claims.routings}};
  json["router"]["files"] = Json::array();
  for (const auto& file : trial.source.files) json["router"]["files"].push_back(file.string());
  json["router"]["parameters"] = Json::object();
  for (const auto& [name, value] : trial.source.parameters)
    json["router"]["parameters"][name] = value;
  json["trials"] = Json::array();
  for (const TopologyTrial& topology : trial.topologies) {
    json["trials"].push_back({{"topology", topology.topology},
                              {"checks", rows_json(topology.rows)},
                              {"lockstep", topology.lockstep}});
  }
  json["keeps_contract"] = trial.keeps_contract();
  json["is_twin"] = trial.is_twin();
  return json;
}

}  // namespace allport
