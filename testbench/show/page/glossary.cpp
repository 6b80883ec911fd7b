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

// The terms that `text` has, that `names` mean, and those that these are explained with.
std::vector<Term> used_terms(std::string_view text,
                             const std::vector<std::pair<std::string, std::string>>& names) {
  const std::vector<Term> terms = terms_of(page_glossary);
  std::vector<bool> is_used(terms.size(), false);
  std::string fresh = small(text);
  for (const auto& [name, meaning] : names) fresh += "\n" + small(meaning);
  while (!fresh.empty()) {
    std::string next;
    for (std::size_t i = 0; i < terms.size(); ++i) {
      const std::vector<std::string> of = names_in(small(terms[i].words));
      if (is_used[i] || std::none_of(of.begin(), of.end(), [&](const std::string& name) {
            return has_word(fresh, name);
          })) {
        continue;
      }
      is_used[i] = true;
      next += small(terms[i].meaning) + "\n";
    }
    fresh = next;
  }
  std::vector<Term> used;
  for (std::size_t i = 0; i < terms.size(); ++i) {
    if (is_used[i]) used.push_back(terms[i]);
  }
  return used;
}

// Of each paper its key, authors and title: `**[Hou98]** Y. Hou, ..: *Depth ..*. ICS '98, ..`.
std::vector<Term> papers_of(std::string_view page) {
  std::vector<Term> papers;
  constexpr std::string_view mark = "\n**[";
  for (std::size_t at = page.find(mark); at != std::string_view::npos; at = page.find(mark, at)) {
    const std::size_t key = at + mark.size() - 1;
    const std::size_t close = page.find("]**", key);
    if (close == std::string_view::npos) break;
    const std::size_t title = page.find('*', close + 3);
    if (title == std::string_view::npos) break;
    const std::size_t end = std::min(page.find('*', title + 1), page.size());
    std::string words(page.substr(close + 3, end - close - 3));
    std::replace(words.begin(), words.end(), '\n', ' ');
    words.erase(0, words.find_first_not_of(' '));
    papers.push_back({std::string(page.substr(key, close + 1 - key)), plain(words)});
    at = close;
  }
  return papers;
}

}  // namespace

std::string html_glossary(std::string_view text,
                          const std::vector<std::pair<std::string, std::string>>& names) {
  HtmlTable table("glossary", "Words of this page", {"term", "meaning"});
  std::string meanings;
  bool is_empty = true;
  const auto add = [&](const std::string& words, const std::string& meaning) {
    table.add({words, meaning});
    meanings += meaning + "\n";
    is_empty = false;
  };
  for (const Term& term : used_terms(text, names)) add(term.words, term.meaning);
  for (const auto& [name, meaning] : names) add(name, meaning);
  for (const Term& paper : papers_of(page_papers)) {
    const bool is_named = text.find(paper.words) != std::string_view::npos ||
                          meanings.find(paper.words) != std::string::npos;
    if (is_named) add(paper.words, paper.meaning);
  }
  if (is_empty) return "";
  return "<section id=\"words\">\n" + html_fold("What the words mean", table.take()) +
         "</section>\n";
}

}  // namespace allport
