// SPDX-License-Identifier: Apache-2.0
// An AllportNetworkApi is the network that a rank of ASTRA-sim sees: all of them share a
// MatchedNetwork. ASTRA-sim catches exceptions of its own calls and goes on, so that what is wrong
// with a call is told on stderr in a sentence and ends the program.
#pragma once

#include <cstdint>

#include "astra-sim/common/AstraNetworkAPI.hh"
#include "matched_network.h"

class AllportNetworkApi : public AstraSim::AstraNetworkAPI {
 public:
  AllportNetworkApi(MatchedNetwork& network, int rank);

  int sim_send(void* buffer, std::uint64_t count, int type, int destination, int tag,
               AstraSim::sim_request* request, void (*handler)(void* argument),
               void* argument) override;
  int sim_recv(void* buffer, std::uint64_t count, int type, int source, int tag,
               AstraSim::sim_request* request, void (*handler)(void* argument),
               void* argument) override;
  void sim_schedule(AstraSim::timespec_t delta, void (*handler)(void* argument),
                    void* argument) override;
  AstraSim::timespec_t sim_get_time() override;
  double get_BW_at_dimension(int dimension) override;
  void sim_notify_finished() override { is_finished_ = true; }

  /// Whether the workload of the rank has come to its end.
  bool is_finished() const { return is_finished_; }

 private:
  MatchedNetwork& network_;
  bool is_finished_ = false;
};
