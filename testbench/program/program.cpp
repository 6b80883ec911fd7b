// SPDX-License-Identifier: Apache-2.0
#include "testbench/program/program.h"

#include <cstdio>
#include <new>
#include <stdexcept>

#include "testbench/files/standard_streams.h"
#include "testbench/processes/interrupt.h"
#include "testbench/program/commands/commands.h"
#include "testbench/program/options/command_line.h"
#include "testbench/program/terminal/exit_status.h"
#include "testbench/program/terminal/version.h"

namespace allport {

namespace {

constexpr const char* description =
    "Cycle-accurate all-port wormhole routers and collective communication on hypercubes, tori,\n"
    "meshes and rings.";
constexpr const char* footer =
    "Each command has its own --help.\n"
    "Exit status: 0 done and clean, 1 a finding, 2 wrong use, 3 the simulation is not complete.";

int complain(const std::string& sentence) {
  say(sentence);
  return exit_wrong_use;
}

int parse_and_run(CLI::App& program, const Commands& commands,
                  const std::vector<std::string>& words) {
  try {
    require_command(program, words);
    program.parse(std::vector<std::string>(words.rbegin(), words.rend()));
  } catch (const CLI::Success& request) {  // --help, --version
    return program.exit(request);
  } catch (const CLI::ParseError& error) {
    return complain(in_words(error, program));
  }
  for (const Command& command : commands.all()) {
    if (program.got_subcommand(command.app)) return command.run();
  }
  return complain("a command is missing, see `allport --help`");
}

}  // namespace

int run_program(int argc, char** argv) {
  CLI::App program(description, "allport");
  program.formatter(help_layout());
  program.footer(footer);
  program.set_help_flag("-h,--help", "print this help");
  program.set_version_flag("--version", std::string("allport ") + program_version,
                           "print the version");
  program.require_subcommand(0, 1);
  const Commands commands(program);
  try {
    require_stdout();
    const int status = parse_and_run(program, commands, {argv + 1, argv + argc});
    if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return status;
    return complain("stdout cannot be written");
  } catch (const Interrupted& error) {
    complain(error.what());
    return exit_incomplete;
  } catch (const std::bad_alloc&) {
    complain("the machine does not have enough memory for this");
    return exit_incomplete;
  } catch (const std::exception& error) {
    return complain(error.what());
  }
}

}  // namespace allport
