// SPDX-License-Identifier: Apache-2.0
// A PictureSize says how much of a trial is drawn. What is drawn is exact; what is too much is left
// out.
#pragma once

#include <cstddef>

namespace allport {

struct PictureSize {
  std::size_t stretches = 60;  ///< most stretches of equal length in which the channels are shown
  std::size_t channel_stretches = std::size_t{1} << 22;  ///< the same times the channels
  std::size_t entries = 60000;            ///< most channels that are not idle, over the stretches
  std::size_t message_stretches = 40000;  ///< successive cycles of a message with one cause
  std::size_t branches = 300;             ///< of a congestion tree
};

}  // namespace allport
