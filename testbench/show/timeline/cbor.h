// SPDX-License-Identifier: Apache-2.0
// This class writes CBOR (RFC 8949) item by item, with the tags and the arrays of unknown length
// that libraries which encode a whole value do not write.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace allport {

class Cbor {
 public:
  void integer(std::int64_t value);
  void number(std::uint64_t value) { head(Kind::number, value); }
  void text(std::string_view value);
  void bytes(std::string_view value);
  /// The next item has this tag.
  void tag(std::uint64_t number) { head(Kind::tag, number); }
  /// The next `size` items are in an array.
  void array(std::size_t size) { head(Kind::array, size); }
  /// The next `size` pairs of items are in a map.
  void map(std::size_t size) { head(Kind::map, size); }
  /// The next items, up to end_array(), are in an array.
  void begin_array() { encoded_ += '\x9f'; }
  void end_array() { encoded_ += '\xff'; }
  /// Items that are encoded already.
  void items(const Cbor& others) { encoded_ += others.encoded_; }

  const std::string& encoded() const { return encoded_; }
  void clear() { encoded_.clear(); }

 private:
  enum class Kind : unsigned { number, negative, bytes, text, array, map, tag };

  void head(Kind kind, std::uint64_t argument);

  std::string encoded_;
};

}  // namespace allport
