// SPDX-License-Identifier: Apache-2.0
// For comparison golden() reads a printed text of tests/golden, which says where its figures come
// from.
#pragma once

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>
#include <string>

namespace allport {

/// The file without its comment lines.
inline std::string golden(const std::string& name) {
  std::ifstream file(std::string(ALLPORT_GOLDEN_DIR) + "/" + name);
  EXPECT_TRUE(file) << "tests/golden/" << name << " cannot be read";
  std::ostringstream text;
  for (std::string line; std::getline(file, line);) {
    if (line.rfind('#', 0) != 0) text << line << '\n';
  }
  return text.str();
}

}  // namespace allport
