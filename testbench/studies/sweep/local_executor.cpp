// SPDX-License-Identifier: Apache-2.0
#include "testbench/studies/sweep/local_executor.h"

#include <fmt/format.h>
#include <poll.h>

#include <algorithm>

#include "rtl_model/base/child_pool.h"
#include "rtl_model/base/cores.h"
#include "testbench/studies/sweep/judge_point.h"

namespace allport {

namespace {

// Slurm signals every process of a task, and a shutdown every process of the machine, and the runs
// may die of it before this process does: such a run has not failed.
bool is_of_a_stop(const PointResult& result, const std::atomic<bool>& stop) {
  constexpr int first_signal = 128;
  const bool is_suspect = result.exit > first_signal || result.error == "interrupted";
  for (int i = 0; is_suspect && !stop.load() && i < 10; ++i) poll(nullptr, 0, 100);
  return is_suspect && stop.load();
}

}  // namespace

LocalExecutor::LocalExecutor(unsigned jobs)
    : jobs_(jobs > 0 ? jobs : static_cast<unsigned>(usable_cores())) {}

void LocalExecutor::run(const PointsToRun& work) {
  ChildPool pool;
  std::uint64_t done = 0;
  std::size_t next = 0;
  while (done < work.points.size()) {
    if (work.stop->load()) throw SweepStopped();
    for (; next < work.points.size() && pool.running() < jobs_; ++next) {
      const std::uint64_t index = work.points[next];
      const Point point = work.point_at(index);
      pool.start(index, this_program, point.arguments, Streams::apart, point.input);
    }
    for (const ChildEnd& end : pool.wait(std::chrono::milliseconds(200))) {
      const PointResult result = judge_point(end);
      if (is_of_a_stop(result, *work.stop)) throw SweepStopped();
      work.store.write(work.point_at(end.tag), result);
      ++done;
    }
    work.progress(done, fmt::format("{} running", pool.running()));
  }
}

}  // namespace allport
