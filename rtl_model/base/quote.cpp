// SPDX-License-Identifier: Apache-2.0
#include "rtl_model/base/quote.h"

namespace allport {

namespace {

constexpr std::size_t longest_value = 100;
constexpr std::size_t longest_path = 400;

unsigned char byte(std::string_view text, std::size_t i) {
  return static_cast<unsigned char>(text[i]);
}

// The number of bytes at the beginning of `text` that form one printable letter; 0: they do not.
std::size_t printable(std::string_view text) {
  const unsigned char first = byte(text, 0);
  if (first < 0x80) return first >= 0x20 && first != 0x7F ? 1 : 0;
  const std::size_t count = first >= 0xF5 ? 0 : first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
  if (first < 0xC2 || count == 0 || text.size() < count) return 0;
  for (std::size_t i = 1; i < count; ++i) {
    if ((byte(text, i) & 0xC0) != 0x80) return 0;
  }
  // What could be shorter, surrogates and what is beyond U+10FFFF are not UTF-8 (RFC 3629, section
  // 4).
  const unsigned char second = byte(text, 1);
  const bool is_control = first == 0xC2 && second < 0xA0;
  const bool is_long = (first == 0xE0 && second < 0xA0) || (first == 0xF0 && second < 0x90);
  const bool is_no_letter = (first == 0xED && second >= 0xA0) || (first == 0xF4 && second >= 0x90);
  return is_control || is_long || is_no_letter ? 0 : count;
}

std::string escaped(unsigned char byte) {
  constexpr std::string_view digits = "0123456789abcdef";
  if (byte == '\n') return "\\n";
  if (byte == '\r') return "\\r";
  if (byte == '\t') return "\\t";
  return {'\\', 'x', digits[byte >> 4], digits[byte & 15]};
}

// The beginning of `text`, at most `most` bytes.
std::string beginning(std::string_view text, std::size_t most) {
  std::string safe;
  for (std::size_t i = 0; i < text.size() && i < most;) {
    const std::size_t count = printable(text.substr(i));
    if (i + count > most) break;
    safe += count == 0 ? escaped(byte(text, i)) : std::string(text.substr(i, count));
    i += count == 0 ? 1 : count;
  }
  return safe;
}

std::string length_of(std::string_view text) {
  return " (" + std::to_string(text.size()) + " bytes)";
}

}  // namespace

std::string shown(std::string_view text, std::size_t most) {
  const std::string safe = beginning(text, most);
  return text.size() <= most ? safe : safe + ".." + length_of(text);
}

std::string in_quotes(std::string_view value) {
  const std::string safe = beginning(value, longest_value);
  return value.size() <= longest_value ? "'" + safe + "'" : "'" + safe + "..'" + length_of(value);
}

std::string shell_word(std::string_view text) {
  constexpr std::string_view plain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=:,./%@";
  if (!text.empty() && text.find_first_not_of(plain) == std::string_view::npos) {
    return std::string(text);
  }
  std::string word = "'";
  for (const char c : text) word += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return word + "'";
}

std::string shown_path(std::string_view path) { return shown(path, longest_path); }

std::string shown_input(std::string_view path) { return path == "-" ? "stdin" : shown_path(path); }

bool is_printable(std::string_view text) {
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t count = printable(text.substr(i));
    if (count == 0) return false;
    i += count;
  }
  return true;
}

}  // namespace allport
