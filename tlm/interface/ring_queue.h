// SPDX-License-Identifier: Apache-2.0
// A RingQueue is an unbounded first-in first-out queue that allocates only when it grows past its
// largest size so far (std::deque allocates and frees as it moves along).
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
  /// The item that is `behind` places behind the front.
  const Item& at(std::size_t behind) const { return items_[place(behind)]; }

  void push(Item item) {
    if (count_ == items_.size()) grow();
    items_[place(count_)] = std::move(item);
    ++count_;
  }
  void pop() {
    head_ = place(1);
    --count_;
  }
  void clear() { head_ = count_ = 0; }

 private:
  /// The place of the item that is `behind` places behind the front.
  std::size_t place(std::size_t behind) const { return (head_ + behind) & (items_.size() - 1); }
  void grow() {
    std::vector<Item> larger(items_.empty() ? 4 : 2 * items_.size());
    for (std::size_t i = 0; i < count_; ++i) {
      larger[i] = std::move(items_[place(i)]);
    }
    items_ = std::move(larger);
    head_ = 0;
  }

  std::vector<Item> items_;  // their number is a power of two
  std::size_t head_ = 0;
  std::size_t count_ = 0;
};

}  // namespace allport
