// SPDX-License-Identifier: Apache-2.0
#include "rtl_model/verilated/file_list.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "rtl_model/base/quote.h"
#include "rtl_model/verilated/toolchain.h"

namespace allport {

namespace {

struct ListedWord {
  std::string text;
  int line = 1;  // in which it begins
};

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

// Splits a command file into words as Verilator does: they are parted by white space outside "..",
// with \ before a character that is meant as it stands; comments are // behind white space,
// /* .. */, and lines that begin with #.
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

// A file name with the values of $NAME, ${NAME} and $(NAME) from the environment, and of ~ at its
// beginning; one that is not set stays as it is.
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

namespace fs = std::filesystem;

bool begins(std::string_view text, std::string_view start) {
  return text.substr(0, start.size()) == start;
}

template <std::size_t N>
bool is_one_of(const std::array<std::string_view, N>& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

// Options about the sources; each has the next word as its value.
constexpr std::array<std::string_view, 11> with_value{"-y",
                                                      "-v",
                                                      "-FI",
                                                      "-language",
                                                      "-default-language",
                                                      "-timescale",
                                                      "-timescale-override",
                                                      "-error-limit",
                                                      "-unroll-count",
                                                      "-unroll-stmts",
                                                      "-unused-regexp"};
constexpr std::array<std::string_view, 2> with_file{"-v", "-FI"};  // of those above
constexpr std::array<std::string_view, 6> without_value{
    "-sv", "-bbox-sys", "-bbox-unsup", "-relative-includes", "-structs-packed", "-no-timing"};
// Macros, folders, warnings, and steps of optimization that are left out.
constexpr std::array<std::string_view, 5> with_name{"-D", "-U", "-I", "-W", "-fno-"};

bool is_about_sources(std::string_view option) {
  const auto has_start = [&](std::string_view start) { return begins(option, start); };
  const bool hides_errors = option == "-Wno-USERERROR" || option == "-Wwarn-USERERROR";
  return !hides_errors && (is_one_of(without_value, option) ||
                           std::any_of(with_name.begin(), with_name.end(), has_start));
}

struct Advice {
  std::string_view start;  // of the options that it is for
  const char* words;
};

constexpr std::array<Advice, 8> advices{{
    {"-G", "use --parameter, and for what follows from the fabric its options"},
    {"-pvalue", "use --parameter, and for what follows from the fabric its options"},
    {"-top", "use --top"},
    {"-assert", "use --assertions of `cosim`"},
    {"-trace", "use --wave of `run`, or --difference-wave of `cosim`"},
    {"-timing", "delays are not accepted, and --no-timing leaves them out"},
    {"-CFLAGS", "name the compiler and its options in CXX"},
    {"", "leave it out, because allport itself says what is made of the sources"},
}};

// The last one is for all options.
const char* advice_for(std::string_view option) {
  const auto is_for = [&](const Advice& one) { return begins(option, one.start); };
  return std::find_if(advices.begin(), advices.end(), is_for)->words;
}

std::string place_in(const fs::path& list, std::size_t line) {
  return shown_path(list.string()) + ", line " + std::to_string(line) + ": ";
}

class Reader {
 public:
  // Names in `list` are relative to `folder`, as Verilator reads them.
  void read(const fs::path& list, const fs::path& folder) {
    open_.push_back(fs::weakly_canonical(list));
    lists_.push_back(list);
    const std::vector<ListedWord> words = words_of_list(read_file(list));
    for (std::size_t i = 0; i < words.size(); ++i) {
      const std::string& text = words[i].text;
      if (text.size() < 2 || text[0] != '-') {  // a file, or +incdir+ and the like
        note_source(words[i].text, folder);
        continue;
      }
      // Verilator takes --x for -x.
      const std::string option = text[1] == '-' ? text.substr(1) : text;
      const std::string at = place_in(list, words[i].line);
      if (option == "-f" || option == "-F") {
        if (++i == words.size()) throw std::invalid_argument(at + text + " names no file");
        follow(fs::path(in_environment(words[i].text)), folder, option == "-F", at);
      } else if (is_one_of(with_value, option)) {
        if (++i < words.size() && is_one_of(with_file, option)) note_source(words[i].text, folder);
      } else if (!is_about_sources(option)) {
        throw std::invalid_argument(at + in_quotes(text) +
                                    " has no place in a file list: " + advice_for(option));
      }
    }
    open_.pop_back();
  }

  const std::vector<fs::path>& lists() const { return lists_; }
  const std::vector<fs::path>& sources() const { return sources_; }

 private:
  void note_source(const std::string& name, const fs::path& folder) {
    fs::path source = folder / in_environment(name);
    std::error_code ignored;
    if (fs::is_regular_file(source, ignored)) sources_.push_back(std::move(source));
  }
  void follow(const fs::path& name, const fs::path& folder, bool is_relative,
              const std::string& at) {
    const fs::path list = folder / name;
    std::error_code ignored;
    if (!fs::is_regular_file(list, ignored)) {
      throw std::invalid_argument(at + shown_path(list.string()) + ": there is no such file");
    }
    if (std::find(open_.begin(), open_.end(), fs::weakly_canonical(list)) != open_.end()) {
      throw std::invalid_argument(at + shown_path(list.string()) +
                                  " is being read already, so it names itself");
    }
    read(list, is_relative ? list.parent_path() : fs::path());
  }

  std::vector<fs::path> open_;     // the lists that are being read
  std::vector<fs::path> lists_;    // all lists, in order
  std::vector<fs::path> sources_;  // what they name, as far as it is there
};

}  // namespace

std::vector<fs::path> checked_lists(const fs::path& list) {
  Reader reader;
  reader.read(list, {});
  return reader.lists();
}

std::vector<fs::path> files_in_lists(const fs::path& list) {
  Reader reader;
  reader.read(list, {});
  std::vector<fs::path> files = reader.lists();
  files.insert(files.end(), reader.sources().begin(), reader.sources().end());
  return files;
}

}  // namespace allport
