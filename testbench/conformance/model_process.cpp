// SPDX-License-Identifier: Apache-2.0
#include "testbench/conformance/model_process.h"

#include <fmt/format.h>

#include <utility>

namespace allport {

namespace {

Json watched(SharedCounter& steps, ModelLibrary& library,
             const std::function<Json(ModelWatch&)>& work) {
  ModelWatch watch(steps.value());
  library.wrap([&](auto model) { return watch.over(std::move(model)); });
  Json result;
  try {
    result = work(watch);
  } catch (const std::exception&) {
    if (watch.stopped().empty()) throw;  // otherwise that is the reason
  }
  return {{"stop", watch.stopped()}, {"result", result}};
}

}  // namespace

WaveLeftovers::WaveLeftovers(const std::string& wave) {
  if (wave.empty()) return;
  std::error_code ignored;
  for (const char* tail : {"fst", "vcd", "fst.hier", "gtkw", "flits.txt", "messages.txt"}) {
    missing_.push_back(std::filesystem::path(wave).replace_extension(tail));
    if (std::filesystem::exists(std::filesystem::symlink_status(missing_.back(), ignored))) {
      missing_.pop_back();
    }
  }
}

void WaveLeftovers::remove() const {
  std::error_code ignored;
  for (const auto& file : missing_) std::filesystem::remove(file, ignored);
}

ModelOutcome ModelProcess::run(ModelLibrary& library,
                               const std::function<Json(ModelWatch&)>& work) {
  const ChildLimits limits{&steps_.value(), longest_edge_, stop_};
  ChildResult child = run_in_child([&] { return watched(steps_, library, work); }, limits);
  ModelOutcome outcome;
  outcome.failure =
      child.end != WorkEnd::hang
          ? child.problem
          : fmt::format("it hangs: one clock edge took more than the {} s of --rtl-timeout",
                        longest_edge_.count());
  if (!outcome.failure.empty()) return outcome;
  outcome.stop = child.json["stop"].get<std::string>();
  outcome.json = std::move(child.json["result"]);
  return outcome;
}

}  // namespace allport
