// SPDX-License-Identifier: Apache-2.0
#include "testbench/files/gnuplot.h"

#include <fmt/format.h>

#include <stdexcept>

#include "rtl_model/base/child_pool.h"
#include "rtl_model/base/quote.h"

namespace allport {

bool has_gnuplot() { return run_and_wait("gnuplot", {"--version"}).exit == 0; }

std::string drawn_by_gnuplot(const std::string& script) {
  const ChildEnd end = run_and_wait("gnuplot", {file_argument(script)});
  if (end.exit == 0 && end.out.find("</svg>") != std::string::npos) return end.out;
  throw std::runtime_error(fmt::format("gnuplot could not draw {}: {}", shown_path(script),
                                       end.err.substr(0, end.err.find('\n'))));
}

}  // namespace allport
