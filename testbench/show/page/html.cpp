// SPDX-License-Identifier: Apache-2.0
#include "testbench/show/page/html.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "testbench/results/json.h"

namespace allport {

namespace {

bool is_number(std::string_view cell) {
  return !cell.empty() && cell.find_first_of("0123456789") != std::string_view::npos &&
         cell.find_first_not_of("0123456789.+-e% ") == std::string_view::npos;
}

constexpr std::size_t most_on_a_line = 40;  // letters of a cell

// Ends a name within a sentence.
constexpr std::string_view name_ends = " ,;:()`";

// Where a name with an arrow at `arrow` ends: behind `5 -> 4`, or behind the brackets that say
// which of the channels between the two it is.
std::size_t end_of_name(std::string_view text, std::size_t arrow) {
  constexpr std::size_t most_in_brackets = 40;
  constexpr std::string_view to = " -> ";
  const std::size_t end = std::min(text.find_first_of(name_ends, arrow + to.size()), text.size());
  if (text.substr(end, 2) != " (") return end;
  const std::size_t close = text.find(')', end);
  if (close == std::string_view::npos || close - end > most_in_brackets) return end;
  const std::string_view inside = text.substr(end + 2, close - end - 2);
  const bool is_way = inside.front() == '+' || inside.front() == '-' ||
                      inside.rfind("dimension ", 0) == 0 || inside.rfind("port ", 0) == 0 ||
                      inside.rfind("VC ", 0) == 0;
  return is_way ? close + 1 : end;
}

// The next name or option from `from` on: where it begins and ends.
std::pair<std::size_t, std::size_t> next_name(std::string_view text, std::size_t from) {
  for (std::size_t at = from; at < text.size(); ++at) {
    const bool begins = at == from || name_ends.find(text[at - 1]) != std::string_view::npos;
    if (!begins || name_ends.find(text[at]) != std::string_view::npos) continue;
    if (text[at] == '`') continue;
    const std::size_t end = std::min(text.find_first_of(name_ends, at), text.size());
    constexpr std::string_view to = " -> ";
    if (text.substr(end, to.size()) == to) {
      const std::size_t last = end_of_name(text, end);
      if (last > end + to.size()) return {at, last};
    }
    if (text.substr(at, 2) == "--" && end > at + 2) return {at, end};
  }
  return {text.size(), text.size()};
}

std::string with_names(std::string_view text) {
  std::string html;
  for (std::size_t at = 0; at < text.size();) {
    const auto [begin, end] = next_name(text, at);
    html += html_text(text.substr(at, begin - at));
    if (begin < end) {
      html += "<span class=\"name\">" + html_text(text.substr(begin, end - begin)) + "</span>";
    }
    at = end;
  }
  return html;
}

// Where the backtick before an option or a command of the program stands. Others are part of a
// name.
std::size_t code_in(std::string_view text) {
  for (std::size_t at = text.find('`'); at != std::string_view::npos; at = text.find('`', at + 1)) {
    const std::string_view code = text.substr(at + 1);
    if (code.substr(0, 2) == "--" || code.substr(0, 8) == "allport ") return at;
  }
  return std::string_view::npos;
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

std::string html_sentence(std::string_view text) {
  std::string html;
  for (;;) {
    const std::size_t open = code_in(text);
    const std::size_t close = open == std::string_view::npos ? open : text.find('`', open + 1);
    if (close == std::string_view::npos) return html + with_names(text);
    html += with_names(text.substr(0, open)) + "<code>" +
            with_names(text.substr(open + 1, close - open - 1)) + "</code>";
    text.remove_prefix(close + 1);
  }
}

std::string html_words(std::string_view text) { return "<p>" + html_sentence(text) + "</p>\n"; }

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
    // What is short stands on one line by itself.
    text_ += (cell.size() > most_on_a_line ? html_sentence(cell) : html_text(cell)) + "</td>";
  }
  text_ += "</tr>\n";
}

std::string HtmlTable::take() const { return text_ + "</tbody>\n</table></div>\n"; }

std::string html_picture(std::string_view id, std::string_view words) {
  return fmt::format(
      "<figure class=\"picture\" id=\"{}\"><figcaption>{}</figcaption><noscript><p>This picture needs scripts; the tables do not.</p></noscript></figure>\n",
      html_text(id), html_sentence(words));
}

}  // namespace allport
