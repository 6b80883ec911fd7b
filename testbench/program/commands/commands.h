// SPDX-License-Identifier: Apache-2.0
// The commands of the program, one per file. Each adds itself to the program's command line and
// returns the function that carries it out; that function prints the results on stdout, returns the
// exit status and throws std::invalid_argument with one sentence on wrong use.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <vector>

#include "testbench/program/options/options.h"

namespace allport {

struct Command {
  CLI::App* app;
  std::function<int()> run;
  OptionList options;  ///< those that it takes
};

Command add_list(CLI::App& program);
Command add_schedule(CLI::App& program);
Command add_check(CLI::App& program);
Command add_run(CLI::App& program);
Command add_steps(CLI::App& program);
Command add_compare(CLI::App& program);
Command add_cosim(CLI::App& program);
Command add_fit(CLI::App& program);
Command add_bench(CLI::App& program);
Command add_sweep(CLI::App& program);
Command add_reproduce(CLI::App& program);
/// Prints the completion of a shell for `program` and its `commands`, as they are when it runs.
Command add_completion(CLI::App& program, const std::vector<Command>& commands);

/// All of them, in the order of the program's help.
class Commands {
 public:
  explicit Commands(CLI::App& program);
  Commands(const Commands&) = delete;  // the last one refers to all
  Commands& operator=(const Commands&) = delete;

  const std::vector<Command>& all() const { return all_; }

 private:
  std::vector<Command> all_;
};

}  // namespace allport
