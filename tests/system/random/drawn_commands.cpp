// SPDX-License-Identifier: Apache-2.0
// This program prints the command lines that the random tests draw, for scripts/compare-programs:
// usage: drawn_commands FIRST_SEED COUNT. A line of JSON has the words, files and standard input of
// one, every byte as the character with its number.
#include <cstdint>
#include <cstdio>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string>
#include <systemc>

#include "tests/system/random/random_command.h"

namespace {

// ISO 8859-1 in UTF-8: JSON has no bytes.
std::string in_characters(const std::string& bytes) {
  std::string text;
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x80) {
      text += c;
    } else {
      text += static_cast<char>(0xc0 | (byte >> 6));
      text += static_cast<char>(0x80 | (byte & 0x3f));
    }
  }
  return text;
}

std::string in_json(const allport::test::RandomCommand& command) {
  nlohmann::json json{{"files", nlohmann::json::object()},
                      {"input", in_characters(command.input)},
                      {"arguments", nlohmann::json::array()}};
  for (const std::string& word : command.arguments)
    json["arguments"].push_back(in_characters(word));
  for (const auto& [name, text] : command.files) json["files"][name] = in_characters(text);
  return json.dump();
}

}  // namespace

int sc_main(int argc, char* argv[]) {
  if (argc != 3) {
    std::fputs("usage: drawn_commands FIRST_SEED COUNT\n", stderr);
    return 2;
  }
  constexpr allport::test::RandomCommand (*draws[])(std::uint64_t) = {
      allport::test::random_options, allport::test::random_files, allport::test::random_lines};
  const std::uint64_t first = std::stoull(argv[1]);
  for (std::uint64_t i = 0; i < std::stoull(argv[2]); ++i) {
    const std::uint64_t seed = first + i;
    std::puts(in_json(draws[seed / 2 % std::size(draws)](seed)).c_str());
  }
  return 0;
}
