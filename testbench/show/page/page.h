// SPDX-License-Identifier: Apache-2.0
// A Page is a self-contained HTML page: text and tables, which need nothing else, and pictures,
// which its own scripts draw from data in it. It asks the network for nothing.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "testbench/results/json.h"

namespace allport {

struct PageSection {
  std::string id;       ///< a word that names it within the page
  std::string heading;  ///< plain text
  std::string body;     ///< HTML
};

struct Page {
  std::string title;    ///< plain text
  std::string command;  ///< the command line that makes it
  std::string lead;     ///< HTML of the first screen; empty: the command line is there
  std::string made_by;  ///< the program and its version
  std::vector<PageSection> sections;
  /// Names that the page uses, and what they mean: they stand with the words of the glossary.
  std::vector<std::pair<std::string, std::string>> names{};
  /// What the pictures show: `kind`, and what the scripts of that kind read.
  Json data;
};

/// The text of the file.
std::string html_page(const Page& page);

}  // namespace allport
