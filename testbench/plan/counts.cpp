// SPDX-License-Identifier: Apache-2.0
#include "testbench/plan/counts.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <string>

#include "rtl_model/base/quote.h"
#include "rtl_model/base/range.h"
#include "testbench/plan/file_kind.h"
#include "testbench/plan/input_file.h"

namespace allport {

namespace {

std::string name_of(const PairCounts& counts) {
  return counts.name.empty() ? "--counts" : "--counts " + shown_path(counts.name);
}

}  // namespace

void settle_counts(RunRequest& request) {
  MessageRequest& message = request.message;
  if (message.pairs == nullptr && !message.counts.empty()) {
    read_input(message.counts, "the counts", [&](std::istream& in, const std::string& name) {
      InputHead input(in);
      require_kind(input.head(), FileKind::table, shown_path(name), "table of counts");
      message.pairs = std::make_shared<const PairCounts>(read_counts(input.all(), name));
    });
  }
  if (message.pairs == nullptr) return;
  message.bytes = message.pairs->largest();
  const auto flit_bytes = static_cast<std::size_t>(std::max(message.flit_bytes, 1));
  const std::size_t flits = message.bytes / flit_bytes + (message.bytes % flit_bytes != 0 ? 1 : 0);
  if (flits <= static_cast<std::size_t>(limits::flits.high)) return;
  throw std::invalid_argument(fmt::format(
      "{}: its largest pair has {} bytes, which are {} flits of {} bytes, and a message has 1..{}",
      name_of(*message.pairs), message.bytes, flits, flit_bytes, limits::flits.high));
}

void require_counted(const RunRequest& request, Operation operation) {
  const auto& counts = request.message.pairs;
  if (counts == nullptr || operation == Operation::alltoall) return;
  throw std::invalid_argument(fmt::format("{}: the bytes of each pair are for alltoall, not for {}",
                                          name_of(*counts), to_string(operation)));
}

void require_no_counts(const RunRequest& request, const char* why) {
  const auto& counts = request.message.pairs;
  if (counts == nullptr) return;
  throw std::invalid_argument(
      fmt::format("{}: {}, so {}, which is for the blocks of an alltoall, does not go with it",
                  shown_path(request.traffic.schedule), why, name_of(*counts)));
}

PairLengths lengths_of_pairs(const RunRequest& request, Operation operation, std::size_t ranks,
                             const std::vector<NodeId>& nodes_of_ranks) {
  require_counted(request, operation);
  const auto& counts = request.message.pairs;
  if (counts == nullptr) return nullptr;
  if (counts->ranks != ranks) {
    throw std::invalid_argument(fmt::format("{}: the table is of {} ranks, but {} nodes take part",
                                            name_of(*counts), counts->ranks, ranks));
  }
  return pair_lengths(*counts, request.message.flit_bytes, nodes_of_ranks);
}

}  // namespace allport
