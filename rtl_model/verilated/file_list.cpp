// SPDX-License-Identifier: Apache-2.0
#include "rtl_model/verilated/file_list.h"

#include <algorithm>
#include <array>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>

#include "rtl_model/base/quote.h"
#include "rtl_model/verilated/file_list_words.h"
#include "rtl_model/verilated/toolchain.h"

namespace allport {

namespace {

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
      if (text.size() < 2 || text[0] != '-') continue;  // a file, or +incdir+ and the like
      // Verilator takes --x for -x.
      const std::string option = text[1] == '-' ? text.substr(1) : text;
      const std::string at = place_in(list, words[i].line);
      if (option == "-f" || option == "-F") {
        if (++i == words.size()) throw std::invalid_argument(at + text + " names no file");
        follow(fs::path(in_environment(words[i].text)), folder, option == "-F", at);
      } else if (is_one_of(with_value, option)) {
        ++i;
      } else if (!is_about_sources(option)) {
        throw std::invalid_argument(at + in_quotes(text) +
                                    " has no place in a file list: " + advice_for(option));
      }
    }
    open_.pop_back();
  }

  const std::vector<fs::path>& lists() const { return lists_; }

 private:
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

  std::vector<fs::path> open_;   // the lists that are being read
  std::vector<fs::path> lists_;  // all lists, in order
};

}  // namespace

std::vector<fs::path> checked_lists(const fs::path& list) {
  Reader reader;
  reader.read(list, {});
  return reader.lists();
}

}  // namespace allport
