// SPDX-License-Identifier: Apache-2.0
// Tasks as JSON Lines (docs/programs.md): one task in each line with the keys node, task (its name)
// and one of compute (cycles), send (true) and receive (true); a send has to and flits or bytes, a
// receive may have from; both may have tag, every task after and after_start (lists of names of
// tasks of its node), at (a cycle) and cpu, a send nic.
#pragma once

#include <iosfwd>
#include <string>

#include "traffic/tasks/task_graph.h"

namespace allport {

/// Reads tasks. `name` is used in messages; `flit_bytes`: payload bytes of a flit. A send without a
/// tag has tag 0; a receive without from or tag takes any. The graph has as many ranks as the
/// largest node that has a task needs. Throws std::invalid_argument, one sentence that names file
/// and line, for a torn line, an unknown, missing or misplaced key, a wrong type or range, a name
/// given twice or unknown, and an empty file; task_fault() finds the rest.
TaskGraph read_tasks(std::istream& in, const std::string& name, int flit_bytes);

}  // namespace allport
