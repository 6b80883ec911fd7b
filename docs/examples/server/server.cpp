// SPDX-License-Identifier: Apache-2.0
// A server among programs (docs/programs.md): rank 0 hands out tickets to whoever asks, and does
// not know how many will; the other ranks ask for some, and give up a request that is not answered
// in time. Exits with 0 when every ticket was given once.
#include <cstdint>
#include <cstdio>
#include <memory>
#include <numeric>
#include <optional>
#include <systemc>
#include <vector>

#include "testbench/simulation/run_programs.h"

namespace {

constexpr allport::Cycle service = 25;   // cycles for a ticket
constexpr allport::Cycle patience = 90;  // of those who ask, in cycles
constexpr std::uint32_t request = 1;     // tags
constexpr std::uint32_t ticket = 2;

/// What happened, for all ranks.
struct Account {
  std::int64_t given = 0;
  std::int64_t in_time = 0;
  std::int64_t late = 0;
  allport::Cycle end = 0;  // of the server
};

class Server final : public allport::Program {
 public:
  explicit Server(Account& account) : account_(account) {}
  void run(allport::Processor& self) override {
    while (const auto message = self.receive_or_end(allport::Processor::any, request)) {
      self.compute(service);
      self.send(message->from, std::vector<std::int64_t>{account_.given++}, ticket);
    }
    account_.end = self.now();
  }

 private:
  Account& account_;
};

class Client final : public allport::Program {
 public:
  explicit Client(Account& account) : account_(account) {}
  void run(allport::Processor& self) override {
    int late = 0;
    for (int i = 0; i < 5; ++i) {
      self.send(0, nullptr, 0, request);
      const std::optional<allport::ReceivedMessage> answer =
          self.try_receive_for(patience, 0, ticket);
      answer ? ++account_.in_time : ++late;
      self.compute(100 + 10 * self.rank());
    }
    for (int i = 0; i < late; ++i) self.receive(0, ticket);  // what came too late
    account_.late += late;
  }

 private:
  Account& account_;
};

}  // namespace

int sc_main(int, char**) {
  allport::RunRequest run;
  run.fabric.topology = allport::parse_topology("torus:3x3");
  run.node.ts = 10;
  Account account;
  const allport::Results results =
      allport::run_programs(run, [&](std::uint32_t rank) -> std::unique_ptr<allport::Program> {
        if (rank == 0) return std::make_unique<Server>(account);
        return std::make_unique<Client>(account);
      });
  std::printf("%lld tickets, %lld in time, %lld late; the server ends in cycle %lld of %lld\n",
              static_cast<long long>(account.given), static_cast<long long>(account.in_time),
              static_cast<long long>(account.late), static_cast<long long>(account.end),
              static_cast<long long>(results.tasks->makespan));
  const bool is_right = account.given == 40 && account.in_time + account.late == 40;
  return results.is_complete() && is_right ? 0 : 1;
}
