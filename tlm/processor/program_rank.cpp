// SPDX-License-Identifier: Apache-2.0
#include "tlm/processor/program_rank.h"

#include <sysc/kernel/sc_spawn.h>
#include <sysc/kernel/sc_spawn_options.h>

#include <algorithm>
#include <stdexcept>

#include "rtl_model/base/range.h"
#include "rtl_model/base/run_end.h"
#include "tlm/interface/injection_port.h"

namespace allport {

namespace {

constexpr int most_timeless = 1'000'000;  // calls in one cycle that take no time

[[noreturn]] void refuse(const std::string& what) { throw std::invalid_argument(what); }

}  // namespace

void ProgramWorkload::Rank::run() {
  const auto note = [this](const std::string& what) {
    all_.problems_.push_back(name_of(rank()) + ": " + what);
  };
  try {
    program_.run(*this);
  } catch (const sc_core::sc_unwind_exception&) {
    throw;  // the kernel ends the thread
  } catch (const std::exception& error) {
    note(error.what());
  } catch (...) {
    note("its program threw something that is not a std::exception");
  }
  has_ended_ = true;
  ++all_.ended_;
  clock_.end(now_);
  all_.end_services();
}

void ProgramWorkload::Rank::require_rank(const char* what, std::uint32_t rank) const {
  if (rank < size() || (rank == host && all_.host_ != nullptr)) return;
  refuse(std::string(what) + " is rank " + std::to_string(rank) + ", but " +
         (size() == 1 ? "rank 0 is the only one" : "ranks are 0.." + std::to_string(size() - 1)));
}

// Throws if what it does takes it beyond the end of a run.
void ProgramWorkload::Rank::require_end(const char* does, Cycle cycles) const {
  if (cycles <= last_cycle - now_) return;
  refuse("from cycle " + std::to_string(now_) + " on it " + does + " for " +
         std::to_string(cycles) + " cycles, and " + end_of_run());
}

void ProgramWorkload::Rank::keep_busy(Cycle cycles, bool computes) {
  require_end("is busy", cycles);
  clock_.change(now_, computes ? 1 : 0, computes ? 0 : 1);
  busy_until_ = now_ + cycles;
  if (cycles > 0) all_.hands_->expect(all_.nodes_[number_], busy_until_);
  while (now_ < busy_until_) sc_core::wait(go_on_);
  clock_.change(now_, computes ? -1 : 0, computes ? 0 : -1);
}

void ProgramWorkload::Rank::compute(Cycle cycles) {
  require_range("compute: cycles", cycles, limits::cycles);
  keep_busy(cycles, true);
  if (cycles == 0) count_timeless("computes for 0 cycles", "");
}

// A program that does nothing else goes on in this cycle without end.
void ProgramWorkload::Rank::count_timeless(const char* what, const char* how) {
  if (std::exchange(timeless_in_, now_) != now_) timeless_ = 0;
  if (++timeless_ < most_timeless) return;
  throw std::logic_error(std::string("it ") + what + " " + std::to_string(most_timeless) +
                         " times in cycle " + std::to_string(now_) + how +
                         "; time passes only where it computes, sends or waits");
}

void ProgramWorkload::Rank::send(std::uint32_t to, const void* data, std::size_t bytes,
                                 std::uint32_t tag) {
  require_rank("send: the receiver", to);
  if (tag > 0x7fffffffU) refuse("send: tag " + std::to_string(tag) + " is above 2^31 - 1");
  if (data == nullptr && bytes > 0) {
    refuse("send: the data are null, and " + std::to_string(bytes) + " bytes are to be sent");
  }
  const bool crosses_fabric = to != number_ && to != host && !is_host();
  send_on(data, {rank(), to, tag, bytes}, crosses_fabric ? default_ties(to) : 0);
  wait_until_sent();
}

void ProgramWorkload::Rank::send_on(const void* data, Envelope envelope, TieMask ties) {
  const std::uint32_t to = envelope.to;
  const auto* const bytes = static_cast<const unsigned char*>(data);
  if (to == host || is_host()) {
    send_by_host(bytes, envelope);
    return;
  }
  const Cycle preparation =
      all_.machine_.node.ts + all_.machine_.model.ts_per_flit * all_.flits(envelope.bytes);
  require_end("is busy", preparation);
  const int order = sends_++;
  envelope.ticket = all_.send(envelope, order, now_);
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
void ProgramWorkload::Rank::send_by_host(const unsigned char* data, Envelope envelope) {
  if (envelope.to == rank()) refuse("send: the host does not send to itself");
  const int order = sends_++;
  envelope.ticket = all_.send(envelope, order, now_);
  const std::uint32_t held = all_.hold({envelope, {data, data + envelope.bytes}, nullptr});
  keep_busy(all_.host_->carry(envelope.bytes), false);
  const std::size_t place = all_.place_of(envelope.to);
  all_.ranks_[place]->add_arrival(now_, number_, order, held);
  all_.hands_->expect(all_.nodes_[place], now_);
}

// With ports the port does the rest, beside the thread.
void ProgramWorkload::Rank::prepare(tlm::tlm_generic_payload& message, Cycle preparation) {
  const NodeId node = all_.nodes_[number_];
  const bool blocks = all_.machine_.model.send_blocks;
  if (blocks) ++leaving_;
  if (!ports_.empty()) {
    const int port = injection_port(message, node, all_.machine_.router, all_.machine_.routing);
    ports_[static_cast<std::size_t>(port)].queue.emplace_back(&message, preparation);
    all_.hands_->expect(node, now_);
    return;
  }
  all_.hands_->send(node, message, preparation);
  if (!blocks) {
    keep_busy(preparation, false);
    return;
  }
  clock_.change(now_, 0, 1);
  wait_until_sent();
  clock_.change(now_, 0, -1);
}

void ProgramWorkload::Rank::wait_until_sent() {
  is_sending_ = true;
  while (leaving_ > 0) sc_core::wait(go_on_);
  is_sending_ = false;
}

ReceivedMessage ProgramWorkload::Rank::receive(std::uint32_t from, std::uint32_t tag) {
  post(from, tag);
  wait_for(from, tag);
  return take(taken_.front().held);
}

std::optional<ReceivedMessage> ProgramWorkload::Rank::try_receive_for(Cycle limit,
                                                                      std::uint32_t from,
                                                                      std::uint32_t tag) {
  require_range("try_receive_for: limit", limit, limits::cycles);
  require_end("waits", limit);
  post(from, tag);
  if (limit > 0) wait_for(from, tag, now_ + limit);
  if (!taken_.empty()) return take(taken_.front().held);
  withdraw(from, tag);
  return std::nullopt;
}

std::optional<ReceivedMessage> ProgramWorkload::Rank::receive_or_end(std::uint32_t from,
                                                                     std::uint32_t tag) {
  post(from, tag);
  wait_for(from, tag, never, true);
  if (!taken_.empty()) return take(taken_.front().held);
  withdraw(from, tag);
  return std::nullopt;
}

// Posts a receive, whose message is in taken_ when it has come.
void ProgramWorkload::Rank::post(std::uint32_t from, std::uint32_t tag) {
  if (from != any) require_rank("receive: the sender", from);
  if (tag != any && tag > 0x7fffffffU) {
    refuse("receive: tag " + std::to_string(tag) + " is above 2^31 - 1");
  }
  take_arrivals(now_);  // what its own rank or the host sent in this cycle
  taken_.clear();
  takes_part_ = false;
  const std::uint32_t held = all_.matching_.post(Matching::context(number_, false), from, tag, 0);
  if (held != Matching::none) taken_.push_back({0, held});
}

// Takes back a receive that has found nothing.
void ProgramWorkload::Rank::withdraw(std::uint32_t from, std::uint32_t tag) {
  all_.matching_.withdraw(Matching::context(number_, false), from, tag);
  count_timeless("asks for a message", " in vain");
}

void ProgramWorkload::Rank::set_serving(bool serves) {
  if (is_serving_ == serves) return;
  is_serving_ = serves;
  serves ? ++all_.serving_ : --all_.serving_;
  if (serves) all_.end_services();
}

void ProgramWorkload::Rank::end_service() {
  if (!is_serving_) return;
  set_serving(false);
  receives_until_ = now_;
  all_.hands_->expect(all_.nodes_[number_], now_);
}

// Waits for a message of a receive that was posted, until a cycle or, if it serves, until nobody is
// left who could send one.
void ProgramWorkload::Rank::wait_for(std::uint32_t from, std::uint32_t tag, Cycle until,
                                     bool serves) {
  if (!taken_.empty()) return;
  is_receiving_ = true;
  receives_until_ = until;
  awaited_ = from;
  awaited_tag_ = tag;
  waits_since_ = now_;
  set_serving(serves);
  if (until != never) all_.hands_->expect(all_.nodes_[number_], until);
  while (taken_.empty() && now_ < receives_until_) sc_core::wait(go_on_);
  set_serving(false);
  is_receiving_ = false;
}

// Takes over the first message of taken_, which is `held`.
ReceivedMessage ProgramWorkload::Rank::take(std::uint32_t held) {
  taken_.pop_front();
  Held& one = all_.held_[held];
  ReceivedMessage message{one.envelope.from, one.envelope.tag, std::move(one.bytes)};
  tlm::tlm_generic_payload* const transaction = std::exchange(one.message, nullptr);
  all_.free_held_.push_back(held);
  const bool is_transfer = is_host() || message.from == host;  // it was there when it was over
  if (all_.machine_.model.receive_occupies && !is_transfer) {
    keep_busy(all_.takeover(message.bytes.size()), false);
  }
  if (transaction != nullptr) all_.hands_->have(*transaction);
  return message;
}

// A collective that ended by an exception leaves receives behind.
void ProgramWorkload::Rank::note_taken(std::uint32_t receive, std::uint32_t held) {
  const std::uint32_t place = all_.held_[held].envelope.place;
  const bool is_left_over = receive > 0 && (!takes_part_ || place + 1 != collectives_);
  if (is_left_over) return;
  taken_.push_back({receive, held});
  set_serving(false);
}

// The messages that are there now. Returns when the next one will be.
Cycle ProgramWorkload::Rank::take_arrivals(Cycle now) {
  while (!arrivals_.empty() && arrivals_.top().due <= now) {
    const std::uint32_t held = arrivals_.top().held;
    arrivals_.pop();
    --all_.under_way_count_;
    InOrder in_order(all_.held_[held].message);
    all_.matching_.arrive(
        all_.held_[held].envelope.ticket, held,
        [&](std::uint32_t one) {
          if (!all_.machine_.model.receive_occupies) {
            in_order.have(all_.held_[one].message, *all_.hands_);
          }
        },
        [this](std::uint32_t receive, std::uint32_t one) { note_taken(receive, one); });
  }
  all_.end_services();
  return arrivals_.empty() ? never : arrivals_.top().due;
}

// Each port that is free begins with its next message. Returns when the next one will be free.
Cycle ProgramWorkload::Rank::serve_ports(Cycle now) {
  Cycle next = never;
  for (Port& port : ports_) {
    while (port.free_at <= now && (port.is_busy || !port.queue.empty())) {
      if (port.is_busy) clock_.change(now, 0, -1);
      port.is_busy = !port.queue.empty();
      if (!port.is_busy) break;
      const auto [message, preparation] = port.queue.front();
      port.queue.pop_front();
      port.free_at = all_.machine_.model.send_blocks ? never : now + preparation;
      clock_.change(now, 0, 1);
      all_.hands_->send(all_.nodes_[number_], *message, preparation);
    }
    if (port.is_busy) next = std::min(next, port.free_at);
  }
  return next;
}

// Messages and ports first, and then the thread, if what it waits for has come.
Cycle ProgramWorkload::Rank::act(Cycle now) {
  now_ = now;
  const Cycle next_arrival = take_arrivals(now);
  Cycle next = std::min(next_arrival, serve_ports(now));
  if (!has_begun_) {
    has_begun_ = true;
    sc_core::sc_spawn_options options;
    options.set_stack_size(static_cast<int>(program_.stack_bytes()));
    sc_core::sc_spawn([this] { run(); }, sc_core::sc_gen_unique_name("program"), &options);
    return next;
  }
  const bool awaits_message = is_receiving_ && taken_.empty() && now < receives_until_;
  const bool waits = now < busy_until_ || (is_sending_ && leaving_ > 0) || awaits_message;
  if (!waits && !has_ended_) go_on_.notify();
  if (awaits_message) next = std::min(next, receives_until_);
  return now < busy_until_ ? std::min(next, busy_until_) : next;
}

std::string ProgramWorkload::Rank::wait_in_words() const {
  std::string words = name_of(rank()) + " waits since cycle " + std::to_string(waits_since_) +
                      " for a message from " + (awaited_ == any ? "any rank" : name_of(awaited_));
  if (awaited_tag_ != any) words += ", tag " + std::to_string(awaited_tag_);
  if (is_serving_) words += ", until nobody is left to ask";
  const bool never_comes = awaited_ != any && all_.ranks_[all_.place_of(awaited_)]->has_ended();
  return never_comes ? words + ", whose program has ended" : words;
}

}  // namespace allport
