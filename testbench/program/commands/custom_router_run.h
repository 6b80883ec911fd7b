// SPDX-License-Identifier: Apache-2.0
// These functions are what `run`, `compare` and `sweep` have in common when they run on a router in
// RTL of the user's own.
#pragma once

#include <functional>
#include <memory>

#include "testbench/conformance/custom_fabric.h"
#include "testbench/program/options/options.h"

namespace allport {

/// Notes which of the options that a router of one's own has an opinion on were given.
void note_choices(Options& options);

/// What the router of `options` declares. Throws std::invalid_argument, one sentence.
std::shared_ptr<const RouterDeclaration> declared_by(const Options& options, StopFlag stop);

/// Makes the run of `options` one on the router that declares `declared`. Throws
/// std::invalid_argument, one sentence, for options that need more than pins show.
void use_own_router(Options& options, std::shared_ptr<const RouterDeclaration> declared);

/// The status of `work`, done in a process of its own with a watch over its models: RTL that
/// crashes or hangs is reported by one sentence, leaves no process or file behind, and has the
/// status of a run that is not complete.
int in_own_process(const Options& options, const std::function<int(ModelWatch&)>& work);

}  // namespace allport
