// SPDX-License-Identifier: Apache-2.0
// A Rank runs a program: it is the Processor that the program sees, and what its node does while
// the program waits.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <queue>
#include <string>
#include <string_view>
#include <systemc>
#include <tuple>
#include <unordered_set>
#include <utility>
#include <vector>

#include "tlm/processor/block_values.h"
#include "tlm/processor/program_workload.h"

namespace allport {

// The processor of a rank: everything but act() is called in the thread of its program.
class ProgramWorkload::Rank final : public Processor {
 public:
  Rank(ProgramWorkload& all, std::uint32_t number, Program& program)
      : all_(all), number_(number), program_(program) {
    if (all.machine_.model.startup_per_port) {
      ports_.resize(static_cast<std::size_t>(all.machine_.router.internal_ports));
    }
  }

  std::uint32_t rank() const override { return is_host() ? host : number_; }
  std::uint32_t size() const override { return all_.size_; }
  Cycle now() const override { return now_; }
  void compute(Cycle cycles) override;
  void send(std::uint32_t to, const void* data, std::size_t bytes, std::uint32_t tag) override;
  ReceivedMessage receive(std::uint32_t from, std::uint32_t tag) override;
  std::optional<ReceivedMessage> try_receive_for(Cycle limit, std::uint32_t from,
                                                 std::uint32_t tag) override;
  std::optional<ReceivedMessage> receive_or_end(std::uint32_t from, std::uint32_t tag) override;
  void broadcast(std::uint32_t root, Bytes& data, std::string_view algorithm) override;
  Bytes scatter(std::uint32_t root, const Bytes& blocks, std::size_t block_bytes,
                std::string_view algorithm) override;
  Bytes gather(std::uint32_t root, const Bytes& block, std::string_view algorithm) override;
  Bytes allgather(const Bytes& block, std::string_view algorithm) override;
  Bytes alltoall(const Bytes& blocks, std::string_view algorithm) override;
  void reduce(std::uint32_t root, std::vector<double>& values, std::string_view algorithm) override;
  void reduce(std::uint32_t root, std::vector<std::int64_t>& values,
              std::string_view algorithm) override;
  void allreduce(std::vector<double>& values, std::string_view algorithm) override;
  void allreduce(std::vector<std::int64_t>& values, std::string_view algorithm) override;
  std::vector<double> reduce_scatter(const std::vector<double>& values,
                                     std::string_view algorithm) override;
  std::vector<std::int64_t> reduce_scatter(const std::vector<std::int64_t>& values,
                                           std::string_view algorithm) override;
  void barrier(std::string_view algorithm) override;

  void add_arrival(Cycle due, std::uint32_t from, int order, std::uint32_t held) {
    arrivals_.push({due, from, order, held});
  }
  void note_sent(int port, Cycle now) {
    --leaving_;
    if (!ports_.empty()) ports_[static_cast<std::size_t>(port)].free_at = now;
  }
  Cycle act(Cycle now);
  RankTimes times() const { return clock_.times(); }
  bool has_ended() const { return has_ended_; }
  /// Nobody is left to ask: if it waits in receive_or_end, it waits no more.
  void end_service();
  /// The number of collectives that it has called.
  std::uint32_t collectives() const { return collectives_; }
  /// The rank whose message it waits for, or any; and in words.
  std::uint32_t awaited() const { return awaited_; }
  std::string wait_in_words() const;

 private:
  struct Arrival {
    Cycle due = 0;
    std::uint32_t from = 0;
    int order = 0;
    std::uint32_t held = 0;
    bool operator>(const Arrival& other) const {
      return std::tie(due, from, order) > std::tie(other.due, other.from, other.order);
    }
  };
  struct Port {
    Cycle free_at = 0;
    bool is_busy = false;
    std::deque<std::pair<tlm::tlm_generic_payload*, Cycle>> queue;  // with its preparation
  };

