// SPDX-License-Identifier: Apache-2.0
// The words of a page that docs/glossary.md explains.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace allport {

/// A fold with those rows of the glossary whose term stands in `text`, which is HTML, as a word of
/// its own or with an s behind it, and with those that explain words of these; with `names` and
/// what each means; and with the papers whose keys are among all that. It is empty if there are
/// none.
std::string html_glossary(std::string_view text,
                          const std::vector<std::pair<std::string, std::string>>& names = {});

}  // namespace allport
