// SPDX-License-Identifier: Apache-2.0
#include "testbench/show/page/glossary.h"

#include <algorithm>
#include <cctype>
#include <string>
#include <vector>

#include "testbench/show/page/html.h"
#include "testbench/show/page/page_parts.h"

namespace allport {

namespace {

struct Term {
  std::string words;  // `sending latency (ts), receiving latency (tr)`
  std::string meaning;
};

// Behind the bracket that closes the one at `at`.
std::size_t end_of_bracket(std::string_view text, std::size_t at, char open, char close) {
  int depth = 0;
  for (; at < text.size(); ++at) {
    if (text[at] == open) ++depth;
    if (text[at] == close && --depth == 0) return at + 1;
  }
  return at;
}

// Without the marks of Markdown: of a link its words, and nothing where brackets hold a link, which
// leads to another page; the key of a paper keeps its brackets.
std::string plain(std::string_view text) {
  std::string words;
  for (std::size_t at = 0; at < text.size();) {
    const char c = text[at];
    if (c == '(') {
      const std::size_t end = end_of_bracket(text, at, '(', ')');
      if (text.substr(at, end - at).find("](") != std::string_view::npos) {
        while (!words.empty() && words.back() == ' ') words.pop_back();
        at = end;
        continue;
      }
    }
    if (c == '[') {
      const std::size_t end = end_of_bracket(text, at, '[', ']');
      if (end < text.size() && text[end] == '(') {
        words += plain(text.substr(at + 1, end - at - 2));
        at = end_of_bracket(text, end, '(', ')');
        continue;
      }
    }
    if (c != '`' && c != '*') words += c;
    ++at;
  }
  return words;
}

// The rows `| term | meaning |` of all tables.
std::vector<Term> terms_of(std::string_view page) {
  std::vector<Term> terms;
  for (std::size_t at = 0; at < page.size();) {
    const std::size_t end = std::min(page.find('\n', at), page.size());
    const std::string_view line = page.substr(at, end - at);
    at = end + 1;
    const std::size_t middle = line.find(" | ");
    if (line.substr(0, 2) != "| " || middle == std::string_view::npos || line.size() < middle + 5) {
      continue;
    }
    const Term term{plain(line.substr(2, middle - 2)),
                    plain(line.substr(middle + 3, line.size() - middle - 5))};
    if (term.words != "term") terms.push_back(term);
  }
  return terms;
}

std::string small(std::string_view text) {
  std::string letters(text);
  for (char& c : letters) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return letters;
}

// `virtual channel (VC)` has two names, and so has `injection, ejection`.
std::vector<std::string> names_in(const std::string& words) {
  std::vector<std::string> names{""};
  for (const char c : words) {
    if (c == ',' || c == '(' || c == ')') {
      names.emplace_back();
    } else if (c != ' ' || !names.back().empty()) {
      names.back() += c;
    }
  }
  for (std::string& name : names) {
    while (!name.empty() && name.back() == ' ') name.pop_back();
  }
  names.erase(std::remove(names.begin(), names.end(), ""), names.end());
  return names;
}

bool is_letter(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-'; }

bool has_word(const std::string& text, const std::string& name) {
  for (std::size_t at = text.find(name); at != std::string::npos; at = text.find(name, at + 1)) {
    std::size_t end = at + name.size();
    if (end < text.size() && text[end] == 's') ++end;
    const bool begins = at == 0 || !is_letter(text[at - 1]) || !is_letter(name.front());
    if (begins && (end == text.size() || !is_letter(text[end]))) return true;
  }
  return false;
}

}  // namespace

std::string html_glossary(std::string_view text) {
  const std::string shown = small(text);
  HtmlTable table("glossary", "Words of this page", {"term", "meaning"});
  bool is_empty = true;
  for (const Term& term : terms_of(page_glossary)) {
    const std::vector<std::string> names = names_in(small(term.words));
    if (std::none_of(names.begin(), names.end(),
                     [&](const std::string& name) { return has_word(shown, name); })) {
      continue;
    }
    table.add({term.words, term.meaning});
    is_empty = false;
  }
  if (is_empty) return "";
  return "<section id=\"words\">\n" + html_fold("What the words mean", table.take()) +
         "</section>\n";
}

}  // namespace allport
