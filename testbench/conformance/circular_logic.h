// SPDX-License-Identifier: Apache-2.0
// Circular logic between the blocks of a router may be simulated wrongly by Verilator, so a sheet
// of such a model is believed only if it is the same at two levels of optimization and nothing in
// it failed.
#pragma once

#include <string>
#include <vector>

#include "testbench/conformance/sheet_rows.h"

namespace allport {

/// The number of places, and the first ones.
std::string circles_in_words(const std::vector<std::string>& circles);

/// `rows`, the first of which is `model`, as they are judged beside those of a model that is not
/// optimized, `plain`.
std::vector<SheetRow> judged_beside(std::vector<SheetRow> rows, const std::vector<SheetRow>& plain,
                                    const std::vector<std::string>& circles);

}  // namespace allport
