// SPDX-License-Identifier: Apache-2.0
// A router's verdict, as a sheet to read and as JSON.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#include "testbench/conformance/trial.h"

namespace allport {

namespace {

using Words = std::vector<std::string>;

std::string joined(const Words& words) { return fmt::format("{}", fmt::join(words, ", ")); }

Words kinds_of(const RouterClaims& claims) {
  Words kinds;
  for (const MessageKind kind : {MessageKind::unicast, MessageKind::deposit, MessageKind::tree,
                                 MessageKind::multidestination, MessageKind::path}) {
    if (claims.has(kind)) kinds.emplace_back(to_string(kind));
  }
  return kinds;
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

constexpr std::array topology_kinds{TopologyKind::hypercube, TopologyKind::torus,
                                    TopologyKind::mesh};

const char* family(TopologyKind kind) {
  return kind == TopologyKind::hypercube ? "hypercube"
         : kind == TopologyKind::mesh    ? "mesh"
                                         : "torus and ring";
}

Words topologies_of(const RouterClaims& claims) {
  Words topologies;
  for (const TopologyKind kind : topology_kinds) {
    if (claims.has(kind)) topologies.emplace_back(family(kind));
  }
  return topologies;
}

// The topologies of which `is_so` holds.
Words named(const RouterTrial& trial, bool (TopologyTrial::*is_so)() const) {
  Words names;
  for (const TopologyTrial& topology : trial.topologies) {
    if ((topology.*is_so)()) names.push_back(topology.topology);
  }
  return names;
}

/// Of what a router declares, what its trial tried: on some topology a row came to a verdict.
class Coverage {
 public:
  explicit Coverage(const RouterTrial& trial) : trial_(trial) {}

  Words tried() const { return all(true); }
  Words not_tried() const { return all(false); }
  Words modes(bool is_tried) const {
    Words words;
    for (const Switching mode : switching_modes) {
      if (!trial_.claims.has(mode)) continue;
      const bool is_run = mode == trial_.switching && has_verdict("wormhole");
      if (is_run == is_tried) words.emplace_back(to_string(mode));
    }
    return words;
  }
  Words routings(bool is_tried) const {
    Words words;
    const auto add = [&](const char* word, bool is_adaptive) {
      const bool is_run = is_adaptive == trial_.is_adaptive && has_verdict("wormhole");
      if (is_run == is_tried) words.emplace_back(word);
    };
    add("deterministic", false);
    if (trial_.claims.has_adaptive()) add("adaptive", true);
    return words;
  }
  Words kinds(bool is_tried) const {
    Words words;
    for (const auto& [kind, row] : {std::pair{MessageKind::unicast, "wormhole"},
                                    {MessageKind::deposit, "reception"},
                                    {MessageKind::tree, "replication"},
                                    {MessageKind::multidestination, "lists"},
                                    {MessageKind::path, "paths"}}) {
      if (!trial_.claims.has(kind)) continue;
      if (has_verdict(row) == is_tried) words.emplace_back(to_string(kind));
    }
    return words;
  }
  Words topologies(bool is_tried) const {
    Words words;
    for (const TopologyKind kind : topology_kinds) {
      if (!trial_.claims.has(kind)) continue;
      const bool is_run = std::any_of(
          trial_.topologies.begin(), trial_.topologies.end(), [&](const TopologyTrial& one) {
            return std::strcmp(family(one.kind), family(kind)) == 0 && came_to("wormhole", one);
          });
      if (is_run == is_tried) words.emplace_back(family(kind));
    }
    return words;
  }

 private:
  static bool came_to(const std::string& row, const TopologyTrial& one) {
    return one.has(row, Verdict::passed) || one.has(row, Verdict::failed);
  }
  bool has_verdict(const std::string& row) const {
    return std::any_of(trial_.topologies.begin(), trial_.topologies.end(),
                       [&](const TopologyTrial& one) { return came_to(row, one); });
  }
  // The topologies that were tried are named beside the verdict.
  Words all(bool is_tried) const {
    Words words = modes(is_tried);
    const auto append = [&](const Words& more, const char* what) {
      for (const std::string& word : more) words.push_back(word + what);
    };
    append(routings(is_tried), " routing");
    append(kinds(is_tried), "");
    if (!is_tried) append(topologies(false), "");
    return words;
  }

  const RouterTrial& trial_;
};

Json coverage_json(const Coverage& coverage, bool is_tried) {
  return {{"modes", coverage.modes(is_tried)},
          {"routings", coverage.routings(is_tried)},
          {"kinds", coverage.kinds(is_tried)},
          {"topologies", coverage.topologies(is_tried)}};
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

std::string sheet_head(const RouterTrial& trial, const Style& style) {
  return style.label("router      ") +
         fmt::format("{}: declares {} cycle{} a hop; {}; {}{}\n", trial.source.top,
                     trial.claims.hop_cycles, trial.claims.hop_cycles == 1 ? "" : "s",
                     joined(kinds_of(trial.claims)), joined(topologies_of(trial.claims)),
                     extras_in_words(trial.claims));
}

std::string topology_sheet(const TopologyTrial& topology, const Style& style) {
  std::string text = "\n" + style.label(topology.topology) + "\n";
  for (const SheetRow& row : topology.rows) {
    const bool is_lockstep = row.check == "lockstep";
    std::string verdict = to_string(row.verdict);
    if (is_lockstep && row.verdict == Verdict::failed) verdict = "differs";
    const std::string padded = fmt::format("{:<9}", verdict);
    const bool is_bad = row.verdict == Verdict::failed || row.verdict == Verdict::unknown;
    text += fmt::format("  {:<12}{}{}\n", row.check,
                        row.verdict == Verdict::passed ? style.good(padded)
                        : is_bad                       ? style.bad(padded)
                                                       : padded,
                        row.detail);
  }
  return text;
}

std::string sheet_verdict(const RouterTrial& trial, const Style& style) {
  const Coverage coverage(trial);
  std::string text = "\n" + style.label("contract    ");
  const char* separator = "";
  const auto add = [&](const std::string& verdict, const Words& topologies) {
    if (topologies.empty()) return;
    text += separator + verdict + " on " + joined(topologies);
    separator = "; ";
  };
  add(style.bad("broken"), named(trial, &TopologyTrial::is_broken));
  add(style.bad("not decided"), named(trial, &TopologyTrial::is_unknown));
  add(style.good("kept"), named(trial, &TopologyTrial::keeps_contract));
  const Words tried = coverage.tried();
  if (!tried.empty()) text += ", as far as tried: " + joined(tried);
  text += "\n";
  const Words rest = coverage.not_tried();
  if (!rest.empty()) text += style.label("not tried   ") + joined(rest) + "\n";
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
  const Coverage coverage(trial);
  json["tried"] = coverage_json(coverage, true);
  json["not_tried"] = coverage_json(coverage, false);
  json["keeps_contract"] = nullptr;  // not decided
  if (!trial.is_unknown()) json["keeps_contract"] = trial.keeps_contract();
  json["is_twin"] = trial.is_twin();
  return json;
}

}  // namespace allport
