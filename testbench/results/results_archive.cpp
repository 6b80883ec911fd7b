// SPDX-License-Identifier: Apache-2.0
// Numbers are written as they lie in memory, an optional value after whether it is there, a
// sequence after its length, and a structure field by field.
#include "testbench/results/results_archive.h"

#include <array>
#include <cstdint>
#include <cstring>
#include <optional>
#include <stdexcept>
#include <type_traits>
#include <vector>

#include "testbench/results/fields.h"

namespace allport {

namespace {

template <class T>
constexpr bool is_number = std::is_arithmetic_v<T> || std::is_enum_v<T>;
template <class T>
constexpr bool is_optional = false;
template <class T>
constexpr bool is_optional<std::optional<T>> = true;
template <class T>
constexpr bool is_sequence = std::is_same_v<T, std::string>;
template <class T>
constexpr bool is_sequence<std::vector<T>> = true;
template <class T>
constexpr bool is_array = false;
template <class T, std::size_t size>
constexpr bool is_array<std::array<T, size>> = true;

class Writer {
 public:
  template <class T>
  void write(const T& value) {
    if constexpr (is_number<T>) {
      text_.append(reinterpret_cast<const char*>(&value), sizeof value);
    } else if constexpr (is_optional<T>) {
      write(value.has_value());
      if (value) write(*value);
    } else if constexpr (is_sequence<T>) {
      write(value.size());
      for (const auto& one : value) write(one);
    } else if constexpr (is_array<T>) {
      for (const auto& one : value) write(one);
    } else {
      std::apply([this](const auto&... fields) { (this->write(fields), ...); }, fields_of(value));
    }
  }

  std::string take() { return std::move(text_); }

 private:
  std::string text_;
};

class Reader {
 public:
  explicit Reader(const std::string& bytes) : at_(bytes.data()), end_(at_ + bytes.size()) {}

  template <class T>
  void read(T& value) {
    if constexpr (std::is_same_v<T, bool>) {
      std::uint8_t byte = 0;
      read(byte);
      if (byte > 1) throw std::runtime_error("the results of a simulation are damaged");
      value = byte == 1;
    } else if constexpr (is_number<T>) {
      if (static_cast<std::size_t>(end_ - at_) < sizeof value) {
        throw std::runtime_error("the results of a simulation ended too early");
      }
      std::memcpy(&value, at_, sizeof value);
      at_ += sizeof value;
    } else if constexpr (is_optional<T>) {
      bool is_there = false;
      read(is_there);
      value.reset();
      if (is_there) read(value.emplace());
    } else if constexpr (is_sequence<T>) {
      read_sequence(value);
    } else if constexpr (is_array<T>) {
      for (auto& one : value) read(one);
    } else {
      std::apply([this](auto&... fields) { (this->read(fields), ...); }, fields_of(value));
    }
  }

  void require_end() const {
    if (at_ != end_) throw std::runtime_error("the results of a simulation go on after their end");
  }

 private:
  // Each element is read before there is room for the next one, so a length that is not true ends
  // with the bytes, whatever it is.
  template <class T>
  void read_sequence(T& sequence) {
    std::size_t size = 0;
    read(size);
    sequence.clear();
    for (; size > 0; --size) {
      sequence.push_back({});
      read(sequence.back());
    }
  }

  const char* at_;
  const char* end_;
};

}  // namespace

std::string to_bytes(const Results& results) {
  Writer writer;
  writer.write(results);
  return writer.take();
}

Results results_of(const std::string& bytes) {
  Reader reader(bytes);
  Results results;
  reader.read(results);
  reader.require_end();
  return results;
}

}  // namespace allport
