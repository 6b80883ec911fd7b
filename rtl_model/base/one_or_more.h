// SPDX-License-Identifier: Apache-2.0
// A OneOrMore is a vector that has one element in most of millions of objects, and keeps that one
// without memory of its own. Copies of a longer one share their elements, which cannot be changed
// one by one; each thread may have copies of its own.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <initializer_list>
#include <utility>
#include <vector>

namespace allport {

template <class T>
class OneOrMore {
 public:
  using value_type = T;
  using const_iterator = const T*;
  using iterator = const_iterator;

  OneOrMore() = default;
  OneOrMore(std::vector<T> values) { *this = std::move(values); }
  OneOrMore(std::initializer_list<T> values) { *this = std::vector<T>(values); }
  OneOrMore(const OneOrMore& other)
      : one_(other.one_), has_one_(other.has_one_), more_(other.more_) {
    if (more_ != nullptr) more_->owners.fetch_add(1, std::memory_order_relaxed);
  }
  OneOrMore(OneOrMore&& other) noexcept { swap(other); }
  OneOrMore& operator=(const OneOrMore& other) {
    OneOrMore(other).swap(*this);
    return *this;
  }
  OneOrMore& operator=(OneOrMore&& other) noexcept {
    OneOrMore(std::move(other)).swap(*this);
    return *this;
  }
  OneOrMore& operator=(std::vector<T> values) {
    OneOrMore made;
    made.has_one_ = values.size() == 1;
    if (made.has_one_) made.one_ = values.front();
    if (values.size() > 1) made.more_ = new Shared{{1}, std::move(values)};
    made.swap(*this);
    return *this;
  }
  OneOrMore& operator=(std::initializer_list<T> values) {
    *this = std::vector<T>(values);
    return *this;
  }
  ~OneOrMore() {
    if (more_ != nullptr && more_->owners.fetch_sub(1, std::memory_order_acq_rel) == 1) {
      delete more_;
    }
  }

  bool empty() const { return size() == 0; }
  std::size_t size() const { return more_ != nullptr ? more_->values.size() : (has_one_ ? 1 : 0); }
  const_iterator begin() const { return more_ != nullptr ? more_->values.data() : &one_; }
  const_iterator end() const { return begin() + size(); }
  const T& front() const { return *begin(); }
  const T& back() const { return *(end() - 1); }
  const T& operator[](std::size_t i) const { return begin()[i]; }
  void push_back(T value) {
    if (more_ != nullptr && !is_shared()) {
      return more_->values.push_back(std::move(value));
    }
    std::vector<T> all = values();
    all.push_back(std::move(value));
    *this = std::move(all);
  }
  void clear() { *this = OneOrMore(); }
  std::vector<T> values() const { return {begin(), end()}; }

  friend bool operator==(const OneOrMore& a, const OneOrMore& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end());
  }
  friend bool operator!=(const OneOrMore& a, const OneOrMore& b) { return !(a == b); }
  /// Whether there are several elements, and another one shares them.
  bool is_shared() const {
    return more_ != nullptr && more_->owners.load(std::memory_order_acquire) > 1;
  }

 private:
  struct Shared {
    std::atomic<std::size_t> owners;
    std::vector<T> values;
  };

  void swap(OneOrMore& other) noexcept {
    std::swap(one_, other.one_);
    std::swap(has_one_, other.has_one_);
    std::swap(more_, other.more_);
  }

  T one_{};
  bool has_one_ = false;
  Shared* more_ = nullptr;  // null: one at most
};

}  // namespace allport
