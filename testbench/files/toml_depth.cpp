// SPDX-License-Identifier: Apache-2.0
#include "testbench/files/toml_depth.h"

#include <cctype>

namespace allport {

namespace {

bool is_of_bare_key(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '-';
}

// Goes through a text part by part, and counts the brackets that are open: the parts of a key, bare
// or quoted, and the dots between them make a chain, in which there may be blanks; anything else
// ends it.
class KeyScan {
 public:
  explicit KeyScan(std::string_view text) : text_(text) {}

  std::optional<TextPlace> deep_key() {
    while (at_ < text_.size()) {
      step();
      if (parts_ > max_key_parts) return place_of(begin_);
    }
    return std::nullopt;
  }

  std::optional<TextPlace> deep_value() {
    while (at_ < text_.size()) {
      const std::size_t begin = at_;
      step();
      if (depth_ > max_value_depth) return place_of(begin);
    }
    return std::nullopt;
  }

 private:
  void step() {
    const char c = text_[at_];
    if (c == '"' || c == '\'') {
      begin_part();
      skip_string(c);
    } else if (is_of_bare_key(c)) {
      begin_part();
      while (at_ < text_.size() && is_of_bare_key(text_[at_])) ++at_;
    } else if (c == '#') {
      parts_ = 0;
      at_ = text_.find('\n', at_);
    } else {
      if (c == '.') is_joined_ = true;
      if (c != '.' && c != ' ' && c != '\t') parts_ = 0;
      if (c == '[' || c == '{') ++depth_;
      if ((c == ']' || c == '}') && depth_ > 0) --depth_;
      ++at_;
    }
  }

  void begin_part() {
    if (parts_ == 0 || !is_joined_) {
      parts_ = 0;
      begin_ = at_;
    }
    ++parts_;
    is_joined_ = false;
  }

  // Skips a string: one of a single line ends with the line at the latest.
  void skip_string(char quote) {
    const std::string_view triple = quote == '"' ? R"(""")" : "'''";
    const bool has_lines = text_.substr(at_, 3) == triple;
    const std::string_view end = has_lines ? triple : triple.substr(0, 1);
    at_ += end.size();
    while (at_ < text_.size() && text_.substr(at_, end.size()) != end) {
      if (!has_lines && text_[at_] == '\n') return;
      at_ += quote == '"' && text_[at_] == '\\' ? 2 : 1;
    }
    at_ += end.size();
  }

  TextPlace place_of(std::size_t position) const {
    TextPlace place;
    for (const char c : text_.substr(0, position)) {
      const bool is_continued = (static_cast<unsigned char>(c) & 0xC0U) == 0x80U;  // UTF-8
      if (!is_continued) ++place.column;
      if (c == '\n') place = {place.line + 1, 1};
    }
    return place;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::size_t begin_ = 0;   // of the current chain
  std::size_t parts_ = 0;   // of it
  std::size_t depth_ = 0;   // of lists and tables that are open
  bool is_joined_ = false;  // whether a dot joins the chain to the next part
};

}  // namespace

std::optional<TextPlace> find_deep_key(std::string_view text) { return KeyScan(text).deep_key(); }

std::optional<TextPlace> find_deep_value(std::string_view text) {
  return KeyScan(text).deep_value();
}

}  // namespace allport
