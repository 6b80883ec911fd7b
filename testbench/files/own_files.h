// SPDX-License-Identifier: Apache-2.0
// No output of a command may be one of its inputs, and no two of its outputs may be one file.
#pragma once

#include <string>
#include <vector>

namespace allport {

/// A file that a command reads or writes.
struct NamedFile {
  std::string role;  ///< name of its role in a sentence: `--json`, `the scenario`
  std::string path;  ///< name; `-` is stdin or stdout; empty: there is no file
};

/// Throws std::invalid_argument, one sentence, when an output is one of the inputs or two outputs
/// are one file, under any names and links. Devices and pipes may be named more than once.
void require_own_files(const std::vector<NamedFile>& inputs, const std::vector<NamedFile>& outputs);

}  // namespace allport
