// SPDX-License-Identifier: Apache-2.0
// ASTRA-sim on an allport::Network: a rank on each node of the fabric, whose dimensions are those
// of the topology that the system layer plans collectives for.
#include <array>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "allport_network_api.h"
#include "astra-sim/common/Logging.hh"
#include "astra-sim/system/Sys.hh"
#include "extern/remote_memory_backend/analytical/AnalyticalRemoteMemory.hh"
#include "frontend_options.h"
#include "matched_network.h"

namespace {

struct Rank {
  std::unique_ptr<AllportNetworkApi> network;
  std::unique_ptr<AstraSim::Sys> system;
};

std::vector<Rank> ranks_of(const FrontendOptions& options, MatchedNetwork& network,
                           AstraSim::AstraRemoteMemoryAPI& memory) {
  const std::vector<int> queues(network.sides().size(), options.queues_per_dimension);
  std::vector<Rank> ranks;
  for (int rank = 0; rank < static_cast<int>(network.node_count()); ++rank) {
    Rank one;
    one.network = std::make_unique<AllportNetworkApi>(network, rank);
    one.system = std::make_unique<AstraSim::Sys>(
        rank, options.workload, options.communicators, options.system, &memory, one.network.get(),
        network.sides(), queues, options.injection_scale, options.communication_scale,
        options.has_rendezvous);
    ranks.push_back(std::move(one));
  }
  return ranks;
}

void require_finished(const std::vector<Rank>& ranks, const MatchedNetwork& network) {
  std::size_t unfinished = 0;
  for (const Rank& one : ranks) {
    if (!one.network->is_finished()) ++unfinished;
  }
  if (unfinished == 0) return;
  throw std::runtime_error("the workload of " + std::to_string(unfinished) + " of " +
                           std::to_string(ranks.size()) + " ranks does not end, and nothing moves" +
                           (network.unmatched() ? ": " + *network.unmatched() : ""));
}

// What is printed of a run that has come to its end.
std::string run(const FrontendOptions& options) {
  MatchedNetwork network(text_of_file("scenario", options.network), options.network);
  // What ASTRA-sim cannot read it tells in its log.
  text_of_file("system configuration", options.system);
  text_of_file("remote memory configuration", options.memory);
  AstraSim::LoggerFactory::init(options.logging, options.log_folder);
  Analytical::AnalyticalRemoteMemory memory(options.memory);
  std::vector<Rank> ranks = ranks_of(options, network, memory);
  for (Rank& one : ranks) one.system->workload->fire();
  while (network.proceed()) {
  }
  require_finished(ranks, network);
  std::array<char, 64> time;
  std::snprintf(time.data(), time.size(), "%.3Lf", MatchedNetwork::in_nanoseconds(network.now()));
  return "allport: " + std::to_string(ranks.size()) + " ranks have ended at " + time.data() +
         " ns, " + std::to_string(network.messages()) + " messages with " +
         std::to_string(network.bytes()) + " bytes were sent\n";
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<std::string> arguments(argv + 1, argv + argc);
  if (arguments.size() == 1 && arguments.front() == "--help") {
    std::printf("ASTRA-sim on a network of allport\n%s", frontend_help().c_str());
    return EXIT_SUCCESS;
  }
  int status = EXIT_SUCCESS;
  std::string result;
  try {
    result = run(read_frontend_options(arguments));
  } catch (const std::exception& error) {
    std::fprintf(stderr, "astra_sim: %s\n", error.what());
    status = EXIT_FAILURE;
  }
  AstraSim::LoggerFactory::shutdown();  // the log is complete before the result
  std::printf("%s", result.c_str());
  return status;
}
