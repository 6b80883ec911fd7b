// SPDX-License-Identifier: Apache-2.0
// This is the program `allport` except for its main: a command line goes in, an exit status comes
// out.
#pragma once

namespace allport {

/// Runs the command that the arguments ask for. Errors go to stderr, one sentence after
/// `allport: `.
int run_program(int argc, char** argv);

}  // namespace allport
