// SPDX-License-Identifier: Apache-2.0
// run_programs() runs programs of one's own on the nodes of a fabric (docs/programs.md).
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>

#include "testbench/plan/run_request.h"
#include "testbench/results/progress.h"
#include "testbench/results/results.h"
#include "tlm/processor/program.h"
#include "traffic/tasks/host_model.h"

namespace allport {

/// The program of a rank, 0 .. ranks - 1.
using MakeProgram = std::function<std::unique_ptr<Program>(std::uint32_t rank)>;

/// Runs a program on each node of the fabric of `request`, or of its group, placed as it says, in
/// this process, once: a second call throws std::runtime_error, one sentence. The models are
/// systemc and worm. A program that throws, collectives that the programs do not call alike, and a
/// message that nobody receives are findings (broken_invariant of the results, of several the
/// gravest), and so are programs that wait for ever (tasks->waits); the others go on. Throws
/// std::invalid_argument, one sentence, for what does not fit together in the request, and for a
/// stack outside least_stack .. most_stack, a program that is null, and a time of the host that is
/// not in 0 .. limits::node_cycles.high.
Results run_programs(const RunRequest& request, const MakeProgram& make,
                     const Progress& progress = {}, const std::atomic<bool>* stop = nullptr);

/// The host of a machine: its channel, and what it runs.
struct Host {
  HostModel model;
  std::unique_ptr<Program> program;
};

/// The same beside a host, whose rank is Processor::host.
Results run_programs(const RunRequest& request, const MakeProgram& make, const Host& host,
                     const Progress& progress = {}, const std::atomic<bool>* stop = nullptr);

}  // namespace allport
