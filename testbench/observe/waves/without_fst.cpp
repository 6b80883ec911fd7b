// SPDX-License-Identifier: Apache-2.0
// In place of fst_file.cpp where GTKWave's writer is not there: in a browser.
#include <stdexcept>

#include "rtl_model/base/quote.h"
#include "testbench/observe/waves/fst_file.h"

namespace allport {

std::string fst_table_file(const std::string& path) { return path + ".hier"; }

// No table is written, and so none is lost.
void require_no_table(const std::string& /*path*/) {}

std::unique_ptr<WaveFile> create_fst_file(const std::string& path) {
  throw std::invalid_argument(
      "wave file " + shown_path(path) +
      ": this build writes waves as VCD only, so the name must end in .vcd");
}

}  // namespace allport
