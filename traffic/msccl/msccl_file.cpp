// SPDX-License-Identifier: Apache-2.0
#include "traffic/msccl/msccl_file.h"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <istream>
#include <limits>
#include <optional>
#include <pugixml.hpp>
#include <stdexcept>
#include <string>
#include <utility>

#include "rtl_model/base/names.h"
#include "rtl_model/base/quote.h"
#include "rtl_model/base/range.h"
#include "rtl_model/base/text_encoding.h"
#include "rtl_model/base/words.h"
#include "rtl_model/base/xml_expectation.h"
#include "traffic/msccl/program_text.h"

namespace allport {

namespace {

// Parses `text` into `document`. Throws std::invalid_argument, one sentence that begins with
// `place` and names line, column and what was expected there, for a text that is no XML.
void parse_xml(pugi::xml_document& document, const std::string& text, const std::string& place) {
  const pugi::xml_parse_result result = document.load_buffer(text.data(), text.size());
  const std::size_t zero = result ? reference_to_zero(text) : std::string::npos;
  if (result && zero == std::string::npos) return;
  const std::string before =
      text.substr(0, result ? zero : static_cast<std::size_t>(result.offset));
  const std::size_t line_begin = before.rfind('\n') + 1;  // 0 in the first line
  throw std::invalid_argument(place + ": torn or malformed XML in line " +
                              std::to_string(std::count(before.begin(), before.end(), '\n') + 1) +
                              ", column " + std::to_string(before.size() - line_begin + 1) +
                              (result
                                   ? ": it refers to the character 0, which no XML may have"
                                   : std::string(": expected ") + xml_expectation(result.status)));
}

constexpr std::int64_t largest_int = std::numeric_limits<int>::max();

// An element of the file, and where it stands in words: `FILE: gpu 0, tb 1: `.
class Element {
 public:
  Element(pugi::xml_node node, std::string where) : node_(node), where_(std::move(where)) {}

  [[noreturn]] void reject(const std::string& why) const {
    throw std::invalid_argument(where_ + why);
  }

  std::string text(const char* key) const {
    const pugi::xml_attribute attribute = node_.attribute(key);
    if (!attribute) reject(std::string("attribute '") + key + "' is missing");
    return attribute.value();
  }
  bool has(const char* key) const { return !node_.attribute(key).empty(); }

  std::int64_t integer(const char* key, std::int64_t low, std::int64_t high) const {
    const std::string value = text(key);
    std::int64_t number = 0;
    const char* const end = value.data() + value.size();
    const auto [rest, fault] = std::from_chars(value.data(), end, number);
    if (fault == std::errc{} && rest == end && number >= low && number <= high) return number;
    reject(std::string(key) + (low == high ? " must be " : " must be an integer in ") +
           range_in_words(static_cast<std::int64_t>(low), static_cast<std::int64_t>(high)) +
           ", not " + in_quotes(shown(value, 100)));
  }
  std::size_t size(const char* key, std::int64_t low, std::int64_t high) const {
    return static_cast<std::size_t>(integer(key, low, high));
  }

  // The elements below this one, all called `name` and numbered 0, 1, .. in any order by `key`.
  std::vector<pugi::xml_node> children(const std::string& name, const char* key) const {
    const std::string_view what(name);
    std::vector<pugi::xml_node> found;
    for (const pugi::xml_node child : node_.children()) {
      if (child.type() != pugi::node_element) continue;
      if (child.name() != what) {
        reject(unknown_name("element", child.name(), std::vector<std::string_view>{what}));
      }
      found.push_back(child);
    }
    std::vector<pugi::xml_node> sorted(found.size());
    for (const pugi::xml_node child : found) {
      const Element one(child, where_ + name + ": ");
      const std::size_t place = one.size(key, 0, static_cast<std::int64_t>(found.size()) - 1);
      if (!sorted[place].empty()) {
        reject(name + " " + std::to_string(place) + " is there twice; the numbers must be " +
               range_in_words(0, static_cast<std::int64_t>(found.size()) - 1));
      }
      sorted[place] = child;
    }
    return sorted;
  }

  Element child(pugi::xml_node node, const std::string& name, std::size_t number) const {
    const std::string begin = where_.substr(0, where_.size() - 2);  // without `: `
    const bool is_in_gpu = name != "gpu";
    return {node, begin + (is_in_gpu ? ", " : ": ") + name + " " + std::to_string(number) + ": "};
  }

