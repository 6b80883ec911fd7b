// SPDX-License-Identifier: Apache-2.0
#include "testbench/program/report/verdict_sheet.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#include "rtl_model/base/words.h"

namespace allport {

namespace {

using Words = std::vector<std::string>;

std::string joined(const Words& words) { return fmt::format("{}", fmt::join(words, ", ")); }

Words kinds_of(const RouterDeclaration& declared) {
  Words kinds;
  for (const MessageKind kind : message_kinds) {
    if (declared.has(kind)) kinds.emplace_back(to_string(kind));
  }
  return kinds;
}

std::string limits_in_words(const RouterDeclaration& declared) {
  std::string text;
  if (declared.max_ports) {
    text += fmt::format("; at most {}",
                        counted(static_cast<std::uint64_t>(*declared.max_ports), "internal port"));
  }
  if (declared.dimensions) {
    text += fmt::format("; at most {}",
                        counted(static_cast<std::uint64_t>(*declared.dimensions), "dimension"));
  }
  if (declared.max_side) text += fmt::format("; sides of at most {}", *declared.max_side);
  if (declared.is_square) text += "; square fabrics";
  if (declared.fixed_depth) {
    text += fmt::format("; buffers of {}",
                        counted(static_cast<std::uint64_t>(*declared.fixed_depth), "flit"));
  }
  if (declared.has_power_of_two_depth) text += "; buffers of a power of two of flits";
  if (declared.longest_message > 0) {
    text += fmt::format("; messages of at most {}",
                        counted(static_cast<std::uint64_t>(declared.longest_message), "flit"));
  }
  if (declared.is_made_for_nodes) text += "; parameters of its node";
  if (declared.length_in_head) text += "; the length of a message in its head";
  if (!declared.has_ties) text += "; exact ties go +";
  if (declared.custom_vc_classes) text += "; VC classes of its own";
  if (declared.reset_cycles > 0) {
    text += fmt::format("; no flit for {} after reset",
                        counted(static_cast<std::uint64_t>(declared.reset_cycles), "cycle"));
  }
  return text;
}

// Beyond what most routers have: wormhole switching and deterministic routing.
std::string extras_in_words(const RouterDeclaration& declared) {
  std::string text;
  for (const Switching mode : switching_modes) {
    if (mode != Switching::wormhole && declared.has(mode))
      text += fmt::format("; {}", to_string(mode));
  }
  if (!declared.has(Switching::wormhole)) text += "; no wormhole switching";
  if (declared.has_adaptive()) text += "; adaptive routing";
  return text + limits_in_words(declared);
}

constexpr std::array topology_kinds{TopologyKind::hypercube, TopologyKind::torus,
                                    TopologyKind::mesh};

const char* family(TopologyKind kind) {
  return kind == TopologyKind::hypercube ? "hypercube"
         : kind == TopologyKind::mesh    ? "mesh"
                                         : "torus and ring";
}

Words topologies_of(const RouterDeclaration& declared) {
  Words topologies;
  for (const TopologyKind kind : topology_kinds) {
    if (declared.has(kind)) topologies.emplace_back(family(kind));
  }
  return topologies;
}

// The topologies of which `is_so` holds.
Words named(const RouterVerdict& verdict, bool (TopologyVerdict::*is_so)() const) {
  Words names;
  for (const TopologyVerdict& topology : verdict.topologies) {
    if ((topology.*is_so)()) names.push_back(topology.topology);
  }
  return names;
}

/// Which of the declared features were tried: on some topology a row came to a verdict on them.
class Coverage {
 public:
  explicit Coverage(const RouterVerdict& verdict) : verdict_(verdict) {}

  Words tried() const { return all(true); }
  Words not_tried() const { return all(false); }
  Words modes(bool is_tried) const {
    Words words;
    for (const Switching mode : switching_modes) {
      if (!verdict_.declared.has(mode)) continue;
      const bool is_run = mode == verdict_.switching && has_verdict();
      if (is_run == is_tried) words.emplace_back(to_string(mode));
    }
    return words;
  }
  Words routings(bool is_tried) const {
    Words words;
    const auto add = [&](const char* word, bool is_adaptive) {
      const bool is_run = is_adaptive == verdict_.is_adaptive && has_verdict();
      if (is_run == is_tried) words.emplace_back(word);
    };
    add("deterministic", false);
    if (verdict_.declared.has_adaptive()) add("adaptive", true);
    return words;
  }
  Words kinds(bool is_tried) const {
    Words words;
    for (const auto& [kind, row] : {std::pair{MessageKind::unicast, "wormhole"},
                                    {MessageKind::deposit, "reception"},
                                    {MessageKind::tree, "replication"},
                                    {MessageKind::multidestination, "lists"},
                                    {MessageKind::label, "labels"},
                                    {MessageKind::path, "paths"}}) {
      if (!verdict_.declared.has(kind)) continue;
      if (has_verdict(row) == is_tried) words.emplace_back(to_string(kind));
    }
    return words;
  }
  Words topologies(bool is_tried) const {
    Words words;
    for (const TopologyKind kind : topology_kinds) {
      if (!verdict_.declared.has(kind)) continue;
      const bool is_run = std::any_of(
          verdict_.topologies.begin(), verdict_.topologies.end(), [&](const TopologyVerdict& one) {
            return std::strcmp(family(one.kind), family(kind)) == 0 && came_to_any(one);
          });
      if (is_run == is_tried) words.emplace_back(family(kind));
    }
    return words;
  }

