// SPDX-License-Identifier: Apache-2.0
// GTKWave's translate-filter files beside a wave: a value in hexadecimal, as wide as its variable,
// and the text and colour it is shown with.
#pragma once

#include <ostream>
#include <vector>

#include "testbench/waves/wave_contention.h"

namespace allport {

/// Kinds of flits, numbers of flits and of contending pairs: told apart by their width.
void write_flit_translation(std::ostream& out);
/// Names of `messages`, each with a colour to follow it by.
void write_message_translation(std::ostream& out, const std::vector<MessageId>& messages,
                               const MessageNames& name);

}  // namespace allport
