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
