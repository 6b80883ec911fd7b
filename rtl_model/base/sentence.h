// SPDX-License-Identifier: Apache-2.0
// What an exception says to the user. Ours are std::invalid_argument, std::runtime_error and
// std::logic_error with a sentence of ours; all others are a library's, whose words mean nothing to
// a user, and reach nobody.
#pragma once

#include <exception>
#include <string>

namespace allport {

/// The sentence of `error` if it is one of ours; otherwise a sentence about it.
std::string sentence_of(const std::exception& error);

}  // namespace allport
