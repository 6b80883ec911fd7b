// SPDX-License-Identifier: Apache-2.0
// The collectives of programs (docs/programs.md): the power method finds the largest eigenvalue of
// a symmetric matrix whose rows are spread over the ranks. In each step all ranks gather the
// vector, multiply their rows by it and add up its norm. Exits with 0 when the eigenvalue is right.
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>
#include <systemc>
#include <utility>
#include <vector>

#include "testbench/simulation/run_programs.h"

namespace {

constexpr std::size_t rows_of_rank = 2;
constexpr allport::Cycle cycles_of_multiplication = 4;  // with the addition
constexpr int steps = 12;

using Row = std::vector<double>;

// 3 on the diagonal and 1 elsewhere: with n rows, the largest eigenvalue is n + 2.
Row matrix(std::size_t n) {
  Row all(n * n, 1);
  for (std::size_t i = 0; i < n; ++i) all[i * n + i] = 3;
  return all;
}

class PowerMethod final : public allport::Program {
 public:
  PowerMethod(std::string sum, double& result) : sum_(std::move(sum)), result_(result) {}

  void run(allport::Processor& self) override {
    const std::size_t n = rows_of_rank * self.size();
    const Row all = self.rank() == 0 ? matrix(n) : Row{};
    const Row rows = self.scatter_values(0, all, rows_of_rank * n);
    Row mine(rows_of_rank, self.rank() + 1.0);
    double norm = 0;
    for (int step = 0; step < steps; ++step) {
      const Row vector = self.allgather_values(mine);
      for (std::size_t i = 0; i < rows_of_rank; ++i) {
        mine[i] = 0;
        for (std::size_t k = 0; k < n; ++k) mine[i] += rows[i * n + k] * vector[k];
      }
      self.compute(static_cast<allport::Cycle>(rows.size()) * cycles_of_multiplication);
      Row square{0};
      for (const double one : mine) square[0] += one * one;
      self.allreduce(square, sum_);
      norm = std::sqrt(square[0]);
      for (double& one : mine) one /= norm;
    }
    const Row eigenvector = self.gather_values(0, mine);
    if (self.rank() == 0 && eigenvector.size() == n) result_ = norm;
  }

 private:
  const std::string sum_;  // the algorithm of the all-reduce; empty: the default
  double& result_;
};

}  // namespace

int sc_main(int count, char** arguments) {
  const std::string sum = count > 1 ? arguments[1] : "";
  allport::RunRequest request;
  request.fabric.topology = allport::parse_topology("torus:4x4");
  request.node.ts = 20;
  double eigenvalue = 0;
  const allport::Results results = allport::run_programs(
      request, [&](std::uint32_t) { return std::make_unique<PowerMethod>(sum, eigenvalue); });
  std::printf("eigenvalue %.6f in %lld cycles\n", eigenvalue,
              static_cast<long long>(results.tasks->makespan));
  return results.is_complete() && std::fabs(eigenvalue - 34) < 1e-6 ? 0 : 1;
}
