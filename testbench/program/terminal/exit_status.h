// SPDX-License-Identifier: Apache-2.0
// Scripts rely on what the program's exit status means (docs/guide/errors.md).
#pragma once

namespace allport {

enum ExitStatus : int {
  exit_clean = 0,
  exit_finding = 1,     ///< a check refuted, --strict and a contention event
  exit_wrong_use = 2,   ///< wrong use or configuration: one sentence on stderr
  exit_incomplete = 3,  ///< deadlock, broken invariant, interrupted; everything was reported
};

}  // namespace allport