  bool is_host() const { return number_ == all_.size_; }
  void run();
  void send_by_host(const unsigned char* data, Envelope envelope);
  void require_end(const char* does, Cycle cycles) const;
  void keep_busy(Cycle cycles, bool computes);
  Cycle take_arrivals(Cycle now);
  void note_taken(std::uint32_t receive, std::uint32_t held);
  Cycle serve_ports(Cycle now);
  void send_on(const void* data, Envelope envelope, TieMask ties);
  void prepare(tlm::tlm_generic_payload& message, Cycle preparation);
  void wait_until_sent();
  void post(std::uint32_t from, std::uint32_t tag);
  void wait_for(std::uint32_t from, std::uint32_t tag, Cycle until = never, bool serves = false);
  void withdraw(std::uint32_t from, std::uint32_t tag);
  void count_timeless(const char* what, const char* how);
  void set_serving(bool serves);
  ReceivedMessage take(std::uint32_t held);
  void require_rank(const char* what, std::uint32_t rank) const;
  struct Contribution {  // what a rank brings to a collective
    const void* data = nullptr;
    std::size_t bytes = 0;
    BlockValues::Add add = nullptr;
  };
  struct Part {  // of this rank in a collective
    std::shared_ptr<const PlannedCall> plan;
    std::uint32_t place;      // of the collective among those of the rank
    std::uint32_t call;       // as in Envelope
    std::uint32_t first_tag;  // of its messages
    BlockValues values;
    std::unordered_set<std::uint32_t> received{};  // messages
    std::size_t sent = 0;                          // how far its program has come
    std::size_t awaited = 0;                       // how many receptions the next send has
    std::size_t complete = 0;                      // receptions before which none is missing
  };
  Bytes carry_out(CalledCollective call, std::string_view algorithm, const Contribution& given);
  Part begin(CalledCollective call, std::string_view algorithm, const Contribution& given);
  void post_receives(const Part& part);
  void take_next(Part& part);
  bool can_send(Part& part) const;
  void send_next(Part& part);
  std::uint32_t awaited_message(Part& part) const;
  static std::uint32_t tag_of(const Part& part, const CollectiveMessage& message) {
    return (part.first_tag + message.number) & 0x7fffffffU;
  }
  std::size_t block_of(std::size_t length, const char* what, const char* value) const;
  template <class T>
  std::vector<T> sum_up(Operation operation, std::uint32_t root, const std::vector<T>& values,
                        std::string_view algorithm);
  TieMask default_ties(std::uint32_t to) const {
    return all_.machine_.routing.default_ties(all_.nodes_[number_], all_.nodes_[to], sends_);
  }

  ProgramWorkload& all_;
  const std::uint32_t number_;
  Program& program_;
  RankClock clock_;
  Cycle now_ = 0;
  std::priority_queue<Arrival, std::vector<Arrival>, std::greater<>> arrivals_;
  std::vector<Port> ports_;  // with start-ups per port
  sc_core::sc_event go_on_;
  bool has_begun_ = false;
  bool has_ended_ = false;
  // What the thread waits for:
  Cycle busy_until_ = 0;
  bool is_sending_ = false;  // until no message that blocks is leaving
  int leaving_ = 0;          // messages that block, from send() until they have left
  bool is_receiving_ = false;
  Cycle receives_until_ = never;  // a receive with a limit
  bool is_serving_ = false;       // in receive_or_end, and nothing has come
  bool takes_part_ = false;       // in a collective
  struct Taken {
    std::uint32_t receive = 0;  // 0, or of a collective the act and 1
    std::uint32_t held = 0;
  };
  std::deque<Taken> taken_;  // the messages of its receives, in the order in which they came
  std::uint32_t awaited_ = any;
  std::uint32_t awaited_tag_ = any;
  Cycle waits_since_ = 0;
  Cycle timeless_in_ = never;  // when a call took no time last, and how many did in that cycle
  int timeless_ = 0;
  int sends_ = 0;
  std::uint32_t collectives_ = 0;
  std::uint32_t next_tag_ = 0;  // of the messages of collectives
};

}  // namespace allport
