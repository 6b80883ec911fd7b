// SPDX-License-Identifier: Apache-2.0
#include "traffic/msccl/program_text.h"

#include <array>
#include <cerrno>
#include <cstring>
#include <istream>
#include <stdexcept>

namespace allport {

std::string program_text(std::istream& in, const std::string& place) {
  std::string text;
  std::array<char, std::size_t{1} << 16> piece{};
  while (in.read(piece.data(), piece.size()), in.gcount() > 0) {
    text.append(piece.data(), static_cast<std::size_t>(in.gcount()));
    if (text.size() > largest_program) {
      throw std::invalid_argument(place + ": a program of more than " +
                                  std::to_string(largest_program) + " bytes is not read");
    }
  }
  if (in.bad()) {
    throw std::invalid_argument(place + ": it cannot be read to its end: " + std::strerror(errno));
  }
  return text;
}

}  // namespace allport
