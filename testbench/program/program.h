// SPDX-License-Identifier: Apache-2.0
// The program `allport` except for its main: command line in, exit status out.
#pragma once

namespace allport {

/// Runs the command that the arguments ask for. Errors go to stderr, one sentence after
/// `allport: `.
int run_program(int argc, char** argv);

}  // namespace allport
