// SPDX-License-Identifier: Apache-2.0
// Files of tasks are JSON Lines (docs/programs.md): each line has one task, with the keys node,
// task (its name) and one of compute (cycles), send (true), receive (true) and collective (its
// name); a send has to and flits or bytes, a receive may have from; both may have tag, every task
// after and after_start (lists of names of tasks of its node), at (a cycle) and cpu, a send nic and
// class. A collective has flits or bytes, some a root, and it may name its algorithm and the group
// of ranks that calls it.
#pragma once

#include <iosfwd>
#include <string>

#include "traffic/tasks/trace.h"

namespace allport {

/// Reads tasks. `name` is used in messages; `flit_bytes`: payload bytes of a flit; of `scale` only
/// the factor counts, as times are cycles. A send without a
/// tag has tag 0; a receive without from or tag takes any. The graph has as many ranks as the
/// largest node that has a task needs. Throws std::invalid_argument, one sentence that names file
/// and line, for a torn line, an unknown, missing or misplaced key, a wrong type or range, a name
/// given twice or unknown, and an empty file; task_fault() finds the rest.
ApplicationTrace read_tasks(std::istream& in, const std::string& name, int flit_bytes,
                            const TraceScale& scale = {});

}  // namespace allport
