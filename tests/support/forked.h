// SPDX-License-Identifier: Apache-2.0
// forked() runs a simulation in a process of its own and returns its text: SystemC's kernel cannot
// be reset, and one test may need many fabrics. The caller must not have elaborated anything
// itself.
#pragma once

#include <functional>
#include <string>

namespace allport::test {

/// The text that `body` returns in a forked child; `crashed: ...` if the child did not end
/// normally.
std::string forked(const std::function<std::string()>& body);

}  // namespace allport::test