 private:
  static bool came_to(const std::string& row, const TopologyVerdict& one) {
    return one.has(row, Verdict::passed) || one.has(row, Verdict::failed);
  }
  // A row other than that of the model, which any model passes that is built.
  static bool came_to_any(const TopologyVerdict& one) {
    return std::any_of(one.rows.begin(), one.rows.end(), [&](const SheetRow& row) {
      return row.check != "model" && came_to(row.check, one);
    });
  }
  bool has_verdict() const {
    return std::any_of(verdict_.topologies.begin(), verdict_.topologies.end(), came_to_any);
  }
  bool has_verdict(const std::string& row) const {
    return std::any_of(verdict_.topologies.begin(), verdict_.topologies.end(),
                       [&](const TopologyVerdict& one) { return came_to(row, one); });
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

  const RouterVerdict& verdict_;
};

Json coverage_json(const Coverage& coverage, bool is_tried) {
  return {{"modes", coverage.modes(is_tried)},
          {"routings", coverage.routings(is_tried)},
          {"kinds", coverage.kinds(is_tried)},
          {"topologies", coverage.topologies(is_tried)}};
}

}  // namespace

std::string sheet_head(const RouterVerdict& verdict, const Style& style) {
  return style.label("router      ") +
         fmt::format("{}: declares {} a hop; {}; {}{}\n", verdict.source.top,
                     cycles_in_words(verdict.declared), joined(kinds_of(verdict.declared)),
                     joined(topologies_of(verdict.declared)), extras_in_words(verdict.declared));
}

std::string topology_sheet(const TopologyVerdict& topology, const Style& style) {
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

std::string sheet_verdict(const RouterVerdict& verdict, const Style& style) {
  const Coverage coverage(verdict);
  std::string text = "\n" + style.label("contract    ");
  const char* separator = "";
  const auto add = [&](const std::string& verdict, const Words& topologies) {
    if (topologies.empty()) return;
    text += separator + verdict + " on " + joined(topologies);
    separator = "; ";
  };
  add(style.bad("broken"), named(verdict, &TopologyVerdict::is_broken));
  add(style.bad("not decided"), named(verdict, &TopologyVerdict::is_unknown));
  add(style.good("kept"), named(verdict, &TopologyVerdict::keeps_contract));
  const Words tried = coverage.tried();
  if (!tried.empty()) text += ", as far as tried: " + joined(tried);
  text += "\n";
  const Words rest = coverage.not_tried();
  if (!rest.empty()) text += style.label("not tried   ") + joined(rest) + "\n";
  if (!verdict.was_compared()) {
    return text + style.label("twin        ") + "not compared with the SystemC router\n";
  }
  return text + style.label("twin        ") +
         (verdict.is_twin() ? style.good("identical to the SystemC router on this traffic")
                            : style.bad("not identical to the SystemC router on this traffic")) +
         "\n";
}

Json verdict_json(const RouterVerdict& verdict) {
  Json json;
  json["router"] = {{"top", verdict.source.top},
                    {"hop_cycles", verdict.declared.hop_cycles},
                    {"max_hop_cycles", verdict.declared.most_hop_cycles},
                    {"adapter_cycles", verdict.declared.adapter_cycles},
                    {"kinds", verdict.declared.kinds},
                    {"topologies", verdict.declared.topologies},
                    {"modes", verdict.declared.modes},
                    {"routings", verdict.declared.routings},
                    {"length_in_head", verdict.declared.length_in_head},
                    {"ties", verdict.declared.has_ties},
                    {"own_vc_classes", verdict.declared.custom_vc_classes}};
  json["router"]["files"] = Json::array();
  for (const auto& file : verdict.source.files) json["router"]["files"].push_back(file.string());
  json["router"]["parameters"] = Json::object();
  for (const auto& [name, value] : verdict.source.parameters)
    json["router"]["parameters"][name] = value;
  json["trials"] = Json::array();
  for (const TopologyVerdict& topology : verdict.topologies) {
    json["trials"].push_back({{"topology", topology.topology},
                              {"checks", rows_json(topology.rows)},
                              {"lockstep", topology.lockstep}});
  }
  const Coverage coverage(verdict);
  json["tried"] = coverage_json(coverage, true);
  json["not_tried"] = coverage_json(coverage, false);
  json["keeps_contract"] = nullptr;  // not decided
  if (!verdict.is_unknown()) json["keeps_contract"] = verdict.keeps_contract();
  json["is_twin"] = nullptr;  // not compared
  if (verdict.was_compared()) json["is_twin"] = verdict.is_twin();
  return json;
}

}  // namespace allport
