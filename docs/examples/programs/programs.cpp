// SPDX-License-Identifier: Apache-2.0
// A program on each node of a hypercube (docs/programs.md): rank 0 has a vector, every rank sums up
// its part of it, and the sums meet at rank 0. Exits with 0 when the sum is right.
#include <cstdint>
#include <cstdio>
#include <memory>
#include <numeric>
#include <systemc>
#include <vector>

#include "testbench/simulation/run_programs.h"

namespace {

constexpr std::int64_t cycles_of_addition = 3;

class SumUp final : public allport::Program {
 public:
  explicit SumUp(std::int64_t& result) : result_(result) {}

  void run(allport::Processor& self) override {
    std::vector<std::int64_t> part;
    if (self.rank() == 0) {
      std::vector<std::int64_t> all(self.size() * 100);
      std::iota(all.begin(), all.end(), 1);
      part.assign(all.begin(), all.begin() + 100);
      for (std::uint32_t to = 1; to < self.size(); ++to) {
        const auto first = all.begin() + 100 * to;
        self.send(to, std::vector<std::int64_t>(first, first + 100));
      }
    } else {
      part = self.receive_values<std::int64_t>(0);
    }
    std::vector<std::int64_t> sum{std::accumulate(part.begin(), part.end(), std::int64_t{0})};
    self.compute(99 * cycles_of_addition);
    self.reduce(0, sum);
    if (self.rank() == 0) result_ = sum.front();
  }

 private:
  std::int64_t& result_;
};

}  // namespace

int sc_main(int, char**) {
  allport::RunRequest request;
  request.fabric.topology = allport::parse_topology("hypercube:4");
  request.node.ts = 20;
  std::int64_t sum = 0;
  const allport::Results results =
      allport::run_programs(request, [&](std::uint32_t) { return std::make_unique<SumUp>(sum); });
  std::printf("sum %lld in %lld cycles\n", static_cast<long long>(sum),
              static_cast<long long>(results.tasks->makespan));
  return results.is_complete() && sum == 1600 * 1601 / 2 ? 0 : 1;
}
