// SPDX-License-Identifier: Apache-2.0
// A ZeroedArray is an array of zeros in memory that is not taken from the machine before it is
// touched.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <memory>
#include <new>

namespace allport {

/// Zeroed memory that costs nothing until it is touched: a 20-cube has sixty million channels.
template <class Item>
class ZeroedArray {
 public:
  explicit ZeroedArray(std::size_t size) : size_(size) { clear(); }
  /// Sets all items to zero again.
  void clear() {
    items_ = nullptr;  // freed before the new ones are allocated
    items_.reset(static_cast<Item*>(std::calloc(size_, sizeof(Item))));
    if (items_ == nullptr) throw std::bad_alloc();
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
