// SPDX-License-Identifier: Apache-2.0
// A ZeroedArray is an array of zeros in memory that is not taken from the machine before it is
// touched.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>
#include <type_traits>

namespace allport {

/// Zeroed memory that costs nothing until it is touched: a 20-cube has sixty million channels.
template <class Item>
class ZeroedArray {
 public:
  explicit ZeroedArray(std::size_t size) : size_(size) { clear(); }
  ZeroedArray(const ZeroedArray&) = delete;
  ~ZeroedArray() = default;
  /// Takes over the items of `other`; where they are zero, no memory is touched.
  ZeroedArray& operator=(const ZeroedArray& other) {
    static_assert(std::is_trivially_copyable_v<Item>, "items are copied as bytes");
    if (this == &other) return *this;
    size_ = other.size_;
    clear();
    const auto* const from = reinterpret_cast<const unsigned char*>(other.items_.get());
    auto* const to = reinterpret_cast<unsigned char*>(items_.get());
    static constexpr std::array<unsigned char, 4096> zeros{};
    const std::size_t bytes = size_ * sizeof(Item);
    for (std::size_t at = 0; at < bytes; at += zeros.size()) {
      const std::size_t count = std::min(bytes - at, zeros.size());
      if (std::memcmp(from + at, zeros.data(), count) != 0) std::memcpy(to + at, from + at, count);
    }
    return *this;
  }
  /// Sets all items to zero again.
  void clear() {
    items_ = nullptr;  // freed before the new ones are allocated
    items_.reset(static_cast<Item*>(std::calloc(size_, sizeof(Item))));
    if (items_ == nullptr) throw std::bad_alloc();
  }
  /// Sets the items from `begin` to before `end` to zero; all others must be.
  void clear(std::size_t begin, std::size_t end) {
    if (begin < end) std::memset(&items_[begin], 0, (end - begin) * sizeof(Item));
  }
  std::size_t size() const { return size_; }
  Item& operator[](std::size_t at) { return items_[at]; }
  const Item& operator[](std::size_t at) const { return items_[at]; }

 private:
  struct Free {
    void operator()(Item* items) const { std::free(items); }
  };
  std::size_t size_;
  std::unique_ptr<Item[], Free> items_;  // NOLINT(modernize-avoid-c-arrays): calloc() made it
};

}  // namespace allport
