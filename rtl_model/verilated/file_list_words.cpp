// SPDX-License-Identifier: Apache-2.0
#include "rtl_model/verilated/file_list_words.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>

namespace allport {

namespace {

bool is_space(char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; }

// The text without its comments; all line ends stay.
std::string without_comments(std::string_view text) {
  std::string rest;
  bool is_line_start = true;
  char last = ' ';
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    const std::string_view two = text.substr(at, 2);
    if ((two == "//" && is_space(last)) || (c == '#' && is_line_start)) {
      at = std::min(text.find('\n', at), text.size()) - 1;
      continue;
    }
    if (two == "/*") {
      const std::size_t end = std::min(text.find("*/", at + 2), text.size());
      const auto lines = std::count(text.begin() + static_cast<std::ptrdiff_t>(at),
                                    text.begin() + static_cast<std::ptrdiff_t>(end), '\n');
      rest.append(static_cast<std::size_t>(lines), '\n');
      at = end + 1;
      is_line_start = false;
      last = '/';
      continue;
    }
    if (c == '\n') is_line_start = true;
    if (!is_space(c)) is_line_start = false;
    last = c;
    rest += c;
  }
  return rest;
}

}  // namespace

std::vector<ListedWord> words_of_list(std::string_view text) {
  std::vector<ListedWord> words;
  ListedWord word;
  bool is_quoted = false;
  int line = 1;
  const std::string plain = without_comments(text) + "\n";
  for (std::size_t at = 0; at < plain.size(); ++at) {
    char c = plain[at];
    if (word.text.empty()) word.line = line;
    if (!is_quoted && is_space(c)) {
      if (!word.text.empty()) words.push_back(word);
      word.text.clear();
      if (c == '\n') ++line;
    } else if (c == '"') {
      is_quoted = !is_quoted;
    } else {
      if (c == '\\' && at + 1 < plain.size()) c = plain[++at];
      if (c == '\n') ++line;
      word.text += c;
    }
  }
  if (!word.text.empty()) words.push_back(word);
  return words;
}

std::string in_environment(std::string_view name) {
  std::string value;
  std::size_t at = 0;
  const auto set = [](const std::string& variable) {
    const char* found = std::getenv(variable.c_str());
    return found == nullptr ? std::string() : std::string(found);
  };
  if (name.substr(0, 2) == "~/") {
    value = set("HOME");
    at = 1;
  }
  while (at < name.size()) {
    const bool is_bracketed = at + 1 < name.size() && (name[at + 1] == '{' || name[at + 1] == '(');
    const std::size_t begin = at + (is_bracketed ? 2 : 1);
    std::size_t end = begin;
    const auto is_part = [](char c) {
      return c == '_' || std::isalnum(static_cast<unsigned char>(c)) != 0;
    };
    while (end < name.size() && is_part(name[end])) ++end;
    const std::string found =
        name[at] == '$' && end > begin ? set(std::string(name.substr(begin, end - begin))) : "";
    if (found.empty()) {
      value += name[at++];
      continue;
    }
    value += found;
    at = end + (is_bracketed ? 1 : 0);
  }
  return value;
}

}  // namespace allport
