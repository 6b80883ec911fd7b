// SPDX-License-Identifier: Apache-2.0
#include "testbench/observe/waves/fst_io.h"

#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstring>

namespace {

std::atomic<unsigned long> losses{0};

// Whether `memory` now has the first `length` bytes of `file`.
bool read_whole(int file, char* memory, size_t length) {
  for (size_t at = 0; at < length;) {
    const ssize_t count = pread(file, memory + at, length - at, static_cast<off_t>(at));
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    at += static_cast<size_t>(count);
  }
  return true;
}

}  // namespace

void* allport_fst_map(void*, size_t length, int, int, int file, off_t) {
  void* memory = mmap(nullptr, length, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED || read_whole(file, static_cast<char*>(memory), length)) return memory;
  std::memset(memory, 0, length);  // shifted positions in other files would be misleading
  ++losses;
  return memory;
}

int allport_fst_close(FILE* file) {
  const bool has_failed = ferror(file) != 0;
  const int result = fclose(file);
  if (has_failed || result != 0) ++losses;
  return result;
}

unsigned long allport_fst_losses() { return losses; }
