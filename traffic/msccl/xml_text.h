// SPDX-License-Identifier: Apache-2.0
// The only place where a user's XML is parsed, so that what is wrong with it is said in a sentence
// of ours.
#pragma once

#include <pugixml.hpp>
#include <string>

namespace allport {

/// Parses `text` into `document`. Throws std::invalid_argument, one sentence that begins with
/// `place` and names line, column and what was expected there, for a text that is no XML.
void parse_xml(pugi::xml_document& document, const std::string& text, const std::string& place);

}  // namespace allport
