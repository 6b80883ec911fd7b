// SPDX-License-Identifier: Apache-2.0
// These functions write GTKWave's translate-filter files beside a wave: a value in hexadecimal, as
// wide as its variable, and the text and colour that are shown for it.
#pragma once

#include <ostream>
#include <vector>

#include "testbench/waves/wave_contention.h"

namespace allport {

/// Writes kinds of flits, numbers of flits and of contending pairs, which differ in width.
void write_flit_translation(std::ostream& out);
/// Writes the names of `messages`, each with a colour by which it can be followed.
void write_message_translation(std::ostream& out, const std::vector<MessageId>& messages,
                               const MessageNames& name);

}  // namespace allport
