// SPDX-License-Identifier: Apache-2.0
// These functions make small MSCCL programs for tests from a shorter form of their steps.
#pragma once

#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "traffic/msccl/from_msccl.h"
#include "traffic/msccl/msccl_file.h"
#include "traffic/schedule/block_flow.h"

namespace allport {

/// A thread block. Each step is `TYPE SOURCE DESTINATION COUNT`, then `@BLOCK.STEP` if it depends
/// on one and `!` if it signals: `rrc i0 i0 2 @1.0 !`.
struct Block {
  int send;
  int receive;
  std::vector<std::string> steps;
  int channel = 0;
};
using Blocks = std::vector<Block>;

inline std::string step_xml(std::size_t number, const std::string& form) {
  std::istringstream in(form);
  std::string type, source, destination, count, word;
  in >> type >> source >> destination >> count;
  std::string block = "-1";
  std::string step = "-1";
  bool signals = false;
  while (in >> word) {
    if (word == "!") signals = true;
    if (word[0] != '@') continue;
    block = word.substr(1, word.find('.') - 1);
    step = word.substr(word.find('.') + 1);
  }
  return "<step s=\"" + std::to_string(number) + "\" type=\"" + type + "\" srcbuf=\"" +
         source.substr(0, 1) + "\" srcoff=\"" + source.substr(1) + "\" dstbuf=\"" +
         destination.substr(0, 1) + "\" dstoff=\"" + destination.substr(1) + "\" cnt=\"" + count +
         "\" depid=\"" + block + "\" deps=\"" + step + "\" hasdep=\"" + (signals ? "1" : "0") +
         "\"/>";
}

/// `gpus`: the thread blocks of each. `scratch`: chunks of scratch of each GPU.
inline std::string program_xml(const std::string& coll, int chunks, bool in_place,
                               const std::vector<Blocks>& gpus, int scratch = 0) {
  std::string text =
      "<!-- made for a test -->\n<algo name=\"test\" proto=\"Simple\" nchannels=\"1\" nchunksperloop=\"" +
      std::to_string(chunks) + "\" ngpus=\"" + std::to_string(gpus.size()) + "\" coll=\"" + coll +
      "\" inplace=\"" + (in_place ? "1" : "0") + "\">\n";
  for (std::size_t i = 0; i < gpus.size(); ++i) {
    text += "<gpu id=\"" + std::to_string(i) + "\" i_chunks=\"0\" o_chunks=\"0\" s_chunks=\"" +
            std::to_string(scratch) + "\">\n";
    for (std::size_t j = 0; j < gpus[i].size(); ++j) {
      const Block& block = gpus[i][j];
      text += "<tb id=\"" + std::to_string(j) + "\" send=\"" + std::to_string(block.send) +
              "\" recv=\"" + std::to_string(block.receive) + "\" chan=\"" +
              std::to_string(block.channel) + "\">\n";
      for (std::size_t k = 0; k < block.steps.size(); ++k) text += step_xml(k, block.steps[k]);
      text += "</tb>\n";
    }
    text += "</gpu>\n";
  }
  return text + "</algo>\n";
}

inline MscclProgram program_of(const std::string& xml) {
  std::istringstream in(xml);
  return read_msccl(in, "test.xml");
}

struct Read {
  Schedule schedule{};
  Finding faults{};
};

/// What `xml` is with `root` as its root.
inline Read read_program(const std::string& xml, std::size_t root = 0) {
  const MscclProgram program = program_of(xml);
  const Collective goal = msccl_collective(program, node_id(root));
  Read read;
  read.schedule = from_msccl(program, goal, read.faults);
  return read;
}

/// The first fault of `xml`; `sound` if it has none.
inline std::string fault_of(const std::string& xml, std::size_t root = 0) {
  const Read read = read_program(xml, root);
  return read.faults.ok() ? "sound" : read.faults.first.front();
}

/// All that determines what the processors do, a line for each message.
inline std::multiset<std::string> behaviour(const Schedule& schedule, const Collective& goal) {
  Schedule whole = schedule;
  for (Unicast& one : whole.unicasts) {
    if (one.blocks.empty()) one.blocks = {0};
  }
  const BlockFlow flow(whole, goal);
  const auto name = [&](std::size_t i) {
    const Unicast& one = whole.unicasts[i];
    return std::to_string(index(one.u)) + "#" + std::to_string(one.order);
  };
  std::multiset<std::string> all;
  for (std::size_t i = 0; i < whole.unicasts.size(); ++i) {
    const Unicast& one = whole.unicasts[i];
    std::string line = name(i) + " to " + std::to_string(index(one.v)) + (one.adds ? " adds" : "");
    for (const BlockId block : one.blocks) line += " " + std::to_string(block);
    for (const int offset : one.displacement) line += " by " + std::to_string(offset);
    std::set<std::string> waits;
    for (const std::uint32_t reception : flow.waits_for(i)) waits.insert(name(reception));
    for (const std::string& wait : waits) line += " after " + wait;
    all.insert(line);
  }
  return all;
}

}  // namespace allport
