// SPDX-License-Identifier: Apache-2.0
#include "tlm/processor/program_workload.h"

#include <sysc/kernel/sc_spawn.h>
#include <sysc/kernel/sc_spawn_options.h>

#include <algorithm>
#include <deque>
#include <functional>
#include <queue>
#include <stdexcept>
#include <systemc>
#include <utility>

#include "tlm/interface/injection_port.h"

namespace allport {

namespace {

constexpr std::uint32_t no_rank = UINT32_MAX;
constexpr int stack_bytes = 128 * 1024;

[[noreturn]] void refuse(const std::string& what) { throw std::invalid_argument(what); }

template <class T>
void add(std::vector<T>& values, const std::vector<T>& others) {
  if (values.size() != others.size()) {
    throw std::length_error("reduce: this rank has " + std::to_string(values.size()) +
                            " values, and another one has " + std::to_string(others.size()));
  }
  for (std::size_t i = 0; i < values.size(); ++i) values[i] += others[i];
}

}  // namespace

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
  void broadcast(std::uint32_t root, Bytes& data, std::string_view algorithm) override;
  void reduce(std::uint32_t root, std::vector<double>& values,
              std::string_view algorithm) override {
    sum_up(root, values, algorithm);
  }
  void reduce(std::uint32_t root, std::vector<std::int64_t>& values,
              std::string_view algorithm) override {
    sum_up(root, values, algorithm);
  }
  void barrier(std::string_view algorithm) override;

