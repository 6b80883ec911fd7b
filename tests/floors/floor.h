// SPDX-License-Identifier: Apache-2.0
// A Floor is a recorded figure of the speed of a model, and says whether a measured one still
// agrees with it.
#pragma once

#include <istream>
#include <string>
#include <vector>

namespace allport::test {

struct Floor {
  double figure = 0;  ///< recorded instructions per flit-hop
  std::string model;
  int cycles = 0;
  std::string name;  ///< name of the case of `allport bench`

  /// Why `measured` does not agree: it is more than 10 % above or below. Empty if it does.
  std::string broken_by(double measured) const;
};

/// Reads lines `figure model cycles case`; lines that begin with # are skipped. Throws
/// std::runtime_error on any other line.
std::vector<Floor> read_floors(std::istream& file);

/// The text with each recorded figure replaced by the one in `figures`; comments are kept.
std::string with_figures(std::istream& file, const std::vector<double>& figures);

}  // namespace allport::test
