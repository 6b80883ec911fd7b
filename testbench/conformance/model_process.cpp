// SPDX-License-Identifier: Apache-2.0
#include "testbench/conformance/model_process.h"

#include <fmt/format.h>
#include <unistd.h>

#include <system_error>
#include <utility>

#include "testbench/observe/waves/fst_file.h"
#include "testbench/observe/waves/gtkw_file.h"

namespace allport {

namespace fs = std::filesystem;

namespace {

Json watched(SharedCounter& steps, NodeLibraries& libraries,
             const std::function<Json(ModelWatch&)>& work) {
  ModelWatch watch(steps.value());
  for (ModelLibrary& library : libraries.all()) {
    library.wrap([&](auto model) { return watch.over(std::move(model)); });
  }
  Json result;
  try {
    result = work(watch);
  } catch (const std::exception&) {
    if (watch.stopped().empty()) throw;  // otherwise that is the reason
  }
  return {{"stop", watch.stopped()}, {"result", result}};
}

}  // namespace

KeptWave::KeptWave(const std::string& wave) {
  if (wave.empty()) return;
  const WaveCompanions beside = wave_companions(wave);
  table_ = fst_table_file(wave);
  std::error_code ignored;
  for (const fs::path file : {wave, beside.flits, beside.messages, beside.save}) {
    const fs::file_status status = fs::symlink_status(file, ignored);
    if (!fs::exists(status)) missing_.push_back(file);
    if (!fs::is_regular_file(status)) continue;
    const fs::path aside = file.string() + ".kept." + std::to_string(getpid());
    fs::rename(file, aside, ignored);
    if (!ignored) kept_.emplace_back(file, aside);
  }
}

KeptWave::~KeptWave() {
  std::error_code ignored;
  for (const auto& [file, aside] : kept_) {
    if (fs::exists(fs::symlink_status(file, ignored))) {
      fs::remove(aside, ignored);
    } else {
      fs::rename(aside, file, ignored);
    }
  }
}

void KeptWave::restore() const {
  std::error_code ignored;
  for (const fs::path& file : missing_) fs::remove(file, ignored);
  for (const auto& [file, aside] : kept_) fs::remove(file, ignored);
  if (!table_.empty()) fs::remove(table_, ignored);
}

ModelOutcome ModelProcess::run(NodeLibraries& libraries,
                               const std::function<Json(ModelWatch&)>& work) {
  const ChildLimits limits{&steps_.value(), longest_edge_, stop_};
  ChildResult child = run_in_child([&] { return watched(steps_, libraries, work); }, limits);
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
