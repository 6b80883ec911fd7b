// SPDX-License-Identifier: Apache-2.0
// A host beside the nodes (docs/programs.md): it has a signal and a filter, sends rank 0 the filter
// and each rank its part of the signal with the values that follow it, and puts together what the
// ranks have computed, as the host program of [Ranka88], figure 9, does for an image. Exits with 0
// when that is right.
#include <cstdint>
#include <cstdio>
#include <memory>
#include <systemc>
#include <utility>
#include <vector>

#include "testbench/simulation/run_programs.h"

namespace {

using Values = std::vector<std::int32_t>;

constexpr std::uint32_t part_size = 64;
constexpr std::uint32_t filter_size = 5;
constexpr allport::Cycle cycles_of_product = 2;  // a multiplication and an addition

Values filtered(const Values& signal, const Values& filter, std::size_t size) {
  Values sums(size, 0);
  for (std::size_t i = 0; i < size; ++i) {
    for (std::size_t j = 0; j < filter.size(); ++j) sums[i] += signal[i + j] * filter[j];
  }
  return sums;
}

class Node final : public allport::Program {
 public:
  void run(allport::Processor& self) override {
    Bytes filter;
    if (self.rank() == 0) filter = self.receive(host).bytes;
    self.broadcast(0, filter);
    const Values values = allport::ReceivedMessage{0, 0, std::move(filter)}.as<std::int32_t>();
    const Values part = self.receive_values<std::int32_t>(host, 1);
    self.compute(std::int64_t{part_size} * filter_size * cycles_of_product);
    self.send(host, filtered(part, values, part_size));
  }

 private:
  using Bytes = std::vector<unsigned char>;
  static constexpr std::uint32_t host = allport::Processor::host;
};

class HostFilter final : public allport::Program {
 public:
  HostFilter(Values signal, Values filter, Values& result)
      : signal_(std::move(signal)), filter_(std::move(filter)), result_(result) {}

  void run(allport::Processor& self) override {
    self.send(0, filter_);
    for (std::uint32_t rank = 0; rank < self.size(); ++rank) {
      const auto first = signal_.begin() + std::ptrdiff_t{rank} * part_size;
      self.send(rank, Values(first, first + part_size + filter_size - 1), 1);
    }
    for (std::uint32_t rank = 0; rank < self.size(); ++rank) {
      const Values part = self.receive_values<std::int32_t>(rank);
      result_.insert(result_.end(), part.begin(), part.end());
    }
  }

 private:
  const Values signal_;
  const Values filter_;
  Values& result_;
};

}  // namespace

int sc_main(int, char**) {
  allport::RunRequest request;
  request.fabric.topology = allport::parse_topology("hypercube:3");
  request.node.ts = 20;
  const std::uint32_t size = 8 * part_size;
  Values signal;
  for (std::uint32_t i = 0; i + 1 < size + filter_size; ++i) {
    signal.push_back(static_cast<std::int32_t>(i * i % 101));
  }
  const Values filter{1, 4, 6, 4, 1};
  Values result;
  const allport::Results results = allport::run_programs(
      request, [](std::uint32_t) { return std::make_unique<Node>(); },
      allport::Host{{100, 0.5}, std::make_unique<HostFilter>(signal, filter, result)});
  const bool is_right = result == filtered(signal, filter, size);
  std::printf("%s in %lld cycles, %llu transfers in %lld of them\n", is_right ? "right" : "wrong",
              static_cast<long long>(results.tasks->makespan),
              static_cast<unsigned long long>(results.tasks->host->transfers),
              static_cast<long long>(results.tasks->host->busy));
  return results.is_complete() && is_right ? 0 : 1;
}
