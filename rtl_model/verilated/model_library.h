// SPDX-License-Identifier: Apache-2.0
// A ModelLibrary is a Verilated module as a shared library: built when it is first needed, kept in
// a cache folder, built again when a source, a parameter, Verilator or the compiler has changed. An
// interrupted build leaves nothing behind that could be taken for a library.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "rtl_model/base/stop_flag.h"
#include "rtl_model/verilated/pin_model.h"
#include "rtl_model/verilated/rtl_source.h"

namespace allport {

/// Callbacks while a library is made, which takes seconds to minutes.
struct BuildHooks {
  std::function<void(const std::string&)> say;  ///< called when it has to be built; may be empty
  StopFlag stop = nullptr;                      ///< set when the build must end
};

class ModelLibrary {
 public:
  /// Builds the library unless the cache has it. Throws std::invalid_argument, with one sentence
  /// and the output of Verilator or the compiler, if there is no Verilator or no compiler or if the
  /// RTL does not compile; Stopped, and ends Verilator and the compiler, once it is stopped.
  explicit ModelLibrary(const RtlSource& source, const BuildHooks& hooks = {});

  /// A function that wraps each instance created from now on, for example with a watch.
  using Wrap = std::function<std::unique_ptr<PinModel>(std::unique_ptr<PinModel>)>;
  void wrap(Wrap wrap) { wrap_ = std::move(wrap); }
  /// From now on a new instance is clocked `cycles` times after each reset, with nothing on its
  /// inputs.
  void rest_after_reset(int cycles) { rest_cycles_ = cycles; }
  /// A new instance. `seed`: the seed of the state that it does not reset; 0: that state is zero.
  std::unique_ptr<PinModel> create(std::uint32_t seed = 0) const;
  /// Width in bits of each pin of the top, by name.
  const std::map<std::string, int>& inputs() const { return inputs_; }
  const std::map<std::string, int>& outputs() const { return outputs_; }
  /// The places of circular logic between its blocks, which Verilator at times simulates wrongly;
  /// such a model is evaluated several times before each edge of the clock.
  const std::vector<std::string>& circles() const { return circles_; }

 private:
  void load(const std::filesystem::path& folder, const std::string& top);

  std::map<std::string, int> inputs_;
  std::map<std::string, int> outputs_;
  std::vector<std::string> circles_;
  PinModelCreate create_ = nullptr;
  Wrap wrap_;
  int rest_cycles_ = 0;
};

/// Whether Verilator can be run.
bool has_verilator();

/// Runs Verilator on `source` only for its description, and returns it (XML). Throws like the
/// constructor of ModelLibrary.
std::string describe_in_xml(const RtlSource& source, StopFlag stop = nullptr);

}  // namespace allport
