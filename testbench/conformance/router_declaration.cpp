// SPDX-License-Identifier: Apache-2.0
#include "testbench/conformance/router_declaration.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstring>
#include <pugixml.hpp>
#include <set>
#include <stdexcept>

#include "rtl_model/base/names.h"
#include "rtl_model/base/quote.h"
#include "rtl_model/base/range.h"
#include "rtl_model/verilated/pin_layout.h"

namespace allport {

namespace {

// A SystemVerilog constant such as 32'sh2, 1'h1 or 7, as far as it fits a number.
int number_of(const std::string& name, const std::string& constant) {
  const std::size_t tick = constant.find('\'');
  std::string digits = tick == std::string::npos ? constant : constant.substr(tick + 1);
  int base = tick == std::string::npos ? 10 : 16;
  digits.erase(std::remove(digits.begin(), digits.end(), 's'), digits.end());
  if (tick != std::string::npos && !digits.empty()) {
    if (digits[0] == 'd') base = 10;
    if (digits[0] == 'b') base = 2;
    digits.erase(0, 1);
  }
  try {
    std::size_t used = 0;
    const int number = std::stoi(digits, &used, base);
    if (used == digits.size()) return number;
  } catch (const std::exception&) {
  }
  throw std::invalid_argument("parameter " + name + " = " + shown(constant, 100) +
                              ": must be a number");
}

// What the router declares as `name`; `fallback` if it does not.
int declared_value(const RouterDeclaration& declared, const char* name, int fallback,
                   const Range& range) {
  const auto found = declared.parameters.find(name);
  if (found == declared.parameters.end()) return fallback;
  const int value = number_of(name, found->second);
  if (range.has(value)) return value;
  throw std::invalid_argument("parameter " + std::string(name) + " of the router is " +
                              std::to_string(value) + ": must be " + std::to_string(range.low) +
                              ".." + std::to_string(range.high));
}

std::map<std::string, std::string> parameters_in(const std::string& xml, const std::string& top) {
  pugi::xml_document document;
  if (!document.load_string(xml.c_str())) {
    throw std::invalid_argument("Verilator's description of " + shown(top, 100) +
                                " cannot be read");
  }
  std::map<std::string, std::string> parameters;
  for (const pugi::xml_node& module :
       document.child("verilator_xml").child("netlist").children("module")) {
    const std::string name =
        module.attribute("origName").as_string(module.attribute("name").value());
    if (name != top || std::strcmp(module.attribute("topModule").as_string("1"), "1") != 0)
      continue;
    for (const pugi::xml_node& variable : module.children("var")) {
      if (!variable.attribute("param").as_bool()) continue;
      parameters[variable.attribute("origName").as_string(variable.attribute("name").value())] =
          variable.child("const").attribute("name").as_string();
    }
  }
  return parameters;
}

// Parameters that the options of the fabric and the router set.
bool is_set_by_options(std::string_view name) {
  constexpr std::array<std::string_view, 14> fixed{"Topology",
                                                   "Dimensions",
                                                   "Sides",
                                                   "Side0",
                                                   "Side1",
                                                   "Side2",
                                                   "Ascending",
                                                   "InternalPorts",
                                                   "Vcs",
                                                   "Depth",
                                                   "ReplicationDelay",
                                                   "Switching",
                                                   "MaxVia",
                                                   "Adaptive"};
  return std::find(fixed.begin(), fixed.end(), name) != fixed.end();
}

void require_parameters(const RtlSource& source, const RouterDeclaration& declared) {
  std::vector<std::string_view> names;  // the parameters that --parameter may set
  for (const auto& [name, value] : declared.parameters) {
    if (!is_set_by_options(name)) names.push_back(name);
  }
  std::set<std::string_view> given;
  for (const auto& [name, value] : source.parameters) {
    const std::string start = "--parameter " + shown(name, 100) + ": ";
    if (is_set_by_options(name)) {
      throw std::invalid_argument(start + "it is set by the options of the fabric and the router");
    }
    if (!given.insert(name).second) throw std::invalid_argument(start + "it is given twice");
    if (declared.parameters.count(name) != 0) continue;
    if (names.empty()) {
      throw std::invalid_argument(start + shown(source.top, 100) +
                                  " has no parameters other than those that options set");
    }
    throw std::invalid_argument("--parameter: " + unknown_name("parameter", name, names));
  }
}

}  // namespace

bool RouterDeclaration::has(TopologyKind kind) const {
  const unsigned bit = kind == TopologyKind::hypercube ? 0 : kind == TopologyKind::mesh ? 2 : 1;
  return (topologies >> bit & 1U) != 0;
}

RouterDeclaration read_declaration(const RtlSource& source, StopFlag stop) {
  RouterDeclaration declared;
  RtlSource plain = source;
  plain.parameters.clear();
  declared.parameters = parameters_in(describe_in_xml(plain, stop), source.top);
  require_parameters(source, declared);
  if (!source.parameters.empty()) {
    declared.parameters = parameters_in(describe_in_xml(source, stop), source.top);
  }
  declared.hop_cycles = declared_value(declared, "HopCycles", 1, {1, 64});
  declared.kinds = static_cast<unsigned>(declared_value(declared, "Kinds", 7, {1, 63}));
  declared.modes = static_cast<unsigned>(declared_value(declared, "Modes", 1, {1, 15}));
  declared.routings = static_cast<unsigned>(declared_value(declared, "Routings", 1, {1, 3}));
  declared.topologies = static_cast<unsigned>(declared_value(declared, "Topologies", 7, {1, 7}));
  if (!declared.has(MessageKind::unicast)) {
    throw std::invalid_argument("parameter Kinds of the router is " +
                                std::to_string(declared.kinds) +
                                ": every router must support unicasts, bit 0");
  }
  if (!declared.has(Switching::wormhole)) {
    throw std::invalid_argument("parameter Modes of the router is " +
                                std::to_string(declared.modes) +
                                ": every router must support wormhole, bit 0");
  }
  if ((declared.routings & 1U) == 0) {
    throw std::invalid_argument("parameter Routings of the router is " +
                                std::to_string(declared.routings) +
                                ": every router must support e-cube or dimension order, bit 0");
  }
  return declared;
}

void require_declared(const RouterDeclaration& declared, const std::string& top,
                      const RouterConfig& config, const Routing& routing) {
  if (!declared.has(config.switching)) {
    throw std::invalid_argument("--switching " + std::string(to_string(config.switching)) +
                                ": the router " + top +
                                " declares that it does not support it (parameter Modes = " +
                                std::to_string(declared.modes) + ")");
  }
  if (routing.is_adaptive() && !declared.has_adaptive()) {
    throw std::invalid_argument("--routing adaptive: the router " + top +
                                " declares that it does not support it (parameter Routings = " +
                                std::to_string(declared.routings) + ")");
  }
}

RtlSource fitted(RtlSource source, const RouterDeclaration& declared, const RouterConfig& config,
                 const Routing& routing, int data_width, int max_via) {
  const std::vector<RtlParameter> own = source.parameters;
  for (const RtlParameter& parameter : router_parameters(config, routing, data_width, max_via)) {
    const bool is_given = std::any_of(own.begin(), own.end(), [&](const RtlParameter& one) {
      return one.first == parameter.first;
    });
    if (!is_given && declared.parameters.count(parameter.first) != 0) {
      source.parameters.push_back(parameter);
    }
  }
  return source;
}

int check_pins(const ModelLibrary& library, const std::string& top, const RouterConfig& config,
               const Routing& routing, int payload_bits, int max_via) {
  PinLayout layout(config, routing, payload_bits, 0, max_via);
  const int others = layout.flit_width - layout.data_width;
  int data_width = layout.data_width;
  const auto flit = library.inputs().find("flit_i");
  if (flit != library.inputs().end() && flit->second % layout.ports == 0) {
    data_width = std::max(flit->second / layout.ports - others, layout.data_width);
  }
  const int flits = layout.ports * (others + data_width);
  const int vcs = layout.ports * layout.vc_width;
  std::string problems;
  const auto require = [&](const std::map<std::string, int>& pins, const char* direction,
                           const char* name, int width) {
    const auto found = pins.find(name);
    if (found != pins.end() && found->second == width) return;
    problems += problems.empty() ? "" : "; ";
    problems += std::string(direction) + " " + name;
    problems +=
        found == pins.end() ? " is missing" : " has " + std::to_string(found->second) + " bits";
    problems += ", the fabric needs " + std::to_string(width);
  };
  require(library.inputs(), "input", "clk_i", 1);
  require(library.inputs(), "input", "rst_ni", 1);
  require(library.inputs(), "input", "node_i", layout.address_width);
  require(library.inputs(), "input", "valid_i", layout.ports);
  require(library.inputs(), "input", "flit_i", flits);
  require(library.outputs(), "output", "credit_o", layout.ports);
  require(library.outputs(), "output", "credit_vc_o", vcs);
  require(library.outputs(), "output", "valid_o", layout.ports);
  require(library.outputs(), "output", "flit_o", flits);
  require(library.inputs(), "input", "credit_i", layout.ports);
  require(library.inputs(), "input", "credit_vc_i", vcs);
  if (config.switching == Switching::circuit) {
    require(library.inputs(), "input", "ack_i", layout.ports * config.vcs);
    require(library.outputs(), "output", "ack_o", layout.ports * config.vcs);
  }
  if (!problems.empty()) {
    throw RtlRefused("top " + top + " does not keep the pin contract: " + problems);
  }
  return data_width;
}

}  // namespace allport
