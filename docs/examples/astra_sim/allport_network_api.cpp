// SPDX-License-Identifier: Apache-2.0
#include "allport_network_api.h"

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <stdexcept>

namespace {

template <class Call>
auto told(Call call) -> decltype(call()) {
  try {
    return call();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "astra_sim: %s\n", error.what());
    std::exit(EXIT_FAILURE);
  }
}

}  // namespace

AllportNetworkApi::AllportNetworkApi(MatchedNetwork& network, int rank)
    : AstraNetworkAPI(rank), network_(network) {}

int AllportNetworkApi::sim_send(void* /*buffer*/, std::uint64_t count, int /*type*/,
                                int destination, int tag, AstraSim::sim_request* /*request*/,
                                void (*handler)(void* argument), void* argument) {
  told([&] { network_.send({rank, destination, tag, count}, {handler, argument}); });
  return 0;
}

int AllportNetworkApi::sim_recv(void* /*buffer*/, std::uint64_t count, int /*type*/, int source,
                                int tag, AstraSim::sim_request* /*request*/,
                                void (*handler)(void* argument), void* argument) {
  told([&] { network_.receive({source, rank, tag, count}, {handler, argument}); });
  return 0;
}

void AllportNetworkApi::sim_schedule(AstraSim::timespec_t delta, void (*handler)(void* argument),
                                     void* argument) {
  told([&] {
    if (delta.time_res != AstraSim::NS) {
      throw std::invalid_argument("a time that is not in nanoseconds is not known");
    }
    network_.schedule(MatchedNetwork::from_nanoseconds(delta.time_val), {handler, argument});
  });
}

AstraSim::timespec_t AllportNetworkApi::sim_get_time() {
  return {AstraSim::NS, MatchedNetwork::in_nanoseconds(network_.now())};
}

double AllportNetworkApi::get_BW_at_dimension(int dimension) {
  return told([&] { return network_.bandwidth(static_cast<std::size_t>(dimension)); });
}