  void add_arrival(Cycle due, std::uint32_t from, int order, std::uint32_t held) {
    arrivals_.push({due, from, order, held});
  }
  void note_sent(int port, Cycle now) {
    is_sending_ = false;
    if (!ports_.empty()) ports_[static_cast<std::size_t>(port)].free_at = now;
  }
  Cycle act(Cycle now);
  RankTimes times() const { return clock_.times(); }
  bool has_ended() const { return has_ended_; }
  std::string name() const { return is_host() ? "the host" : "rank " + std::to_string(number_); }
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
  void send_by_host(std::uint32_t to, const unsigned char* data, const Envelope& envelope);
  void keep_busy(Cycle cycles, bool computes);
  void send_on(std::uint32_t to, const void* data, const Envelope& envelope, TieMask ties);
  void prepare(tlm::tlm_generic_payload& message, Cycle preparation);
  ReceivedMessage receive_of(std::uint32_t from, std::uint32_t tag, bool is_of_collective);
  void require_rank(const char* what, std::uint32_t rank) const;
  std::uint32_t context(bool is_of_collective) const {
    return 2 * number_ + (is_of_collective ? 1 : 0);
  }
  std::uint32_t next_collective() { return collectives_++ & 0x7fffffffU; }
  const std::vector<CollectiveAct>& acts(Operation operation, std::uint32_t root,
                                         std::string_view algorithm) {
    if (is_host()) refuse("the host takes part in no collective");
    if (root == host) refuse("the root of a collective is a rank, not the host");
    require_rank("the root", root);
    return all_.plans_->acts(operation, root, algorithm, number_);
  }
  template <class T>
  void sum_up(std::uint32_t root, std::vector<T>& values, std::string_view algorithm);
  TieMask usual_ties(std::uint32_t to) const {
    return all_.machine_.routing.usual_ties(all_.nodes_[number_], all_.nodes_[to], sends_);
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
  bool is_sending_ = false;
  bool is_receiving_ = false;
  std::uint32_t taken_ = Matching::none;  // the message of its receive, held
  std::uint32_t awaited_ = any;
  std::uint32_t awaited_tag_ = any;
  Cycle waits_since_ = 0;
  int sends_ = 0;
  std::uint32_t collectives_ = 0;
};

void ProgramWorkload::Rank::run() {
  try {
    program_.run(*this);
  } catch (const sc_core::sc_unwind_exception&) {
    throw;  // the kernel ends the thread
  } catch (const std::exception& error) {
    all_.problems_.push_back(name() + ": " + error.what());
  } catch (...) {
    all_.problems_.push_back(name() + ": its program threw something that is no std::exception");
  }
  has_ended_ = true;
  ++all_.ended_;
  clock_.end(now_);
}

void ProgramWorkload::Rank::require_rank(const char* what, std::uint32_t rank) const {
  if (rank < size() || (rank == host && all_.host_ != nullptr)) return;
  refuse(std::string(what) + " is rank " + std::to_string(rank) + ", but ranks are 0.." +
         std::to_string(size() - 1));
}

void ProgramWorkload::Rank::keep_busy(Cycle cycles, bool computes) {
  clock_.change(now_, computes ? 1 : 0, computes ? 0 : 1);
  busy_until_ = now_ + cycles;
  if (cycles > 0) all_.hands_->expect(all_.nodes_[number_], busy_until_);
  while (now_ < busy_until_) sc_core::wait(go_on_);
  clock_.change(now_, computes ? -1 : 0, computes ? 0 : -1);
}

void ProgramWorkload::Rank::compute(Cycle cycles) {
  if (cycles < 0) refuse("compute: " + std::to_string(cycles) + " cycles are negative");
  keep_busy(cycles, true);
}

void ProgramWorkload::Rank::send(std::uint32_t to, const void* data, std::size_t bytes,
                                 std::uint32_t tag) {
  require_rank("send: the receiver", to);
  if (tag > 0x7fffffffU) refuse("send: tag " + std::to_string(tag) + " is above 2^31 - 1");
  const bool crosses_fabric = to != number_ && to != host && !is_host();
  send_on(to, data, {rank(), tag, false, bytes}, crosses_fabric ? usual_ties(to) : 0);
}

void ProgramWorkload::Rank::send_on(std::uint32_t to, const void* data, const Envelope& envelope,
                                    TieMask ties) {
  const auto* const bytes = static_cast<const unsigned char*>(data);
  if (to == host || is_host()) {
    send_by_host(to, bytes, envelope);
    return;
  }
  const Cycle preparation =
      all_.machine_.node.ts + all_.machine_.model.ts_per_flit * all_.flits(envelope.bytes);
  const int order = sends_++;
  if (to == number_) {  // it stays in the memory of its rank
    keep_busy(preparation, false);
    const std::uint32_t held = all_.hold({envelope, {bytes, bytes + envelope.bytes}, nullptr});
    const Cycle delay = all_.machine_.model.receive_occupies ? 0 : all_.takeover(envelope.bytes);
    add_arrival(now_ + delay, number_, order, held);
    all_.hands_->expect(all_.nodes_[number_], now_ + delay);
    return;
  }
  tlm::tlm_generic_payload& message =
      all_.machine_.pool.allocate(std::max<std::size_t>(envelope.bytes, 1));
  if (envelope.bytes > 0) std::copy_n(bytes, envelope.bytes, message.get_data_ptr());
  if (envelope.bytes == 0) *message.get_data_ptr() = 0;
  message.set_address(index(all_.nodes_[to]));
  MessageExtension& extension = *message_extension(message);
  extension.order = order;
  extension.ties = ties;
  extension.created = now_;
  all_.under_way_.emplace(key(number_, order), envelope);
  prepare(message, preparation);
}

// Sender and receiver know nothing but the channel: it says when the bytes are over there.
void ProgramWorkload::Rank::send_by_host(std::uint32_t to, const unsigned char* data,
                                         const Envelope& envelope) {
  if (to == rank()) refuse("send: the host does not send to itself");
  const std::uint32_t held = all_.hold({envelope, {data, data + envelope.bytes}, nullptr});
  keep_busy(all_.host_->carry(envelope.bytes), false);
  const std::size_t place = all_.place_of(to);
  all_.ranks_[place]->add_arrival(now_, number_, sends_++, held);
  all_.hands_->expect(all_.nodes_[place], now_);
}

void ProgramWorkload::Rank::prepare(tlm::tlm_generic_payload& message, Cycle preparation) {
  const NodeId node = all_.nodes_[number_];
  const bool blocks = all_.machine_.model.send_blocks;
  if (!ports_.empty() && !blocks) {  // the port does the rest
    const int port = injection_port(message, node, all_.machine_.router, all_.machine_.routing);
    ports_[static_cast<std::size_t>(port)].queue.emplace_back(&message, preparation);
    all_.hands_->expect(node, now_);
    return;
  }
  is_sending_ = blocks;
  all_.hands_->send(node, message, preparation);
  if (!blocks) {
    keep_busy(preparation, false);
    return;
  }
  clock_.change(now_, 0, 1);
  while (is_sending_) sc_core::wait(go_on_);
  clock_.change(now_, 0, -1);
}

ReceivedMessage ProgramWorkload::Rank::receive(std::uint32_t from, std::uint32_t tag) {
  if (from != any) require_rank("receive: the sender", from);
  if (tag != any && tag > 0x7fffffffU) {
    refuse("receive: tag " + std::to_string(tag) + " is above 2^31 - 1");
  }
  return receive_of(from, tag, false);
}

ReceivedMessage ProgramWorkload::Rank::receive_of(std::uint32_t from, std::uint32_t tag,
                                                  bool is_of_collective) {
  taken_ = all_.matching_.post(context(is_of_collective), from, tag, number_);
  if (taken_ == Matching::none) {
    is_receiving_ = true;
    awaited_ = from;
    awaited_tag_ = is_of_collective ? any : tag;
    waits_since_ = now_;
    while (taken_ == Matching::none) sc_core::wait(go_on_);
    is_receiving_ = false;
  }
  Held& held = all_.held_[taken_];
  ReceivedMessage message{held.envelope.from, held.envelope.tag, std::move(held.bytes)};
  tlm::tlm_generic_payload* const transaction = std::exchange(held.message, nullptr);
  all_.free_held_.push_back(taken_);
  if (all_.machine_.model.receive_occupies) keep_busy(all_.takeover(message.bytes.size()), false);
  if (transaction != nullptr) all_.hands_->have(*transaction);
  return message;
}

void ProgramWorkload::Rank::broadcast(std::uint32_t root, Bytes& data, std::string_view algorithm) {
  const auto& list = acts(Operation::bcast, root, algorithm);
  const std::uint32_t tag = next_collective();
  for (const CollectiveAct& act : list) {
    if (act.sends) {
      send_on(act.peer, data.data(), {number_, tag, true, data.size()}, act.ties);
    } else {
      data = receive_of(act.peer, tag, true).bytes;
    }
  }
}

template <class T>
void ProgramWorkload::Rank::sum_up(std::uint32_t root, std::vector<T>& values,
                                   std::string_view algorithm) {
  const auto& list = acts(Operation::reduce, root, algorithm);
  const std::uint32_t tag = next_collective();
  for (const CollectiveAct& act : list) {
    if (act.sends) {
      send_on(act.peer, values.data(), {number_, tag, true, values.size() * sizeof(T)}, act.ties);
    } else {
      add(values, receive_of(act.peer, tag, true).template as<T>());
    }
  }
}

void ProgramWorkload::Rank::barrier(std::string_view algorithm) {
  const auto& list = acts(Operation::barrier, 0, algorithm);
  const std::uint32_t tag = next_collective();
  for (const CollectiveAct& act : list) {
    if (act.sends) {
      send_on(act.peer, nullptr, {number_, tag, true, 0}, act.ties);
    } else {
      receive_of(act.peer, tag, true);
    }
  }
}

// Messages that are there now, ports that are free, and then the thread, if what it waits for has
// come.
Cycle ProgramWorkload::Rank::act(Cycle now) {
  now_ = now;
  while (!arrivals_.empty() && arrivals_.top().due <= now) {
    const std::uint32_t held = arrivals_.top().held;
    arrivals_.pop();
    const Envelope& envelope = all_.held_[held].envelope;
    tlm::tlm_generic_payload*& message = all_.held_[held].message;
    if (message != nullptr && !all_.machine_.model.receive_occupies) {
      all_.hands_->have(*std::exchange(message, nullptr));
    }
    const std::uint32_t receive = all_.matching_.arrive(context(envelope.is_of_collective),
                                                        envelope.from, envelope.tag, held);
    if (receive != Matching::none) taken_ = held;
  }
  Cycle next = arrivals_.empty() ? never : arrivals_.top().due;
  for (Port& port : ports_) {
    while (port.free_at <= now && (port.is_busy || !port.queue.empty())) {
      if (port.is_busy) clock_.change(now, 0, -1);
      port.is_busy = !port.queue.empty();
      if (!port.is_busy) break;
      const auto [message, preparation] = port.queue.front();
      port.queue.pop_front();
      port.free_at = now + preparation;
      clock_.change(now, 0, 1);
      all_.hands_->send(all_.nodes_[number_], *message, preparation);
    }
    if (port.is_busy) next = std::min(next, port.free_at);
  }
  if (!has_begun_) {
    has_begun_ = true;
    sc_core::sc_spawn_options options;
    options.set_stack_size(stack_bytes);
    sc_core::sc_spawn([this] { run(); }, sc_core::sc_gen_unique_name("program"), &options);
    return next;
  }
  const bool waits =
      now < busy_until_ || is_sending_ || (is_receiving_ && taken_ == Matching::none);
  if (!waits && !has_ended_) go_on_.notify();
  return now < busy_until_ ? std::min(next, busy_until_) : next;
}

std::string ProgramWorkload::Rank::wait_in_words() const {
  std::string words = name() + " waits since cycle " + std::to_string(waits_since_) +
                      " for a message from " +
                      (awaited_ == any    ? "any rank"
                       : awaited_ == host ? "the host"
                                          : "rank " + std::to_string(awaited_));
  if (awaited_tag_ != any) words += ", tag " + std::to_string(awaited_tag_);
  const bool never_comes = awaited_ != any && all_.ranks_[all_.place_of(awaited_)]->has_ended();
  return never_comes ? words + ", whose program has ended" : words;
}

ProgramWorkload::ProgramWorkload(const TaskMachine& machine) : machine_(machine) {}
ProgramWorkload::~ProgramWorkload() = default;

void ProgramWorkload::load(const std::vector<Program*>& programs, const std::vector<NodeId>& nodes,
                           HostLink* host, Program* host_program) {
  nodes_ = nodes;
  size_ = static_cast<std::uint32_t>(programs.size());
  host_ = host;
  const std::size_t node_count = machine_.routing.topology().node_count();
  rank_at_.assign(node_count + 1, no_rank);
  plans_ = std::make_unique<CollectivePlans>(machine_.routing, machine_.router, nodes);
  ranks_.clear();
  for (std::uint32_t rank = 0; rank < programs.size(); ++rank) {
    rank_at_[index(nodes[rank])] = rank;
    ranks_.push_back(std::make_unique<Rank>(*this, rank, *programs[rank]));
  }
  if (host == nullptr) return;
  nodes_.push_back(node_id(node_count));
  rank_at_[node_count] = size_;
  ranks_.push_back(std::make_unique<Rank>(*this, size_, *host_program));
}

std::optional<NodeId> ProgramWorkload::host_node() const {
  if (host_ == nullptr) return std::nullopt;
  return nodes_.back();
}

Cycle ProgramWorkload::makespan() const {
  Cycle last = 0;
  for (const auto& rank : ranks_) last = std::max(last, rank->times().end);
  return last;
}

RankTimes ProgramWorkload::times(std::size_t rank) const { return ranks_[rank]->times(); }

void ProgramWorkload::reset() {
  under_way_.clear();
  held_.clear();
  free_held_.clear();
  matching_.reset(true);
  problems_.clear();
  ended_ = 0;
}

std::uint32_t ProgramWorkload::hold(Held held) {
  if (free_held_.empty()) {
    held_.push_back(std::move(held));
    return static_cast<std::uint32_t>(held_.size() - 1);
  }
  const std::uint32_t place = free_held_.back();
  free_held_.pop_back();
  held_[place] = std::move(held);
  return place;
}

Cycle ProgramWorkload::flits(std::size_t bytes) const {
  const auto whole = static_cast<Cycle>(std::max<std::size_t>(bytes, 1));
  return (whole - 1) / machine_.node.flit_bytes + 1;
}

Cycle ProgramWorkload::takeover(std::size_t bytes) const {
  return machine_.node.tr + machine_.model.tr_per_flit * flits(bytes);
}

void ProgramWorkload::on_arrival(NodeId node, tlm::tlm_generic_payload& message, Cycle now) {
  const MessageExtension& extension = *message_extension(message);
  const std::uint32_t from = rank_at_[index(extension.source)];
  const auto found = under_way_.find(key(from, extension.order));
  const Envelope envelope = found->second;
  under_way_.erase(found);
  const unsigned char* const data = message.get_data_ptr();
  const std::uint32_t held = hold({envelope, {data, data + envelope.bytes}, &message});
  const Cycle due = machine_.model.receive_occupies ? now : now + takeover(envelope.bytes);
  ranks_[rank_at_[index(node)]]->add_arrival(due, from, extension.order, held);
}

void ProgramWorkload::on_sent(NodeId node, tlm::tlm_generic_payload& message, Cycle now) {
  ranks_[rank_at_[index(node)]]->note_sent(message_extension(message)->internal_port, now);
}

Cycle ProgramWorkload::act(NodeId node, Cycle now, ProcessorHands& hands) {
  hands_ = &hands;
  const std::uint32_t rank = rank_at_[index(node)];
  return rank == no_rank ? never : ranks_[rank]->act(now);
}

TaskStandstill ProgramWorkload::standstill() const {
  TaskStandstill standstill;
  standstill.unended = ranks_.size() - ended_;
  const auto first = std::find_if(ranks_.begin(), ranks_.end(),
                                  [](const auto& rank) { return !rank->has_ended(); });
  if (first == ranks_.end()) return standstill;
  std::vector<std::size_t> place(ranks_.size(), ranks_.size());
  auto rank = static_cast<std::size_t>(first - ranks_.begin());
  while (place[rank] == ranks_.size()) {
    place[rank] = standstill.waits.size();
    standstill.waits.push_back(ranks_[rank]->wait_in_words());
    const std::uint32_t next = ranks_[rank]->awaited();
    if (next == Processor::any || ranks_[place_of(next)]->has_ended()) return standstill;
    rank = place_of(next);
  }
  standstill.is_circle = true;
  standstill.waits.erase(standstill.waits.begin(),
                         standstill.waits.begin() + static_cast<std::ptrdiff_t>(place[rank]));
  return standstill;
}

}  // namespace allport
