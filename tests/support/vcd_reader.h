// SPDX-License-Identifier: Apache-2.0
// A VcdReader reads a VCD file back: the value of every variable at every time. It is stricter than
// a viewer: unknown codes, times that go back, values too wide and a missing first value are
// std::runtime_errors.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace allport::test {

class VcdReader {
 public:
  using Time = std::int64_t;
  using Value = std::optional<std::uint64_t>;  ///< none: z
  using Changes = std::map<Time, Value>;

  static VcdReader from_text(const std::string& text);
  static VcdReader from_file(const std::string& path);
  /// Reads an FST file with the program fst2vcd of the package gtkwave.
  static VcdReader from_fst(const std::string& path);
  /// Whether fst2vcd is installed.
  static bool can_read_fst();

  /// Full names without ranges, e.g. `fabric.router_0.input_2.flit`, sorted.
  std::vector<std::string> names() const;
  /// Full names with ranges, as GTKWave calls them.
  std::vector<std::string> ranged_names() const;
  int width(const std::string& name) const { return find(name).width; }
  /// Values by the time from which they hold; repeated ones are left out.
  const Changes& changes(const std::string& name) const { return find(name).changes; }
  Value at(const std::string& name, Time time) const;
  Time first() const { return first_; }
  Time last() const { return last_; }

 private:
  struct Variable {
    int width = 0;
    Changes changes;
  };

  using Codes = std::unordered_map<std::string, Variable*>;

  const Variable& find(const std::string& name) const;
  void change_scope(const std::vector<std::string>& words);
  void declare(const std::vector<std::string>& words, Codes& codes);
  void set_time(Time time);
  void change(Variable& variable, const std::string& bits);

  std::vector<std::string> scopes_;
  std::map<std::string, Variable> variables_;
  Time first_ = -1;
  Time last_ = -1;
};

}  // namespace allport::test
