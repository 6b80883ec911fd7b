// SPDX-License-Identifier: Apache-2.0
#include "testbench/plan/given_block.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <stdexcept>
#include <string>

#include "rtl_model/base/quote.h"
#include "testbench/plan/counts.h"
#include "testbench/plan/file_kind.h"
#include "testbench/plan/input_file.h"
#include "traffic/planning/block_file.h"

namespace allport {

void require_block(const RunRequest& request, const std::vector<const Algorithm*>& algorithms) {
  const bool has_block = !request.traffic.block.empty() || request.traffic.units != nullptr;
  const bool is_taken = std::any_of(algorithms.begin(), algorithms.end(),
                                    [](const Algorithm* one) { return one->takes_block; });
  if (has_block == is_taken) return;
  if (is_taken) {
    throw std::invalid_argument(
        "algorithm block needs --block FILE: a schedule of a broadcast on torus:4x4, whose nodes stand for units");
  }
  throw std::invalid_argument(fmt::format("--block is for the algorithm block; {} {} no block",
                                          algorithms.size() == 1
                                              ? std::string(algorithms.front()->name)
                                              : "the algorithms that are compared",
                                          algorithms.size() == 1 ? "takes" : "take"));
}

void settle_block(RunRequest& request) {
  TrafficTable& traffic = request.traffic;
  if (traffic.algorithm != nullptr) require_block(request, {traffic.algorithm});
  if (traffic.block.empty() || traffic.units != nullptr) return;
  read_input(traffic.block, "the block", [&](std::istream& in, const std::string& name) {
    InputHead input(in);
    require_kind(input.head(), FileKind::schedule, shown_path(name), "block");
    traffic.units = std::make_shared<const UnitBlock>(read_block(input.all(), name));
  });
}

void settle_inputs(RunRequest& request) {
  settle_counts(request);
  settle_block(request);
}

}  // namespace allport
