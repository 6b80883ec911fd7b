// SPDX-License-Identifier: Apache-2.0
#include "testbench/show/page/html.h"

#include <fmt/format.h>

#include "testbench/results/json.h"

namespace allport {

namespace {

bool is_number(std::string_view cell) {
  return !cell.empty() && cell.find_first_of("0123456789") != std::string_view::npos &&
         cell.find_first_not_of("0123456789.+-e% ") == std::string_view::npos;
}

}  // namespace

std::string html_text(std::string_view text) {
  std::string html;
  // A JSON string has valid UTF-8 only: what is not becomes the replacement character.
  const std::string valid =
      Json::parse(Json(std::string(text)).dump(-1, ' ', false, Json::error_handler_t::replace))
          .get<std::string>();
  for (const char c : valid) {
    switch (c) {
      case '&':
        html += "&amp;";
        break;
      case '<':
        html += "&lt;";
        break;
      case '>':
        html += "&gt;";
        break;
      case '"':
        html += "&quot;";
        break;
      default:
        html += c;
    }
  }
  return html;
}

std::string html_words(std::string_view text) { return "<p>" + html_text(text) + "</p>\n"; }

std::string html_lines(std::string_view text) {
  return "<pre tabindex=\"0\">" + html_text(text) + "</pre>\n";
}

std::string html_fold(std::string_view words, const std::string& html) {
  return "<details class=\"fold\"><summary>" + html_text(words) + "</summary>\n" + html +
         "</details>\n";
}

HtmlTable::HtmlTable(const std::string& id, const std::string& caption,
                     const std::vector<std::string>& heads)
    : text_(fmt::format(
          "<div class=\"table\" tabindex=\"0\"><table id=\"{}\">\n<caption>{}</caption>\n"
          "<thead><tr>",
          html_text(id), html_text(caption))) {
  for (const std::string& head : heads) {
    text_ += "<th scope=\"col\">" + html_text(head) + "</th>";
  }
  text_ += "</tr></thead>\n<tbody>\n";
}

void HtmlTable::add(const std::vector<std::string>& cells, const RowSubject& subject) {
  text_ += "<tr";
  for (const auto& [key, value] : subject) {
    text_ += fmt::format(" data-{}=\"{}\"", key, html_text(value));
  }
  text_ += ">";
  for (const std::string& cell : cells) {
    text_ += is_number(cell) ? "<td class=\"n\">" : "<td>";
    text_ += html_text(cell) + "</td>";
  }
  text_ += "</tr>\n";
}

std::string HtmlTable::take() const { return text_ + "</tbody>\n</table></div>\n"; }

std::string html_picture(std::string_view id, std::string_view words) {
  return fmt::format(
      "<figure class=\"picture\" id=\"{}\"><figcaption>{}</figcaption><noscript><p>This picture needs scripts; the tables do not.</p></noscript></figure>\n",
      html_text(id), html_text(words));
}

}  // namespace allport
