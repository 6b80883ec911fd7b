// SPDX-License-Identifier: Apache-2.0
#include "tests/twin/router/twin_bench.h"

#include <algorithm>
#include <sstream>
#include <stdexcept>
#include <utility>

#include "rtl_model/router/pin_kinds.h"
#include "rtl_model/topology/group_routes.h"
#include "rtl_model/verilated/router_straps.h"

namespace allport::test {

namespace {

constexpr int drawn_messages = 1500;  // of a kind

std::size_t at(int index) { return static_cast<std::size_t>(index); }

}  // namespace

std::vector<MessageKind> all_kinds(const Blueprint& blueprint, PinGroups groups) {
  std::vector<MessageKind> kinds;
  for (const MessageKind kind : message_kinds) {
    if (pin_kind_fault(kind, blueprint.config.switching, blueprint.routing, groups).empty()) {
      kinds.push_back(kind);
    }
  }
  return kinds;
}

std::string in_words(const Difference& difference) {
  std::ostringstream text;
  text << (difference.is_credit ? "input " : "output ") << difference.port << " vc "
       << difference.vc << ", " << difference.field << ": " << difference.systemc
       << " (SystemC) and " << difference.rtl << " (RTL) in cycle " << difference.cycle;
  return text.str();
}

TwinBench::TwinBench(std::unique_ptr<PinModel> model, const Blueprint& blueprint, int payload_bits,
                     NodeId node, const std::vector<MessageKind>& kinds, std::uint64_t seed,
                     int fault, int max_via, PinGroups groups)
    : model_(std::move(model)),
      config_(blueprint.config),
      routing_(blueprint.routing),
      layout_(config_, routing_, payload_bits, 0, max_via, groups),
      groups_(groups),
      node_(node),
      router_(sc_core::sc_gen_unique_name("router"), config_, routing_, node, systemc_),
      draw_(seed),
      payload_(seed) {
  if (fault != 0) {
    if (model_->inputs().fault_i == nullptr) {
      throw std::invalid_argument("the model has no pin fault_i");
    }
    *model_->inputs().fault_i = static_cast<std::uint32_t>(fault);
  }
  if (config_.retry) retry_.emplace(*model_, layout_, config_, node_);
  set_straps(*model_, config_, routing_, node_);
  fill_pools(kinds, seed);
}

// Messages are drawn by rejection, which takes long: each input VC has a stock of them.
void TwinBench::fill_pools(const std::vector<MessageKind>& kinds, std::uint64_t seed) {
  const BenchMessages messages(config_, routing_, node_, layout_.max_via, groups_);
  SplitMix64 generator(seed);
  for (const MessageKind kind : kinds) {
    if (is_join(kind)) {
      kinds_.push_back(kind);
      continue;
    }
    Pool& pool = pools_[static_cast<std::size_t>(kind)];
    pool.resize(at(config_.channel_vcs()));
    bool is_known = false;
    for (int i = 0; i < drawn_messages; ++i) {
      const auto message = messages.draw(kind, 1, generator);
      if (!message) break;
      is_known = true;
      pool[at(config_.channel_vc(message->input, message->vc))].push_back(*message);
    }
    if (is_known) kinds_.push_back(kind);
  }
}

void TwinBench::begin_phase() {
  const int depth = config_.buffer_depth;
  phase_.end = now_ + draw_.one_of<int>({50, 200, 600, 1500});
  phase_.cycles_between_resets = draw_.one_of<int>({100, 1000, 4000});
  phase_.silence = chance(30) ? 1 + draw_.below(30) : 0;
  phase_.idle_percent =
      phase_.silence > 0 ? draw_.one_of<int>({0, 40}) : draw_.one_of<int>({0, 0, 10, 50, 95});
  phase_.one_flit_percent = draw_.one_of<int>({100, 70, 30, 0});
  phase_.most_flits = draw_.one_of<int>({2, depth + 1, 2 * depth + 3, 20});
  if (buffers_messages(config_.switching)) phase_.most_flits = std::min(phase_.most_flits, depth);
  phase_.return_percent = draw_.one_of<int>({100, 100, 60, 20});
  phase_.shut_permille = draw_.one_of<int>({0, 5, 40});
  phase_.most_shut = draw_.one_of<int>({3, 20, 80});
  if (retry_) {
    phase_.error_percent = draw_.one_of<int>({0, 1, 10, 50});
    phase_.nack_percent = draw_.one_of<int>({0, 1, 10, 80});
  }
  phase_.hot_output = chance(30) ? draw_.below(config_.ports()) : -1;
  phase_.may_sleep = chance(50);
  phase_.kinds = {draw_.one_of(kinds_)};
  for (const MessageKind kind : kinds_) {
    if (chance(50)) phase_.kinds.push_back(kind);
  }
}

std::optional<Difference> TwinBench::reset() {
  router_.reset();
  model_->reset(layout_.address(node_));
  if (retry_) {
    retry_->reset();
    erring_.assign(at(config_.external_ports), {});
    for (int port = 0; port < config_.external_ports; ++port) {
      ErringPort& erring = erring_[at(port)];
      erring.window = config_.replay_cycles_at(node_, port);
      erring.discards_until = now_;
      erring.replays.fill(now_ - erring.window);
    }
  }
  planned_.assign(at(config_.channel_vcs()), {});
  inputs_.assign(at(config_.channel_vcs()), {});
  for (InputVc& input : inputs_) {
    input.message.flits = 0;
    input.credits = config_.buffer_depth;
  }
  outputs_.assign(at(config_.ports()), {});
  for (int port = 0; port < config_.ports(); ++port) {
    outputs_[at(port)].owed.resize(at(config_.vcs_of(port)));
  }
  inside_ = owed_ = 0;
  is_awake_ = has_inputs_ = false;
  last_activity_ = now_;
  ++counts_.resets;
  systemc_.outputs.clear();
  read_pins();
  return compare();
}

std::optional<Difference> TwinBench::run(Cycle cycles) {
  for (const Cycle end = now_ + cycles; now_ < end;) {
    if (now_ >= phase_.end) begin_phase();
    const bool is_stuck = stands_still();
    if (is_stuck) ++counts_.standstills;
    if (now_ == 0 || is_stuck || draw_.below(phase_.cycles_between_resets) == 0) {
      if (auto difference = reset()) return difference;
    }
    if (auto difference = step()) return difference;
  }
  return std::nullopt;
}

std::optional<Difference> TwinBench::step() {
  has_inputs_ = false;
  if (retry_) retry_->clear_inputs();
  drive_flits();
  drive_nacks();
  shut_sinks();
  drive_credits();
  drive_acks();
  evaluate_systemc();
  evaluate_rtl();
  ++now_;
  ++counts_.cycles;
  if (auto difference = compare()) return difference;
  take_outputs();
  return std::nullopt;
}

bool TwinBench::stands_still() const {
  const Cycle patience = 50 + config_.replication_delay + config_.combine_delay +
                         config_.route_delay + config_.vc_delay + config_.crossbar_delay +
                         2 * config_.longest_replay();
  return inside_ > 0 && owed_ == 0 && now_ - last_activity_ > patience;
}

int TwinBench::draw_length() {
  return chance(phase_.one_flit_percent) ? 1 : 1 + draw_.below(phase_.most_flits);
}

// A join of a random group of this node, or one that differs from the last in its tag or its group
// only. No two that are under way at once are equal in both.
void TwinBench::draw_join(MessageKind kind) {
  const bool is_first = joins_ == 0;
  if (!is_first && has_new_tag_ && chance(30)) {
    const TieMask last = join_.ties;
    draw_group();
    has_new_tag_ = false;
    if (join_.ties != last) return;
  }
  const int tag = static_cast<int>(joins_++ & JoinTag::max_tag);
  has_new_tag_ = true;
  if (!is_first && chance(40)) {
    join_.join = JoinTag(tag, join_.join.operation(), join_.join.type());
    return;
  }
  join_.address = node_id(at(draw_.below(static_cast<int>(routing_.topology().node_count()))));
  draw_group();
  LaneType lanes = values_of<LaneType>()[at(draw_.below(3))];
  if (lanes == LaneType::u64 && layout_.payload_bits < 64) lanes = LaneType::u32;
  const int operations = lanes == LaneType::float32 ? 3 : 6;
  join_.kind = kind;
  join_.join = JoinTag(tag, values_of<JoinOperation>()[at(draw_.below(operations))], lanes);
}

// Some group of the root to which this node belongs.
void TwinBench::draw_group() {
  const Topology& topology = routing_.topology();
  const int masks = 1 << topology.dimension_count();
  do {
    join_.ties = static_cast<TieMask>(draw_.below(masks));
  } while (!is_in_group(topology, node_, join_.address, static_cast<DimensionMask>(join_.ties)));
}

void TwinBench::plan_join(MessageKind kind) {
  draw_join(kind);
  Planned planned{join_, static_cast<MessageId>(messages_++)};
  BenchMessage& message = planned.message;
  message.flits = draw_length();
  const bool has_own_vcs = config_.join_vcs > 0;
  const int first_vc = has_own_vcs ? config_.vcs - config_.join_vcs : 0;
  const auto free = static_cast<DimensionMask>(join_.ties);
  for (PortMask rest = join_inputs(routing_, node_, join_.address, free); rest != 0;
       rest &= rest - 1) {
    message.input = __builtin_ctzll(rest);
    message.vc = first_vc + draw_.below(has_own_vcs ? 1 : config_.vcs);
    planned_[at(config_.channel_vc(message.input, message.vc))].push_back(planned);
  }
  message.input = config_.external_ports;
  message.vc = 0;
  planned_[at(config_.channel_vc(message.input, 0))].push_back(planned);
}

bool TwinBench::begin_planned(int input_vc, InputVc& input) {
  auto& planned = planned_[at(input_vc)];
  if (planned.empty()) return false;
  input.message = planned.front().message;
  input.number = planned.front().number;
  input.next = 0;
  planned.pop_front();
  ++counts_.messages;
  return true;
}

bool TwinBench::begin_message(int input_vc, InputVc& input) {
  constexpr std::size_t most_joins = 4;  // that wait to begin
  const MessageKind kind = draw_.one_of(phase_.kinds);
  if (is_join(kind)) {
    if (planned_[at(config_.channel_vc(config_.external_ports, 0))].size() < most_joins) {
      plan_join(kind);
    }
    return begin_planned(input_vc, input);
  }
  if (chance(50) && begin_planned(input_vc, input)) return true;
  const auto& pool = pools_[static_cast<std::size_t>(kind)][at(input_vc)];
  if (pool.empty()) return false;
  for (int attempt = 0; attempt < 6; ++attempt) {
    input.message = pool[at(draw_.below(static_cast<int>(pool.size())))];
    if (phase_.hot_output < 0 || (input.message.outputs >> phase_.hot_output & 1U) != 0) break;
  }
  input.message.flits = draw_length();
  input.number = static_cast<MessageId>(messages_++);
  input.next = 0;
  ++counts_.messages;
  return true;
}

Flit TwinBench::next_flit(InputVc& input, int vc) {
  const BenchMessage& message = input.message;
  Flit flit;
  flit.head = input.next == 0;
  flit.tail = input.next == message.flits - 1;
  flit.vc = vc_id(at(vc));
  flit.data = payload_.next() >> (64 - layout_.payload_bits);
  flit.message = input.number;
  if (flit.head) {
    if (config_.switching == Switching::circuit) input.is_circuit_open = flit.tail;
    if (layout_.length_width > 0) flit.length = static_cast<std::uint16_t>(message.flits);
    flit.via = message.via;
    flit.kind = message.kind;
    flit.address = message.address;
    flit.ties = message.ties;
    flit.join = message.join;
  }
  ++input.next;
  return flit;
}

// Whether the next flit of the message at `input`, which is drawn if there is none, may come.
bool TwinBench::may_send(int input_vc, InputVc& input) {
  if (input.credits == 0 || !input.is_circuit_open) return false;
  if (input.next == input.message.flits && !begin_message(input_vc, input)) return false;
  return input.next > 0 || !buffers_messages(config_.switching) ||
         input.credits >= input.message.flits;
}

// Each input sends at most one flit: what its channel repeats, or one of its VCs that have a
// credit.
void TwinBench::drive_flits() {
  std::fill_n(model_->inputs().valid_i, (config_.ports() + 31) / 32, 0);
  const bool is_silent = now_ % (phase_.silence + 1) != 0;
  for (int port = 0; port < config_.ports(); ++port) {
    if (drive_repeat(port) || is_silent || chance(phase_.idle_percent)) continue;
    drive_next_flit(port);
  }
}

void TwinBench::drive_next_flit(int port) {
  const int vcs = config_.vcs_of(port);
  const int first = draw_.below(vcs);
  for (int i = 0; i < vcs; ++i) {
    const int vc = (first + i) % vcs;
    const int input_vc = config_.channel_vc(port, vc);
    InputVc& input = inputs_[at(input_vc)];
    if (!may_send(input_vc, input)) continue;
    --input.credits;
    ++inside_;
    put(port, next_flit(input, vc));
    return;
  }
}

// Whether the channel of `port` repeats what came in error, in this cycle perhaps nothing.
bool TwinBench::drive_repeat(int port) {
  if (!retry_ || !config_.is_external(port)) return false;
  ErringPort& erring = erring_[at(port)];
  const auto again = erring.again.find(now_);
  if (again == erring.again.end()) return erring.is_replaying(now_);
  const Flit flit = again->second;
  erring.again.erase(again);
  put(port, flit);
  return true;
}

// The SystemC router does not hear of what is discarded.
void TwinBench::put(int port, const Flit& flit) {
  layout_.pack(flit, port, model_->inputs().flit_i);
  put_bit(model_->inputs().valid_i, at(port));
  last_activity_ = now_;
  has_inputs_ = true;
  if (retry_ && config_.is_external(port)) {
    ErringPort& erring = erring_[at(port)];
    const bool is_in_error = now_ >= erring.discards_until && chance(phase_.error_percent);
    const auto damage = is_in_error                    ? RetryPins::Damage::found
                        : now_ < erring.discards_until ? RetryPins::Damage::hidden
                                                       : RetryPins::Damage::none;
    retry_->put_flit(port, damage, now_);
    if (is_in_error) {
      ++counts_.errors;
      erring.discards_until = now_ + erring.window;
      erring.replays = {erring.replays[1], erring.discards_until};
    }
    if (now_ < erring.discards_until) {
      erring.again[now_ + erring.window] = flit;
      return;
    }
  }
  router_.accept(port, flit, now_);
  is_awake_ = true;
}

// What an output has sent may come in error at any time; the nacks are no nearer than errors.
void TwinBench::drive_nacks() {
  if (!retry_) return;
  for (int port = 0; port < config_.external_ports; ++port) {
    ErringPort& erring = erring_[at(port)];
    if (now_ < erring.nack_from || !chance(phase_.nack_percent)) continue;
    const Cycle until = now_ + erring.window + config_.phits_at(node_, port) - 1;
    retry_->put_nack(port, until);
    router_.accept_nack(port, until);
    erring.nack_from = now_ + erring.window;
    has_inputs_ = true;
    ++counts_.nacks;
  }
}

// A sink keeps the credits of one or of all VCs; in hard times all sinks do.
void TwinBench::shut_sinks() {
  if (phase_.shut_permille == 0) return;
  const bool shuts_all = draw_.below(10000) < phase_.shut_permille;
  const Cycle until = now_ + 1 + draw_.below(phase_.most_shut);
  for (OutputPort& output : outputs_) {
    if (!shuts_all && draw_.below(1000) >= phase_.shut_permille) continue;
    output.shut_until = until;
    output.shut_vc = shuts_all || chance(50) ? all_vcs : draw_.below(config_.vcs);
  }
}

// The VC that gets a credit in this cycle; none: `vcs`.
int TwinBench::creditable_vc(const OutputPort& output, int vcs) {
  const int first = draw_.below(vcs);
  for (int i = 0; i < vcs; ++i) {
    const int vc = (first + i) % vcs;
    const bool is_shut =
        output.shut_until > now_ && (output.shut_vc == all_vcs || output.shut_vc == vc);
    if (output.owed[at(vc)] > 0 && !is_shut) return vc;
  }
  return vcs;
}

// Each output gets at most one credit, for one of the VCs that are owed one.
void TwinBench::drive_credits() {
  std::fill_n(model_->inputs().credit_i, (config_.ports() + 31) / 32, 0);
  const auto width = static_cast<std::size_t>(layout_.vc_width);
  for (int port = 0; port < config_.ports(); ++port) {
    OutputPort& output = outputs_[at(port)];
    if (output.owed_in_all == 0 || !chance(phase_.return_percent)) continue;
    const int vc = creditable_vc(output, config_.vcs_of(port));
    if (vc == config_.vcs_of(port)) continue;
    --output.owed[at(vc)];
    --output.owed_in_all;
    --owed_;
    put_bit(model_->inputs().credit_i, at(port));
    put_bits(model_->inputs().credit_vc_i, at(port) * width, layout_.vc_width,
             static_cast<std::uint64_t>(vc));
    if (router_.accept_credit(port, vc)) is_awake_ = true;
    last_activity_ = now_;
    has_inputs_ = true;
  }
}

// The acknowledgements of several VCs of an output may come at once.
void TwinBench::drive_acks() {
  if (config_.switching != Switching::circuit) return;
  std::fill_n(model_->inputs().ack_i, (config_.ports() * config_.vcs + 31) / 32, 0);
  for (int port = 0; port < config_.ports(); ++port) {
    OutputPort& output = outputs_[at(port)];
    for (std::uint32_t rest = output.owed_acks; rest != 0; rest &= rest - 1) {
      const int vc = __builtin_ctz(rest);
      if (output.shut_until > now_ || !chance(phase_.return_percent)) continue;
      output.owed_acks &= ~(1U << vc);
      --owed_;
      put_bit(model_->inputs().ack_i, at(port * config_.vcs + vc));
      router_.accept_ack(port, vc);
      last_activity_ = now_;
      has_inputs_ = is_awake_ = true;
    }
  }
}

void TwinBench::evaluate_systemc() {
  systemc_.outputs.clear();
  if (phase_.may_sleep && !is_awake_) return;
  is_awake_ = router_.evaluate(now_);
}

void TwinBench::evaluate_rtl() {
  if (phase_.may_sleep && !has_inputs_ && !model_->is_active()) {
    ++counts_.asleep;
  } else {
    try {
      model_->clock();
      if (retry_) retry_->look(now_);
    } catch (const std::runtime_error& error) {
      throw std::runtime_error("the RTL ended the simulation in cycle " + std::to_string(now_) +
                               ": " + error.what());
    }
  }
  read_pins();
}

void TwinBench::read_pins() {
  rtl_.clear();
  const PinModel::Outputs& pins = model_->outputs();
  const auto width = static_cast<std::size_t>(layout_.vc_width);
  for (int port = 0; port < config_.ports(); ++port) {
    if (get_bit(pins.valid_o, at(port)) && !(retry_ && retry_->is_repeat(port))) {
      rtl_.flits.push_back({port, layout_.unpack(pins.flit_o, port)});
    }
    if (get_bit(pins.credit_o, at(port))) {
      const auto vc = get_bits(pins.credit_vc_o, at(port) * width, layout_.vc_width);
      rtl_.credits.push_back({port, static_cast<int>(vc)});
    }
    for (int vc = 0; pins.ack_o != nullptr && vc < config_.vcs; ++vc) {
      if (get_bit(pins.ack_o, at(port * config_.vcs + vc))) rtl_.acks.push_back({port, vc});
    }
  }
}

std::optional<Difference> TwinBench::compare() {
  auto difference = first_difference(systemc_.outputs, rtl_, config_.ports());
  if (difference) {
    difference->cycle = now_;
    difference->node = node_;
  }
  return difference;
}

void TwinBench::take_outputs() {
  for (const RouterOutputs::SentFlit& sent : systemc_.outputs.flits) {
    OutputPort& output = outputs_[at(sent.output)];
    ++output.owed[index(sent.flit.vc)];
    ++output.owed_in_all;
    ++owed_;
    ++counts_.flits;
    if (config_.switching == Switching::circuit && sent.flit.head && !sent.flit.tail) {
      output.owed_acks |= 1U << index(sent.flit.vc);
      ++owed_;
    }
  }
  for (const RouterOutputs::SentCredit& ack : systemc_.outputs.acks) {
    inputs_[at(config_.channel_vc(ack.input, ack.vc))].is_circuit_open = true;
    last_activity_ = now_;
  }
  for (const RouterOutputs::SentCredit& credit : systemc_.outputs.credits) {
    ++inputs_[at(config_.channel_vc(credit.input, credit.vc))].credits;
    --inside_;
  }
  if (!systemc_.outputs.flits.empty() || !systemc_.outputs.credits.empty()) last_activity_ = now_;
}

}  // namespace allport::test
