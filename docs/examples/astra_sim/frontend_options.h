// SPDX-License-Identifier: Apache-2.0
// The options of the frontend, which have the names that those of the other frontends of ASTRA-sim
// have.
#pragma once

#include <string>
#include <vector>

struct FrontendOptions {
  std::string workload;                 ///< begin of the names of the execution traces
  std::string system;                   ///< JSON
  std::string memory;                   ///< JSON
  std::string network;                  ///< a scenario of allport, TOML
  std::string communicators = "empty";  ///< JSON; `empty`: the ranks are in one group
  std::string logging = "empty";        ///< of the loggers, TOML; `empty`: there is none
  std::string log_folder = "log";       ///< the folder into which the logs are written
  int queues_per_dimension = 1;         ///< 1..1000000
  double communication_scale = 1;       ///< of the lengths of collectives, 0..10^6
  double injection_scale = 1;           ///< of the delay of an endpoint, 0..10^6
  bool has_rendezvous = false;          ///< whether a receive asks for each message
};

/// Reads `--NAME=VALUE` or `--NAME VALUE`. Throws std::invalid_argument, one sentence, for an
/// option that there is not, one that is given twice or has no value, a value out of its range, and
/// a file that is missing among the options or cannot be read.
FrontendOptions read_frontend_options(const std::vector<std::string>& arguments);

/// The options, a line for each.
std::string frontend_help();

/// The content of `file`. Throws std::invalid_argument, one sentence that calls it `what`.
std::string text_of_file(const std::string& what, const std::string& file);
