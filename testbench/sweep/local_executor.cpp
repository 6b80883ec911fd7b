// SPDX-License-Identifier: Apache-2.0
#include "testbench/sweep/local_executor.h"

#include <fmt/format.h>

#include "testbench/sweep/child_pool.h"
#include "testbench/sweep/judge_point.h"

namespace allport {

void run_here(const Work& work, unsigned jobs) {
  ChildPool pool;
  std::uint64_t done = 0;
  std::size_t next = 0;
  while (done < work.points.size()) {
    if (work.stop->load()) throw SweepStopped();
    for (; next < work.points.size() && pool.running() < jobs; ++next) {
      const std::uint64_t index = work.points[next];
      pool.start(index, this_program, work.point_at(index).arguments);
    }
    for (const ChildEnd& end : pool.wait(std::chrono::milliseconds(200))) {
      work.store.write(work.point_at(end.tag), judge_point(end));
      ++done;
    }
    work.progress(done, fmt::format("{} running", pool.running()));
  }
}

}  // namespace allport
