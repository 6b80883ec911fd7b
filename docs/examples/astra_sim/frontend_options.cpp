// SPDX-License-Identifier: Apache-2.0
#include "frontend_options.h"

#include <array>
#include <cerrno>
#include <cstring>
#include <functional>
#include <set>
#include <stdexcept>
#include <string_view>

#include "rtl_model/base/names.h"
#include "rtl_model/base/quote.h"
#include "testbench/files/whole_file.h"
#include "testbench/plan/option_values.h"

namespace {

struct FrontendOption {
  std::string_view name;
  std::string_view help;
  std::function<void(FrontendOptions&, std::string_view value)> set;
};

FrontendOption path(std::string_view name, std::string_view help,
                    std::string FrontendOptions::*field) {
  return {name, help, [field](FrontendOptions& options, std::string_view value) {
            options.*field = allport::parse_path(value);
          }};
}

FrontendOption scale(std::string_view name, std::string_view help, double FrontendOptions::*field) {
  return {name, help, [field](FrontendOptions& options, std::string_view value) {
            options.*field = allport::parse_decimal(value, 0, 1e6);
          }};
}

const std::vector<FrontendOption>& frontend_options() {
  static const std::vector<FrontendOption> options{
      path("workload-configuration", "PREFIX of the execution traces PREFIX.0.et, ..",
           &FrontendOptions::workload),
      path("system-configuration", "JSON file of the system layer", &FrontendOptions::system),
      path("remote-memory-configuration", "JSON file of the remote memory",
           &FrontendOptions::memory),
      path("network-configuration", "scenario of allport, a TOML file", &FrontendOptions::network),
      path("comm-group-configuration", "JSON file of groups of ranks [none]",
           &FrontendOptions::communicators),
      path("logging-configuration", "TOML file of the loggers [none]", &FrontendOptions::logging),
      path("logging-folder", "folder of the logs [log]", &FrontendOptions::log_folder),
      {"num-queues-per-dim", "queues of the system layer for each dimension [1]",
       [](FrontendOptions& options, std::string_view value) {
         options.queues_per_dimension =
             static_cast<int>(allport::parse_integer(value, {1, 1000000}));
       }},
      scale("comm-scale", "factor of the lengths of collectives [1]",
            &FrontendOptions::communication_scale),
      scale("injection-scale", "factor of the delay of an endpoint [1]",
            &FrontendOptions::injection_scale),
      {"rendezvous-protocol", "whether a receive asks for each message [false]",
       [](FrontendOptions& options, std::string_view value) {
         options.has_rendezvous = allport::parse_flag(value);
       }},
  };
  return options;
}

const FrontendOption& option_named(std::string_view name) {
  std::vector<std::string_view> names;
  for (const FrontendOption& one : frontend_options()) {
    if (one.name == name) return one;
    names.push_back(one.name);
  }
  throw std::invalid_argument(allport::unknown_name("option", name, names));
}

void require_given(std::string_view name, const std::string& value) {
  if (!value.empty()) return;
  throw std::invalid_argument("--" + std::string(name) + ": it is missing");
}

}  // namespace

FrontendOptions read_frontend_options(const std::vector<std::string>& arguments) {
  FrontendOptions options;
  std::set<std::string> given;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string& argument = arguments[i];
    if (argument.compare(0, 2, "--") != 0) {
      throw std::invalid_argument(allport::in_quotes(argument) +
                                  " is not an option: it is --NAME=VALUE");
    }
    const std::size_t sign = argument.find('=');
    const std::string name = argument.substr(2, sign == std::string::npos ? sign : sign - 2);
    const FrontendOption& option = option_named(name);
    if (!given.insert(name).second) {
      throw std::invalid_argument("--" + name + ": it is given twice");
    }
    if (sign == std::string::npos && ++i == arguments.size()) {
      throw std::invalid_argument("--" + name + ": it has no value");
    }
    try {
      option.set(options, sign == std::string::npos ? arguments[i] : argument.substr(sign + 1));
    } catch (const std::invalid_argument& error) {
      throw std::invalid_argument("--" + name + ": " + error.what());
    }
  }
  require_given("workload-configuration", options.workload);
  require_given("system-configuration", options.system);
  require_given("remote-memory-configuration", options.memory);
  require_given("network-configuration", options.network);
  return options;
}

std::string frontend_help() {
  std::string text;
  for (const FrontendOption& one : frontend_options()) {
    text += "  --" + std::string(one.name) + "=.." +
            std::string(30 - std::min<std::size_t>(one.name.size(), 29), ' ') +
            std::string(one.help) + "\n";
  }
  return text;
}

std::string text_of_file(const std::string& what, const std::string& file) {
  constexpr std::size_t most = std::size_t{1} << 24;
  if (const std::optional<std::string> text = allport::whole_text(file, most)) return *text;
  const int fault = errno;
  const std::string why = fault == EFBIG ? "it has more than 16 MiB" : std::strerror(fault);
  throw std::invalid_argument("the " + what + " " + allport::shown_path(file) +
                              " cannot be read: " + why);
}
