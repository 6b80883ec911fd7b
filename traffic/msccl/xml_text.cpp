// SPDX-License-Identifier: Apache-2.0
#include "traffic/msccl/xml_text.h"

#include <algorithm>
#include <cstddef>
#include <stdexcept>

namespace allport {

namespace {

const char* expected_by(pugi::xml_parse_status status) {
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
      return "an element such as <step .. />, or the end of one";
  }
}

}  // namespace

void parse_xml(pugi::xml_document& document, const std::string& text, const std::string& place) {
  const pugi::xml_parse_result result = document.load_buffer(text.data(), text.size());
  if (result) return;
  const std::string before = text.substr(0, static_cast<std::size_t>(result.offset));
  const std::size_t line_begin = before.rfind('\n') + 1;  // 0 in the first line
  throw std::invalid_argument(place + ": torn or malformed XML in line " +
                              std::to_string(std::count(before.begin(), before.end(), '\n') + 1) +
                              ", column " + std::to_string(before.size() - line_begin + 1) +
                              ": expected " + expected_by(result.status));
}

}  // namespace allport
