// SPDX-License-Identifier: Apache-2.0
// These functions write the wire format of Protocol Buffers by hand.
#pragma once

#include <cstdint>
#include <string>

namespace allport {

inline std::string varint(std::uint64_t value) {
  std::string bytes;
  for (; value >= 128; value >>= 7) bytes += static_cast<char>(value % 128 + 128);
  return bytes + static_cast<char>(value);
}
inline std::string varint(int value) { return varint(static_cast<std::uint64_t>(value)); }

inline std::string delimited(const std::string& message) {
  return varint(message.size()) + message;
}
/// A field whose value is a varint, and one whose value has a length.
inline std::string wire_number(int field, std::uint64_t value) {
  return varint(field * 8) + varint(value);
}
inline std::string wire_text(int field, const std::string& value) {
  return varint(field * 8 + 2) + delimited(value);
}
/// An attribute of a Chakra node whose value is an integer in the field `type`.
inline std::string attribute(const std::string& name, int type, std::uint64_t value) {
  return wire_text(10, wire_text(1, name) + wire_number(type, value));
}

}  // namespace allport
