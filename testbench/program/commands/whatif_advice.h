// SPDX-License-Identifier: Apache-2.0
// The page of a run says what may help it: the changes that `allport whatif` would try, by the
// cycles that are at stake.
#pragma once

#include "testbench/program/commands/carry_out.h"
#include "testbench/program/options/command.h"

namespace allport {

/// Who advises the run, or the replay, that is given. `scenario`: what its scenario has. `options`:
/// all that it has, read; null: of a replay. Both must outlive what is returned.
Adviser adviser_of(const Invocation& given, const Settings& scenario, const Options* options);

}  // namespace allport
