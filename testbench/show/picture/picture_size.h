// SPDX-License-Identifier: Apache-2.0
// A PictureSize says how much of a trial is drawn. What is drawn is exact; what is too much is left
// out, and counted.
#pragma once

#include <algorithm>
#include <cstddef>

namespace allport {

struct PictureSize {
  std::size_t stretches = 60;  ///< most stretches of equal length in which the channels are shown
  std::size_t channel_stretches = std::size_t{1} << 22;  ///< the same times the channels
  std::size_t entries = 60000;            ///< most channels that are not idle, over the stretches
  std::size_t message_stretches = 40000;  ///< successive cycles of a message with one cause
  std::size_t branches = 200;             ///< of a congestion tree
  std::size_t table_rows = 250;           ///< of a table of channels
};

/// That of a page of `nodes` nodes: pages of 64 nodes take less than 1 MB, of 512 less than 5 MB.
inline PictureSize picture_size(std::size_t nodes) {
  PictureSize size;
  size.entries = std::clamp<std::size_t>(120 * nodes, 7680, 61440);
  size.message_stretches = std::clamp<std::size_t>(100 * nodes, 6000, 60000);
  return size;
}

}  // namespace allport
