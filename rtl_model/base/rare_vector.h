// SPDX-License-Identifier: Apache-2.0
// A RareVector is a vector that is empty in nearly all of millions of objects, and takes eight
// bytes there.
#pragma once

#include <cstddef>
#include <initializer_list>
#include <memory>
#include <utility>
#include <vector>

namespace allport {

template <class T>
class RareVector {
 public:
  using value_type = T;
  using const_iterator = typename std::vector<T>::const_iterator;

  RareVector() = default;
  RareVector(std::vector<T> values) { *this = std::move(values); }
  RareVector(std::initializer_list<T> values) : RareVector(std::vector<T>(values)) {}
  RareVector(const RareVector& other) { *this = other.values(); }
  RareVector(RareVector&&) noexcept = default;
  RareVector& operator=(const RareVector& other) {
    if (this != &other) *this = other.values();
    return *this;
  }
  RareVector& operator=(RareVector&&) noexcept = default;
  RareVector& operator=(std::vector<T> values) {
    values_ = values.empty() ? nullptr : std::make_unique<std::vector<T>>(std::move(values));
    return *this;
  }
  RareVector& operator=(std::initializer_list<T> values) {
    *this = std::vector<T>(values);
    return *this;
  }
  ~RareVector() = default;

  const std::vector<T>& values() const {
    static const std::vector<T> none;
    return values_ == nullptr ? none : *values_;
  }
  operator const std::vector<T>&() const { return values(); }
  bool empty() const { return values_ == nullptr; }
  std::size_t size() const { return values().size(); }
  const T& front() const { return values().front(); }
  const T& operator[](std::size_t i) const { return values()[i]; }
  const_iterator begin() const { return values().begin(); }
  const_iterator end() const { return values().end(); }
  void push_back(T value) {
    if (values_ == nullptr) values_ = std::make_unique<std::vector<T>>();
    values_->push_back(std::move(value));
  }
  void clear() { values_.reset(); }

  friend bool operator==(const RareVector& a, const RareVector& b) {
    return a.values() == b.values();
  }
  friend bool operator!=(const RareVector& a, const RareVector& b) { return !(a == b); }

 private:
  std::unique_ptr<std::vector<T>> values_;  // null: empty
};

}  // namespace allport
