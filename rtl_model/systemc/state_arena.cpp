// SPDX-License-Identifier: Apache-2.0
#include "rtl_model/systemc/state_arena.h"

namespace allport {

void* StateArena::registers(std::size_t bytes, std::size_t alignment) {
  constexpr std::size_t block_bytes = 16384;
  if (std::align(alignment, bytes, next_, left_) == nullptr) {
    left_ = std::max(bytes + alignment, block_bytes);
    next_ = blocks_.emplace_back(left_).data();
    std::align(alignment, bytes, next_, left_);
  }
  void* taken = next_;
  next_ = static_cast<std::byte*>(next_) + bytes;
  left_ -= bytes;
  return taken;
}

void* StateArena::combinational(std::size_t bytes) {
  if (next_value_ == values_.size() || values_[next_value_].size() != bytes) {
    values_.emplace(values_.begin() + static_cast<std::ptrdiff_t>(next_value_), bytes);
  }
  return values_[next_value_++].data();
}

}  // namespace allport
