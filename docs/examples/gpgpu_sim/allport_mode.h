// SPDX-License-Identifier: Apache-2.0
// What a simulator calls in its icnt_wrapper_init to have an AllportIcnt as its interconnect.
#pragma once

/// Reads the options of the network from a file and sets the pointers of icnt_wrapper.h. Whatever
/// is wrong, then or in a later call, is told on stderr in a sentence and ends the program.
void allport_mode(const char* file);
