// SPDX-License-Identifier: Apache-2.0
#include "rtl_model/base/range.h"

#include <stdexcept>
#include <string>

#include "rtl_model/base/words.h"

namespace allport {

void require_range(const char* what, std::int64_t value, const Range& range) {
  if (range.has(value)) return;
  throw std::invalid_argument(std::string(what) + " " + std::to_string(value) + ": must be " +
                              range_in_words(range.low, range.high));
}

}  // namespace allport
