// SPDX-License-Identifier: Apache-2.0
// What a file in XML should have had, for a sentence: the words of the library that reads it mean
// nothing to a user. Who includes this header links pugixml.
#pragma once

#include <cstddef>
#include <pugixml.hpp>
#include <string_view>

namespace allport {

/// What was expected where parsing ended with `status`.
inline const char* xml_expectation(pugi::xml_parse_status status) {
  switch (status) {
    case pugi::status_bad_pi:
      return "?> after what <? begins";
    case pugi::status_bad_comment:
      return "--> after what <!-- begins";
    case pugi::status_bad_cdata:
      return "]]> after what <![CDATA[ begins";
    case pugi::status_bad_doctype:
      return "> after the declaration of the document's type";
    case pugi::status_bad_pcdata:
      return "text inside an element";
    case pugi::status_bad_attribute:
      return "an attribute such as name=\"value\"";
    case pugi::status_bad_end_element:
    case pugi::status_end_element_mismatch:
      return "the end of the element that was begun last";
    case pugi::status_no_document_element:
      return "an element";
    default:
      return "an element, or the end of one";
  }
}

/// Where `text` refers to the character 0, as `&#0;` or `&#x0;`, which no document may have and
/// where the library that reads it takes a value to end; npos: nowhere. Comments and CDATA have no
/// references.
inline std::size_t reference_to_zero(std::string_view text) {
  constexpr auto npos = std::string_view::npos;
  for (std::size_t at = text.find_first_of("<&"); at != npos; at = text.find_first_of("<&", at)) {
    const std::string_view rest = text.substr(at);
    if (rest.substr(0, 4) == "<!--") {
      at = text.find("-->", at);
    } else if (rest.substr(0, 9) == "<![CDATA[") {
      at = text.find("]]>", at);
    } else if (rest.substr(0, 2) == "&#") {
      const std::size_t begin = rest.substr(2, 1) == "x" ? 3 : 2;
      const std::size_t end = rest.find_first_not_of('0', begin);
      if (end != npos && end > begin && rest[end] == ';') return at;
      at += 2;
    } else {
      ++at;
    }
    if (at == npos) break;
  }
  return npos;
}

}  // namespace allport
