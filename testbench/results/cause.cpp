// SPDX-License-Identifier: Apache-2.0
#include "testbench/results/cause.h"

namespace allport {

const std::array<Cause, cause_count>& causes() {
  static const std::array<Cause, cause_count> all{
      Cause::receive,   Cause::prepare,    Cause::hop,         Cause::length,   Cause::port,
      Cause::processor, Cause::jitter,     Cause::replication, Cause::behind,   Cause::channel,
      Cause::credit,    Cause::turnaround, Cause::mode,        Cause::crossbar, Cause::ack,
      Cause::branch,    Cause::combine,    Cause::join,        Cause::width,     Cause::order};
  return all;
}

const char* to_string(Cause cause) {
  constexpr std::array<const char*, cause_count> names{
      "tr",          "ts",     "hop",     "length", "port",       "processor", "jitter",
      "replication", "behind", "channel", "credit", "turnaround", "mode",      "switch",
      "ack",         "branch", "combine", "join",   "width",      "order"};
  static_assert(names.back() != nullptr, "a cause has no name");
  return names[static_cast<std::size_t>(cause)];
}

bool is_waiting(Cause cause) {
  return cause != Cause::receive && cause != Cause::prepare && cause != Cause::hop &&
         cause != Cause::length && cause != Cause::width;
}

}  // namespace allport
