// SPDX-License-Identifier: Apache-2.0
#include "tests/support/vcd_reader.h"

#include <array>
#include <cstdio>
#include <fstream>
#include <sstream>
#include <stdexcept>

namespace allport::test {

namespace {

[[noreturn]] void fail(const std::string& what) { throw std::runtime_error("VCD: " + what); }

std::vector<std::string> words_of(const std::string& line) {
  std::istringstream stream(line);
  std::vector<std::string> words;
  for (std::string word; stream >> word;) words.push_back(word);
  return words;
}

VcdReader::Value value_of(const std::string& bits) {
  if (bits.find_first_not_of('z') == std::string::npos) return std::nullopt;
  if (bits.find_first_not_of("01") != std::string::npos) fail("value " + bits);
  std::uint64_t value = 0;
  for (const char bit : bits) value = value << 1 | static_cast<std::uint64_t>(bit - '0');
  return value;
}

}  // namespace

VcdReader VcdReader::from_text(const std::string& text) {
  VcdReader wave;
  Codes codes;
  std::istringstream stream(text);
  bool is_declaring = true;
  for (std::string line; std::getline(stream, line);) {
    if (is_declaring) {
      const std::vector<std::string> words = words_of(line);
      if (words.empty()) continue;
      is_declaring = words[0] != "$enddefinitions";
      if (words[0] == "$scope" || words[0] == "$upscope") wave.change_scope(words);
      if (words[0] == "$var") wave.declare(words, codes);
    } else if (!line.empty() && line[0] == '#') {
      wave.set_time(std::stoll(line.substr(1)));
    } else if (!line.empty() && line[0] != '$') {
      const std::size_t space = line.find(' ');
      const bool is_vector = line[0] == 'b';
      if (is_vector != (space != std::string::npos)) fail("line " + line);
      const std::string code = line.substr(is_vector ? space + 1 : 1);
      const auto variable = codes.find(code);
      if (variable == codes.end()) fail("unknown code " + code);
      wave.change(*variable->second, is_vector ? line.substr(1, space - 1) : line.substr(0, 1));
    }
  }
  return wave;
}

VcdReader VcdReader::from_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) fail("cannot open " + path);
  std::ostringstream text;
  text << file.rdbuf();
  return from_text(text.str());
}

VcdReader VcdReader::from_fst(const std::string& path) {
  FILE* pipe = popen(("fst2vcd '" + path + "' 2>&1").c_str(), "r");
  if (pipe == nullptr) fail("cannot start fst2vcd");
  std::string text;
  std::array<char, 65536> block{};
  while (const std::size_t got = fread(block.data(), 1, block.size(), pipe)) {
    text.append(block.data(), got);
  }
  if (pclose(pipe) != 0) fail("fst2vcd: " + text);
  return from_text(text);
}

bool VcdReader::can_read_fst() { return std::system("command -v fst2vcd >/dev/null") == 0; }

// $scope module NAME $end, $upscope $end
void VcdReader::change_scope(const std::vector<std::string>& words) {
  if (words[0] == "$scope") {
    scopes_.push_back(words.at(2));
  } else if (scopes_.empty()) {
    fail("$upscope without a scope");
  } else {
    scopes_.pop_back();
  }
}

// $var TYPE WIDTH CODE NAME [RANGE] $end
void VcdReader::declare(const std::vector<std::string>& words, Codes& codes) {
  std::string name;
  for (const std::string& scope : scopes_) name += scope + ".";
  name += words.at(4);
  if (variables_.count(name) != 0) fail("two variables " + name);
  Variable& variable = variables_[name];
  variable.width = std::stoi(words.at(2));
  if (!codes.emplace(words.at(3), &variable).second) fail("two codes " + words.at(3));
}

void VcdReader::set_time(Time time) {
  if (time < last_) fail("time goes back to " + std::to_string(time));
  if (first_ < 0) first_ = time;
  last_ = time;
}

void VcdReader::change(Variable& variable, const std::string& bits) {
  if (bits.size() > static_cast<std::size_t>(variable.width)) fail("too wide: " + bits);
  if (last_ < 0) fail("a value before the first time");
  const Value value = value_of(bits);
  Changes& changes = variable.changes;
  if (!changes.empty() && changes.rbegin()->first == last_) changes.erase(last_);
  if (changes.empty() || changes.rbegin()->second != value) {
    changes.emplace_hint(changes.end(), last_, value);
  }
}

const VcdReader::Variable& VcdReader::find(const std::string& name) const {
  const auto found = variables_.find(name);
  if (found == variables_.end()) fail("no variable " + name);
  return found->second;
}

std::vector<std::string> VcdReader::names() const {
  std::vector<std::string> names;
  for (const auto& [name, variable] : variables_) names.push_back(name);
  return names;
}

std::vector<std::string> VcdReader::ranged_names() const {
  std::vector<std::string> names;
  for (const auto& [name, variable] : variables_) {
    const std::string range = "[" + std::to_string(variable.width - 1) + ":0]";
    names.push_back(variable.width == 1 ? name : name + range);
  }
  return names;
}

VcdReader::Value VcdReader::at(const std::string& name, Time time) const {
  const Changes& changes = find(name).changes;
  auto next = changes.upper_bound(time);
  if (next == changes.begin()) fail(name + " has no value at " + std::to_string(time));
  return std::prev(next)->second;
}

}  // namespace allport::test
