// SPDX-License-Identifier: Apache-2.0
#include "rtl_model/verilated/model_library.h"

#include <dlfcn.h>

#include <regex>
#include <sstream>
#include <stdexcept>
#include <utility>

#include "rtl_model/base/quote.h"
#include "rtl_model/verilated/model_build.h"
#include "rtl_model/verilated/model_cache.h"

namespace allport {

namespace {

namespace fs = std::filesystem;

/// Everything except the files that decides whether a library in the cache is the right one.
std::string key_of(const RtlSource& source) {
  std::ostringstream key;
  key << "version " << pin_model_version << '\n'
      << first_line_of(run_verilator({"--version"})) << '\n'
      << first_line_of(run_process(compiler_with({"--version"}))) << '\n';
  for (const std::string& argument : source_arguments(source)) key << argument << '\n';
  key << source.is_own << source.is_twin << source.has_assertions << source.randomizes_state
      << source.flattens << source.is_plain << optimization() << '\n';
  for (const char* file : {"model_wrapper.cpp", "model_print.h", "pin_model.h"}) {
    key << fingerprint(read_file(wrapper_folder() / file)) << '\n';
  }
  return key.str();
}

// Why the library of a router cannot be loaded.
std::string load_fault(const fs::path& folder, const std::string& top, const std::string& why) {
  const std::string mark = "undefined symbol: ";
  const std::size_t at = why.find(mark);
  if (at == std::string::npos) {
    return shown_path(folder.string()) + ": its library cannot be loaded (" + why +
           "): remove the folder";
  }
  return "router " + top + ": it imports the function " + in_quotes(why.substr(at + mark.size())) +
         " (DPI-C), which no library has: a model is made of SystemVerilog alone, so define the function in a source file of the router instead of importing it";
}

const Products products{"model.so", "Vmodel.h", "circular"};

std::map<std::string, int> read_pins(const std::string& header, const char* direction) {
  std::map<std::string, int> pins;
  const std::regex declaration("VL_" + std::string(direction) +
                               R"((?:8|16|64|W|)\(&(\w+),(\d+),(\d+))");
  for (std::sregex_iterator at(header.begin(), header.end(), declaration), end; at != end; ++at) {
    pins[(*at)[1]] = std::stoi((*at)[2]) - std::stoi((*at)[3]) + 1;
  }
  return pins;
}

}  // namespace

bool has_verilator() { return run_process({"verilator", "--version"}).status == 0; }

std::string describe_in_xml(const RtlSource& source, StopFlag stop) {
  const WorkFolder work(source.top + ".xml");
  const fs::path xml = work.path() / "top.xml";
  Arguments arguments{"--xml-only", "--xml-output", xml.string(), "--Mdir", work.path().string()};
  const Arguments given = source_arguments(source);
  arguments.insert(arguments.end(), given.begin(), given.end());
  const ProcessResult result = run_verilator(arguments, stop);
  if (result.status != 0) refuse(source, result);
  return read_file(xml);
}

ModelLibrary::ModelLibrary(const RtlSource& source, const BuildHooks& hooks) {
  for (const auto* files : {&source.files, &source.lists}) {
    for (const fs::path& file : *files) require_file(file);
  }
  const std::string key = key_of(source);
  const fs::path folder = open_cache() / (source.top + "-" + fingerprint(key));
  if (!is_current(folder, products)) {
    if (hooks.say)
      hooks.say("verilating and compiling " + source.top + " (once for this configuration)");
    const WorkFolder work(folder.filename().string());
    seal(work.path(), ModelBuild(source, work.path(), hooks.stop).run(), products);
    if (!is_current(folder, products))
      replace(folder, work.path(), products);  // unless another process has just done so
  }
  load(folder, source.top);
}

void ModelLibrary::load(const fs::path& folder, const std::string& top) {
  void* library = dlopen((folder / "model.so").c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    throw std::invalid_argument(load_fault(folder, top, dlerror()));
  }
  const auto version = reinterpret_cast<PinModelVersion>(dlsym(library, pin_model_version_symbol));
  create_ = reinterpret_cast<PinModelCreate>(dlsym(library, pin_model_create_symbol));
  if (version == nullptr || create_ == nullptr || version() != pin_model_version) {
    throw std::invalid_argument(shown_path(folder.string()) +
                                ": is not a model library of this program; remove the folder");
  }
  const std::string header = read_file(folder / "Vmodel.h");
  inputs_ = read_pins(header, "IN");
  outputs_ = read_pins(header, "OUT");
  std::istringstream circles(read_file(folder / "circular"));
  for (std::string place; std::getline(circles, place);) circles_.push_back(place);
}

namespace {

/// A model that is clocked after each reset for a while before anybody uses it.
class RestingModel final : public PinModel {
 public:
  RestingModel(std::unique_ptr<PinModel> model, int cycles)
      : model_(std::move(model)), cycles_(cycles) {
    inputs_ = model_->inputs();
    outputs_ = model_->outputs();
    registers_ = model_->registers();
  }

  void reset(std::uint32_t address) override {
    model_->reset(address);
    for (int cycle = 0; cycle < cycles_; ++cycle) model_->clock();
  }
  void set_table(const std::uint32_t* hops, std::size_t rows) override {
    model_->set_table(hops, rows);
  }
  void clock() override { model_->clock(); }
  void settle() override { model_->settle(); }
  bool is_active() const override { return model_->is_active(); }
  bool has_active_pin() const override { return model_->has_active_pin(); }
  void sample() override { model_->sample(); }

 private:
  std::unique_ptr<PinModel> model_;
  const int cycles_;
};

}  // namespace

std::unique_ptr<PinModel> ModelLibrary::create(std::uint32_t seed) const {
  std::unique_ptr<PinModel> model(create_(seed));
  if (rest_cycles_ > 0) model = std::make_unique<RestingModel>(std::move(model), rest_cycles_);
  return wrap_ ? wrap_(std::move(model)) : std::move(model);
}

}  // namespace allport
