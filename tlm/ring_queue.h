// SPDX-License-Identifier: Apache-2.0
// A first-in first-out queue without bound that allocates only when it grows past its largest size
// so far (std::deque allocates and frees as it moves along).
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

namespace allport {

template <class Item>
class RingQueue {
 public:
  bool empty() const { return count_ == 0; }
  std::size_t size() const { return count_; }
  Item& front() { return items_[head_]; }
  const Item& front() const { return items_[head_]; }

  void push(Item item) {
    if (count_ == items_.size()) grow();
    items_[(head_ + count_) % items_.size()] = std::move(item);
    ++count_;
  }
  void pop() {
    head_ = (head_ + 1) % items_.size();
    --count_;
  }
  void clear() { head_ = count_ = 0; }

 private:
  void grow() {
    std::vector<Item> larger(items_.empty() ? 4 : 2 * items_.size());
    for (std::size_t i = 0; i < count_; ++i) {
      larger[i] = std::move(items_[(head_ + i) % items_.size()]);
    }
    items_ = std::move(larger);
    head_ = 0;
  }

  std::vector<Item> items_;
  std::size_t head_ = 0;
  std::size_t count_ = 0;
};

}  // namespace allport
