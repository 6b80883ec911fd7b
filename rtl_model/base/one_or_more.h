// SPDX-License-Identifier: Apache-2.0
// A OneOrMore is a vector that has one element in most of millions of objects, and keeps that one
// without memory of its own.
#pragma once

#include <cstddef>
#include <initializer_list>
#include <memory>
#include <utility>
#include <vector>

namespace allport {

template <class T>
class OneOrMore {
 public:
  using value_type = T;
  using iterator = T*;
  using const_iterator = const T*;

  OneOrMore() = default;
  OneOrMore(const std::vector<T>& values) { *this = values; }
  OneOrMore(std::initializer_list<T> values) { *this = std::vector<T>(values); }
  OneOrMore(const OneOrMore& other) { *this = other; }
  OneOrMore(OneOrMore&& other) noexcept { *this = std::move(other); }
  OneOrMore& operator=(const OneOrMore& other) {
    if (this == &other) return *this;
    one_ = other.one_;
    has_one_ = other.has_one_;
    more_ = other.more_ == nullptr ? nullptr : std::make_unique<std::vector<T>>(*other.more_);
    return *this;
  }
  OneOrMore& operator=(OneOrMore&& other) noexcept {
    one_ = other.one_;
    has_one_ = std::exchange(other.has_one_, false);
    more_ = std::move(other.more_);
    return *this;
  }
  OneOrMore& operator=(std::vector<T> values) {
    more_.reset();
    has_one_ = values.size() == 1;
    if (has_one_) one_ = values.front();
    if (values.size() > 1) more_ = std::make_unique<std::vector<T>>(std::move(values));
    return *this;
  }
  OneOrMore& operator=(std::initializer_list<T> values) {
    *this = std::vector<T>(values);
    return *this;
  }
  ~OneOrMore() = default;

  bool empty() const { return size() == 0; }
  std::size_t size() const { return more_ != nullptr ? more_->size() : (has_one_ ? 1 : 0); }
  iterator begin() { return more_ != nullptr ? more_->data() : &one_; }
  iterator end() { return begin() + size(); }
  const_iterator begin() const { return more_ != nullptr ? more_->data() : &one_; }
  const_iterator end() const { return begin() + size(); }
  T& front() { return *begin(); }
  const T& front() const { return *begin(); }
  const T& back() const { return *(end() - 1); }
  T& operator[](std::size_t i) { return begin()[i]; }
  const T& operator[](std::size_t i) const { return begin()[i]; }
  void push_back(T value) {
    if (more_ != nullptr) return more_->push_back(std::move(value));
    if (!has_one_) {
      one_ = std::move(value);
      has_one_ = true;
      return;
    }
    more_ = std::make_unique<std::vector<T>>(std::vector<T>{one_, std::move(value)});
    has_one_ = false;
  }
  void clear() { *this = std::vector<T>{}; }
  std::vector<T> values() const { return {begin(), end()}; }

  friend bool operator==(const OneOrMore& a, const OneOrMore& b) {
    return a.values() == b.values();
  }
  friend bool operator!=(const OneOrMore& a, const OneOrMore& b) { return !(a == b); }

 private:
  T one_{};
  bool has_one_ = false;
  std::unique_ptr<std::vector<T>> more_;  // null: one at most
};

}  // namespace allport