 private:
  pugi::xml_node node_;
  std::string where_;
};

ChunkPlace read_place(const Element& element, const char* buffer, const char* offset) {
  const std::string name = element.text(buffer);
  if (name != "i" && name != "o" && name != "s") {
    element.reject(std::string(buffer) + " must be i, o or s, not " + in_quotes(shown(name, 100)));
  }
  return {name.front(), element.size(offset, 0, largest_int)};
}

MscclAction read_action(const Element& element) {
  const std::string name = element.text("type");
  const auto* const found = std::find(msccl_step_names.begin(), msccl_step_names.end(), name);
  if (found == msccl_step_names.end()) {
    element.reject(unknown_name("type", name, {msccl_step_names.begin(), msccl_step_names.end()}));
  }
  return static_cast<MscclAction>(found - msccl_step_names.begin());
}

std::vector<int> read_displacement(const Element& element) {
  if (!element.has("displacement")) return {};
  const std::string text = element.text("displacement");
  std::vector<int> offsets;
  const char* here = text.data();
  const char* const end = here + text.size();
  while (here != end) {
    int offset = 0;
    const auto [rest, fault] = std::from_chars(here, end, offset);
    const bool is_last = rest == end;
    if (fault != std::errc{} || (!is_last && (*rest != ' ' || rest + 1 == end))) {
      element.reject("displacement must be integers with a space between each two, not " +
                     in_quotes(shown(text, 100)));
    }
    offsets.push_back(offset);
    here = is_last ? end : rest + 1;
  }
  return offsets;
}

MscclStep read_step(const Element& element) {
  MscclStep step;
  step.action = read_action(element);
  step.depends_block = static_cast<int>(element.integer("depid", -1, largest_int));
  step.depends_step = static_cast<int>(element.integer("deps", -1, largest_int));
  step.signals = element.integer("hasdep", 0, 1) == 1;
  if (step.action == MscclAction::nothing) return step;
  step.count = element.size("cnt", 1, most_cells);
  // Where the peer has a chunk does not matter to this GPU.
  if (reads_source(step.action)) step.source = read_place(element, "srcbuf", "srcoff");
  if (writes(step.action)) step.destination = read_place(element, "dstbuf", "dstoff");
  if (sends(step.action)) step.displacement = read_displacement(element);
  return step;
}

MscclThreadBlock read_block(const Element& element, std::size_t gpu, std::size_t gpus,
                            std::size_t& steps) {
  MscclThreadBlock block;
  const auto peer = [&](const char* key) {
    const auto number = static_cast<int>(element.integer(key, -1, static_cast<int>(gpus) - 1));
    if (number == static_cast<int>(gpu)) element.reject(std::string(key) + " is the gpu itself");
    return number;
  };
  block.sends_to = peer("send");
  block.receives_from = peer("recv");
  block.channel = static_cast<int>(element.integer("chan", 0, largest_int));
  const std::vector<pugi::xml_node> nodes = element.children("step", "s");
  if ((steps += nodes.size()) > most_steps) {
    element.reject("the file has more than " + std::to_string(most_steps) + " steps");
  }
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    block.steps.push_back(read_step(element.child(nodes[i], "step", i)));
  }
  return block;
}

Operation read_operation(const Element& algo, const std::optional<Operation>& asked) {
  return msccl_operation("coll", algo.text("coll"), asked,
                         [&](const std::string& why) { algo.reject(why); });
}

bool is_per_node(Operation operation, std::size_t gpus) {
  return operation != Operation::bcast && operation != Operation::barrier &&
         !Collective(operation, gpus, NodeId{}).is_cut();
}

void read_size(const Element& algo, MscclProgram& program, std::size_t gpus) {
  program.chunks = algo.size("nchunksperloop", 1, limits::flits.high);
  if (program.operation == Operation::barrier && program.chunks != 1) {
    algo.reject("nchunksperloop of a barrier must be 1, not " + std::to_string(program.chunks));
  }
  if (is_per_node(program.operation, gpus) && program.chunks % gpus != 0) {
    algo.reject("nchunksperloop must be a multiple of ngpus, " + std::to_string(gpus) +
                ", for coll " + in_quotes(algo.text("coll")) + ", not " +
                std::to_string(program.chunks));
  }
  if (algo.has("parts")) {
    program.parts = algo.size("parts", 1, static_cast<std::int64_t>(program.chunks));
    const bool is_vector =
        program.operation == Operation::reduce || program.operation == Operation::allreduce;
    if (!is_vector || program.chunks % program.parts != 0) {
      algo.reject(
          "parts is for the vector of a reduce or allreduce and must divide nchunksperloop, " +
          std::to_string(program.chunks));
    }
  }
  if (program.chunks > most_cells / gpus) {
    algo.reject("the gpus have " + std::to_string(program.chunks * gpus) +
                " chunks in total, but the limit is " + std::to_string(most_cells));
  }
}

MscclProgram read_algo(const Element& algo, const std::optional<Operation>& asked) {
  MscclProgram program;
  program.name = algo.has("name") ? algo.text("name") : "";
  program.operation = read_operation(algo, asked);
  const std::size_t gpus = algo.size("ngpus", 2, most_gpus);
  program.in_place = algo.has("inplace") && algo.integer("inplace", 0, 1) == 1;
  read_size(algo, program, gpus);
  const std::vector<pugi::xml_node> nodes = algo.children("gpu", "id");
  if (nodes.size() != gpus) {
    algo.reject("ngpus is " + std::to_string(gpus) + ", but the file has " +
                std::to_string(nodes.size()) + " elements gpu");
  }
  std::size_t steps = 0;
  std::size_t scratch = 0;
  for (std::size_t i = 0; i < gpus; ++i) {
    const Element gpu = algo.child(nodes[i], "gpu", i);
    MscclGpu one;
    one.scratch = gpu.size("s_chunks", 0, most_cells);
    if ((scratch += one.scratch) > most_cells) {
      gpu.reject("s_chunks adds up to more than " + std::to_string(most_cells) +
                 " over the gpus of the file");
    }
    const std::vector<pugi::xml_node> blocks = gpu.children("tb", "id");
    for (std::size_t j = 0; j < blocks.size(); ++j) {
      one.blocks.push_back(read_block(gpu.child(blocks[j], "tb", j), i, gpus, steps));
    }
    program.gpus.push_back(std::move(one));
  }
  return program;
}

// Returns the name of an attribute that `node` has twice, or nothing if it has none.
std::string_view doubled_attribute(pugi::xml_node node) {
  std::vector<std::string_view> names;
  for (const pugi::xml_attribute attribute : node.attributes()) {
    names.emplace_back(attribute.name());
  }
  std::sort(names.begin(), names.end());
  const auto twice = std::adjacent_find(names.begin(), names.end());
  return twice == names.end() ? std::string_view() : *twice;
}

// An attribute that is there twice is no XML, but the parser takes it.
void require_single_attributes(const pugi::xml_document& document, const std::string& text,
                               const std::string& place) {
  const pugi::xml_node torn =
      document.find_node([](pugi::xml_node node) { return !doubled_attribute(node).empty(); });
  if (!torn) return;
  const auto bytes = std::min(static_cast<std::size_t>(torn.offset_debug()), text.size());
  const auto lines = std::count(text.data(), text.data() + bytes, '\n') + 1;
  throw std::invalid_argument(place + ": torn or malformed XML in line " + std::to_string(lines) +
                              ": element " + torn.name() + " has the attribute " +
                              in_quotes(shown(std::string(doubled_attribute(torn)), 100)) +
                              " twice");
}

}  // namespace

MscclProgram read_msccl(std::istream& in, const std::string& name,
                        const std::optional<Operation>& asked) {
  const std::string place = shown_path(name);
  const std::string text = program_text(in, place);
  if (is_wide_text(text)) {
    throw std::invalid_argument(place + ": it is " + std::string(wide_text_in_words));
  }
  pugi::xml_document document;
  parse_xml(document, text, place);
  require_single_attributes(document, text, place);
  pugi::xml_node algo;
  for (const pugi::xml_node child : document.children()) {
    if (child.type() != pugi::node_element) continue;
    if (!algo.empty() || child.name() != std::string_view("algo")) {
      throw std::invalid_argument(place + ": the XML must be one element algo, as MSCCL has it; " +
                                  (algo.empty() ? "it begins with " + in_quotes(child.name())
                                                : "there are several elements"));
    }
    algo = child;
  }
  return read_algo(Element(algo, place + ": "), asked);
}

}  // namespace allport
