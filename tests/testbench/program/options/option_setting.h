// SPDX-License-Identifier: Apache-2.0
// These functions set options in the form in which tests write them.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "testbench/program/options/settings.h"

namespace allport::test {

/// Settings `{"flits", "3"}, ..` as if from the command line.
inline Settings settings(const std::vector<std::pair<std::string, std::string>>& values) {
  Settings list;
  for (const auto& [key, text] : values) {
    list.push_back({&option_named(key), text, ""});
  }
  return list;
}

inline Options options(const std::vector<std::pair<std::string, std::string>>& values) {
  return merge({}, settings(values));
}

/// The sentence with which `body` complains; empty if it does not.
inline std::string complaint(const std::function<void()>& body) {
  try {
    body();
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return {};
}

}  // namespace allport::test
