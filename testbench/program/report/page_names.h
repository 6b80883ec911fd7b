// SPDX-License-Identifier: Apache-2.0
// What the names on a page mean that the glossary does not have.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace allport {

/// Of each algorithm its name and what it is, once, in their order; other names are left out.
std::vector<std::pair<std::string, std::string>> algorithms_in_words(
    const std::vector<std::string>& names);

}  // namespace allport
