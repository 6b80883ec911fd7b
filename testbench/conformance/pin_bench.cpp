// SPDX-License-Identifier: Apache-2.0
#include "testbench/conformance/pin_bench.h"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <utility>

namespace allport {

namespace {

std::uint64_t payload_of(std::uint32_t message, int at, int payload_bits) {
  const std::uint64_t bits =
      SplitMix64(std::uint64_t{message} << 20 | static_cast<unsigned>(at)).next();
  return payload_bits == 64 ? bits : bits & ((std::uint64_t{1} << payload_bits) - 1);
}

}  // namespace

PinBench::PinBench(std::unique_ptr<PinModel> model, const RouterConfig& config,
                   const PinLayout& layout, NodeId node, std::uint64_t seed, Cycle cycles_per_flit)
    : model_(std::move(model)),
      config_(config),
      layout_(layout),
      node_(node),
      seed_(seed),
      cycles_per_flit_(cycles_per_flit),
      generator_(seed),
      probe_(*model_, config, layout, seed) {
  reset();
}

void PinBench::reset() {
  generator_ = SplitMix64(seed_);
  messages_.clear();
  inputs_.assign(static_cast<std::size_t>(config_.channel_vcs()), {});
  for (InputVc& input : inputs_) input.credits = config_.buffer_depth;
  outputs_.assign(inputs_.size(), {});
  next_vc_.assign(static_cast<std::size_t>(config_.ports()), 0);
  owed_.assign(next_vc_.size(), {});
  kept_ = 0;
  kept_cycles_ = 0;
  owed_acks_.clear();
  open_ = open_branching_ = 0;
  flits_submitted_ = 0;
  flits_out_ = 0;
  unreturned_ = 0;
  now_ = last_activity_ = 0;
  offence_.reset();
  try {
    model_->reset(layout_.address(node_));
  } catch (const std::runtime_error& error) {
    offend("model", error.what());
    return;
  }
  for (int port = 0; port < config_.ports(); ++port) {
    const auto bit = static_cast<std::size_t>(port);
    if (get_bit(model_->outputs().valid_o, bit)) offend("reset", "valid_o is high after reset");
    if (get_bit(model_->outputs().credit_o, bit)) offend("reset", "credit_o is high after reset");
  }
}

std::uint32_t PinBench::submit(const BenchMessage& message) {
  const auto number = static_cast<std::uint32_t>(messages_.size());
  Record record{message, {}};
  for (PortMask rest = message.outputs; rest != 0 && !message.is_choice; rest &= rest - 1) {
    record.deliveries.push_back({__builtin_ctzll(rest)});
    ++record.open;
  }
  if (message.is_choice) record.open = 1;  // by the output on which its head is seen
  flits_submitted_ += message.flits;
  messages_.push_back(std::move(record));
  inputs_[static_cast<std::size_t>(config_.channel_vc(message.input, message.vc))].queue.push_back(
      number);
  ++open_;
  if (is_branching(message)) ++open_branching_;
  return number;
}

void PinBench::keep_credits(PortMask outputs) { kept_ = outputs; }

void PinBench::give_credits() {
  kept_ = 0;
  last_activity_ = now_;
}

bool PinBench::step() {
  if (offence_) return false;
  if (kept_ != 0) ++kept_cycles_;
  std::fill_n(model_->inputs().valid_i, (layout_.ports + 31) / 32, 0);
  std::fill_n(model_->inputs().credit_i, (layout_.ports + 31) / 32, 0);
  drive_flits();
  drive_credits();
  if (has_circuits()) drive_acks();
  try {
    model_->clock();
  } catch (const std::runtime_error& error) {
    offend("model", error.what());
    return false;
  }
  ++now_;
  look_at_flits();
  look_at_credits();
  if (has_circuits()) look_at_acks();
  look_for_progress();
  if (!offence_) look_for_paths();
  return !offence_;
}

void PinBench::look_for_paths() {
  try {
    const std::string path = probe_.find_path();
    if (!path.empty()) offend("pins", path);
  } catch (const std::runtime_error& error) {
    offend("model", error.what());
  }
}

bool PinBench::drain() {
  const auto owes = [this] {
    return open_ > 0 || unreturned_ > 0 ||
           std::any_of(owed_.begin(), owed_.end(), [](const auto& owed) { return !owed.empty(); });
  };
  while (owes()) {
    if (!step()) return false;
  }
  return !offence_;
}

Flit PinBench::flit_of(std::uint32_t number, int at, int vc) const {
  const BenchMessage& message = messages_[number].message;
  Flit flit;
  flit.head = at == 0;
  flit.tail = at == message.flits - 1;
  flit.vc = vc_id(static_cast<std::size_t>(vc));
  flit.data = payload_of(number, at, layout_.payload_bits);
  flit.message = static_cast<MessageId>(number);
  if (!flit.head) return flit;
  if (layout_.length_width > 0) flit.length = static_cast<std::uint16_t>(message.flits);
  flit.via = message.via;
  flit.kind = message.kind;
  flit.address = message.address;
  flit.ties = message.ties;
  return flit;
}

bool PinBench::may_send(const InputVc& input) const {
  if (input.queue.empty() || input.credits == 0 || !input.is_circuit_open) return false;
  const Record& record = messages_[input.queue.front()];
  const bool pauses = input.next > 0 && input.next == record.pause.at;
  if (pauses && now_ <= record.last_sent + record.pause.cycles) return false;
  return input.next > 0 || !buffers_messages(config_.switching) ||
         input.credits >= record.message.flits;
}

// Each input sends at most one flit, taking turns among its VCs that have a flit and a credit.
void PinBench::drive_flits() {
  for (int port = 0; port < config_.ports(); ++port) {
    if (manners_.idle_percent > 0 && draw(100) < static_cast<std::uint64_t>(manners_.idle_percent))
      continue;
    const int vcs = config_.vcs_of(port);
    int& turn = next_vc_[static_cast<std::size_t>(port)];
    for (int i = 0; i < vcs; ++i) {
      const int vc = (turn + i) % vcs;
      InputVc& input = inputs_[static_cast<std::size_t>(config_.channel_vc(port, vc))];
      if (!may_send(input)) continue;
      Record& record = messages_[input.queue.front()];
      if (input.next == 0) record.sent = now_;
      layout_.pack(flit_of(input.queue.front(), input.next, vc), port, model_->inputs().flit_i);
      put_bit(model_->inputs().valid_i, static_cast<std::size_t>(port));
      --input.credits;
      ++unreturned_;
      last_activity_ = now_;
      record.last_sent = now_;
      record.sent_flits = ++input.next;
      if (has_circuits()) input.is_circuit_open = input.next > 1 || record.message.flits == 1;
      if (input.next == record.message.flits) {
        input.queue.pop_front();
        input.next = 0;
      }
      turn = vc + 1;
      break;
    }
  }
}

void PinBench::drive_credits() {
  const auto width = static_cast<std::size_t>(layout_.vc_width);
  for (int port = 0; port < config_.ports(); ++port) {
    if ((kept_ >> port & 1U) != 0) continue;
    auto& owed = owed_[static_cast<std::size_t>(port)];
    const auto due = std::find_if(owed.begin(), owed.end(),
                                  [this](const OwedCredit& credit) { return credit.due <= now_; });
    if (due == owed.end()) continue;
    put_bit(model_->inputs().credit_i, static_cast<std::size_t>(port));
    put_bits(model_->inputs().credit_vc_i, static_cast<std::size_t>(port) * width, layout_.vc_width,
             static_cast<std::uint64_t>(due->vc));
    --outputs_[static_cast<std::size_t>(config_.channel_vc(port, due->vc))].unreturned;
    owed.erase(due);
    last_activity_ = now_;
  }
}

Cycle PinBench::sink_delay() {
  if (manners_.max_credit_delay == 0) return 0;
  return static_cast<Cycle>(draw(static_cast<std::uint64_t>(manners_.max_credit_delay) + 1));
}

void PinBench::drive_acks() {
  std::fill_n(model_->inputs().ack_i, (layout_.ports * config_.vcs + 31) / 32, 0);
  for (std::size_t i = owed_acks_.size(); i-- > 0;) {
    const OwedAck& ack = owed_acks_[i];
    if (ack.due > now_) continue;
    put_bit(model_->inputs().ack_i, static_cast<std::size_t>(ack.line));
    messages_[ack.message].is_acknowledged = true;
    last_activity_ = now_;
    owed_acks_.erase(owed_acks_.begin() + static_cast<std::ptrdiff_t>(i));
  }
}

// Flits that have entered at an input VC and have not yet left by all their outputs.
int PinBench::flits_inside(int input_vc) const {
  int inside = 0;
  for (const Record& record : messages_) {
    if (config_.channel_vc(record.message.input, record.message.vc) != input_vc) continue;
    int left = record.deliveries.empty() ? 0 : record.sent_flits;
    for (const Delivery& delivery : record.deliveries) left = std::min(left, delivery.next);
    inside += record.sent_flits - left;
  }
  return inside;
}

// Distinguishes credits that never come back from flits that never leave.
void PinBench::look_for_progress() {
  if (kept_ != 0) return;
  if (now_ - kept_cycles_ > patience + flits_submitted_ * cycles_per_flit_) {
    offend("progress", "it crawls: " + std::to_string(flits_submitted_) +
                           " flits have not come through after " + std::to_string(now_) +
                           " cycles");
  }
  const bool is_owed = open_ > 0 || unreturned_ > 0;
  if (offence_ || !is_owed || now_ - last_activity_ < patience) return;
  const std::string since = "nothing has moved for " + std::to_string(patience) + " cycles";
  for (int port = 0; port < config_.ports(); ++port) {
    for (int vc = 0; vc < config_.vcs_of(port); ++vc) {
      const int input_vc = config_.channel_vc(port, vc);
      const int missing =
          config_.buffer_depth - inputs_[static_cast<std::size_t>(input_vc)].credits;
      const int inside = flits_inside(input_vc);
      if (inside > 0) {
        offend("progress", since + " though every output has its credits, with " +
                               std::to_string(inside) + " flits inside that came on " +
                               place("input", port, vc));
      } else if (!inputs_[static_cast<std::size_t>(input_vc)].is_circuit_open) {
        offend("switching",
               since + ": an acknowledgement never came back to " + place("input", port, vc));
      } else if (missing > 0) {
        offend("credits", since + ": " + std::to_string(missing) + " credits never came back to " +
                              place("input", port, vc) + ", whose flits have all left");
      }
      if (offence_) return;
    }
  }
}

Cycle PinBench::head_on(std::uint32_t message, int output) const {
  for (const Delivery& one : messages_[message].deliveries) {
    if (one.output == output) return one.head;
  }
  return -1;
}

Cycle PinBench::tail_on(std::uint32_t message, int output) const {
  for (const Delivery& one : messages_[message].deliveries) {
    if (one.output == output) return one.tail;
  }
  return -1;
}

void PinBench::offend(const char* check, const std::string& what) {
  if (!offence_) offence_ = {check, what, now_};
}

void PinBench::offend_by_mixing(const std::string& what) {
  if (!offence_) offence_ = {"wormhole", what, now_, true};
}

std::string PinBench::place(const char* side, int port, int vc) {
  return std::string(side) + " " + std::to_string(port) + " vc " + std::to_string(vc);
}

}  // namespace allport
