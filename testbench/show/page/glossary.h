// SPDX-License-Identifier: Apache-2.0
// The words of a page that docs/glossary.md explains.
#pragma once

#include <string>
#include <string_view>

namespace allport {

/// A fold with those rows of the glossary whose term stands in `text`, which is HTML, as a word of
/// its own or with an s behind it; empty if none does.
std::string html_glossary(std::string_view text);

}  // namespace allport
