// SPDX-License-Identifier: Apache-2.0
// What `allport diff` found, as words, as JSON and as a page.
#pragma once

#include <string>

#include "testbench/studies/diff/result_diff.h"

namespace allport {

/// Two results that were compared.
struct DiffedFiles {
  std::string name_a;
  std::string name_b;
  ResultDiff diff;
};

std::string diff_report(const DiffedFiles& files);
Json diff_json(const DiffedFiles& files);
/// `command`: the command line.
std::string diff_page(const DiffedFiles& files, const std::string& command);

}  // namespace allport
