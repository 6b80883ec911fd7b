// SPDX-License-Identifier: Apache-2.0
#include "testbench/show/page/page.h"

#include <fmt/format.h>

#include "testbench/show/page/glossary.h"
#include "testbench/show/page/html.h"
#include "testbench/show/page/page_parts.h"

namespace allport {

namespace {

// JSON that nothing in HTML can end too early.
std::string embedded(const Json& json) {
  std::string text;
  for (const char c : json.dump(-1, ' ', false, Json::error_handler_t::replace)) {
    if (c == '<') {
      text += "\\u003c";
    } else {
      text += c;
    }
  }
  return text;
}

std::string command_html(const Page& page) {
  return fmt::format("<p><code id=\"command\">{}</code></p>\n<p>{}</p>\n",
                     html_sentence(page.command), html_text(page.made_by));
}

std::string contents(const Page& page, bool has_words) {
  std::string html = "<nav aria-label=\"Sections\"><ul>\n";
  for (const PageSection& section : page.sections) {
    html +=
        fmt::format("<li><a href=\"#{}\">{}</a></li>\n", section.id, html_text(section.heading));
  }
  if (has_words) html += "<li><a href=\"#words\">What the words mean</a></li>\n";
  return html + "</ul></nav>\n";
}

}  // namespace

std::string html_page(const Page& page) {
  std::string html = fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta name=\"color-scheme\" content=\"light dark\">\n"
      "<meta name=\"generator\" content=\"{}\">\n"
      "<link rel=\"icon\" href=\"data:,\">\n<title>{}</title>\n<style>\n",
      html_text(page.made_by), html_text(page.title));
  html += page_style;
  std::string words = page.lead;
  for (const PageSection& section : page.sections) words += section.body;
  const std::string glossary = html_glossary(words, page.names);
  html += fmt::format("</style>\n</head>\n<body>\n<header>\n<h1>{}</h1>\n{}</header>\n{}<main>\n",
                      html_text(page.title), page.lead.empty() ? command_html(page) : page.lead,
                      contents(page, !glossary.empty()));
  for (const PageSection& section : page.sections) {
    html += fmt::format("<section id=\"{}\">\n<h2>{}</h2>\n{}</section>\n", section.id,
                        html_text(section.heading), section.body);
  }
  html += "</main>\n<footer>\n" + glossary + "</footer>\n";
  html += "<script type=\"application/json\" id=\"data\">";
  html += embedded(page.data);
  html += "</script>\n<script>\n";
  html += page_library;
  html += "</script>\n<script>\n\"use strict\";\n";
  html += page_scripts;
  if (page.data.value("kind", "") != "run") html += page_study_scripts;
  html += "</script>\n</body>\n</html>\n";
  return html;
}

}  // namespace allport
