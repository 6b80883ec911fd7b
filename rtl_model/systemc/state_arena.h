// SPDX-License-Identifier: Apache-2.0
// A StateArena has memory for the state of many units, mostly set aside at elaboration: registers
// that are requested one after another lie one after another, so the units of a router share cache
// lines and the routers of a fabric follow each other; combinational values (`_d`), which one
// router at a time needs, lie in one place for all (docs/decisions/0008-state-lies-together.md).
// Nothing is given back before the arena ends.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <type_traits>
#include <vector>

namespace allport {

class StateArena {
 public:
  /// Begins the units of another router.
  void next_router() { next_value_ = 0; }
  /// `bytes` for registers, aligned to a multiple of `alignment`.
  void* registers(std::size_t bytes, std::size_t alignment);
  /// `bytes` for combinational values: the same place that the previous router got for its request
  /// of this size.
  void* combinational(std::size_t bytes);

 private:
  using Block = std::vector<std::byte>;

  std::vector<Block> blocks_;
  void* next_ = nullptr;
  std::size_t left_ = 0;
  std::vector<Block> values_;
  std::size_t next_value_ = 0;
};

/// An array of equal parts of a unit's state, numbered from 0. The arena must outlive it.
template <class Item>
class Slice {
 public:
  Item& operator[](int i) { return items_[i]; }
  const Item& operator[](int i) const { return items_[i]; }
  void fill(int count, const Item& value) { std::fill_n(items_, count, value); }

 protected:
  Slice(void* place, int count, const Item& initial) : items_(static_cast<Item*>(place)) {
    static_assert(std::is_trivially_destructible_v<Item>, "nobody destroys what lies in an arena");
    std::uninitialized_fill_n(items_, count, initial);
  }
  static std::size_t bytes(int count) { return static_cast<std::size_t>(count) * sizeof(Item); }

 private:
  Item* items_;
};

template <class Item>
class Registers : public Slice<Item> {
 public:
  Registers(StateArena& arena, int count, const Item& initial = {})
      : Slice<Item>(arena.registers(Slice<Item>::bytes(count), alignof(Item)), count, initial) {}
};

template <class Item>
class Combinational : public Slice<Item> {
 public:
  Combinational(StateArena& arena, int count, const Item& initial = {})
      : Slice<Item>(arena.combinational(Slice<Item>::bytes(count)), count, initial) {}
};

/// A list of combinational values that never grows beyond what was set aside for it.
template <class Item>
class BoundedList {
 public:
  BoundedList(StateArena& arena, int capacity) : items_(arena, capacity) {}

  bool empty() const { return size_ == 0; }
  int size() const { return size_; }
  void clear() { size_ = 0; }
  void push_back(const Item& item) { items_[size_++] = item; }
  Item& back() { return items_[size_ - 1]; }
  const Item& operator[](int i) const { return items_[i]; }
  Item* begin() { return &items_[0]; }
  Item* end() { return begin() + size_; }
  const Item* begin() const { return &items_[0]; }
  const Item* end() const { return begin() + size_; }

 private:
  Combinational<Item> items_;
  int size_ = 0;
};

}  // namespace allport
