// SPDX-License-Identifier: Apache-2.0
// A file list is a command file of Verilator (its -f) that a user gives with a router of their own.
// It may say which sources there are and how they are read; how the model is made of them is the
// business of this program (docs/bring-your-own-router.md, File lists).
#pragma once

#include <filesystem>
#include <vector>

namespace allport {

/// `list` and the lists that it names by -f and -F, in the order in which Verilator reads them.
/// Throws std::invalid_argument, one sentence with list and line, for an option that has no place
/// in a file list, for a list that does not exist, and for one that names itself.
std::vector<std::filesystem::path> checked_lists(const std::filesystem::path& list);

/// The files that `list` has read: the lists as above, and the sources that they name and that are
/// there. Throws as checked_lists() does.
std::vector<std::filesystem::path> files_in_lists(const std::filesystem::path& list);

}  // namespace allport
