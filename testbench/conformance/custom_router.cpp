// SPDX-License-Identifier: Apache-2.0
#include "testbench/conformance/custom_router.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstring>
#include <filesystem>
#include <limits>
#include <optional>
#include <pugixml.hpp>
#include <set>
#include <stdexcept>

#include "rtl_model/base/names.h"
#include "rtl_model/base/quote.h"
#include "rtl_model/base/range.h"
#include "rtl_model/verilated/file_list.h"
#include "rtl_model/verilated/model_library.h"
#include "rtl_model/verilated/toolchain.h"
#include "testbench/conformance/declarables.h"

namespace allport {

namespace {

// A SystemVerilog constant such as 32'sh2, 1'h1 or 7; none if it is no whole number below 2^64.
std::optional<std::uint64_t> number_of(const std::string& constant) {
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
    const std::uint64_t number = std::stoull(digits, &used, base);
    if (used == digits.size()) return number;
  } catch (const std::exception&) {  // no digits, or too many of them
  }
  return std::nullopt;
}

// What the router declares as `name`, if it does, by a parameter of its top or in its file.
std::optional<int> declared_value(const RouterDeclaration& declared, const char* name,
                                  const Range& range) {
  const auto found = declared.parameters.find(name);
  if (found == declared.parameters.end()) return std::nullopt;
  const std::optional<std::uint64_t> value = number_of(found->second);
  if (value && *value <= std::numeric_limits<int>::max() && range.has(static_cast<int>(*value)))
    return static_cast<int>(*value);
  throw std::invalid_argument("parameter " + std::string(name) + " of the router is " +
                              (value ? std::to_string(*value) : shown(found->second, 100)) +
                              ": must be " + std::to_string(range.low) + ".." +
                              std::to_string(range.high));
}

std::optional<int> declared_value(const RouterDeclaration& declared, const char* name) {
  return declared_value(declared, name, declarable(name).range);
}

// What the file beside the router declares joins the parameters of its top.
void add_declaration_file(RouterDeclaration& declared, const std::string& path) {
  for (const auto& [name, value] : read_declaration_file(path)) {
    if (declared.parameters.emplace(name, std::to_string(value)).second) continue;
    throw std::invalid_argument("--declaration " + shown_path(path) + ": " +
                                std::string(declarable(name).key) +
                                " is declared by the top as well, as its parameter " + name);
  }
  declared.files.push_back(path);
}

// A hash of the contents of all files that Verilator has read, by its list of them, and of those
// that were read beside them.
std::string fingerprint_of(const std::string& xml, const RtlSource& source,
                           const std::string& declaration) {
  pugi::xml_document document;
  document.load_string(xml.c_str());
  std::string contents;
  std::error_code ignored;
  for (const pugi::xml_node& file :
       document.child("verilator_xml").child("files").children("file")) {
    const std::filesystem::path path = file.attribute("filename").value();
    if (!std::filesystem::is_regular_file(path, ignored)) continue;  // its own names in brackets
    contents += fingerprint(read_file(path)) + "\n";
  }
  for (const auto& given : source.lists) {
    for (const auto& list : checked_lists(given)) contents += fingerprint(read_file(list)) + "\n";
  }
  if (!declaration.empty()) contents += fingerprint(read_file(declaration)) + "\n";
  return fingerprint(contents);
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
  const std::vector<std::string>& by_node = node_parameter_names();
  return std::find(fixed.begin(), fixed.end(), name) != fixed.end() ||
         std::find(by_node.begin(), by_node.end(), name) != by_node.end();
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

namespace {

// What the user has set besides the files, one after another as text.
std::vector<std::string> settings_of(const RtlSource& source) {
  std::vector<std::string> settings;
  for (const auto& [name, value] : source.parameters) {
    settings.emplace_back(name).append("=").append(value);
  }
  for (const std::string& macro : source.defines) settings.push_back("`" + macro);
  return settings;
}

void read_limits(RouterDeclaration& declared) {
  const Range& hop_cycles = declarable("HopCycles").range;
  for (std::size_t i = 0; i < pipeline_delays.size(); ++i) {
    declared.delays[i] = declared_value(declared, pipeline_delays[i].parameter).value_or(0);
  }
  declared.hop_cycles =
      declared_value(declared, "HopCycles").value_or(1 + declared.pipeline_delay());
  declared.most_hop_cycles =
      declared_value(declared, "MaxHopCycles", {declared.hop_cycles, hop_cycles.high})
          .value_or(declared.hop_cycles);
  declared.adapter_cycles =
      declared_value(declared, "AdapterCycles", {0, declared.hop_cycles - 1}).value_or(0);
  declared.reset_cycles = declared_value(declared, "ResetCycles").value_or(0);
  declared.max_ports = declared_value(declared, "MaxInternalPorts");
  declared.dimensions = declared_value(declared, "MaxDimensions");
  declared.max_side = declared_value(declared, "MaxSide");
  declared.is_square = declared_value(declared, "Square") == 1;
  declared.fixed_depth = declared_value(declared, "FixedDepth");
  declared.has_power_of_two_depth = declared_value(declared, "PowerOfTwoDepth") == 1;
  declared.longest_message = declared_value(declared, "MaxFlits").value_or(0);
  declared.length_in_head = declared_value(declared, "LengthInHead") == 1;
  declared.has_ties = declared_value(declared, "Ties").value_or(1) == 1;
  declared.is_made_for_nodes =
      std::any_of(node_parameter_names().begin(), node_parameter_names().end(),
                  [&](const std::string& name) { return declared.parameters.count(name) != 0; });
  declared.custom_vc_classes = declared_value(declared, "OwnVcClasses") == 1;
}

void read_masks(RouterDeclaration& declared) {
  const auto mask = [&](const char* name, int fallback) {
    return static_cast<unsigned>(declared_value(declared, name).value_or(fallback));
  };
  declared.kinds = mask("Kinds", 7);
  declared.modes = mask("Modes", 1);
  declared.routings = mask("Routings", 1);
  declared.topologies = mask("Topologies", 7);
  if (!declared.has(MessageKind::unicast)) {
    throw std::invalid_argument("parameter Kinds of the router is " +
                                std::to_string(declared.kinds) +
                                ": every router must support unicasts, bit 0");
  }
  if ((declared.routings & 1U) == 0) {
    throw std::invalid_argument("parameter Routings of the router is " +
                                std::to_string(declared.routings) +
                                ": every router must support e-cube or dimension order, bit 0");
  }
}

}  // namespace

RouterDeclaration read_declaration(const RtlSource& source, const std::string& file,
                                   StopFlag stop) {
  RouterDeclaration declared;
  declared.top = source.top;
  RtlSource plain = source;
  plain.parameters.clear();
  std::string xml = describe_in_xml(plain, stop);
  declared.parameters = parameters_in(xml, source.top);
  require_parameters(source, declared);
  if (!source.parameters.empty()) {
    xml = describe_in_xml(source, stop);
    declared.parameters = parameters_in(xml, source.top);
  }
  if (!file.empty()) add_declaration_file(declared, file);
  read_limits(declared);
  read_masks(declared);
  for (const auto& one : source.files) declared.files.push_back(one.string());
  for (const auto& list : source.lists) declared.files.push_back(list.string());
  declared.settings = settings_of(source);
  declared.fingerprint = fingerprint_of(xml, source, file);
  return declared;
}

RtlSource own_source(const RtlRequest& request) {
  RtlSource source;
  source.files = {request.files.begin(), request.files.end()};
  source.lists = {request.lists.begin(), request.lists.end()};
  source.includes = {request.includes.begin(), request.includes.end()};
  source.defines = request.defines;
  source.top = request.top_name();
  source.parameters = request.parameters;
  source.has_assertions = request.assertions;
  const auto require = [](const char* option, const auto& check) {
    try {
      check();
    } catch (const std::invalid_argument& error) {
      throw std::invalid_argument(std::string(option) + " " + error.what());
    }
  };
  require("--rtl", [&] {
    std::set<std::filesystem::path> seen;
    for (const auto& file : source.files) {
      require_file(file);
      if (seen.insert(std::filesystem::weakly_canonical(file)).second) continue;
      throw std::invalid_argument(shown_path(file.string()) + ": it is given twice");
    }
  });
  require("--file-list", [&] {
    for (const auto& list : source.lists) {
      require_file(list, "the file lists");
      checked_lists(list);
    }
  });
  require("--declaration", [&] {
    if (!request.declaration.empty()) require_file(request.declaration, "the TOML file");
  });
  for (const auto& folder : source.includes) {
    std::error_code ignored;
    if (std::filesystem::is_directory(folder, ignored)) continue;
    throw std::invalid_argument("--include " + shown_path(folder.string()) +
                                ": there is no such folder");
  }
  return source;
}

}  // namespace allport
