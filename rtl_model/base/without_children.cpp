// SPDX-License-Identifier: Apache-2.0
// In place of guarded_child.cpp and child_pool.cpp where there are no processes: in a browser.
#include <cerrno>
#include <stdexcept>

#include "rtl_model/base/child_pool.h"
#include "rtl_model/base/guarded_child.h"

namespace allport {

namespace {

[[noreturn]] void refuse() { throw std::runtime_error("there are no other processes here"); }

}  // namespace

pid_t start_guarded(const std::function<void()>& /*work*/) {
  errno = ENOSYS;
  return -1;
}

void end_guarded(pid_t /*guard*/) {}

ChildPool::~ChildPool() = default;

void ChildPool::start(std::uint64_t /*tag*/, const std::string& /*program*/,
                      const std::vector<std::string>& /*arguments*/, Streams /*streams*/,
                      const std::string& /*input*/) {
  refuse();
}

void ChildPool::start(std::uint64_t /*tag*/, const std::function<int(int out)>& /*work*/) {
  refuse();
}

std::vector<ChildEnd> ChildPool::wait(std::chrono::milliseconds /*limit*/) { return {}; }

ChildEnd run_and_wait(const std::string& /*program*/, const std::vector<std::string>& /*arguments*/,
                      StopFlag /*stop*/) {
  refuse();
}

}  // namespace allport
