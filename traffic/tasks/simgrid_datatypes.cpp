// SPDX-License-Identifier: Apache-2.0
#include "traffic/tasks/simgrid_datatypes.h"

#include <array>
#include <charconv>

namespace allport {

namespace {

// Ten in a row; the names are those of MPI.
constexpr std::array<std::uint8_t, 60> sizes{
    // DOUBLE INT CHAR SHORT LONG FLOAT BYTE LONG_LONG SIGNED_CHAR UNSIGNED_CHAR
    8, 4, 1, 2, 8, 4, 1, 8, 1, 1,
    // UNSIGNED_SHORT UNSIGNED UNSIGNED_LONG UNSIGNED_LONG_LONG LONG_DOUBLE WCHAR C_BOOL INT8_T
    // INT16_T INT32_T
    2, 4, 8, 8, 16, 4, 1, 1, 2, 4,
    // INT64_T UINT8_T UINT16_T UINT32_T UINT64_T C_FLOAT_COMPLEX C_DOUBLE_COMPLEX
    // C_LONG_DOUBLE_COMPLEX AINT OFFSET
    8, 1, 2, 4, 8, 8, 16, 32, 8, 8,
    // FLOAT_INT LONG_INT DOUBLE_INT SHORT_INT 2INT 2FLOAT 2DOUBLE 2LONG REAL REAL4
    8, 16, 16, 8, 8, 8, 16, 16, 4, 4,
    // REAL8 REAL16 COMPLEX8 COMPLEX16 COMPLEX32 INTEGER1 INTEGER2 INTEGER4 INTEGER8 INTEGER16;
    // SimGrid gives COMPLEX32 16 bytes and INTEGER1 4.
    8, 16, 8, 16, 16, 4, 2, 4, 8, 16,
    // LONG_DOUBLE_INT CXX_BOOL CXX_FLOAT_COMPLEX CXX_DOUBLE_COMPLEX CXX_LONG_DOUBLE_COMPLEX UB LB
    // PACKED PTR COUNT
    32, 1, 8, 16, 32, 0, 0, 1, 8, 8};

}  // namespace

std::optional<std::uint64_t> simgrid_bytes(std::string_view number) {
  int id = -2;
  const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), id);
  if (error != std::errc{} || end != number.data() + number.size()) return std::nullopt;
  if (id == -1) return 0;
  if (id < 0 || static_cast<std::size_t>(id) >= sizes.size()) return std::nullopt;
  return sizes[static_cast<std::size_t>(id)];
}

}  // namespace allport
