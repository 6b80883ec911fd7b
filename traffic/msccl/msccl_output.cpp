// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <ostream>

#include "traffic/msccl/chunk_layout.h"
#include "traffic/msccl/msccl_file.h"

namespace allport {

namespace {

void write_step(std::ostream& out, std::size_t number, const MscclStep& step) {
  const bool is_nothing = step.action == MscclAction::nothing;
  const auto place = [&](const char* buffer, const char* offset, const ChunkPlace& chunk) {
    out << ' ' << buffer << "=\"" << chunk.buffer << "\" " << offset << "=\"";
    out << (is_nothing ? "-1" : std::to_string(chunk.offset)) << '"';
  };
  out << "      <step s=\"" << number << "\" type=\""
      << msccl_step_names[static_cast<std::size_t>(step.action)] << '"';
  place("srcbuf", "srcoff", step.source);
  place("dstbuf", "dstoff", step.destination);
  out << " cnt=\"" << step.count << "\" depid=\"" << step.depends_block << "\" deps=\""
      << step.depends_step << "\" hasdep=\"" << (step.signals ? 1 : 0) << '"';
  if (!step.displacement.empty()) {
    const char* separator = " displacement=\"";
    for (const int offset : step.displacement) {
      out << separator << offset;
      separator = " ";
    }
    out << '"';
  }
  out << "/>\n";
}

}  // namespace

void write_msccl(std::ostream& out, const MscclProgram& program) {
  const auto* const coll = std::find_if(
      msccl_collective_names.begin(), msccl_collective_names.end(),
      [&](const MscclCollectiveName& one) { return one.operation == program.operation; });
  const Collective goal = msccl_collective(program, NodeId{});
  const ChunkLayout layout(program, goal);
  out << "<algo name=\"" << program.name << R"(" proto="Simple" nchannels="1" nchunksperloop=")"
      << program.chunks << "\" ngpus=\"" << program.gpus.size() << "\" coll=\"" << coll->name
      << "\" inplace=\"" << (program.in_place ? 1 : 0) << '"';
  if (program.parts > 1) out << " parts=\"" << program.parts << '"';
  out << ">\n";
  for (std::size_t i = 0; i < program.gpus.size(); ++i) {
    const MscclGpu& gpu = program.gpus[i];
    out << "  <gpu id=\"" << i << "\" i_chunks=\"" << layout.input_size() << "\" o_chunks=\""
        << layout.output_size() << "\" s_chunks=\"" << gpu.scratch << "\">\n";
    for (std::size_t j = 0; j < gpu.blocks.size(); ++j) {
      const MscclThreadBlock& block = gpu.blocks[j];
      out << "    <tb id=\"" << j << "\" send=\"" << block.sends_to << "\" recv=\""
          << block.receives_from << "\" chan=\"" << block.channel << "\">\n";
      for (std::size_t k = 0; k < block.steps.size(); ++k) write_step(out, k, block.steps[k]);
      out << "    </tb>\n";
    }
    out << "  </gpu>\n";
  }
  out << "</algo>\n";
}

}  // namespace allport
