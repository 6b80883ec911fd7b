// SPDX-License-Identifier: Apache-2.0
#include "testbench/plan/simulation_config.h"

#include <fmt/format.h>

#include <stdexcept>
#include <string>

#include "rtl_model/base/range.h"
#include "rtl_model/router/router_parts.h"

namespace allport {

void require_length(int flits, const char* option, bool is_transaction_level) {
  if (is_transaction_level || flits <= limits::router_flits.high) return;
  throw std::invalid_argument(
      std::string(option) + " " + std::to_string(flits) + ": routers move messages of up to " +
      std::to_string(limits::router_flits.high) + " flits; --model worm takes up to " +
      std::to_string(limits::flits.high));
}

void require_host(const HostModel& model) {
  const auto require = [](const char* what, double cycles) {
    const auto most = static_cast<double>(limits::node_cycles.high);
    const bool is_in_range = cycles >= 0 && cycles <= most;
    if (is_in_range && decimals_of(cycles) <= HostModel::most_decimals) return;
    throw std::invalid_argument(
        fmt::format("the host: {} {}: must {}", what, cycles,
                    is_in_range ? fmt::format("have {} decimals at most", HostModel::most_decimals)
                                : fmt::format("be 0..{}", limits::node_cycles.high)));
  };
  require("start_up", model.start_up);
  require("per_byte", model.per_byte);
}

void validate(const SimulationConfig& config) {
  require_range("threads", config.threads, {1, RouterParts::most});
  require_range("ts", config.ts, limits::node_cycles);
  require_range("tr", config.tr, limits::node_cycles);
  require_range("jitter", config.jitter, limits::node_cycles);
  require_range("reception limit", config.reception_limit, {0, limits::flits.high});
  require_range("skew", config.skew, limits::node_cycles);
  require_range("ts per flit", config.model.ts_per_flit, limits::node_cycles);
  require_range("tr per flit", config.model.tr_per_flit, limits::node_cycles);
  if (config.host) require_host(*config.host);
  if (config.barrier) require_range("barrier", *config.barrier, limits::node_cycles);
  if (config.barrier && config.barrier_messages) {
    throw std::invalid_argument("a barrier is one of cycles or one of messages, not both");
  }
  require_range("flits", config.flits, limits::flits);
  require_length(config.flits, "--flits", config.is_transaction_level);
  if (config.payload_is_symbolic && !config.is_transaction_level) {
    throw std::invalid_argument(
        "--payload symbolic: routers carry every byte; --model worm can carry symbols");
  }
  require_range("flit bytes", config.flit_bytes, limits::flit_bytes);
  const auto flit_bytes = static_cast<std::size_t>(config.flit_bytes);
  if (config.bytes == 0 ||
      (config.bytes - 1) / flit_bytes + 1 != static_cast<std::size_t>(config.flits)) {
    throw std::invalid_argument("bytes " + std::to_string(config.bytes) + ": they do not make " +
                                std::to_string(config.flits) + " flits of " +
                                std::to_string(config.flit_bytes) + " bytes");
  }
}

}  // namespace allport
