// SPDX-License-Identifier: Apache-2.0
// This splits a command file into words as Verilator does.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace allport {

struct ListedWord {
  std::string text;
  int line = 1;  ///< in which it begins
};

/// Words are parted by white space outside "..", with \ before a character that is meant as it
/// stands; comments are // behind white space, /* .. */, and lines that begin with #.
std::vector<ListedWord> words_of_list(std::string_view text);

/// A file name with the values of $NAME, ${NAME} and $(NAME) from the environment, and of ~ at its
/// beginning; one that is not set stays as it is.
std::string in_environment(std::string_view name);

}  // namespace allport
