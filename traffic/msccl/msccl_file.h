// SPDX-License-Identifier: Apache-2.0
// These functions read and write programs of collectives as MSCCL XML (docs/guide/libraries.md),
// the form in which the compilers of collective algorithms hand them to the libraries of GPUs.
#pragma once

#include <iosfwd>
#include <optional>
#include <string>

#include "traffic/msccl/msccl_program.h"

namespace allport {

/// Reads a program. `name` is used in messages, and `asked` is what a program whose `coll` is
/// `custom` is to achieve, which it does not say itself. Throws std::invalid_argument with one
/// sentence naming file, GPU, thread block and step for torn XML, an unknown element, collective,
/// type or buffer, a missing attribute, a number out of range, and for too much of anything.
MscclProgram read_msccl(std::istream& in, const std::string& name,
                        const std::optional<Operation>& asked = std::nullopt);

void write_msccl(std::ostream& out, const MscclProgram& program);

}  // namespace allport
