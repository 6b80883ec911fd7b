// SPDX-License-Identifier: Apache-2.0
#include "rtl_model/verilated/process.h"

#include <algorithm>
#include <utility>

#include "rtl_model/base/child_pool.h"

namespace allport {

ProcessResult run_process(const std::vector<std::string>& arguments, StopFlag stop) {
  return run_processes({arguments}, 1, stop).front();
}

std::vector<ProcessResult> run_processes(const std::vector<std::vector<std::string>>& commands,
                                         unsigned jobs, StopFlag stop) {
  std::vector<ProcessResult> results(commands.size());
  ChildPool pool;
  for (std::size_t next = 0; next < commands.size() || pool.running() > 0;) {
    heed(stop);
    for (; next < commands.size() && pool.running() < std::max(jobs, 1U); ++next) {
      const std::vector<std::string>& words = commands[next];
      pool.start(next, words.front(), {words.begin() + 1, words.end()}, Streams::together);
    }
    for (ChildEnd& end : pool.wait(look_up)) results[end.tag] = {end.exit, std::move(end.out)};
  }
  return results;
}

}  // namespace allport
