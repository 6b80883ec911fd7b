// SPDX-License-Identifier: Apache-2.0
// What a file in XML should have had, for a sentence: the words of the library that reads it mean
// nothing to a user. Who includes this header links pugixml.
#pragma once

#include <pugixml.hpp>

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

}  // namespace allport
