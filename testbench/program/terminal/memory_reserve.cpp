// SPDX-License-Identifier: Apache-2.0
#include "testbench/program/terminal/memory_reserve.h"

#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <new>

namespace allport {

namespace {

constexpr std::size_t bytes = std::size_t{1} << 20U;
std::atomic<void*> reserve{nullptr};

void give_back() {
  std::free(reserve.exchange(nullptr));
  throw std::bad_alloc();
}

}  // namespace

void reserve_memory() {
  if (reserve.load() == nullptr) reserve = std::malloc(bytes);
  std::set_new_handler(give_back);
}

}  // namespace allport
