// SPDX-License-Identifier: Apache-2.0
#include "rtl_model/verilated/model_runtime.h"

#include <utility>

namespace allport {

namespace {

namespace fs = std::filesystem;

const Products runtime_products{"runtime.o"};

}  // namespace

ModelRuntime::ModelRuntime(const fs::path& root, const Arguments& options) : options_(options) {
  for (const char* file : {"verilated.cpp", "verilated_threads.cpp"}) {
    const fs::path path = root / "include" / file;
    std::error_code ignored;
    if (fs::exists(path, ignored)) sources_.push_back(path);
  }
  std::string key = first_line_of(run_process(compiler_with({"--version"}))) + "\n";
  for (const std::string& option : options) key += option + "\n";
  for (const fs::path& source : sources_) key += source.string() + "\n";
  sources_.push_back(wrapper_folder() / "model_print.h");
  folder_ = open_cache() / ("runtime-" + fingerprint(key));
  if (!is_current(folder_, runtime_products)) work_.emplace(folder_.filename().string());
}

Arguments ModelRuntime::command() const {
  const fs::path unit = work_->path() / "runtime.cxx";
  std::string text;
  for (const fs::path& source : sources_) {
    if (source.extension() == ".cpp") text += "#include \"" + source.string() + "\"\n";
  }
  write_file(unit, text);
  Arguments arguments = options_;
  arguments.insert(arguments.end(), {"-O2", "-x", "c++", "-c", unit.string(), "-o",
                                     (work_->path() / object_name).string()});
  return compiler_with(arguments);
}

void ModelRuntime::keep() {
  seal(work_->path(), sources_, runtime_products);
  if (!is_current(folder_, runtime_products)) replace(folder_, work_->path(), runtime_products);
  work_.reset();
}

}  // namespace allport
